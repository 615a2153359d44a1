"""The records of this app that leave with a product and come back with it."""

from typing import TYPE_CHECKING

from conflicts.choices import State
from conflicts.models import Conflict
from memories.services.exchange.tables import Extent, Row, Table, plain

if TYPE_CHECKING:
    from django.db.models import QuerySet


def conflicts(extent: Extent) -> "QuerySet[Conflict]":
    """Both sides share one pool, so who may read the newer may read the pair."""
    return Conflict.objects.filter(product=extent.product, newer__in=extent.memories()).order_by("pk")


def _held(row: Row) -> list[str]:
    return [] if row["state"] == State.SETTLED else ["older_id", "newer_id"]


TABLES = [
    Table(
        "conflict", Conflict, conflicts,
        plain("id", "older_id", "newer_id", "reason", "persona", "state", "put_off_until", "answer", "correction_id")
        | {"settled_by": "settled_by__username"} | plain("settled_by_name", "settled_at", "why", "opened_at"),
        links={"older_id": "memory", "newer_id": "memory", "correction_id": "memory"},
        pool=("older_id", "newer_id", "correction_id"),
        left_out={"product": "the whole file is of one product"},
        holds=_held,
    )
]  # fmt: skip
