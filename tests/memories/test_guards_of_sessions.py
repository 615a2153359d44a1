"""The database keeps a session's messages once and as they came, whoever goes around the services."""

from typing import Any

import pytest

from memories.actors import Actor
from memories.models import CapturedMessage, Write
from tests import factories, guards
from tests.guards import refused_by


def message(by: Actor, write: Write, **columns: Any) -> CapturedMessage:
    values = {"product_id": by.product_id, "agent_id": by.agent_id, "session": "s1", "message": "m1", "role": "user"}
    return CapturedMessage.objects.create(**(values | columns), write=write)


def text(by: Actor) -> Write:
    return factories.write(by, "The lamp is lit.", wait=False)


def test_a_message_is_kept_once_per_agent_and_session(a1: Actor) -> None:
    message(a1, text(a1))
    with refused_by("CapturedMessage:one_message_per_agent_session_and_id"):
        message(a1, text(a1))


@pytest.mark.parametrize("column", guards.columns(CapturedMessage, without=("id",)))
def test_a_message_stays_as_it_came(a1: Actor, column: str) -> None:
    kept = message(a1, text(a1))
    with refused_by("CapturedMessage:message_stays_written"):
        guards.set_column(kept, column, guards.other_value(kept, column))


def test_a_message_is_never_deleted(a1: Actor) -> None:
    kept = message(a1, text(a1))
    with refused_by("CapturedMessage:no_deletes"):
        guards.delete(kept)


def test_its_agent_and_its_write_are_of_its_product(a1: Actor, b1: Actor) -> None:
    with refused_by("CapturedMessage:same_product"):
        message(a1, text(b1))
    with refused_by("CapturedMessage:same_product"):
        message(a1, text(a1), agent_id=b1.agent_id)
