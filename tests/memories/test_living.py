"""A claim is kept while a long text is read, and ends with its process, or when the reading hangs."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Event

import pytest
from django.utils import timezone

from memories.actors import Actor
from memories.choices import WriteState
from memories.models import Write
from memories.reading import Context, Statement
from memories.services import claims, statements
from memories.services.living import LONG, kept_alive
from tests.factories import write
from tests.stubs import StubReader

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_SECONDS = 120


def test_a_claim_is_renewed_while_a_long_text_is_read(
    a1: Actor, stub_reader: StubReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader waits until the claim that it began with is over; nobody may take the text from it."""
    monkeypatch.setattr(claims, "CLAIM", timedelta(seconds=1))
    waiting = write(a1, "The lamp is lit. " * (LONG // 10), wait=False)
    others: list[bool] = []
    began: list[datetime | None] = []

    def slow(text: str, context: Context) -> Sequence[Statement]:
        began.append(Write.objects.get().claimed_until)
        ends, clock = began[0], Event()
        for _ in range(PATIENCE_SECONDS * 10):
            if ends is not None and timezone.now() > ends + timedelta(seconds=0.5):
                break
            clock.wait(0.1)
        others.append(statements.read_write(waiting.pk))
        return []

    monkeypatch.setattr(stub_reader, "read", slow)
    assert statements.read_write(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempts, others) == (WriteState.DONE, 1, [False])


def test_renewing_stops_when_the_claim_is_lost_or_the_step_hangs() -> None:
    tried: list[None] = []
    lost = Event()

    def is_lost() -> bool:
        tried.append(None)
        lost.set()
        return False

    with kept_alive(is_lost, claim=timedelta(milliseconds=3)):
        assert lost.wait(PATIENCE_SECONDS)
    assert len(tried) == 1
    with kept_alive(is_lost, claim=timedelta(milliseconds=3), longest=timedelta(0)):
        Event().wait(0.05)
    assert len(tried) == 1
