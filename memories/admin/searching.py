"""The search boxes of lists: an id, words in any script by the word index, and for facts what is close in meaning."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, F, IntegerField, Value, When
from django.db.models.expressions import RawSQL

from memories.querysets import MemoryQuerySet
from memories.search.words import query_words
from memories.services import looking_up


def holding(rows: MemoryQuerySet, typed: str) -> MemoryQuerySet:
    """Narrow by what was typed: an id, or words that must all be there."""
    typed = typed.replace("\0", " ").strip()
    if not typed:
        return rows
    by_id = _id(typed)
    if by_id:
        return rows.filter(pk=by_id)
    words = query_words(typed)
    return looking_up.holding(rows, words) if words else rows.none()  # nothing but signs


def found(rows: MemoryQuerySet, typed: str, *, products: Sequence[UUID], by_meaning: bool) -> Any:
    """The best first; `is_near` where a row doesn't hold the words and only means something close."""
    if not typed.strip() or _id(typed.strip()):
        return holding(rows, typed)
    result = looking_up.look_up(rows, typed, products=products, by_meaning=by_meaning)
    ids, near = list(result.ids), list(result.near)
    place = RawSQL('array_position(%s::uuid[], "memories_memory"."id")', [ids], IntegerField())  # ids of ours
    is_near = Case(When(pk__in=near, then=Value(value=True)), default=Value(value=False), output_field=BooleanField())
    return rows.filter(pk__in=ids).annotate(place=place, is_near=is_near).order_by(F("place").asc(), "-pk")


def _id(typed: str) -> UUID | None:
    try:
        return UUID(typed)
    except ValueError:
        return None
