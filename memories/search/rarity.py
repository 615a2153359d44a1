"""How rare a term is among what an actor may see: the shared pool of the product and the actor's own private one.

A small pool is counted when it is asked; a large one by a task, now and then. Rarity changes slowly, so an old
count ranks as well as a new one, and a term that is in no count is a rare one.
"""

import time
from collections.abc import Iterator
from uuid import UUID

from django.db import connection
from django.db.models import Count

from memories import metrics
from memories.models import Memory, TermCounts
from memories.search.ranking import Counts

#: Up to so many rows a pool is counted by the search itself; of a larger one so many rows are a sample.
COUNTED_AT_ONCE = 2_000
#: A large pool is counted again when it has grown or shrunk by so much.
DRIFT = 0.2
#: Terms that fewer rows hold than this part of the pool are not kept: rare is rare.
LEAST_PART = 0.0005
#: How long a count is believed: a second while it is cheap, at most a minute.
SHORTLY, LONGEST, ROWS_PER_SECOND = 1.0, 60.0, 50

Pool = tuple[UUID, UUID | None]


_seen: dict[Pool, tuple[float, Counts]] = {}


def forget() -> None:
    """Count again at the next search."""
    _seen.clear()


def counts(product_id: UUID, agent_id: UUID | None) -> Counts:
    """What the actor may see, counted."""
    shared = _pool(product_id, None)
    own = _pool(product_id, agent_id) if agent_id else Counts()
    if not own.rows:
        return shared
    together = dict(shared.held)
    for term, held in own.held.items():
        together[term] = together.get(term, 0) + held
    return Counts(shared.rows + own.rows, together)


def drifted() -> Iterator[tuple[Pool, Counts]]:
    """Every large pool that has changed much since its last count, counted again."""
    pools = Memory.objects.order_by().values_list("product_id", "owner_id").annotate(rows=Count("pk"))
    known = {(row.product_id, row.owner_id): row.rows for row in TermCounts.objects.defer("counts")}
    for product_id, owner_id, rows in pools.filter(rows__gt=COUNTED_AT_ONCE):
        before = known.get((product_id, owner_id))
        if before is None or abs(rows - before) > DRIFT * before:
            least = max(2, int(rows * LEAST_PART))
            yield (product_id, owner_id), Counts(rows, _counted(product_id, owner_id, least=least))


def _pool(product_id: UUID, owner_id: UUID | None) -> Counts:
    pool = (product_id, owner_id)
    known = _seen.get(pool)
    is_fresh = known is not None and known[0] > time.monotonic()
    metrics.looked_up("term_counts", found=is_fresh)
    if known is not None and is_fresh:
        return known[1]
    fresh = _stored(pool) or _counted_now(pool)
    _seen[pool] = (time.monotonic() + min(LONGEST, max(SHORTLY, fresh.rows / ROWS_PER_SECOND)), fresh)
    return fresh


def _stored(pool: Pool) -> Counts | None:
    row = TermCounts.objects.filter(product_id=pool[0], owner_id=pool[1]).first()
    return Counts(row.rows, row.counts) if row else None


def _counted_now(pool: Pool) -> Counts:
    """All rows of a small pool, the newest ones of a large one that no task has counted yet."""
    rows = Memory.objects.in_pool(*pool).order_by("-id")[:COUNTED_AT_ONCE]
    return Counts(rows.count(), _counted(*pool, least=1, newest=COUNTED_AT_ONCE))


def _counted(product_id: UUID, owner_id: UUID | None, *, least: int, newest: int | None = None) -> dict[str, int]:
    """PostgreSQL counts the terms of a query that it takes as text; ids are all that goes into it."""
    owner = f"owner_id = '{UUID(str(owner_id))}'" if owner_id else "owner_id IS NULL"
    rows = f"SELECT words FROM memories_memory WHERE product_id = '{UUID(str(product_id))}' AND {owner}"  # noqa: S608  # ids
    rows += f" ORDER BY id DESC LIMIT {int(newest)}" if newest else ""
    with connection.cursor() as cursor:
        cursor.execute("SELECT word, ndoc FROM ts_stat(%s) WHERE ndoc >= %s", [rows, least])
        return dict(cursor.fetchall())
