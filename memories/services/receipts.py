"""Receipts as they are shown: writes with their statements and the memories they became."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Prefetch

from memories.models import Memory, Write, WriteStatement

#: So many statements of each receipt are shown in a list; alone it shows all of them.
SHOWN_IN_A_LIST = 100


def for_show(writes: Iterable[Write], *, most: int | None = None) -> dict[str, Any]:
    """Load the statements of these writes onto them, and return what their shape needs besides: its context."""
    writes = list(writes)
    by_write: dict[UUID, list[WriteStatement]] = {write.pk: [] for write in writes}
    for statement in _statements(writes, most):
        by_write[statement.write_id].append(statement)
    for write in writes:
        write.shown_statements = by_write[write.pk]
    named = {each["memory"] for found in by_write.values() for statement in found for each in statement.similar}
    similar = {str(memory.pk): memory for memory in Memory.objects.filter(pk__in=named).for_show()}
    return {"similar": similar, "counts": _counts(writes)}


def for_list(writes: Iterable[Write]) -> dict[str, Any]:
    return for_show(writes, most=SHOWN_IN_A_LIST)


def _statements(writes: list[Write], most: int | None) -> Iterable[WriteStatement]:
    rows = WriteStatement.objects.filter(write__in=writes)
    rows = rows if most is None else rows.filter(position__lt=most)
    return rows.order_by("position").prefetch_related(Prefetch("memory", queryset=Memory.objects.for_show()))


def _counts(writes: list[Write]) -> dict[UUID, int]:
    rows = WriteStatement.objects.filter(write__in=writes).order_by()
    return dict(rows.values_list("write").annotate(Count("pk")))
