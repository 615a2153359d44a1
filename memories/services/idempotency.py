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

from django.db import DatabaseError, connection
from django.utils import timezone

from memories.models import IdempotentAnswer, Write

KEPT = timedelta(hours=24)
#: The advisory locks of requests that are being answered: their first key; the second is the row's id.
LOCKS = 1_718_511


@dataclass(slots=True)
class Request:
    """The request that this thread answers now; `texts` of it were received so far."""

    id: int
    texts: int = 0


_now: ContextVar[Request | None] = ContextVar("request_under_a_key", default=None)


def claim(*, agent_id: UUID, key: str, fingerprint: bytes) -> tuple[IdempotentAnswer, bool]:
    """The row of this key, and whether the caller is the one who answers it (and says so by `answering`)."""
    rows = IdempotentAnswer.objects.filter(agent_id=agent_id, key=key)
    rows.filter(created_at__lt=timezone.now() - KEPT).delete()
    row, _ = IdempotentAnswer.objects.get_or_create(agent_id=agent_id, key=key, defaults={"fingerprint": fingerprint})
    return row, row.status is None and bytes(row.fingerprint) == fingerprint and hold(row)


def hold(row: IdempotentAnswer) -> bool:
    """Whether nobody answers it now and nobody has. The lock is the session's: it goes with a process that dies."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCKS, row.pk % 2**31])
        is_free = bool(cursor.fetchone()[0])
    if is_free and not IdempotentAnswer.objects.filter(pk=row.pk, status__isnull=True).exists():
        _let_go(row)
        return False
    return is_free


def _let_go(row: IdempotentAnswer) -> None:
    with suppress(DatabaseError), connection.cursor() as cursor:  # where it is away, the lock is gone as well
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, row.pk % 2**31])


@contextmanager
def answering(row: IdempotentAnswer) -> Iterator[None]:
    """Texts that are received inside belong to this request, and nobody else answers it meanwhile."""
    token = _now.set(Request(row.pk))
    try:
        yield
    finally:
        _now.reset(token)
        _let_go(row)


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


def first_answer(row: IdempotentAnswer) -> IdempotentAnswer | None:
    """The row with its answer; None while there is none."""
    return IdempotentAnswer.objects.filter(pk=row.pk, status__isnull=False).first()


def forget_old() -> int:
    return IdempotentAnswer.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
