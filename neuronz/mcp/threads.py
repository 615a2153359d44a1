"""From the event loop to the database: a fixed pool of threads, and so of connections.

The SDK's own threads, and Django's, come and go, and leave a connection open each time until PostgreSQL has none left.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

from asgiref.sync import sync_to_async
from django.db import connections

T = TypeVar("T")

#: Threads, and so database connections, that serve MCP.
THREADS = 8

_pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="mcp")


def _drop_stale_connections() -> None:
    """What Django does around each request; a connection whose server died meanwhile is opened anew."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close_if_unusable_or_obsolete()


def _with_connection(function: Callable[[], object]) -> object:
    _drop_stale_connections()
    try:
        return function()
    finally:
        _drop_stale_connections()


_hop = sync_to_async(_with_connection, thread_sensitive=False, executor=_pool)


async def in_pool(function: Callable[[], T]) -> T:
    """Run it in a thread that may use the database."""
    return cast("T", await _hop(function))
