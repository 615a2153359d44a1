"""Who stands close to whom, for steps that look at pairs: only each memory's nearest, never all pairs.

In a small pool all vectors fit in memory, where a batch is held against them at once; a large one has an index.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories import embeddings
from memories.cognition.reading import readable
from memories.models import Embedding, Memory, Product
from memories.search import planning
from memories.search.arms import Near, nearest_each

#: Neighbours of one memory that are looked at.
MOST = 10
#: Fewer are looked up one by one: it isn't worth loading all vectors.
FEW = 32
BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories, the one that was recorded first as `older`, and their cosine."""

    older: Memory
    newer: Memory
    similarity: float


@dataclass(slots=True)
class Neighbours:
    """The pairs of one product. The vectors are read once, when they are first wanted."""

    product: Product
    floor: float
    model: str = field(default_factory=lambda: embeddings.current().name)
    _ids: "list[UUID] | None" = None
    _matrix: "NDArray[np.float32] | None" = None

    def pairs(self, memories: Sequence[Memory]) -> Iterator[Pair]:
        """Each pair once, closest first around each memory."""
        met: set[tuple[UUID, UUID]] = set()
        near = self._near({each.pk for each in memories})
        wanted = {hit.id for hits in near.values() for hit in hits}
        rows = readable(self.product).in_bulk(wanted | {each.pk for each in memories})
        for id_, hits in near.items():
            for hit in hits:
                first, last = sorted((id_, hit.id))
                if (first, last) not in met and first in rows and last in rows:
                    met.add((first, last))
                    yield Pair(rows[first], rows[last], hit.similarity)

    def _near(self, ids: set[UUID]) -> Mapping[UUID, Sequence[Near]]:
        if len(ids) <= FEW or not planning.plan(self.product.pk, self.model).is_exact:
            return self._asked(ids)
        if self._matrix is None or self._ids is None:
            self._ids, self._matrix = _vectors(self.product, self.model)
        place = {id_: at for at, id_ in enumerate(self._ids)}
        rows = [place[id_] for id_ in sorted(ids) if id_ in place]
        return dict(self._held_against(rows)) if rows else {}

    def _held_against(self, rows: Sequence[int]) -> Iterator[tuple[UUID, Sequence[Near]]]:
        assert self._matrix is not None  # noqa: S101  # for the types: the caller has loaded both
        assert self._ids is not None  # noqa: S101
        for start in range(0, len(rows), 500):
            part = rows[start : start + 500]
            cosines = self._matrix[part] @ self._matrix.T
            cosines[np.arange(len(part)), part] = -1
            most = min(MOST, cosines.shape[1])
            best = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
            for at, columns in zip(range(len(part)), best, strict=True):
                found = [Near(self._ids[one], float(cosines[at, one])) for one in columns]
                close = sorted((hit for hit in found if hit.similarity >= self.floor), key=lambda hit: -hit.similarity)
                yield self._ids[part[at]], close

    def _asked(self, ids: set[UUID]) -> Mapping[UUID, Sequence[Near]]:
        held = Embedding.objects.filter(memory__in=ids, model=self.model, vector__isnull=False)
        vectors = dict(held.order_by("memory_id").values_list("memory_id", "vector"))
        hits = nearest_each(
            readable(self.product), [np.asarray(each, dtype=np.float32) for each in vectors.values()],
            product_id=self.product.pk, model=self.model, limit=MOST + 1,
        )  # fmt: skip
        return {
            id_: [hit for hit in found if hit.id != id_ and hit.similarity >= self.floor]
            for id_, found in zip(vectors, hits, strict=True)
        }


def _vectors(product: Product, model: str) -> "tuple[list[UUID], NDArray[np.float32]]":
    """All readable ones of a pool, at length one."""
    rows = Embedding.objects.filter(product=product, model=model, vector__isnull=False)
    rows = rows.filter(memory__in=readable(product).values("pk"))
    ids: list[UUID] = []
    parts: list[NDArray[np.float32]] = []
    held = rows.order_by("memory_id").values_list("memory_id", "vector")
    for id_, vector in held.iterator(BATCH):
        ids.append(id_)
        parts.append(np.asarray(vector, dtype=np.float32))
    matrix = np.stack(parts) if parts else np.zeros((0, 1), dtype=np.float32)
    return ids, matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
