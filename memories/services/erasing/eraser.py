"""What every app brings to an erasure, and the one place where the database's guards are lifted, by their names."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.module_loading import import_string

from memories.services.erasing.words import Needles


@dataclass(slots=True)
class Going:
    """One erasure in its transaction: the pools are held, the rows are locked, the guards are lifted.

    `memories` are the rows that become empty, raw records among them; `touched` are raw texts that lose a part.
    """

    product_id: UUID
    memories: Collection[UUID]
    needles: Needles
    touched: set[UUID] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Eraser:
    """What one app does to its own rows, and which guards of theirs stand in the way."""

    lifts: Sequence[str]
    erase: Callable[[Going], None]


def all_erasers() -> list[Eraser]:
    return [import_string(path) for path in settings.ERASERS]


@contextmanager
def guards_lifted() -> Iterator[None]:
    """For this transaction and connection alone; everybody else goes on meeting them."""
    with pgtrigger.ignore(*(name for each in all_erasers() for name in each.lifts)):
        yield


def mask_columns(rows: "models.QuerySet[Any]", needles: Needles, *columns: str) -> int:
    """Blot the words out of these text columns, and say how many rows had them."""
    changed = set()
    for patterns in needles.in_sql():
        holds = Q()
        for column in columns:
            holds |= Q(pk__in=_holding(rows, column, patterns))
        for row in rows.filter(holds).only("pk", *columns).iterator(200):
            after = {column: needles.mask(getattr(row, column)) for column in columns}
            if any(after[column] != getattr(row, column) for column in columns):
                type(row)._base_manager.filter(pk=row.pk).update(**after)
                changed.add(row.pk)
    return len(changed)


def _holding(rows: "models.QuerySet[Any]", column: str, patterns: Sequence[str]) -> "models.QuerySet[Any]":
    return rows.filter(ILikeAny(models.F(column), list(patterns))).values("pk")


class ILikeAny(models.Func):
    """`column ILIKE ANY (patterns)`."""

    template = "%(expressions)s"
    output_field = models.BooleanField()
    conditional = True

    def __init__(self, column: Any, patterns: Sequence[str]) -> None:
        super().__init__(column, *(models.Value(each) for each in patterns))

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]  # no other arguments are given
        column, *patterns = (compiler.compile(each) for each in self.get_source_expressions())
        places = ", ".join(sql for sql, _ in patterns)
        return f"({column[0]})::text ILIKE ANY (ARRAY[{places}]::text[])", [
            *column[1], *(value for _, values in patterns for value in values)
        ]  # fmt: skip


def told(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts of a receipt, without what there was none of."""
    return {name: number for name, number in sorted(counts.items()) if number}
