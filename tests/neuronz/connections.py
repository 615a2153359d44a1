"""What stands between the site of a test and its database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql


def end_other_connections() -> None:
    other_connections("SELECT pg_terminate_backend(pid)")


def count_other_connections() -> int:
    return len(other_connections("SELECT pid"))


def other_connections(select: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"{select} FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return list(cursor.fetchall())


@contextmanager
def no_database() -> Iterator[None]:
    """Every connection but this thread's is dead, and no new one is let in."""
    parameters = connection.get_connection_params()
    name = sql.Identifier(parameters["dbname"])
    with psycopg.connect(**{**parameters, "dbname": "postgres", "cursor_factory": None}, autocommit=True) as outside:
        outside.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        end_other_connections()
        try:
            yield
        finally:
            outside.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))
