"""Vectors that wait: made later, moved to another model, indexed when a pool has grown large."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from memories import embeddings
from memories.choices import LIVE
from memories.embeddings import Embedder
from memories.errors import EmbedderDown
from memories.models import Embedding, Memory
from memories.search import planning

BATCH = 64
#: How long a failed try waits for the next.
RETRY_AFTER = timedelta(minutes=1)
#: The first part of a long text that its vector stands for: models read no more.
CHARACTERS_EMBEDDED = 2_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """Live memories without a vector of the serving model."""

    pending: int
    failed: int


def waiting(product_id: UUID | None = None, *, model: str | None = None) -> Waiting:
    rows = _without_vector(model or embeddings.current().name)
    rows = rows.filter(product_id=product_id) if product_id else rows
    counted = rows.aggregate(all=Count("pk"), failed=Count("pk", filter=Q(has_failed=True)))
    return Waiting(counted["all"] - counted["failed"], counted["failed"])


def embed_waiting(embedder: Embedder | None = None, *, again: bool = False, most: int = 2_000) -> int:
    """Make missing vectors, and return how many. `again` doesn't wait until a failed try is due."""
    embedder = embedder or embeddings.current()
    done = 0
    for batch in _batches(embedder.name, again=again, most=most):
        try:
            vectors = embedder.embed([memory.content[:CHARACTERS_EMBEDDED] for memory in batch])
        except EmbedderDown:
            _note_failure(batch, embedder.name)
            break
        _save(batch, vectors, embedder)
        done += len(batch)
    return done


def prune(model: str) -> int:
    """Forget the vectors of every other model. Returns how many."""
    return Embedding.objects.exclude(model=model).delete()[0]


def build_wanted_indexes() -> Iterator[str]:
    pools = Embedding.objects.filter(vector__isnull=False).values("product_id", "model", "dimensions")
    for pool in pools.annotate(vectors=Count("pk")).filter(vectors__gt=planning.EXACT_UP_TO):
        if planning.plan(pool["product_id"], pool["model"]).wants_index:
            yield planning.build_index(pool["product_id"], pool["model"], pool["dimensions"])


def _without_vector(model: str) -> "QuerySet[Memory]":
    rows = Embedding.objects.filter(memory=OuterRef("pk"), model=model)
    return (
        Memory.objects.filter(status__in=LIVE)
        .exclude(content="")
        .filter(~Exists(rows.filter(vector__isnull=False)))
        .annotate(has_failed=Exists(rows))
    )


def _batches(model: str, *, again: bool, most: int) -> "Iterator[list[Memory]]":
    recent = Embedding.objects.filter(memory=OuterRef("pk"), model=model, tried_at__gt=timezone.now() - RETRY_AFTER)
    rows = _without_vector(model)
    rows = rows if again else rows.filter(~Exists(recent))
    last = None
    for _ in range(0, most, BATCH):
        page = rows.filter(pk__gt=last) if last else rows
        batch = list(page.order_by("pk")[:BATCH])
        if not batch:
            return
        last = batch[-1].pk
        yield batch


def _save(batch: list[Memory], vectors: list[embeddings.Vector], embedder: Embedder) -> None:
    Embedding.objects.bulk_create(
        [
            Embedding(
                product_id=memory.product_id, memory=memory, model=embedder.name, dimensions=len(vector),
                vector=vector.tolist(), attempts=1, tried_at=timezone.now(),
            )
            for memory, vector in zip(batch, vectors, strict=True)
        ],
        update_conflicts=True, unique_fields=["memory", "model"], update_fields=["dimensions", "vector", "tried_at"],
    )  # fmt: skip


def _note_failure(batch: list[Memory], model: str) -> None:
    Embedding.objects.bulk_create(
        [
            Embedding(product_id=memory.product_id, memory=memory, model=model, attempts=1, tried_at=timezone.now())
            for memory in batch
        ],
        update_conflicts=True, unique_fields=["memory", "model"], update_fields=["tried_at"],
    )  # fmt: skip
