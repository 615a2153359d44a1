"""The arms of search: each scores some of the rows a caller may see. They read, and decide nothing.

`rows` is always a queryset that is visible and filtered already, so nothing hidden is ever scored or counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection, transaction
from django.db.models import BooleanField, F, FloatField, Func, QuerySet, Value
from django.db.models.expressions import Combinable, RawSQL
from pgvector.django import CosineDistance

from memories.embeddings import Vector
from memories.models import Embedding, Memory
from memories.search import planning, ranking
from memories.search.indexing import sparse
from memories.search.ranking import Counts
from memories.search.words import QueryWord, quoted

#: So many rows at most are weighed for the words of a query, as far as rarities tell.
MOST_ROWS_WEIGHED = 20_000


@dataclass(frozen=True, slots=True)
class Near:
    """A memory and its cosine similarity, from -1 to 1."""

    id: UUID
    similarity: float


def nearest(
    rows: "QuerySet[Memory]", vector: Vector, *, product_id: UUID, model: str, limit: int = ranking.CANDIDATES
) -> list[Near]:
    """The rows closest in meaning, best first. Only vectors of the same model are compared."""
    plan = planning.plan(product_id, model)
    found = Embedding.objects.filter(product_id=product_id, model=model, vector__isnull=False, memory__in=rows)
    distance = _exact(vector) if plan.is_exact else _indexed(vector)
    ranked = found.annotate(distance=distance).order_by("distance").values_list("memory_id", "distance")[:limit]
    with transaction.atomic():
        if not plan.is_exact:
            _set_index_search(limit)
        return [Near(memory_id, 1.0 - distance) for memory_id, distance in ranked]


def nearest_each(
    rows: "QuerySet[Memory]", vectors: Sequence[Vector], *, product_id: UUID, model: str, limit: int
) -> list[list[Near]]:
    """`nearest` for several vectors. In a small pool one round trip does for all of them."""
    if not planning.plan(product_id, model).is_exact:
        return [nearest(rows, vector, product_id=product_id, model=model, limit=limit) for vector in vectors]
    visible, params = rows.order_by().values("pk").query.sql_with_params()
    statement = (
        "SELECT place, near.memory_id, near.distance"  # noqa: S608  # the rows' SQL is Django's own
        " FROM unnest(%s::int[], %s::halfvec[]) AS asked(place, vector)"
        " CROSS JOIN LATERAL (SELECT memory_id, e.vector <=> asked.vector AS distance FROM memories_embedding e"
        f" WHERE product_id = %s AND model = %s AND e.vector IS NOT NULL AND memory_id IN ({visible})"
        " ORDER BY distance LIMIT %s) AS near ORDER BY place, near.distance"
    )
    found: list[list[Near]] = [[] for _ in vectors]
    with connection.cursor() as cursor:
        places = list(range(len(vectors)))
        cursor.execute(statement, [places, [_literal(v) for v in vectors], product_id, model, *params, limit])
        for place, memory_id, distance in cursor.fetchall():
            found[place].append(Near(memory_id, 1.0 - distance))
    return found


def _exact(vector: Vector) -> Combinable:
    return CosineDistance("vector", vector.tolist())


def _indexed(vector: Vector) -> Combinable:
    """The very expression the partial index is built on, or the planner won't see it."""
    dimensions = len(vector)
    return RawSQL(  # noqa: S611  # the dimension is an int, the literal a parameter
        f'("memories_embedding"."vector"::halfvec({dimensions})) <=> %s::halfvec({dimensions})',
        [_literal(vector)],
        FloatField(),
    )


def _literal(vector: Vector) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"


def _set_index_search(limit: int) -> None:
    """Let the index go on until enough rows pass the filters; the settings end with the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true)",
            [str(max(planning.EF_SEARCH, 2 * limit))],
        )


class Holds(Func):
    """Whether a word index matches a tsquery: `Holds(F("words"), Value("'one' | 'two'"))`."""

    template = "(%(expressions)s::tsquery)"
    arg_joiner = " @@ "
    output_field = BooleanField()


def by_words(
    rows: "QuerySet[Memory]", words: Sequence[QueryWord], counts: Counts, *, limit: int = ranking.CANDIDATES
) -> dict[UUID, float]:
    """The BM25 scores of the rows that hold the words best, as parts of what the whole query could reach.

    Only the rarest words bring rows in, as many as stay within a bound of rows; the others are weighed then.
    """
    scorer = ranking.Scorer(words, counts)
    if not scorer.terms:
        return {}
    drivers = " | ".join(quoted(term) for word in drivers_of(words, counts) for term in word.terms)
    found = (
        rows.filter(Holds(F("words"), Value(drivers)))
        .annotate(rough=_inner("weights", ranking.rough(words, counts)), held=Held(scorer.terms))
        .order_by(F("rough").asc(nulls_last=True), "-id")
        .values_list("id", "held")[:limit]
    )
    scores = {id_: scorer.score([weight or 0.0 for weight in held])[0] for id_, held in found}
    return {id_: score for id_, score in scores.items() if score > 0}


def found_by_words(
    rows: "QuerySet[Memory]", words: Sequence[QueryWord], counts: Counts, *, limit: int = ranking.CANDIDATES
) -> list[UUID]:
    """The ids that `by_words` would find, roughly in its order, for those who score them themselves."""
    if not words:
        return []
    drivers = " | ".join(quoted(term) for word in drivers_of(words, counts) for term in word.terms)
    found = rows.filter(Holds(F("words"), Value(drivers)))
    ordered = found.order_by(_inner("weights", ranking.rough(words, counts)).asc(nulls_last=True), "-id")
    return list(ordered.values_list("id", flat=True)[:limit])


def drivers_of(words: Sequence[QueryWord], counts: Counts) -> list[QueryWord]:
    """The rarest words of a query, as many as bring in a bounded number of rows together; one at least."""
    held = {word: sum(counts.of(term) for term in word.terms) for word in words}
    chosen: list[QueryWord] = []
    together = 0
    for word in sorted(words, key=held.__getitem__):
        together += held[word]
        if chosen and together > MOST_ROWS_WEIGHED:
            break
        chosen.append(word)
    return chosen


def _inner(column: str, weighed: Mapping[str, float]) -> RawSQL:
    """The negative inner product: smaller is better, as pgvector has it."""
    return RawSQL(f'("memories_memory"."{column}" <#> %s::sparsevec)', [sparse(weighed).to_text()], FloatField())  # noqa: S611  # a column of ours


class Held(RawSQL):
    """How much each of some terms weighs in a row, in their order; 0 for a term that it doesn't hold."""

    def __init__(self, terms: Sequence[str]) -> None:
        each = ", ".join(['-("memories_memory"."weights" <#> %s::sparsevec)'] * len(terms))
        params = [sparse({term: 1.0}).to_text() for term in terms]
        super().__init__(f"ARRAY[{each}]::real[]", params, ArrayField(FloatField()))
