"""The history of a statement: every move of every version, oldest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.models import Memory, MemoryEvent


@dataclass(frozen=True, slots=True)
class Move:
    """One move of one version. `from_` is None when the version was born."""

    at: datetime
    by_type: str
    by_name: str
    verb: str
    why: str
    from_: str | None
    to: str
    version: UUID
    content: str


def of(memory: Memory) -> list[Move]:
    """All versions that led to this memory and all that came of it, in both directions."""
    versions = {each.pk: each for each in _versions(memory)}
    events = MemoryEvent.objects.filter(pgh_obj__in=versions).order_by("pgh_id")
    before: dict[UUID, str] = {}
    moves = []
    for event in events:
        moves.append(_move(event, versions[event.pgh_obj_id], before.get(event.pgh_obj_id)))
        before[event.pgh_obj_id] = event.status
    return moves


def _versions(memory: Memory) -> Sequence[Memory]:
    """The chain around one memory. A guard keeps it in one pool, so whoever sees one may see all."""
    found = {memory.pk: memory}
    successor = memory.replaced_by
    while successor and successor.pk not in found:
        found[successor.pk] = successor
        successor = successor.replaced_by
    ahead: Iterable[UUID] = list(found)
    while ahead:
        older = Memory.objects.filter(replaced_by__in=ahead).exclude(pk__in=found).defer("words", "weights")
        fresh = {each.pk: each for each in older}
        found |= fresh
        ahead = list(fresh)
    return list(found.values())


def _move(event: Any, version: Memory, before: str | None) -> Move:
    context = event.pgh_context or {}
    return Move(
        at=event.pgh_created_at, by_type=context.get("type", ""), by_name=context.get("name", ""),
        verb=context.get("verb", event.pgh_label), why=context.get("why", ""),
        from_=before, to=event.status, version=version.pk, content=version.content,
    )  # fmt: skip
