"""The database itself keeps pairs as they were opened, whoever goes around the services."""

from datetime import UTC, datetime
from typing import Any

import pytest

from conflicts.choices import Answer, State
from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Reason, Scope
from memories.models import Memory
from tests import factories, guards
from tests.guards import refused_by

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SETTLED: dict[str, Any] = {"state": State.SETTLED, "answer": Answer.NEWER, "settled_at": NOW}


@pytest.fixture
def sides(a1: Actor) -> tuple[Memory, Memory]:
    return factories.stored_row(a1), factories.stored_row(a1, "The lamp is off.")


def pair(older: Memory, newer: Memory, **columns: Any) -> Conflict:
    values = {"product_id": older.product_id, "older": older, "newer": newer, "reason": Reason.DISAGREEMENT}
    opened: Conflict = Conflict.objects.create(**values | columns)
    return opened


@pytest.mark.parametrize("column", ["product_id", "older_id", "newer_id", "persona", "opened_at"])
def test_a_pair_stays_as_it_was_opened(sides: tuple[Memory, Memory], column: str) -> None:
    opened = pair(*sides)
    with refused_by("Conflict:pair_stays_as_opened"):
        guards.set_column(opened, column, guards.other_value(opened, column))


FIRM = [Reason.DISAGREEMENT, Reason.AUTHORITY]
OTHER_REASONS = [(before, after) for before in FIRM for after in Reason if after != before]


@pytest.mark.parametrize(("before", "after"), [*OTHER_REASONS, (Reason.UNSURE, "whim")])
def test_why_a_pair_was_opened_stays(sides: tuple[Memory, Memory], before: str, after: str) -> None:
    opened = pair(*sides, reason=before)
    with refused_by("Conflict:only_a_suggestion_grows_firm"):
        guards.set_column(opened, "reason", after)


@pytest.mark.parametrize("firm", FIRM)
def test_only_a_suggestion_grows_firm(sides: tuple[Memory, Memory], firm: Reason) -> None:
    opened = pair(*sides, reason=Reason.UNSURE)
    guards.set_column(opened, "reason", firm)
    opened.refresh_from_db()
    assert opened.reason == firm


def test_a_pair_is_never_deleted(sides: tuple[Memory, Memory]) -> None:
    opened = pair(*sides)
    with refused_by("Conflict:no_deletes"):
        guards.delete(opened)


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("first", [{}, {"state": State.PUT_OFF, "put_off_until": NOW}])
def test_two_memories_stand_in_one_unsettled_pair_in_either_order(
    sides: tuple[Memory, Memory], is_turned: bool, first: dict[str, Any]
) -> None:
    pair(*sides, **first)
    with refused_by("Conflict:one_unsettled_pair_for_two_memories"):
        pair(*(reversed(sides) if is_turned else sides))


def test_a_settled_pair_may_open_again(sides: tuple[Memory, Memory]) -> None:
    pair(*sides, **SETTLED)
    pair(*sides, **SETTLED)
    pair(*sides)
    assert Conflict.objects.count() == 3


def test_a_settled_pair_does_not_come_back_beside_an_open_one(sides: tuple[Memory, Memory]) -> None:
    settled = pair(*sides, **SETTLED)
    pair(*sides)
    with refused_by("Conflict:one_unsettled_pair_for_two_memories"):
        guards.set_column(settled, "state", State.OPEN)


def test_a_third_memory_opens_its_own_pair(sides: tuple[Memory, Memory], a1: Actor) -> None:
    pair(*sides)
    pair(sides[0], factories.stored_row(a1, "The lamp is broken."))
    assert Conflict.objects.count() == 2


def test_a_pair_has_two_sides(sides: tuple[Memory, Memory]) -> None:
    with refused_by("Conflict:conflict_has_two_sides"):
        pair(sides[0], sides[0])


@pytest.mark.parametrize("missing", ["answer", "settled_at"])
def test_a_settled_pair_says_how_and_when(sides: tuple[Memory, Memory], missing: str) -> None:
    opened = pair(*sides)
    settled = SETTLED | ({"answer": ""} if missing == "answer" else {"settled_at": None})
    with refused_by("Conflict:conflict_settled_says_how_and_when"):
        Conflict.objects.filter(pk=opened.pk).update(**settled)


def test_a_pair_that_is_put_off_has_a_date(sides: tuple[Memory, Memory]) -> None:
    opened = pair(*sides)
    with refused_by("Conflict:conflict_put_off_has_a_date"):
        guards.set_column(opened, "state", State.PUT_OFF)


@pytest.mark.parametrize("link", ["older", "newer", "correction"])
def test_a_pair_stays_in_one_product(sides: tuple[Memory, Memory], b1: Actor, link: str) -> None:
    columns = {"older": sides[0], "newer": sides[1], link: factories.stored_row(b1)}
    with refused_by("Conflict:same_product"):
        Conflict.objects.create(product_id=sides[0].product_id, reason=Reason.UNSURE, **columns)


def test_an_open_pair_is_opened_once(sides: tuple[Memory, Memory]) -> None:
    """The port that `memories` uses finds the pair again, from either side."""
    older, newer = sides
    first = newer.conflicts.open_against(older, reason=Reason.AUTHORITY)
    again = older.conflicts.open_against(newer, reason=Reason.UNSURE)
    assert again == first
    assert Conflict.objects.get().reason == Reason.AUTHORITY


def test_a_private_and_a_shared_memory_are_no_pair(a1: Actor) -> None:
    private = factories.stored_row(a1, "The lamp is off.", scope=Scope.PRIVATE, owner_id=a1.agent_id)
    with refused_by("Conflict:sides_share_one_pool"):
        pair(factories.stored_row(a1), private)
