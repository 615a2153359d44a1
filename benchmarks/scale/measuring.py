"""What is measured of each pool: whether the nearest are found, how fast, and what the tables weigh."""

import time
from collections.abc import Sequence
from statistics import median
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from benchmarks.scale import filling
from benchmarks.scale.filling import MODEL, Matrix, Pool
from memories import embeddings
from memories.embeddings import Vector
from memories.filters import Filters, narrowed
from memories.models import Memory
from memories.search import arms, planning, rarity
from memories.services import embedding_upkeep, recall, word_upkeep

ASKED, NEAREST = 50, 10
SMALL = 100
TABLES = ("memories_memory", "memories_embedding", "memories_evidence", "memories_memoryevent")


class Synthetic:
    """Stands in for the model, so that a search is timed without it: a text is given the vector prepared for it."""

    name, dimensions = MODEL, filling.DIMENSIONS

    def __init__(self) -> None:
        self.prepared: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        fallback = next(iter(self.prepared.values()))
        return [self.prepared.get(text, fallback).copy() for text in texts]

    def warm(self) -> None:
        """Nothing to load."""

    def state(self) -> str:
        return "ready"


def measured(sizes: Sequence[int], *, products: int) -> dict[str, Any]:
    pools = [filling.make(f"pool-{size}", size, seed=size) for size in sizes]
    others = [filling.make(f"small-{number}", SMALL, seed=number) for number in range(products - len(sizes))]
    loading = {pool.size: _loaded(pool) for pool in pools}
    for other in others:
        _loaded(other)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    counting = _seconds(word_upkeep.recount)
    building = _seconds(lambda: list(embedding_upkeep.build_wanted_indexes()))
    planning.forget()
    rarity.forget()
    embedder = Synthetic()
    with embeddings.override(embedder):
        found = {str(pool.size): _pool(pool, embedder) for pool in pools}
    return {
        "products": products, "seconds to load": loading, "seconds to count terms": counting,
        "seconds to build vector indexes": building, "pools": found, "tables": _weights(),
    }  # fmt: skip


def _loaded(pool: Pool) -> float:
    there = Memory.objects.filter(product=pool.product).exists()
    return 0.0 if there else _seconds(lambda: filling.fill(pool))


def _pool(pool: Pool, embedder: Synthetic) -> dict[str, Any]:
    queries = filling.vectors(ASKED, seed=99)
    rows = narrowed(pool.by, Filters())
    exact, exact_ms = _exact(pool, queries)
    found, found_ms = _nearest(rows, pool, queries)
    few = narrowed(pool.by, Filters(tag=("rare",)))
    random = np.random.default_rng(5)
    asked = [_question(random, pool) for _ in queries]
    embedder.prepared = dict(zip(asked, queries, strict=True))
    searched = [_milliseconds(lambda q=text: recall.search(by=pool.by, q=q)) for text in asked]
    plan = planning.plan(pool.product.pk, MODEL)
    return {
        "plan": "exact" if plan.is_exact else "its own HNSW index",
        "recall@10": round(sum(len(a & b) for a, b in zip(exact, found, strict=True)) / (ASKED * NEAREST), 4),
        "nearest 10 ms": found_ms, "exact scan ms": exact_ms,
        "words ms": round(median(_milliseconds(lambda q=text: _words(pool, q)) for text in asked), 1),
        "search p50 ms": round(median(searched), 1), "search p95 ms": round(sorted(searched)[int(0.95 * ASKED)], 1),
        "filtered to nothing ms": round(_milliseconds(lambda: _nearest(few, pool, queries[:1])), 1),
        "explained": _explained(rows, pool, queries[0]),
    }  # fmt: skip


def _question(random: np.random.Generator, pool: Pool) -> str:
    """A sentence of the pool, asked for without its code: common words alone."""
    said = filling.sentence(int(random.integers(pool.size)), random).split()
    return f"What did {said[0]} note on {said[3]} about the {said[5]} in {said[8]}?"


def _words(pool: Pool, text: str) -> None:
    from memories.search.words import query_words

    counts = rarity.counts(pool.product.pk, pool.by.agent_id)
    arms.found_by_words(narrowed(pool.by, Filters()), query_words(text), counts)


def _nearest(rows: Any, pool: Pool, queries: Matrix) -> tuple[list[set[UUID]], float]:
    found, took = [], []
    for query in queries:
        began = time.perf_counter()
        near = arms.nearest(rows, query, product_id=pool.product.pk, model=MODEL, limit=NEAREST)
        took.append((time.perf_counter() - began) * 1000)
        found.append({each.id for each in near})
    return found, round(median(took), 1)


def _exact(pool: Pool, queries: Matrix) -> tuple[list[set[UUID]], float]:
    found, took = [], []
    for query in queries:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_indexscan = off")
            began = time.perf_counter()
            cursor.execute(
                "SELECT memory_id FROM memories_embedding WHERE product_id = %s AND model = %s"
                " ORDER BY vector <=> %s::halfvec LIMIT %s",
                [pool.product.pk, MODEL, str(query.tolist()), NEAREST],
            )
            found.append({row[0] for row in cursor.fetchall()})
            took.append((time.perf_counter() - began) * 1000)
    return found, round(median(took), 1)


def _explained(rows: Any, pool: Pool, query: Vector) -> list[str]:
    """The plan of the nearest, without its numbers of the vector."""
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        arms.nearest(rows, query, product_id=pool.product.pk, model=MODEL, limit=NEAREST)
    statement = next(each["sql"] for each in captured if "<=>" in each["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}".replace("%", "%%"))
        return [line.partition("'[")[0][:110] for (line,) in cursor.fetchall()]


def _weights() -> dict[str, Any]:
    """Megabytes of each table and of its indexes, and how much a million memories weigh."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class WHERE relname = ANY(%s)",
            [list(TABLES)],
        )
        sizes = {name: (table, indexes) for name, table, indexes in cursor.fetchall()}
    rows = Memory.objects.count()
    together = sum(sum(each) for each in sizes.values())
    shown = {name: {"table MB": table >> 20, "indexes MB": indexes >> 20} for name, (table, indexes) in sizes.items()}
    return {"rows": rows, "GB per million": round(together / rows * 1e6 / 1e9, 2), **shown}


def _seconds(act: Any) -> float:
    return round(_milliseconds(act) / 1000, 1)


def _milliseconds(act: Any) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000
