"""The search box of lists: rows that hold every word typed, in any script, by the word index."""

from uuid import UUID

from django.db.models import F, Value

from memories.querysets import MemoryQuerySet
from memories.search.arms import Holds
from memories.search.tokens import QueryWord, Way
from memories.search.words import query_words, quoted


def holding(rows: MemoryQuerySet, typed: str) -> MemoryQuerySet:
    """Narrow by what was typed: an id, or words that must all be there, in whatever way the index holds them."""
    typed = typed.replace("\0", " ").strip()
    if not typed:
        return rows
    by_id = _id(typed)
    if by_id:
        return rows.filter(pk=by_id)
    words = query_words(typed)
    if not words:  # nothing but signs
        return rows.none()
    return rows.filter(Holds(F("words"), Value(" & ".join(_any_way(word) for word in words))))


def _any_way(word: QueryWord) -> str:
    return "(" + " | ".join(_all_terms(way) for way in word.ways) + ")"


def _all_terms(way: Way) -> str:
    return "(" + " & ".join(quoted(term) for term in way.terms) + ")"


def _id(typed: str) -> UUID | None:
    try:
        return UUID(typed)
    except ValueError:
        return None
