"""Similar facts: what stands close in meaning to a statement in the same pool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from memories import embeddings, limits
from memories.actors import Actor
from memories.embeddings import Vector
from memories.errors import EmbedderDown
from memories.models import Embedding, Memory
from memories.reader import judging, reader
from memories.reading import Difference, Verdict
from memories.search.arms import Near, nearest_each
from memories.services.recording import Rival

#: How near a current memory must be to be compared with a new statement. Lower than the floor for similar
#: facts: real updates lie at 0.5 to 0.6 (benchmarks), so the two are different searches.
FLOOR = 0.45


@dataclass(frozen=True, slots=True)
class Similar:
    """A live fact close to another, and what differs: `this` is the new one's value, `other` the old one's."""

    memory: Memory
    similarity: float
    differs: Sequence[Difference]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands close to one statement: `similar` from the product's floor upwards, and what it would displace."""

    similar: Sequence[Similar] = ()
    rivals: tuple[Rival, ...] = ()


def neighbourhoods(
    asked: Sequence[tuple[str, Vector]], *, product_id: UUID, owner_id: UUID | None, floor: float,
    without: UUID | None = None,
) -> list[Neighbourhood]:  # fmt: skip
    """The live facts of one pool around each of some statements, closest first. Nothing is reranked or decided."""
    pool = Memory.objects.in_pool(product_id, owner_id).live().statements_only()
    pool = pool.exclude(pk=without) if without else pool
    vectors = [vector for _, vector in asked]
    model = embeddings.current().name
    hits = nearest_each(pool, vectors, product_id=product_id, model=model, limit=limits.SIMILAR)
    near = [[hit for hit in found if hit.similarity >= min(floor, FLOOR)] for found in hits]
    rows = Memory.objects.defer("words", "weights").in_bulk({hit.id for found in near for hit in found})
    return [_around(content, found, rows, floor) for (content, _), found in zip(asked, near, strict=True)]


def _around(content: str, hits: Sequence[Near], rows: Mapping[UUID, Memory], floor: float) -> Neighbourhood:
    close, rivals = [], []
    for hit in hits:
        comparison = reader().compare(content, rows[hit.id].content, similarity=judging(hit.similarity))
        if hit.similarity >= floor:
            close.append(Similar(rows[hit.id], hit.similarity, comparison.differs))
        displaces = comparison.verdict in (Verdict.REPLACES, Verdict.CONTRADICTS)
        if displaces and hit.similarity >= FLOOR and rows[hit.id].is_current:
            rivals.append(Rival(hit.id, comparison.certain))
    return Neighbourhood(close, tuple(rivals))


def near(
    content: str, vector: Vector, *, product_id: UUID, owner_id: UUID | None, floor: float, without: UUID | None = None
) -> Sequence[Similar]:
    """The similar facts of one statement."""
    asked = [(content, vector)]
    return neighbourhoods(asked, product_id=product_id, owner_id=owner_id, floor=floor, without=without)[0].similar


def of_memory(memory: Memory, *, by: Actor) -> Sequence[Similar]:
    """What is similar to a stored memory, by its own vector; computed now when it has none yet."""
    floor = memory.product.fact_neighbor_floor
    vector = _vector_of(memory)
    return near(
        memory.content, vector, product_id=by.product_id, owner_id=memory.owner_id, floor=floor, without=memory.pk
    )


def _vector_of(memory: Memory) -> Vector:
    """Raises EmbedderDown when there is no vector and none can be made."""
    row = Embedding.objects.filter(memory=memory, model=embeddings.current().name, vector__isnull=False).first()
    if row:
        return np.asarray(row.vector, dtype=np.float32)
    vectors = embeddings.embed_or_none([memory.content])
    if vectors is None:
        raise EmbedderDown("The embedding model can't answer now; similar facts are known again when it does.")
    return vectors[0]
