"""Answers kept under an agent's Idempotency-Key: claimed, answered, given again, forgotten."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from memories.models import IdempotentAnswer

KEPT = timedelta(hours=24)
#: A request that has not been answered for so long has died; the next one takes its place.
DEAD_AFTER = timedelta(seconds=60)


def claim(*, agent_id: UUID, key: str, fingerprint: bytes) -> tuple[IdempotentAnswer, bool]:
    """The row of this key, and whether the caller is the one who answers it."""
    now = timezone.now()
    rows = IdempotentAnswer.objects.filter(agent_id=agent_id, key=key)
    rows.filter(created_at__lt=now - KEPT).delete()
    rows.filter(status__isnull=True, created_at__lt=now - DEAD_AFTER).delete()
    return IdempotentAnswer.objects.get_or_create(agent_id=agent_id, key=key, defaults={"fingerprint": fingerprint})


def keep(row: IdempotentAnswer, *, status: int, body: str) -> None:
    IdempotentAnswer.objects.filter(pk=row.pk).update(status=status, body=body)


def give_up(row: IdempotentAnswer) -> None:
    """There was no answer worth keeping: a repeat tries again."""
    row.delete()


def first_answer(row: IdempotentAnswer) -> IdempotentAnswer | None:
    """The row with its answer; None while there is none."""
    return IdempotentAnswer.objects.filter(pk=row.pk, status__isnull=False).first()


def forget_old() -> int:
    return IdempotentAnswer.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
