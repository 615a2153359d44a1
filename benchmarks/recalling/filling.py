"""A product's shared pool, loaded as fast as PostgreSQL takes it: around the services, for nothing but measuring."""

import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from benchmarks.recalling import texts
from memories import embeddings
from memories.models.ids import new_id
from memories.search.indexing import index

CHUNK = 5_000
#: So many sentences get the model's own vector; the others one beside that of a sentence of the same pattern.
EMBEDDED = 1_000
#: How far beside: the cosine of the two is near 0.93, that of two sentences which differ in a name or a number.
NOISE = 0.02

MEMORIES = (
    "id, product_id, scope, content, key, kind, category, person, tier, status, tags, metadata, origin, agent_id,"
    " words, weights"
)
EVIDENCE = (
    "id, product_id, memory_id, agent_id, excerpt, source_name, item_key, item_url, session, message, speaker, counters"
)
VECTORS = "id, product_id, memory_id, model, dimensions, vector, attempts"
EVENTS = """
INSERT INTO memories_memoryevent (pgh_created_at, pgh_label, pgh_obj_id, status, pgh_context)
SELECT now(), 'added', id, status, '{"type": "agent", "name": "bench", "verb": "add", "why": ""}'
FROM memories_memory WHERE product_id = %s AND id BETWEEN %s AND %s
"""
Row = tuple[str | None, str]


def fill(product: UUID, agent: UUID, count: int, *, there: int = 0) -> None:
    """Memories with word index, first event, evidence and vectors. The guards sleep meanwhile. What is there stays."""
    numbered = list(texts.memories(count))
    real = embeddings.current().embed([text for _, text in numbered[:EMBEDDED]])
    of_pattern: dict[int, list[Any]] = {}
    for (pattern, _), vector in zip(numbered, real, strict=False):
        of_pattern.setdefault(pattern, []).append(vector)
    random = np.random.default_rng(4)
    for start in range(there, count, CHUNK):
        chunk = numbered[start : start + CHUNK]
        vectors = [
            real[start + place] if start + place < EMBEDDED else _beside(of_pattern[pattern], random)
            for place, (pattern, _) in enumerate(chunk)
        ]
        _load(product, agent, [(None, text) for _, text in chunk], vectors)
        print(f"{start + len(chunk):,} memories loaded", file=sys.stderr, flush=True)  # it takes minutes
    people = list(texts.traits())
    _load(product, agent, people, embeddings.current().embed([text for _, text in people]))


def _beside(real: Sequence[Any], random: np.random.Generator) -> Any:
    vector = real[random.integers(len(real))]
    moved = vector + random.normal(scale=NOISE, size=len(vector))
    return moved / np.linalg.norm(moved)


def _load(product: UUID, agent: UUID, rows: Sequence[Row], vectors: Sequence[Any]) -> None:
    ids = sorted(new_id() for _ in rows)
    model = embeddings.current().name
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        with cursor.copy(f"COPY memories_memory ({MEMORIES}) FROM STDIN") as copy:
            for id_, (person, text) in zip(ids, rows, strict=True):
                indexed, category = index(text), "persona" if person else "fact"
                copy.write_row(
                    (id_, product, "shared", text, sha256(text.encode()).digest(), "Fact", category, person, "official",
                     "verified", "{}", "{}", "agent", agent, indexed.words, indexed.weights.to_text())
                )  # fmt: skip
        with cursor.copy(f"COPY memories_evidence ({EVIDENCE}) FROM STDIN") as copy:
            for id_, (_, text) in zip(ids, rows, strict=True):
                copy.write_row((new_id(), product, id_, agent, text, *[""] * 6, False))
        with cursor.copy(f"COPY memories_embedding ({VECTORS}) FROM STDIN") as copy:
            for id_, vector in zip(ids, vectors, strict=True):
                halves = "[" + ",".join(f"{value:.5g}" for value in vector) + "]"
                copy.write_row((new_id(), product, id_, model, len(vector), halves, 1))
        cursor.execute(EVENTS, [product, ids[0], ids[-1]])
