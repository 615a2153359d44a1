"""The search box of people: what holds every word that was typed, and what is close to it in meaning.

A list is a place to act, so the rows come to it visible and filtered, and what is found is bounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Value

from memories import embeddings, limits
from memories.embeddings import Vector
from memories.errors import EmbedderDown
from memories.querysets import MemoryQuerySet
from memories.search import arms, candidates, fusion, ranking, rarity
from memories.search.arms import Holds
from memories.search.candidates import Asked
from memories.search.fusion import Hints
from memories.search.relevance import CLOSE
from memories.search.tokens import QueryWord, Way
from memories.search.words import query_words, quoted

#: No more than one bulk act reaches: all that was found can be acted upon together.
MOST_BY_WORDS = 1_000
#: What holds other words is worth a look while it is close.
MOST_BY_MEANING = 30
#: So many products are asked by meaning; each has an index of its own.
MOST_PRODUCTS = 5


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Ids, best first. `near` are those that don't hold the words and mean something close."""

    ids: Sequence[UUID]
    near: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True)
class _Scored:
    id: UUID
    score: float
    cosine: float


def look_up(rows: MemoryQuerySet, typed: str, *, products: Sequence[UUID], by_meaning: bool = True) -> LookedUp:
    """`rows` is visible and filtered already: nothing that is hidden is scored."""
    typed = typed.replace("\0", " ").strip()[: limits.QUERY_CHARACTERS]
    words = query_words(typed)
    if not words:  # nothing but signs
        return LookedUp(())
    rows = rows.order_by().select_related(None)
    held = list(holding(rows, words).order_by("-pk").values_list("pk", flat=True)[:MOST_BY_WORDS])
    if not by_meaning or len(products) > MOST_PRODUCTS:
        return LookedUp(held)
    vector, known = _vector(typed), set(held)
    best = [one for product in products for one in _best(rows, typed, vector, product)]
    best.sort(key=lambda one: -one.score)
    first = [one.id for one in best if one.id in known]
    near = [one.id for one in best if one.id not in known and one.cosine >= CLOSE][:MOST_BY_MEANING]
    return LookedUp([*dict.fromkeys([*first, *held]), *near], frozenset(near))


def holding(rows: MemoryQuerySet, words: Sequence[QueryWord]) -> MemoryQuerySet:
    """Those that hold every word, in whatever way the index holds it."""
    return rows.filter(Holds(F("words"), Value(" & ".join(_any_way(word) for word in words))))


def _any_way(word: QueryWord) -> str:
    return "(" + " | ".join(_all_terms(way) for way in word.ways) + ")"


def _all_terms(way: Way) -> str:
    return "(" + " & ".join(quoted(term) for term in way.terms) + ")"


def _vector(typed: str) -> Vector | None:
    """None while the embedder is down: words go on alone."""
    try:
        return embeddings.embed_query(typed)
    except EmbedderDown:
        return None


def _best(rows: MemoryQuerySet, typed: str, vector: Vector | None, product: UUID) -> list[_Scored]:
    """Of one product, as search ranks them."""
    mine, words, counts = rows.filter(product=product), query_words(typed), rarity.counts(product, None)
    asked = Asked(product, embeddings.current().name, vector, ranking.Scorer(words, counts))
    found = candidates.fetch(mine, arms.found_by_words(mine, words, counts), asked, most=ranking.CANDIDATES)
    fused = fusion.fuse(found, {}, Hints())
    return [_Scored(each.id, fused[each.id].score, each.near.meaning or 0.0) for each in found]
