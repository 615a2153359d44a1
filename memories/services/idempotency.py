"""Answers kept under an agent's Idempotency-Key: claimed, answered, given again, forgotten.

A request whose process died is done again under the same row, and its texts find the writes that were stored before:
`Write.request` and `request_place` name them. So a text that is sent again until it is acknowledged is kept once.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import DatabaseError
from django.utils import timezone

from memories.models import IdempotentAnswer, Write

KEPT = timedelta(hours=24)
#: A request that has not been answered for so long has died; the next one takes its place.
DEAD_AFTER = timedelta(seconds=60)


@dataclass(slots=True)
class Request:
    """The request that this thread answers now; `texts` of it were received so far."""

    id: int
    texts: int = 0


_now: ContextVar[Request | None] = ContextVar("request_under_a_key", default=None)


def claim(*, agent_id: UUID, key: str, fingerprint: bytes) -> tuple[IdempotentAnswer, bool]:
    """The row of this key, and whether the caller is the one who answers it."""
    now = timezone.now()
    rows = IdempotentAnswer.objects.filter(agent_id=agent_id, key=key)
    rows.filter(created_at__lt=now - KEPT).delete()
    row, is_new = IdempotentAnswer.objects.get_or_create(
        agent_id=agent_id, key=key, defaults={"fingerprint": fingerprint}
    )
    return row, is_new or (bytes(row.fingerprint) == fingerprint and _take_over(row))


def _take_over(row: IdempotentAnswer) -> bool:
    """One of those who repeat a request that has died does it again."""
    now = timezone.now()
    dead = IdempotentAnswer.objects.filter(pk=row.pk, status__isnull=True, created_at__lt=now - DEAD_AFTER)
    return bool(dead.update(created_at=now))


@contextmanager
def answering(row: IdempotentAnswer) -> Iterator[None]:
    """Texts that are received inside belong to this request."""
    token = _now.set(Request(row.pk))
    try:
        yield
    finally:
        _now.reset(token)


def next_text() -> tuple[int | None, int]:
    """The request under a key that this thread answers, if any, and which of its texts comes now."""
    request = _now.get()
    if request is None:
        return None, 0
    request.texts += 1
    return request.id, request.texts - 1


def received_before(request: int | None, place: int) -> Write | None:
    """What a former try of the same request has stored."""
    return Write.objects.filter(request=request, request_place=place).first() if request is not None else None


def keep(row: IdempotentAnswer, *, status: int, body: str) -> None:
    IdempotentAnswer.objects.filter(pk=row.pk).update(status=status, body=body)


def give_up(row: IdempotentAnswer) -> None:
    """There was no answer worth keeping: a repeat tries again at once, and finds what was stored all the same."""
    with suppress(DatabaseError):  # where it is away, the row dies by itself
        IdempotentAnswer.objects.filter(pk=row.pk).update(created_at=timezone.now() - 2 * DEAD_AFTER)


def first_answer(row: IdempotentAnswer) -> IdempotentAnswer | None:
    """The row with its answer; None while there is none."""
    return IdempotentAnswer.objects.filter(pk=row.pk, status__isnull=False).first()


def forget_old() -> int:
    return IdempotentAnswer.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
