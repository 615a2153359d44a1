"""The arms of search: each scores some of the rows a caller may see. They read, and decide nothing.

`rows` is always a queryset that is visible and filtered already, so nothing hidden is ever scored or counted.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from uuid import UUID

from django.db import connection, transaction
from django.db.models import BooleanField, Case, Count, F, FloatField, Func, QuerySet, Value, When
from django.db.models.expressions import Combinable, RawSQL
from pgvector.django import CosineDistance

from memories.embeddings import Vector
from memories.models import Embedding, Memory
from memories.search import planning, ranking
from memories.search.words import QueryWord


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
    rows: "QuerySet[Memory]", words: Sequence[QueryWord], *, limit: int = ranking.CANDIDATES
) -> dict[UUID, float]:
    """How much of the query each of the best rows covers, 0 to 1, rare words counting more."""
    terms = list(dict.fromkeys(term for word in words for way in word.ways for term in way.terms))
    if not terms:
        return {}
    total, frequencies = _frequencies(rows, terms)
    known = [term for term in terms if frequencies[term]]
    if not known:
        return {}
    held = [_holds(term) for term in known]
    found = (
        rows.filter(_holds(*known))
        .annotate(rough=_rough_score(known, frequencies, total))
        .order_by("-rough", "-id")
        .values_list("id", *held)[:limit]
    )
    scores = {row[0]: ranking.coverage(words, _matched(known, row[1:]), frequencies, total) for row in found}
    return {memory_id: score for memory_id, score in scores.items() if score > 0}


def _matched(terms: Sequence[str], held: Sequence[bool]) -> set[str]:
    return {term for term, is_held in zip(terms, held, strict=True) if is_held}


def _frequencies(rows: "QuerySet[Memory]", terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    """How many rows there are, and how many hold each term."""
    counts = {f"t{place}": Count("pk", filter=_holds(term)) for place, term in enumerate(terms)}
    found = rows.filter(_holds(*terms)).order_by().aggregate(**counts)
    total = rows.order_by().count()
    return total, {term: found[f"t{place}"] for place, term in enumerate(terms)}


def _rough_score(terms: Sequence[str], frequencies: dict[str, int], total: int) -> Combinable:
    """The rarity of the held terms, added up inside the database, to choose the candidates by."""
    parts = [
        Case(When(_holds(term), then=Value(ranking.rarity(frequencies[term], total))), default=Value(0.0))
        for term in terms
    ]
    return reduce(operator.add, parts)


def _holds(*terms: str) -> Holds:
    """Any of the terms."""
    return Holds(F("words"), Value(" | ".join(_quoted(term) for term in terms)))


def _quoted(term: str) -> str:
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
