"""Pools of invented memories with synthetic vectors, loaded as fast as PostgreSQL takes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from memories.actors import Actor
from memories.choices import Origin
from memories.models import Agent, Product
from memories.models.ids import new_id
from memories.search.indexing import index
from memories.services import keys, products

DIMENSIONS = 384
#: Vectors of texts fill a space of far fewer directions than they have numbers.
DIRECTIONS = 48
MODEL = "all-MiniLM-L6-v2"
CHUNK = 5_000

WORDS = {
    "thing": "pump valve gateway ferry crane boiler filter sensor relay beacon turbine hatch winch buoy mast engine",
    "place": "harbor quay hall tower yard dock bridge tunnel depot station cellar roof workshop office gate canal",
    "deed": "leaks stands hums stopped restarted rusts broke froze moved",
    "person": "Ana Ben Chiara Dmitri Eva Farid Gita Hugo Ines Jonas Kofi Lena Mateo Nora Omar Petra",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
}

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pool:
    product: Product
    by: Actor
    key: str
    size: int
    seed: int


def make(slug: str, size: int, seed: int) -> Pool:
    product = Product.objects.filter(slug=slug).first() or products.create_product(slug=slug)
    agent = Agent.objects.filter(product=product, name="bench").first()
    key = ""
    if agent is None:
        agent, key = keys.create_agent(product=product, name="bench")
    by = Actor(type=Origin.AGENT, name="bench", product_id=product.pk, agent_id=agent.pk)
    return Pool(product, by, key, size, seed)


def vectors(count: int, seed: int) -> Matrix:
    """Unit vectors around a space that all pools share, in clusters of many sizes."""
    shared = np.random.default_rng(7)
    onto = shared.normal(size=(DIRECTIONS, DIMENSIONS)).astype(np.float32)
    centres = shared.normal(size=(500, DIRECTIONS)).astype(np.float32)
    own = np.random.default_rng(seed)
    around = centres[own.zipf(1.3, size=count) % len(centres)]
    rows = (around + own.normal(size=(count, DIRECTIONS)).astype(np.float32)) @ onto
    rows += own.normal(size=rows.shape).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def sentence(number: int, random: np.random.Generator) -> str:
    thing, place, deed, person, day = (str(random.choice(words.split())) for words in WORDS.values())
    return f"{person} noted on {day} that {thing} {thing[0].upper()}-{number} in {place} {number % 97} {deed}."


def fill(pool: Pool) -> None:
    """Load a pool: memories with word index and first event, evidence, vectors. Guards sleep meanwhile."""
    random = np.random.default_rng(pool.seed)
    for start in range(0, pool.size, CHUNK):
        count = min(CHUNK, pool.size - start)
        ids = sorted(new_id() for _ in range(count))
        texts = [sentence(start + place, random) for place in range(count)]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            _copy_memories(cursor, pool, ids, texts)
            _copy_evidence(cursor, pool, ids, texts)
            _copy_vectors(cursor, pool, ids, vectors(count, pool.seed * 1_000_003 + start))
            cursor.execute(_EVENTS, [pool.product.pk, ids[0], ids[-1]])


_EVENTS = """
INSERT INTO memories_memoryevent (pgh_created_at, pgh_label, pgh_obj_id, status, pgh_context)
SELECT now(), 'added', id, status, '{"type": "agent", "name": "bench", "verb": "add", "why": ""}'
FROM memories_memory WHERE product_id = %s AND id BETWEEN %s AND %s
"""


def _copy_memories(cursor: object, pool: Pool, ids: list[UUID], texts: list[str]) -> None:
    columns = "id, product_id, scope, content, key, kind, category, tier, status, tags, metadata, origin, agent_id"
    columns += ", words, weights"
    with cursor.copy(f"COPY memories_memory ({columns}) FROM STDIN") as copy:  # type: ignore[attr-defined]  # psycopg's
        for id_, text in zip(ids, texts, strict=True):
            indexed = index(text)
            copy.write_row(
                (
                    id_, pool.product.pk, "shared", text, sha256(text.encode()).digest(), "Fact", "fact", "official",
                    "verified", "{}", "{}", "agent", pool.by.agent_id, indexed.words, indexed.weights.to_text(),
                )
            )  # fmt: skip


def _copy_evidence(cursor: object, pool: Pool, ids: list[UUID], texts: list[str]) -> None:
    columns = "id, product_id, memory_id, agent_id, excerpt, source_name, item_key, item_url, session, message, speaker"
    columns += ", counters"
    with cursor.copy(f"COPY memories_evidence ({columns}) FROM STDIN") as copy:  # type: ignore[attr-defined]  # psycopg's
        for id_, text in zip(ids, texts, strict=True):
            copy.write_row((new_id(), pool.product.pk, id_, pool.by.agent_id, text, "", "", "", "", "", "", False))


def _copy_vectors(cursor: object, pool: Pool, ids: list[UUID], rows: Matrix) -> None:
    columns = "id, product_id, memory_id, model, dimensions, vector, attempts"
    with cursor.copy(f"COPY memories_embedding ({columns}) FROM STDIN (FORMAT BINARY)") as copy:  # type: ignore[attr-defined]  # psycopg's
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for record in _records(pool, ids, rows):
            copy.write(record)
        copy.write(b"\xff\xff")


def _records(pool: Pool, ids: list[UUID], rows: Matrix) -> Iterator[bytes]:
    """PostgreSQL's binary rows; a halfvec is its length, an unused number, and big-endian halves."""

    def field(data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + data

    halves = rows.astype(">f2")
    for id_, half in zip(ids, halves, strict=True):
        vector = DIMENSIONS.to_bytes(2, "big") + bytes(2) + half.tobytes()
        cells = (
            new_id().bytes,
            pool.product.pk.bytes,
            id_.bytes,
            MODEL.encode(),
            DIMENSIONS.to_bytes(2, "big"),
            vector,
        )
        yield (7).to_bytes(2, "big") + b"".join(map(field, cells)) + field((1).to_bytes(2, "big"))
