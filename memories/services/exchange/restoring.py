"""Putting an exported product back as it was: ids, times, statuses, history, pairs and links.

Two guards of memories and two of rules stand in the way and are lifted by name, inside one transaction and for this
connection alone: both come with the status they have by now, and their history is in the file. What these guards keep
is checked line by line (checking.py); every other guard of the database stays up.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pgtrigger
from django.db import DatabaseError, connection, models, transaction

from memories.actors import Actor
from memories.choices import Origin
from memories.errors import Conflict
from memories.models import Product
from memories.services import erasure, linking
from memories.services.exchange.checking import Checks, faults_of, refuse
from memories.services.exchange.exporting import FORMAT, VERSION
from memories.services.exchange.tables import Extent, Row, Table, all_tables
from memories.services.exchange.values import Arrival, arrive

#: Rows that are stored in one statement.
CHUNK = 500
LIFTED = (
    "memories.Memory:legal_births_only",
    "memories.Memory:added_insert",
    "memories.Rule:rules_begin_as_proposals",
    "memories.Rule:proposed_insert",
)


@dataclass(frozen=True, slots=True)
class Restored:
    """How many rows of each record were put back."""

    counts: Mapping[str, int]


@contextmanager
def _guards_lifted() -> Iterator[None]:
    with pgtrigger.ignore(*LIFTED):
        yield


@dataclass(slots=True)
class _Batch:
    """Rows of one table on their way into the database, and the lines they stand on."""

    table: Table
    product: Product
    rows: list[tuple[int, Row]] = field(default_factory=list)

    def store(self) -> None:
        if not self.rows:
            return
        first, last = self.rows[0][0], self.rows[-1][0]
        self._refuse_taken_ids()
        try:
            with transaction.atomic():
                self._insert([row for _, row in self.rows])
        except DatabaseError as error:
            reason = str(error).splitlines()[0]
            raise refuse(first, f"the database refuses one of the lines {first} to {last} ({reason}).") from error
        self.rows.clear()

    def _refuse_taken_ids(self) -> None:
        lines = {row["id"]: line for line, row in self.rows if "id" in row}
        taken = self.table.model._base_manager.filter(pk__in=lines).values_list("pk", flat=True)
        for line in sorted(lines[id_] for id_ in taken):
            raise refuse(
                line, f"its id is taken on this server already; with --new-ids the {self.table.record} gets another."
            )

    def _insert(self, rows: list[Row]) -> None:
        if self.table.insert:
            self.table.insert(rows)
            return
        names = {each.name for each in self.table.model._meta.concrete_fields}
        product = {"product_id": self.product.pk} if "product" in names else {}
        self.table.model._base_manager.bulk_create([self.table.model(**product, **row) for row in rows])


def restore(
    *, product: Product, lines: Iterable[str | bytes], has_new_ids: bool = False, is_dry_run: bool = False
) -> Restored:
    """Put a file back into an empty product, all of it or, if anything is wrong, nothing.

    A dry run does all of it and takes it back: what it says is what would happen.
    """
    arrival, checks, counts = Arrival(product, has_new_ids), Checks(), Counter[str]()
    with transaction.atomic():
        _hold_empty(product)
        with _guards_lifted():
            batch: _Batch | None = None
            for line, table, record in _records(lines, counts):
                if batch is None or batch.table is not table or len(batch.rows) >= CHUNK:
                    if batch:
                        batch.store()
                    batch = _Batch(table, product)
                row = _row(line, table, record, arrival)
                checks.row(line, table, row)
                batch.rows.append((line, row))
            if batch:
                batch.store()
        checks.end()
        _check_deferred()
        if is_dry_run:
            transaction.set_rollback(True)
    if not is_dry_run:
        _erase_again(product)
        linking.relink(product)  # the graph is made of what the memories say, as vectors are
    return Restored({table.record: counts[table.record] for table in all_tables()})


def _erase_again(product: Product) -> None:
    """A file from before an erasure on this server brings its text along: it goes again at once."""
    by = Actor(Origin.PERSON, "import", product.pk)
    erasure.erase_known(by=by, product_id=product.pk, reason="Erased on this server before; brought back by an import.")


def _hold_empty(product: Product) -> None:
    """Nobody else may write into it meanwhile: what is put back knows nothing of what is there."""
    Product.objects.select_for_update().get(pk=product.pk)
    full = Extent(product)
    for table in all_tables():
        if table.rows(full).exists():
            raise Conflict(
                f"The product {product.slug} is not empty (it has a record {table.record}); "
                "import into a new one, made with `manage.py create_product`."
            )


def _records(lines: Iterable[str | bytes], counts: Counter[str]) -> Iterator[tuple[int, Table, Row]]:
    """The records between the header and the end, each with its line and its table."""
    tables, number, is_whole = {table.record: table for table in all_tables()}, 0, False
    for number, line in enumerate(lines, 1):
        record = _parsed(number, line)
        if is_whole:
            raise refuse(number, "the file goes on after its end.")
        if number == 1:
            _check_header(record)
        elif record["record"] == "end":
            _check_end(number, record, counts)
            is_whole = True
        elif record["record"] not in tables:
            raise refuse(number, f"there is no record {record['record']!r}; known: {', '.join(tables)}.")
        else:
            counts[record["record"]] += 1
            yield number, tables[record["record"]], record
    if not is_whole:
        raise refuse(number + 1, "the file was cut off: its last line, the record end, is missing.")


def _parsed(number: int, line: str | bytes) -> Row:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise refuse(number, "it is not JSON.") from None
    if fault := faults_of(record):
        raise refuse(number, fault)
    return dict(record)


def _check_header(record: Row) -> None:
    if record["record"] != FORMAT:
        raise refuse(1, f"an export begins with the record {FORMAT!r}; this is another kind of file (see --from).")
    if record.get("version") != VERSION:
        raise refuse(1, f"its version is {record.get('version')!r}, and this server reads version {VERSION}.")


def _check_end(number: int, record: Row, counts: Counter[str]) -> None:
    told = record.get("counts")
    if not isinstance(told, dict) or {name: count for name, count in told.items() if count} != dict(counts):
        raise refuse(number, "the file holds other counts than it says; something is missing or was added.")


def _row(line: int, table: Table, record: Row, arrival: Arrival) -> Row:
    """The model's attributes, each read back by its type."""
    told = {name: record.get(name.removesuffix("_id"), record) for name in table.columns}
    missing = [name.removesuffix("_id") for name, value in told.items() if value is record]
    unknown = set(record) - {name.removesuffix("_id") for name in table.columns} - {"record"}
    if missing or unknown:
        raise refuse(line, _misfit(table, missing, unknown))
    row: Row = {}
    for name, value in told.items():
        try:
            row[table.attribute(name)] = _read(table, name, value, arrival)
        except ValueError as error:
            raise refuse(line, f"{name.removesuffix('_id')} {error}.") from None
    return row | (table.made(row) if table.made else {})


def _read(table: Table, name: str, value: Any, arrival: Arrival) -> Any:
    column: models.Field[Any, Any] = table.column(name)
    if name in table.odd and value is not None:
        return table.odd[name](value, arrival)
    return arrive(column, value, arrival)


def _misfit(table: Table, missing: list[str], unknown: set[str]) -> str:
    if missing:
        return f"the {table.record} lacks {', '.join(missing)}."
    return f"a {table.record} has no {', '.join(sorted(unknown))}."


def _check_deferred() -> None:
    """What would be checked when the transaction ends is checked now, where it can still be said in a sentence."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    except DatabaseError as error:
        raise Conflict(f"The database refuses the file: {str(error).splitlines()[0]}. Nothing was imported.") from error
