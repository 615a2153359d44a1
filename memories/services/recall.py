"""Search: what of all that a caller may see answers a query."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from memories import embeddings, limits, metrics
from memories.actors import Actor
from memories.choices import Kind
from memories.embeddings import Vector
from memories.errors import EmbedderDown, InvalidInput
from memories.filters import NO_FILTERS, Filters, narrowed
from memories.models import Memory, Product
from memories.querysets import MemoryQuerySet
from memories.reading import Context, dates
from memories.search import arms, candidates, fusion, people, ranking, rarity, reranking
from memories.search.candidates import Asked, Beside, Candidate
from memories.search.fusion import Hints, Period
from memories.search.ranking import Contribution
from memories.search.words import QueryWord, query_words

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


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, as far as it is known without the memories. Its vector is on its way already."""

    text: str
    by: Actor
    speakers: frozenset[str]
    vector: Callable[[], Vector | None]
    words: Sequence[QueryWord]
    counts: ranking.Counts


def search(
    *, by: Actor, q: str, filters: Filters = NO_FILTERS, limit: int = limits.HITS, raw: str = "include",
    rerank: bool = False,
) -> Found:  # fmt: skip
    """The best hits by meaning and by words, visible and current only. Without an embedder words alone answer.

    `raw`: include the verbatim texts, `only` them, or `none` of them. `rerank`: a cross-encoder orders the best again,
    where one is configured.
    """
    started = time.perf_counter()
    order = found(begun(q, by=by), filters, raw=raw)
    order = order[: max(limit, reranking.MOST) if rerank and reranking.is_configured() else limit]
    ids = [candidate.id for candidate, _ in order]
    memories = {memory.pk: memory for memory in Memory.objects.filter(pk__in=ids).for_show()}
    hits = [Hit(memories[each.id], why.score, why) for each, why in order if each.id in memories]
    ordered = _reranked(q, hits)[:limit] if rerank else hits
    return Found(ordered, (time.perf_counter() - started) * 1000)


def begun(q: str, *, by: Actor) -> Query:
    """Read a query and begin to embed it. Several that begin together are embedded together."""
    q = q[: limits.QUERY_CHARACTERS].replace("\0", " ")
    if not q.strip():
        raise InvalidInput.of("q", "The query is empty; say what to look for.")
    named = people.named(q, product_id=by.product_id, agent_id=by.agent_id)
    vector = _embed_meanwhile(named.rest)
    return Query(q, by, named.speakers, vector, query_words(q), rarity.counts(by.product_id, by.agent_id))


def found(query: Query, filters: Filters = NO_FILTERS, *, raw: str = "include") -> list[tuple[Candidate, Contribution]]:
    """All candidates, the best first, with what each part gave to its score."""
    by = query.by
    rows = _with_raw(narrowed(by, filters), raw)
    with metrics.step("search", "words"):
        by_words = arms.found_by_words(rows, query.words, query.counts)
    with metrics.step("search", "embed"):
        scorer = ranking.Scorer(query.words, query.counts)
        asked = Asked(by.product_id, embeddings.current().name, query.vector(), scorer)
    with metrics.step("search", "fetch"):
        fetched = candidates.fetch(rows, by_words, asked, most=ranking.CANDIDATES)
    with metrics.step("search", "neighbours"):
        beside = _beside(fetched, asked, by, filters)
    with metrics.step("search", "rank"):
        return _ranked(fetched, beside, Hints(query.speakers, _periods(query.text, by)))


def _beside(found: Sequence[Candidate], asked: Asked, by: Actor, filters: Filters) -> Mapping[UUID, Beside]:
    """What stands beside the best ones. The filters choose what is found, not what lends it weight."""
    placed = [each for each in found if each.is_placed]
    if not placed:
        return {}
    best = sorted(placed, key=fusion.quick, reverse=True)[: candidates.WITH_NEIGHBOURS]
    return candidates.beside(narrowed(by, Filters(as_of=filters.as_of)), best, asked)


def _ranked(
    found: Sequence[Candidate], beside: Mapping[UUID, Beside], hints: Hints
) -> list[tuple[Candidate, Contribution]]:
    """Best first: fused, authority counted in, each said once."""
    fused = fusion.fuse(found, beside, hints)
    tiers, recorded = {each.id: each.tier for each in found}, {each.id: each.recorded_at for each in found}
    by_id = {each.id: each for each in found}
    lifted = ranking.ranked(fused, tiers, recorded)
    once = fusion.once((by_id[id_], why) for id_, why in lifted)
    return [(by_id[id_], why) for id_, why in ranking.in_order(once, recorded)]


def _reranked(q: str, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Scores and explanations stay those of the search; only the order is new."""
    scores = reranking.scores(q, [hit.memory.content for hit in hits[: reranking.MOST]])
    if scores is None:
        return hits
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    return [*(hits[place] for place in order), *hits[reranking.MOST :]]


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
