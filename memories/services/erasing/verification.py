"""Where words still are: every column of every table of the database, sessions and statistics among them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.contrib.sessions.models import Session
from django.db import connection
from psycopg import sql

from memories.services.erasing.words import like


@dataclass(frozen=True, slots=True)
class Trace:
    """A column in which so many rows hold the words."""

    table: str
    column: str
    rows: int


def traces_of(text: str) -> Sequence[Trace]:
    """Everywhere the text is found, whatever its case: as it stands, as JSON writes it, and inside of bytes."""
    return [*_in_tables(text), *_in_sessions(text), *_in_statistics(text)]


def _in_tables(text: str) -> Iterator[Trace]:
    patterns = list(dict.fromkeys([like(text), like(_escaped(text))]))
    for table, column, kind in _columns():
        name = sql.Identifier(column)
        value = sql.SQL("encode({}, 'escape')").format(name) if kind == "bytea" else sql.SQL("{}::text").format(name)
        question = sql.SQL("SELECT count(*) FROM {} WHERE {} ILIKE ANY (%s)").format(sql.Identifier(table), value)
        with connection.cursor() as cursor:
            cursor.execute(question, [patterns])
            (rows,) = cursor.fetchone()
        if rows:
            yield Trace(table, column, rows)


def _columns() -> Sequence[tuple[str, str, str]]:
    """All that can hold words. Numbers, times, ids and vectors can't."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.table_name, c.column_name, c.udt_name FROM information_schema.columns c "
            "JOIN information_schema.tables t USING (table_schema, table_name) "
            "WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' "
            "AND c.udt_name IN ('text','varchar','bpchar','json','jsonb','tsvector','bytea','_text','_varchar') "
            "ORDER BY 1, c.ordinal_position"
        )
        return [(str(table), str(column), str(kind)) for table, column, kind in cursor.fetchall()]


def _in_sessions(text: str) -> Iterator[Trace]:
    """They are compressed, so the database can't look into them."""
    wanted = text.casefold()
    rows = sum(wanted in str(each.get_decoded()).casefold() for each in Session.objects.all().iterator(200))
    if rows:
        yield Trace("django_session", "session_data (decoded)", rows)


def _in_statistics(text: str) -> Iterator[Trace]:
    """The planner keeps the commonest values of each column; ANALYZE makes them anew."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename, attname FROM pg_stats WHERE schemaname = current_schema() AND "
            "concat_ws(' ', most_common_vals::text, most_common_elems::text, histogram_bounds::text) ILIKE ANY (%s)",
            [[like(text), like(_escaped(text))]],
        )
        for table, column in cursor.fetchall():
            yield Trace(table, f"{column} (statistics)", 1)


def _escaped(text: str) -> str:
    """As JSON in a text column writes it: quotes and what is not ASCII by their codes."""
    return text.encode("unicode_escape").decode().replace('"', '\\"')
