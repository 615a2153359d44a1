"""Exact or by index, by the size of the pool.

Measured (docs/search.md): one HNSW index over all products finds almost nothing in a small pool, because
its candidates belong to others. An exact scan of up to some ten thousand rows takes milliseconds and
misses nothing; a larger product gets a partial index of its own, built concurrently by a task.
"""

import time
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from memories import metrics
from memories.models import Embedding

#: Up to this many vectors a pool is scanned exactly.
EXACT_UP_TO = 20_000
#: How long a size or an index once seen is believed.
BELIEVED_FOR_SECONDS = 30.0
#: Candidates HNSW keeps while it searches: higher finds more and costs more.
EF_SEARCH = 200

_seen: dict[tuple[UUID, str], tuple[float, "Plan"]] = {}


@dataclass(frozen=True, slots=True)
class Plan:
    """How the vectors of one product and model are searched."""

    vectors: int
    has_index: bool

    @property
    def is_exact(self) -> bool:
        return not self.has_index

    @property
    def wants_index(self) -> bool:
        return self.vectors > EXACT_UP_TO and not self.has_index


def plan(product_id: UUID, model: str) -> Plan:
    """The plan for one pool, remembered for half a minute."""
    known = _seen.get((product_id, model))
    is_fresh = known is not None and known[0] > time.monotonic()
    metrics.looked_up("plans", found=is_fresh)
    if known is not None and is_fresh:
        return known[1]
    fresh = Plan(_count(product_id, model), _index_is_valid(index_name(product_id, model)))
    _seen[product_id, model] = (time.monotonic() + BELIEVED_FOR_SECONDS, fresh)
    return fresh


def forget() -> None:
    """Look again at the next plan."""
    _seen.clear()


def index_name(product_id: UUID, model: str) -> str:
    """At most 63 characters, one for each product and model."""
    letters = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in model)[:14]
    return f"embedding_hnsw_{product_id.hex}_{letters}".lower()


def build_index(product_id: UUID, model: str, dimensions: int) -> str:
    """Build the partial index of one large pool, without blocking writers. Not inside a transaction.

    An invalid leftover of a build that was stopped is dropped first. Returns the index's name.
    """
    name = index_name(product_id, model)
    with connection.cursor() as cursor:
        if not _index_is_valid(name):
            cursor.execute(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')
        cursor.execute(
            f'CREATE INDEX CONCURRENTLY IF NOT EXISTS "{name}" ON memories_embedding '
            f"USING hnsw ((vector::halfvec({int(dimensions)})) halfvec_cosine_ops) "
            f"WHERE product_id = '{product_id}' AND model = {_literal(model)} AND vector IS NOT NULL"
        )
    forget()
    return name


def _count(product_id: UUID, model: str) -> int:
    return Embedding.objects.filter(product_id=product_id, model=model).count()


def _index_is_valid(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [f'"{name}"'])
        row = cursor.fetchone()
    return bool(row and row[0])


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
