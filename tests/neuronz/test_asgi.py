"""The web server's way in: bodies are whole before Django sees them."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper

from neuronz import asgi
from neuronz.asgi import Message, Receive, Send

Seen = list[tuple[dict[bytes, bytes], bytes]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What arrives where Django would be."""
    arrived: Seen = []

    async def django(scope: Message, receive: Receive, send: Send) -> None:
        arrived.append((dict(scope["headers"]), (await receive())["body"]))

    monkeypatch.setattr(asgi, "django_app", django)
    return arrived


def send_request(messages: Iterable[dict[str, Any]], headers: list[tuple[bytes, bytes]] | None = None) -> None:
    waiting = iter(messages)

    async def receive() -> Message:
        return next(waiting)

    async def send(message: Message) -> None:
        raise AssertionError(f"nothing should be sent here: {message}")

    asyncio.run(asgi.application({"type": "http", "headers": headers or []}, receive, send))


def chunk(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_chunked_body_arrives_whole_and_with_its_length(seen: Seen) -> None:
    send_request([chunk(b"ab", more=True), chunk(b"cd", more=False)], [(b"transfer-encoding", b"chunked")])

    assert seen == [({b"content-length": b"4"}, b"abcd")]


def test_a_client_that_leaves_in_the_middle_starts_nothing(seen: Seen) -> None:
    send_request([chunk(b"ab", more=True), {"type": "http.disconnect"}])

    assert seen == []


def test_a_body_without_end_is_cut_off_and_announced_as_too_long(seen: Seen) -> None:
    endless = (chunk(b"x" * 2**20, more=True) for _ in range(1000))

    send_request(endless)

    (headers, body), *_ = seen
    assert asgi.LARGEST_BODY < len(body) < asgi.LARGEST_BODY + 2**21
    assert headers[b"content-length"] == str(len(body)).encode()


def test_a_query_that_takes_too_long_is_ended(db: None) -> None:
    described = {**connection.settings_dict, "OPTIONS": {}}
    asgi.bound_queries(described, 1)
    bounded = DatabaseWrapper(described)
    try:
        with pytest.raises(OperationalError, match="statement timeout"), bounded.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(30)")
    finally:
        bounded.close()


def test_zero_bounds_nothing_and_other_options_stay() -> None:
    described: dict[str, Any] = {"OPTIONS": {"options": "-c jit=off"}}
    asgi.bound_queries(described, 0)
    assert described == {"OPTIONS": {"options": "-c jit=off"}}
    asgi.bound_queries(described, 60)
    assert described == {"OPTIONS": {"options": "-c jit=off -c statement_timeout=60s"}}
