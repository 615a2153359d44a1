"""A product, or what one agent may read of it, as JSON Lines: in one snapshot, in bounded memory, in a stable order.

The order and the keys are fixed, so the same rows give the same bytes wherever they lie.
"""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from memories.services.exchange.tables import Extent, Table, all_tables
from memories.services.exchange.values import leave

FORMAT, VERSION = "neuronz", 1
#: Rows that are fetched at once.
CHUNK = 500
#: Characters that are sent at once.
PIECE = 64 * 1024


def lines(extent: Extent) -> Iterator[str]:
    """A header, the records table by table, and an end that says how many: a file that was cut off shows it."""
    product = {"slug": extent.product.slug, "name": extent.product.name}
    counts: Counter[str] = Counter()
    yield _line({"record": FORMAT, "version": VERSION, "product": product})
    with _snapshot():
        for table in all_tables():
            for line in _of_table(table, extent):
                counts[table.record] += 1
                yield line
    yield _line({"record": "end", "counts": {table.record: counts[table.record] for table in all_tables()}})


def chunks(extent: Extent) -> Iterator[bytes]:
    """The same for a network: few large pieces instead of many small ones."""
    held: list[str] = []
    size = 0
    for line in lines(extent):
        held.append(line)
        size += len(line)
        if size >= PIECE:
            yield "".join(held).encode()
            held, size = [], 0
    yield "".join(held).encode()


def _of_table(table: Table, extent: Extent) -> Iterator[str]:
    rows = table.rows(extent)
    for row in rows.values_list(*table.places(rows)).iterator(chunk_size=CHUNK):
        record: dict[str, Any] = {"record": table.record}
        for name, value in zip(table.columns, row, strict=True):
            shown = table.shown.get(name)
            record[name.removesuffix("_id")] = leave(shown(value) if shown else value)
        yield _line(record)


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


@contextmanager
def _snapshot() -> Iterator[None]:
    """Everything as it was at one moment. Inside a transaction of the caller's it is the caller's snapshot."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
