"""Receipts as they are shown: a write with its statements and the memories they became."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Prefetch, QuerySet

from memories.models import Memory, Write, WriteStatement


def for_lines(rows: "QuerySet[Write]") -> "QuerySet[Write]":
    """For lists: how many statements, not which."""
    return rows.annotate(statement_count=Count("statements"))


def for_show(writes: Iterable[Write]) -> dict[str, Memory]:
    """Load the statements of these writes onto them, and return the similar memories they name by id."""
    writes = list(writes)
    shown = Prefetch("memory", queryset=Memory.objects.for_show())
    by_write: dict[Any, list[WriteStatement]] = {write.pk: [] for write in writes}
    for statement in WriteStatement.objects.filter(write__in=by_write).order_by("position").prefetch_related(shown):
        by_write[statement.write_id].append(statement)
    for write in writes:
        write.shown_statements = by_write[write.pk]
    named = {each["memory"] for found in by_write.values() for statement in found for each in statement.similar}
    return {str(memory.pk): memory for memory in Memory.objects.filter(pk__in=named).for_show()}
