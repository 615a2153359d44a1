"""Vectors that wait: made later, moved to another model, indexed when a pool has grown large."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from memories import embeddings
from memories.choices import LIVE
from memories.embeddings import Embedder
from memories.errors import Conflict, EmbedderDown
from memories.models import Embedding, Memory
from memories.search import planning

BATCH = 64
#: How long a failed try waits for the next.
RETRY_AFTER = timedelta(minutes=1)
#: The first part of a long text that its vector stands for: models read no more.
CHARACTERS_EMBEDDED = 2_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """Live memories without a vector of one model."""

    pending: int
    failed: int

    @property
    def total(self) -> int:
        return self.pending + self.failed


def waiting(product_id: UUID | None = None, *, model: str | None = None) -> Waiting:
    """How many wait for the serving model, or for the one named."""
    rows = _without_vector(model or embeddings.current().name, product_id)
    counted = rows.aggregate(all=Count("pk"), failed=Count("pk", filter=Q(has_failed=True)))
    return Waiting(counted["all"] - counted["failed"], counted["failed"])


def embed_waiting(embedder: Embedder | None = None, *, again: bool = False, most: int = 2_000) -> int:
    """Make missing vectors, and return how many. `again` doesn't wait until a failed try is due."""
    embedder = embedder or embeddings.current()
    rows = _without_vector(embedder.name)
    if not again:
        rows = rows.filter(~Exists(_tries(embedder.name).filter(tried_at__gt=timezone.now() - RETRY_AFTER)))
    done = 0
    for batch in islice(_batches(rows), math.ceil(most / BATCH)):
        try:
            vectors = embedder.embed(_texts(batch))
        except EmbedderDown:
            _note_failure(batch, embedder.name)
            break
        _save(batch, vectors, embedder)
        done += len(batch)
    return done


def embed_all(embedder: Embedder, *, product_id: UUID | None = None) -> Iterator[int]:
    """Make every missing vector of one model, whatever model serves; yields how many after each batch.

    Each batch is kept at once: after Ctrl-C or EmbedderDown the next call goes on with what is missing still.
    """
    for batch in _batches(_without_vector(embedder.name, product_id)):
        _save(batch, embedder.embed(_texts(batch)), embedder)
        yield len(batch)


def prune(*, product_id: UUID | None = None) -> int:
    """Forget the vectors of every model but the serving one, and return how many.

    Refused while live memories wait for theirs: until then the old ones are all there is to go back to.
    """
    model = embeddings.current().name
    left = waiting(product_id)
    if left.total:
        raise Conflict(
            f"{left.total:,} live memories have no vector of {model} yet; run `manage.py reembed` first, then prune."
        )
    rows = Embedding.objects.filter(product_id=product_id) if product_id else Embedding.objects.all()
    return rows.exclude(model=model).delete()[0]


def build_wanted_indexes(product_id: UUID | None = None) -> Iterator[str]:
    rows = Embedding.objects.filter(vector__isnull=False)
    rows = rows.filter(product_id=product_id) if product_id else rows
    pools = rows.values("product_id", "model", "dimensions")
    for pool in pools.annotate(vectors=Count("pk")).filter(vectors__gt=planning.EXACT_UP_TO):
        if planning.plan(pool["product_id"], pool["model"]).wants_index:
            yield planning.build_index(pool["product_id"], pool["model"], int(pool["dimensions"] or 0))


def _without_vector(model: str, product_id: UUID | None = None) -> "QuerySet[Memory]":
    tries = _tries(model)
    rows = Memory.objects.filter(status__in=LIVE).exclude(content="")
    rows = rows.filter(product_id=product_id) if product_id else rows
    return rows.filter(~Exists(tries.filter(vector__isnull=False))).annotate(has_failed=Exists(tries))


def _tries(model: str) -> "QuerySet[Embedding]":
    return Embedding.objects.filter(memory=OuterRef("pk"), model=model)


def _batches(rows: "QuerySet[Memory]") -> "Iterator[list[Memory]]":
    """Oldest first. By id, not by offset: rows leave the query as they get their vectors."""
    rows = rows.order_by("pk").defer("words", "weights")
    batch = list(rows[:BATCH])
    while batch:
        yield batch
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:BATCH])


def _texts(batch: list[Memory]) -> list[str]:
    return [memory.content[:CHARACTERS_EMBEDDED] for memory in batch]


@transaction.atomic
def _save(batch: list[Memory], vectors: list[embeddings.Vector], embedder: Embedder) -> None:
    """Vectors of rows that say what they said when these were made: what was erased meanwhile gets none."""
    ids = [memory.pk for memory in batch]
    rows = Memory.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    keys = {pk: bytes(key) for pk, key in rows.values_list("pk", "key")}
    Embedding.objects.bulk_create(
        [
            Embedding(
                product_id=memory.product_id, memory=memory, model=embedder.name, dimensions=len(vector),
                vector=vector.tolist(), attempts=1, tried_at=timezone.now(),
            )
            for memory, vector in zip(batch, vectors, strict=True)
            if keys.get(memory.pk) == bytes(memory.key)
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
