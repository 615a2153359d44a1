"""A lived-in database, and an empty one beside it on the same server."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import connection

Elsewhere = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    """Where `connection` leads to an empty database, made for this test; outside the block it is the usual one."""
    usual, other = connection.settings_dict["NAME"], "restored_elsewhere"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {other} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {other}")

    @contextmanager
    def there() -> Iterator[None]:
        connection.close()
        connection.settings_dict["NAME"] = other
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual

    yield there
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {other} WITH (FORCE)")
