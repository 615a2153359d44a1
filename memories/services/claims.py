"""The states of a write. Work is claimed by compare and set, and a claim ends by itself when its holder dies."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from memories import metrics
from memories.actors import Actor
from memories.choices import WriteState
from memories.errors import Conflict
from memories.models import Write
from memories.services import access
from memories.services.living import LONG, kept_alive

#: How long a reader may be silent. It renews its claim after every batch, and while it looks for statements.
CLAIM = timedelta(seconds=60)
#: After this many tries that ended without a word (the worker died), the text itself is the suspect.
MOST_ATTEMPTS = 5
#: A write that nobody has begun after this long is queued again: the message may be lost.
UNSEEN = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to read one write."""

    write: Write
    token: UUID


class ClaimLost(Exception):
    """Another reader has taken over: whatever was about to be stored must not be."""


def claim(write_id: UUID) -> Claim | None:
    """Take a write that waits, or one whose reader has died. None if somebody else has it, it is finished, or an
    earlier message of its session is not: that one's reader hands it on."""
    if not Write.objects.filter(pk=write_id).in_turn().exists():
        return None
    now, token = timezone.now(), uuid4()
    waits = Q(state=WriteState.RECEIVED) | Q(state=WriteState.READING, claimed_until__lt=now)
    taken = Write.objects.filter(waits, pk=write_id).update(
        state=WriteState.READING, claim=token, claimed_until=now + CLAIM, attempts=F("attempts") + 1
    )
    if not taken:
        return None
    write = Write.objects.select_related("raw", "product", "agent").get(pk=write_id)
    return Claim(write, token)


def renew(held: Claim) -> None:
    """Say that the reader lives. In a transaction it also holds the row, so nobody takes over meanwhile."""
    if not _held(held).update(claimed_until=timezone.now() + CLAIM):
        raise ClaimLost


def reading(held: Claim, *, is_slow: bool = False) -> AbstractContextManager[None]:
    """The claim is renewed while the text is looked through, which takes minutes for a long one or a model."""
    if len(held.write.raw.content) < LONG and not is_slow:
        return nullcontext()
    return kept_alive(lambda: bool(_held(held).update(claimed_until=timezone.now() + CLAIM)), claim=CLAIM)


def finish(held: Claim, *, note: str = "") -> None:
    if not _held(held).update(
        state=WriteState.DONE, reason="", note=note, claim=None, claimed_until=None, finished_at=timezone.now()
    ):
        raise ClaimLost
    metrics.READINGS.labels("done").inc()


def fail(held: Claim, *, reason: str) -> None:
    """Visible, with its reason; retried only when somebody asks."""
    _held(held).update(
        state=WriteState.FAILED, reason=reason, claim=None, claimed_until=None, finished_at=timezone.now()
    )
    metrics.READINGS.labels("failed").inc()


def release(held: Claim) -> None:
    """Hand an unfinished write back: whoever comes next goes on where this reader stopped. It was no try."""
    _held(held).update(state=WriteState.RECEIVED, claim=None, claimed_until=None, attempts=F("attempts") - 1)


def retry(*, by: Actor, write_id: UUID | str) -> Write:
    """Queue a failed write again. What it stored already is not stored twice."""
    return _transit(by, write_id, WriteState.FAILED, WriteState.RECEIVED, "Only a failed write can be retried")


def cancel(*, by: Actor, write_id: UUID | str) -> Write:
    """Give up a write that nobody has begun to read. The raw text stays."""
    return _transit(
        by, write_id, WriteState.RECEIVED, WriteState.CANCELLED, "Only a write that still waits can be cancelled"
    )


def forgotten() -> list[UUID]:
    """Writes to queue again: those whose message was lost, and those whose reader has died."""
    now = timezone.now()
    lost = Q(state=WriteState.RECEIVED, created_at__lt=now - UNSEEN)
    dead = Q(state=WriteState.READING, claimed_until__lt=now)
    return list(Write.objects.filter(lost | dead).in_turn().order_by("id").values_list("pk", flat=True)[:1000])


def _transit(by: Actor, write_id: UUID | str, old: WriteState, new: WriteState, sentence: str) -> Write:
    write = access.write(by, write_id)
    moved = Write.objects.filter(pk=write.pk, state=old).update(
        state=new, reason="", attempts=0, finished_at=timezone.now() if new == WriteState.CANCELLED else None
    )
    write.refresh_from_db()
    if not moved:
        raise Conflict(f"{sentence}, and this one is {write.get_state_display().lower()}.", write)
    return write


def _held(held: Claim) -> "QuerySet[Write]":
    return Write.objects.filter(pk=held.write.pk, state=WriteState.READING, claim=held.token)
