"""Rows fetched for a caller. Absent and forbidden answer alike."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import connection
from django.db.models import Model, QuerySet

from memories.actors import Actor
from memories.errors import NotFound
from memories.models import Memory, Write

Row = TypeVar("Row", bound=Model)


def memory(by: Actor, id_: UUID | str) -> Memory:
    return _one(Memory.objects.visible_to(by).select_related("agent", "product"), id_)


def locked_memory(by: Actor, id_: UUID | str) -> Memory:
    """The row as it is now, held until the transaction ends. Lock the pool first."""
    return _one(Memory.objects.visible_to(by).select_for_update(of=("self",), no_key=True), id_)


def locked_memories(by: Actor, ids: Sequence[UUID]) -> list[Memory]:
    """Several rows, held in the order of their ids so that two callers never wait for each other."""
    rows = Memory.objects.visible_to(by).filter(pk__in=ids)
    return list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))


def write(by: Actor, id_: UUID | str) -> Write:
    return _one(Write.objects.visible_to(by).select_related("raw"), id_)


def lock_pool(product_id: UUID, owner_id: UUID | None) -> None:
    """Hold one pool until the transaction ends, so that what was looked up stays true while it is acted upon.

    An advisory lock: a lock on the product's row would block every insert that points at it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"pool:{product_id}:{owner_id}"])


def _one(rows: QuerySet[Row], id_: UUID | str) -> Row:
    try:
        return rows.get(pk=id_)
    except (ObjectDoesNotExist, ValidationError, ValueError):
        raise NotFound from None
