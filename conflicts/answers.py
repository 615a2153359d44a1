"""Results of the pairs' services in their outward shapes."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from conflicts.models import Conflict
from conflicts.serializers import ConflictSerializer, SettledSerializer
from conflicts.services import Settled
from memories.models import Memory


def for_show(rows: "QuerySet[Conflict]") -> "QuerySet[Conflict]":
    """Rows with both sides complete, in a fixed number of queries."""
    sides = [Prefetch(side, queryset=Memory.objects.for_show()) for side in ("older", "newer")]
    return rows.prefetch_related(*sides)


def conflict(pair: Conflict) -> dict[str, Any]:
    """The pair as it is now."""
    return dict(ConflictSerializer(for_show(Conflict.objects.filter(pk=pair.pk)).get()).data)


def settled(result: Settled) -> dict[str, Any]:
    now = for_show(Conflict.objects.filter(pk=result.conflict.pk)).get()
    correction = Memory.objects.for_show().get(pk=result.correction.pk) if result.correction else None
    return dict(
        SettledSerializer(
            Settled(now, result.outcome, result.winner, result.retired, correction, result.remaining)
        ).data
    )
