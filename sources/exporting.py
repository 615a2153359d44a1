"""The records of this app that leave with a product and come back with it."""

from typing import TYPE_CHECKING

from memories.models import Evidence
from memories.services.exchange.tables import Extent, Row, Table, plain
from sources.choices import SourceState, SourceType
from sources.models import Source, SourceItem

if TYPE_CHECKING:
    from django.db.models import QuerySet

ONE_PRODUCT = "the whole file is of one product"


def sources(extent: Extent) -> "QuerySet[Source]":
    """To an agent: those of what it may read."""
    rows = Source.objects.filter(product=extent.product).order_by("pk")
    if extent.reader is None:
        return rows
    named = Evidence.objects.filter(memory__in=extent.memories(), source_id__isnull=False)
    return rows.filter(pk__in=named.values("source_id"))


def items(extent: Extent) -> "QuerySet[SourceItem]":
    """What was last read of each: of use to whoever goes on reading, and to no agent."""
    rows = SourceItem.objects.filter(product=extent.product).order_by("pk")
    return rows.none() if extent.reader else rows


def _disconnected(row: Row) -> Row:
    """Credentials, settings and schedule stay with the old server: whoever moves connects it again."""
    if row["type"] == SourceType.UPLOAD:
        return {}
    return {"state": SourceState.PAUSED, "reason": "It came with an import; give it its settings and credentials."}


CONNECTION = "of the connection, which is made anew"

TABLES = [
    Table(
        "source", Source, sources, plain("id", "type", "name", "tier", "created_at"),
        left_out={"product": ONE_PRODUCT}
        | dict.fromkeys(
            ("values", "sealed", "cursor", "sweep", "sweeps", "state", "reason", "every_minutes", "times", "quiet_from",
             "quiet_until", "next_due_at", "failures", "claim", "claimed_until"),
            CONNECTION,
        ),
        made=_disconnected,
    ),
    Table(
        "item", SourceItem, items,
        plain("id", "source_id", "key", "title", "url", "version", "state", "reason", "digest", "raw_id", "revised_at",
              "read_at"),
        links={"source_id": "source", "raw_id": "memory"},
        left_out={"product": ONE_PRODUCT, "seen": CONNECTION},
    ),
]  # fmt: skip
