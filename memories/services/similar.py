"""Similar facts: what stands close in meaning to a statement in the same pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from memories import embeddings, limits
from memories.actors import Actor
from memories.embeddings import Vector
from memories.errors import EmbedderDown
from memories.models import Embedding, Memory
from memories.reader import reader
from memories.reading import Difference, Verdict
from memories.search.arms import nearest
from memories.services.recording import Rival

#: How near a current memory must be to be compared with a new statement. Lower than the floor for similar
#: facts: real updates lie at 0.5 to 0.6 (benchmarks), so the two are different searches.
CANDIDATE_FLOOR = 0.45
CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class Similar:
    """A live fact close to another, and what differs: `this` is the new one's value, `other` the old one's."""

    memory: Memory
    similarity: float
    differs: Sequence[Difference]


def near(
    content: str, vector: Vector, *, product_id: UUID, owner_id: UUID | None, floor: float, without: UUID | None = None
) -> list[Similar]:
    """Live facts of one pool from the floor upwards, closest first. Nothing is reranked, nothing decided."""
    pool = Memory.objects.in_pool(product_id, owner_id).live().statements_only()
    pool = pool.exclude(pk=without) if without else pool
    hits = nearest(pool, vector, product_id=product_id, model=embeddings.current().name, limit=limits.SIMILAR)
    close = {hit.id: hit.similarity for hit in hits if hit.similarity >= floor}
    rows = Memory.objects.in_bulk(list(close))
    return [
        Similar(rows[id_], similarity, reader().compare(content, rows[id_].content).differs)
        for id_, similarity in close.items()
    ]


def of_memory(memory: Memory, *, by: Actor) -> list[Similar]:
    """What is similar to a stored memory, by its own vector; computed now when it has none yet."""
    floor = memory.product.fact_neighbor_floor
    vector = _vector_of(memory)
    return near(
        memory.content, vector, product_id=by.product_id, owner_id=memory.owner_id, floor=floor, without=memory.pk
    )


def rivals(content: str, vector: Vector, *, product_id: UUID, owner_id: UUID | None) -> tuple[Rival, ...]:
    """The current memories that a statement read from a text would displace, certain or not."""
    pool = Memory.objects.in_pool(product_id, owner_id).current().statements_only()
    hits = nearest(pool, vector, product_id=product_id, model=embeddings.current().name, limit=CANDIDATES)
    close = [hit.id for hit in hits if hit.similarity >= CANDIDATE_FLOOR]
    rows = Memory.objects.in_bulk(close)
    found = []
    for id_ in close:
        comparison = reader().compare(content, rows[id_].content)
        if comparison.verdict in (Verdict.REPLACES, Verdict.CONTRADICTS):
            found.append(Rival(id_, comparison.certain))
    return tuple(found)


def _vector_of(memory: Memory) -> Vector:
    """Raises EmbedderDown when there is no vector and none can be made."""
    row = Embedding.objects.filter(memory=memory, model=embeddings.current().name, vector__isnull=False).first()
    if row:
        return np.asarray(row.vector, dtype=np.float32)
    vectors = embeddings.embed_or_none([memory.content])
    if vectors is None:
        raise EmbedderDown("The embedding model can't answer now; similar facts are known again when it does.")
    return vectors[0]
