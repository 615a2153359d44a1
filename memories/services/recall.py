"""Search: what of all that a caller may see answers a query."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories import embeddings, limits
from memories.actors import Actor
from memories.choices import Kind
from memories.errors import EmbedderDown, InvalidInput
from memories.filters import NO_FILTERS, Filters, narrowed
from memories.models import Memory
from memories.querysets import MemoryQuerySet
from memories.search import arms, ranking, rarity
from memories.search.ranking import Contribution
from memories.search.words import query_words


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
    rows = _with_raw(narrowed(by, filters), raw)
    contributions = ranking.fuse({"meaning": _by_meaning(rows, q, by), "words": _by_words(rows, q, by)})
    memories = {memory.pk: memory for memory in Memory.objects.filter(pk__in=contributions).for_show()}
    known = {id_: contribution for id_, contribution in contributions.items() if id_ in memories}
    order = ranking.ranked(
        known,
        {id_: memory.tier for id_, memory in memories.items()},
        {id_: memory.recorded_at for id_, memory in memories.items()},
    )
    hits = [Hit(memories[id_], why.score, why) for id_, why in order[:limit]]
    return Found(hits, (time.perf_counter() - started) * 1000)


def _with_raw(rows: MemoryQuerySet, raw: str) -> MemoryQuerySet:
    if raw == "none":
        return rows.statements_only()
    return rows.filter(kind=Kind.RAW) if raw == "only" else rows


def _by_words(rows: MemoryQuerySet, q: str, by: Actor) -> dict[UUID, float]:
    return arms.by_words(rows, query_words(q), rarity.counts(by.product_id, by.agent_id))


def _by_meaning(rows: MemoryQuerySet, q: str, by: Actor) -> dict[UUID, float]:
    try:
        vector = embeddings.embed_query(q)
    except EmbedderDown:
        return {}
    near = arms.nearest(rows, vector, product_id=by.product_id, model=embeddings.current().name)
    return {each.id: each.similarity for each in near}
