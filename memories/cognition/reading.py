"""What a step may read: shared, current statements of one product. No step asks for memories in any other way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memories.choices import Origin
from memories.cognition.base import Budget, Since
from memories.models import Memory, MemoryEvent, Product
from memories.querysets import MemoryQuerySet

#: Moves that are looked at in one go.
BATCH = 500
#: A transaction may end later than one that began after it, so the last moves are looked at once more.
MARGIN = timedelta(minutes=10)


def readable(product: Product) -> MemoryQuerySet:
    """Shared and current; never a raw text, never what cognition wrote itself."""
    rows = Memory.objects.filter(product=product, owner__isnull=True).current().statements_only()
    return rows.exclude(origin=Origin.COGNITION).defer("words", "weights")


@dataclass(slots=True)
class Changes:
    """The memories that came or moved since the step last looked, in batches, for as long as the budget lasts.

    Each batch maps an id to the readable memory, or to None where it is not readable any more. After the loop `cursor`
    is what to hand back in the report, and `is_whole` whether the end was reached.
    """

    product: Product
    since: Since
    budget: Budget
    is_whole: bool = False
    cursor: dict[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Mapping[UUID, Memory | None]]:
        begun = timezone.now()
        at = int(self.since.cursor.get("move", 0))
        self.cursor = {**self.since.cursor, "move": at}
        while not self.budget.is_spent:
            moves = list(self._moves(at)[:BATCH])
            if not moves:
                self.is_whole = True
                return
            ids = {memory for _, memory, _ in moves}
            rows = readable(self.product).in_bulk(ids)
            yield {id_: rows.get(id_) for id_ in sorted(ids)}
            at = moves[-1][0]
            old = [move for move, _, when in moves if when <= begun - MARGIN]
            self.cursor["move"] = max([self.cursor["move"], *old])

    def _moves(self, after: int) -> "QuerySet[Any, tuple[int, UUID, Any]]":
        rows: QuerySet[Any] = MemoryEvent.objects.filter(
            pgh_id__gt=after, pgh_obj__product=self.product, pgh_obj__owner__isnull=True
        ).exclude(pgh_obj__kind="Raw")
        return rows.order_by("pgh_id").values_list("pgh_id", "pgh_obj", "pgh_created_at")
