"""A write is read once: claimed, renewed, finished; or failed with its reason; or taken over when its reader dies."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone

from memories import embeddings, reader, tasks
from memories.actors import Actor
from memories.choices import Kind, WriteState
from memories.errors import Conflict, NotFound
from memories.models import Embedding, Evidence, Memory, Write
from memories.services import claims, statements
from memories.services.statements import CHUNK
from tests import factories
from tests.conftest import Clock
from tests.factories import contents, write
from tests.stubs import StubReader

FERRY = "The ferry leaves at nine. The ferry has two decks."
ReadQueued = Callable[[], int]


def facts() -> int:
    return Memory.objects.statements_only().count()


def many(count: int) -> str:
    return " ".join(f"Room {number} is locked." for number in range(count))


# --- failing and trying again: case 29 ------------------------------------------------------------------


def test_a_failed_reading_is_visible_with_its_reason(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.error = RuntimeError("The extractor is out of order.")
    written = write(a1, FERRY)
    assert (written.state, written.reason) == (WriteState.FAILED, "RuntimeError: The extractor is out of order.")
    assert written.finished_at is not None
    assert [(each.kind, each.content) for each in Memory.objects.all()] == [(Kind.RAW, FERRY)]


def test_a_retry_makes_two_facts_and_not_four(a1: Actor, stub_reader: StubReader, read_queued: ReadQueued) -> None:
    stub_reader.error = RuntimeError("The extractor is out of order.")
    written = write(a1, FERRY)
    stub_reader.reset()
    assert claims.retry(by=a1, write_id=written.pk).state == WriteState.RECEIVED
    assert read_queued() == 1
    written.refresh_from_db()
    assert (written.state, written.reason, written.attempts) == (WriteState.DONE, "", 1)
    assert contents(written) == ["The ferry leaves at nine.", "The ferry has two decks."]
    assert (facts(), Memory.objects.count(), Evidence.objects.count(), Embedding.objects.count()) == (2, 3, 3, 3)


def test_a_reading_that_broke_in_the_middle_goes_on_where_it_stopped(
    a1: Actor, stub_reader: StubReader, read_queued: ReadQueued
) -> None:
    stub_reader.error, stub_reader.error_after = RuntimeError("Half way."), CHUNK + 3
    written = write(a1, many(CHUNK + 10))
    assert (written.state, facts(), written.statements.count()) == (WriteState.FAILED, CHUNK, CHUNK)
    stub_reader.reset()
    claims.retry(by=a1, write_id=written.pk)
    read_queued()
    assert list(written.statements.values_list("position", flat=True)) == list(range(CHUNK + 10))
    assert facts() == CHUNK + 10
    assert Evidence.objects.count() == CHUNK + 10 + 1


def test_a_database_that_goes_away_fails_no_text_and_it_is_read_later(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.error = OperationalError("terminating connection due to unexpected postmaster exit")
    written = write(a1, FERRY)
    assert written.state == WriteState.READING
    stub_reader.reset()
    Write.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    assert claims.forgotten() == [written.pk]
    assert statements.read_write(written.pk) is True
    written.refresh_from_db()
    assert (written.state, written.reason, facts()) == (WriteState.DONE, "", 2)


def test_a_reason_never_fills_the_row(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.error = RuntimeError("x" * 5_000)
    assert len(write(a1, FERRY).reason) == 1_000


def test_reading_a_finished_write_again_does_nothing(a1: Actor, stub_reader: StubReader) -> None:
    written = write(a1, FERRY)
    assert statements.read_write(written.pk) is False
    assert facts() == 2


def test_an_unknown_write_is_nobodys_work(db: None) -> None:
    assert statements.read_write(uuid4()) is False


@pytest.mark.parametrize("state", [WriteState.RECEIVED, WriteState.READING, WriteState.DONE, WriteState.CANCELLED])
def test_only_a_failed_write_is_retried(a1: Actor, stub_reader: StubReader, state: WriteState) -> None:
    written = brought_to(state, a1)
    with pytest.raises(Conflict, match=f"Only a failed write can be retried, and this one is {state}") as refused:
        claims.retry(by=a1, write_id=written.pk)
    assert refused.value.current.state == state


@pytest.mark.parametrize("state", [WriteState.READING, WriteState.DONE, WriteState.FAILED, WriteState.CANCELLED])
def test_only_a_write_that_waits_is_cancelled(a1: Actor, stub_reader: StubReader, state: WriteState) -> None:
    written = brought_to(state, a1)
    stub_reader.reset()
    with pytest.raises(Conflict, match="Only a write that still waits can be cancelled") as refused:
        claims.cancel(by=a1, write_id=written.pk)
    assert refused.value.current.state == state


def brought_to(state: WriteState, by: Actor) -> Write:
    stub = reader.reader()
    assert isinstance(stub, StubReader)
    stub.error = RuntimeError("no") if state == WriteState.FAILED else None
    written = write(by, FERRY, wait=state in (WriteState.DONE, WriteState.FAILED))
    if state == WriteState.READING:
        claims.claim(written.pk)
    if state == WriteState.CANCELLED:
        claims.cancel(by=by, write_id=written.pk)
    return written


def test_a_cancelled_write_is_never_read_and_keeps_its_text(
    a1: Actor, stub_reader: StubReader, read_queued: ReadQueued
) -> None:
    written = write(a1, FERRY, wait=False)
    cancelled = claims.cancel(by=a1, write_id=written.pk)
    assert (cancelled.state, cancelled.finished_at is not None) == (WriteState.CANCELLED, True)
    assert (read_queued(), facts(), written.raw.content) == (0, 0, FERRY)


def test_a_write_of_another_is_unknown(a1: Actor, a2: Actor, b1: Actor, stub_reader: StubReader) -> None:
    written = brought_to(WriteState.FAILED, a1)
    for by in (a2, b1):
        for act in (claims.retry, claims.cancel):
            with pytest.raises(NotFound):
                act(by=by, write_id=written.pk)
    written.refresh_from_db()
    assert written.state == WriteState.FAILED


# --- a reader that dies -----------------------------------------------------------------------------------


def claimed(write_id: UUID) -> claims.Claim:
    held = claims.claim(write_id)
    assert held is not None
    return held


def test_a_write_is_claimed_once(a1: Actor) -> None:
    written = write(a1, FERRY, wait=False)
    assert claimed(written.pk).write.state == WriteState.READING
    assert claims.claim(written.pk) is None
    assert statements.read_write(written.pk) is False


def test_a_claim_ends_by_itself_when_its_holder_is_silent(a1: Actor, stub_reader: StubReader, clock: Clock) -> None:
    written = write(a1, FERRY, wait=False)
    claimed(written.pk)
    clock.pass_(seconds=59)
    assert statements.read_write(written.pk) is False
    clock.pass_(seconds=2)
    assert statements.read_write(written.pk) is True
    written.refresh_from_db()
    assert (written.state, written.attempts, facts()) == (WriteState.DONE, 2, 2)


def test_renewing_keeps_a_claim_alive(a1: Actor, clock: Clock) -> None:
    written = write(a1, FERRY, wait=False)
    held = claimed(written.pk)
    for _ in range(3):
        clock.pass_(seconds=50)
        claims.renew(held)
    assert claims.claim(written.pk) is None


@pytest.mark.parametrize("act", [claims.renew, claims.finish])
def test_whoever_lost_the_claim_is_told(a1: Actor, clock: Clock, act: Callable[[claims.Claim], None]) -> None:
    written = write(a1, FERRY, wait=False)
    late = claimed(written.pk)
    clock.pass_(seconds=61)
    claimed(written.pk)
    with pytest.raises(claims.ClaimLost):
        act(late)
    written.refresh_from_db()
    assert written.state == WriteState.READING


def test_a_late_reader_cannot_fail_what_another_reads(a1: Actor, clock: Clock) -> None:
    written = write(a1, FERRY, wait=False)
    late = claimed(written.pk)
    clock.pass_(seconds=61)
    claimed(written.pk)
    claims.fail(late, reason="Too late.")
    written.refresh_from_db()
    assert (written.state, written.reason) == (WriteState.READING, "")


@pytest.mark.parametrize("slow", ["reading", "embedding"])
def test_a_late_reader_stores_nothing(
    *, a1: Actor, stub_reader: StubReader, clock: Clock, monkeypatch: pytest.MonkeyPatch, slow: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Meanwhile its claim ends and another does the work: whatever it comes back with is dropped."""
    written = write(a1, FERRY, wait=False)
    meanwhile = iter([True])

    def late(texts: object) -> None:
        if texts in (FERRY, FERRY.replace(". ", ".|").split("|")) and next(meanwhile, False):
            clock.pass_(seconds=61)
            assert statements.read_write(written.pk) is True

    slow_one: Any = stub_reader if slow == "reading" else embeddings.current()
    method = "read" if slow == "reading" else "embed"
    monkeypatch.setattr(slow_one, method, _after(late, getattr(slow_one, method)))
    assert statements.read_write(written.pk) is True
    written.refresh_from_db()
    assert (next(meanwhile, None), "taken over by another reader" in caplog.text) == (None, True)
    assert (written.state, written.attempts, facts()) == (WriteState.DONE, 2, 2)
    assert Evidence.objects.count() == 3


def _after(first: Callable[[Any], None], act: Callable[..., Any]) -> Callable[..., Any]:
    def both(*arguments: Any) -> Any:
        first(arguments[0])
        return act(*arguments)

    return both


def test_a_text_that_kills_its_readers_is_given_up(a1: Actor, stub_reader: StubReader, clock: Clock) -> None:
    written = write(a1, FERRY, wait=False)
    for _ in range(claims.MOST_ATTEMPTS):
        claimed(written.pk)  # and never heard of again
        clock.pass_(seconds=61)
    assert statements.read_write(written.pk) is True
    written.refresh_from_db()
    assert written.state == WriteState.FAILED
    assert "5 times" in written.reason
    claims.retry(by=a1, write_id=written.pk)
    assert statements.read_write(written.pk) is True
    written.refresh_from_db()
    assert (written.state, facts()) == (WriteState.DONE, 2)


def test_a_reader_that_is_told_to_stop_hands_the_write_back(a1: Actor, stub_reader: StubReader) -> None:
    """However often: a restart is no fault of the text."""
    written = write(a1, many(CHUNK + 10), wait=False)
    stub_reader.error, stub_reader.error_after = SystemExit(0), CHUNK + 3
    for _ in range(claims.MOST_ATTEMPTS + 1):
        with pytest.raises(SystemExit):
            statements.read_write(written.pk)
        written.refresh_from_db()
        assert (written.state, written.claim, facts()) == (WriteState.RECEIVED, None, CHUNK)
    stub_reader.reset()
    assert statements.read_write(written.pk) is True
    written.refresh_from_db()
    assert (written.state, facts()) == (WriteState.DONE, CHUNK + 10)


# --- the sweeper ----------------------------------------------------------------------------------------


def test_the_sweeper_finds_lost_messages_and_dead_readers_only(
    a1: Actor, stub_reader: StubReader, clock: Clock
) -> None:
    clock.now = timezone.now() - timedelta(hours=1)
    lost, dead = write(a1, "One.", wait=False), write(a1, "Two.", wait=False)
    claimed(dead.pk)
    clock.pass_(hours=1)
    cancelled, alive = write(a1, "Three.", wait=False), write(a1, "Four.", wait=False)
    claims.cancel(by=a1, write_id=cancelled.pk)
    claimed(alive.pk)
    write(a1, "Five.")
    assert claims.forgotten() == [dead.pk]  # all others are too young
    clock.pass_(seconds=45)
    assert claims.forgotten() == [lost.pk, dead.pk]


def test_the_sweeper_queues_what_is_forgotten(a1: Actor, stub_reader: StubReader, clock: Clock) -> None:
    written = write(a1, FERRY, wait=False)
    clock.pass_(seconds=45)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks.read_write, "delay", tasks.read_write)
        tasks.sweep_writes()
    written.refresh_from_db()
    assert (written.state, factories.contents(written)) == (WriteState.DONE, FERRY.replace(". ", ".|").split("|"))
