"""What a record is: which rows, which columns of them, and where they lead. Read out and put back by the same words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.module_loading import import_string

from memories.actors import Actor
from memories.models import Memory, Product
from memories.services.exchange.values import Arrival

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a product leaves: what one agent may read, or, without a reader, all of it.

    Without a reader it is an operator of this machine who asks, to whom the database lies open anyway.
    """

    product: Product
    reader: Actor | None = None
    has_private: bool = True

    def memories(self) -> "models.QuerySet[Memory]":
        if self.reader:
            return Memory.objects.visible_to(self.reader)
        rows = Memory.objects.filter(product=self.product)
        return rows if self.has_private else rows.filter(owner__isnull=True)


@dataclass(frozen=True, slots=True)
class Table:
    """One sort of record.

    `columns` maps the name in a line to the place in the row, in the order of the line; a place that ends in
    `__username` is a person. `links` says which records a column leads to, `pool` which of those must lie in one pool.
    """

    record: str
    model: type[models.Model]
    rows: Callable[[Extent], "models.QuerySet[Any]"]
    columns: Mapping[str, str]
    links: Mapping[str, str] = field(default_factory=dict)
    pool: Sequence[str] = ()
    #: The columns of the model that stay behind, each with its reason.
    left_out: Mapping[str, str] = field(default_factory=dict)
    #: Annotations that take the place of a column where `rows` made them: what this reader may see of it.
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    #: Values that aren't read back by the type of their column.
    odd: Mapping[str, Callable[[Any, Arrival], Any]] = field(default_factory=dict)
    #: Values that are changed on their way out.
    shown: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    #: What is made out of the others when a row is put back: columns that are not in the line.
    made: Callable[[Row], Row] | None = None
    #: Memories that this row holds out of recall, by their columns.
    holds: Callable[[Row], Sequence[str]] | None = None
    #: Stores rows in another way than `bulk_create`.
    insert: Callable[[list[Row]], None] | None = None

    def column(self, name: str) -> "models.Field[Any, Any]":
        place = self.columns[name].partition("__")[0]
        return self.model._meta.get_field(place.removesuffix("_id") if self._is_link(place) else place)  # type: ignore[return-value]  # a concrete column

    def attribute(self, name: str) -> str:
        return self.column(name).attname

    def _is_link(self, place: str) -> bool:
        return place.endswith("_id") and place not in {each.name for each in self.model._meta.concrete_fields}

    def places(self, rows: "models.QuerySet[Any]") -> list[str]:
        made = rows.query.annotations
        stand_ins = {name: other for name, other in self.stand_ins.items() if other in made}
        return [stand_ins.get(name, place) for name, place in self.columns.items()]


def plain(*names: str) -> dict[str, str]:
    """Columns that are called in a line as they are in the row; links by their id."""
    return {name: name for name in names}


def all_tables() -> list[Table]:
    """What every app brings, in an order in which the rows can be put back."""
    return [table for path in settings.EXPORTERS for table in import_string(path)]
