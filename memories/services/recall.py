"""Search: what of all that a caller may see answers a query."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from memories import embeddings, limits
from memories.actors import Actor
from memories.choices import Kind
from memories.embeddings import Vector
from memories.errors import EmbedderDown, InvalidInput
from memories.filters import NO_FILTERS, Filters, narrowed
from memories.models import Memory, Product
from memories.querysets import MemoryQuerySet
from memories.reading import Context, dates
from memories.search import arms, candidates, fusion, people, ranking, rarity
from memories.search.candidates import Asked, Candidate
from memories.search.fusion import Hints, Period
from memories.search.ranking import Contribution
from memories.search.words import query_words

#: Times are read in so much of a query; a prompt beyond it is no question about a time.
DATED_CHARACTERS = 1_000

#: Queries are embedded while the database looks for their words.
_embedding = ThreadPoolExecutor(16, thread_name_prefix="query")


@dataclass(frozen=True, slots=True)
class Hit:
    memory: Memory
    score: float
    why: Contribution


@dataclass(frozen=True, slots=True)
class Found:
    hits: Sequence[Hit]
    took_ms: float


def search(
    *, by: Actor, q: str, filters: Filters = NO_FILTERS, limit: int = limits.HITS, raw: str = "include"
) -> Found:
    """The best hits by meaning and by words, visible and current only. Without an embedder words alone answer.

    `raw`: include the verbatim texts, `only` them, or `none` of them.
    """
    started = time.perf_counter()
    q = q[: limits.QUERY_CHARACTERS].replace("\0", " ")
    if not q.strip():
        raise InvalidInput.of("q", "The query is empty; say what to look for.")
    named = people.named(q, product_id=by.product_id, agent_id=by.agent_id)
    vector = _embed_meanwhile(named.rest)
    rows = _with_raw(narrowed(by, filters), raw)
    words, counts = query_words(q), rarity.counts(by.product_id, by.agent_id)
    by_words = arms.found_by_words(rows, words, counts)
    asked = Asked(by.product_id, embeddings.current().name, vector(), words, counts)
    found = candidates.fetch(rows, by_words, asked, most=ranking.CANDIDATES)
    around = narrowed(by, Filters(as_of=filters.as_of))
    order = _ranked(found, around, asked, Hints(named.speakers, _periods(q, by)))[:limit]
    memories = {memory.pk: memory for memory in Memory.objects.filter(pk__in=[id_ for id_, _ in order]).for_show()}
    hits = [Hit(memories[id_], why.score, why) for id_, why in order if id_ in memories]
    return Found(hits, (time.perf_counter() - started) * 1000)


def _ranked(
    found: Sequence[Candidate], around: MemoryQuerySet, asked: Asked, hints: Hints
) -> list[tuple[UUID, Contribution]]:
    """Best first: fused, the best ones with what stands beside them, each said once, authority counted in."""
    first = fusion.fuse(found, {}, hints)
    best = sorted(found, key=lambda each: first[each.id].score, reverse=True)[: candidates.WITH_NEIGHBOURS]
    fused = fusion.fuse(found, candidates.beside(around, best, asked), hints)
    tiers, recorded = {each.id: each.tier for each in found}, {each.id: each.recorded_at for each in found}
    by_id = {each.id: each for each in found}
    lifted = ranking.ranked(fused, tiers, recorded)
    kept = fusion.once((by_id[id_], why) for id_, why in lifted)
    return ranking.in_order(kept, recorded)


def _periods(q: str, by: Actor) -> Sequence[Period]:
    """The times that a query names, as of now and in the product's zone."""
    asked = q[:DATED_CHARACTERS]
    if not dates.spans(asked, Context(timezone.now())):
        return ()
    zone = Product.objects.values_list("zone", flat=True).get(pk=by.product_id)
    return [
        (one.first, one.last) for one in dates.spans(asked, Context(timezone.now(), zone)) if one.first and one.last
    ]


def _with_raw(rows: MemoryQuerySet, raw: str) -> MemoryQuerySet:
    if raw == "none":
        return rows.statements_only()
    return rows.filter(kind=Kind.RAW) if raw == "only" else rows


def _embed_meanwhile(text: str) -> Callable[[], Vector | None]:
    """Begin to embed a query; the result is waited for when it is called, and None while the embedder is down."""
    begun = _embedding.submit(embeddings.embed_query, text)

    def vector() -> Vector | None:
        try:
            return begun.result()
        except EmbedderDown:
            return None

    return vector
