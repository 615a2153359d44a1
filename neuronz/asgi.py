"""The web server's way in.

Django runs through WSGI in a fixed pool of threads: under its own ASGI handler, each request may get a new thread with
a database connection that stays open, and twenty parallel requests already use up PostgreSQL's.
"""

import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from memories import embeddings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

log = logging.getLogger(__name__)

#: Threads, and so database connections, that serve Django.
WORKERS = 8
#: A body of more bytes than any call may have is not collected; Django refuses it by its length.
LARGEST_BODY = 17 * 2**20


def bound_queries(database: dict[str, Any], seconds: int) -> None:
    """Have PostgreSQL end queries of connections that are opened from now on when they take longer."""
    if seconds:
        options = database.setdefault("OPTIONS", {})
        options["options"] = f"{options.get('options', '')} -c statement_timeout={seconds}s".strip()


bound_queries(settings.DATABASES["default"], settings.STATEMENT_TIMEOUT_SECONDS)
#: Both libraries describe the same protocols in types of their own.
django_app = cast("AsgiApp", WSGIMiddleware(cast("Any", get_wsgi_application()), workers=WORKERS))

from neuronz.mcp import http as mcp  # noqa: E402  # needs the models, which are there from here on

mcp_door = mcp.HttpDoor()


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await live(receive, send)
    elif scope["type"] == "http" and scope.get("path") in mcp.PATHS:
        await mcp_door(scope, receive, send)
    elif scope["type"] == "http":
        await serve_django(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1000})


@asynccontextmanager
async def running() -> AsyncIterator[None]:
    """What runs for as long as the web server does."""
    threading.Thread(target=warm_embeddings, name="warm-embeddings", daemon=True).start()
    async with mcp_door.running():
        yield


async def live(receive: Receive, send: Send) -> None:
    await receive()
    async with running():
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})


def warm_embeddings() -> None:
    """Load the model behind the first requests; /readyz says whether it is there."""
    try:
        embeddings.current().warm()
    except Exception:  # whatever a model does, the server stands; writes wait for their vectors
        log.exception("The embedding model could not be loaded.")


async def serve_django(scope: Message, receive: Receive, send: Send) -> None:
    """Take in the whole body first, so that a slow sender occupies no thread, and one who leaves starts nothing."""
    body = await whole_body(receive)
    if body is None:
        return
    # WSGI knows no chunked bodies; and a body that was cut off is still announced as longer than allowed.
    headers = [header for header in scope["headers"] if header[0] not in (b"content-length", b"transfer-encoding")]
    headers.append((b"content-length", str(len(body)).encode()))
    await django_app({**scope, "headers": headers}, replay(body, receive), send)


async def whole_body(receive: Receive) -> bytes | None:
    """The body, or its beginning where it is longer than any may be; None if the client left before its end."""
    body = bytearray()
    while len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def next_message() -> Message:
        return next(messages, None) or await receive()

    return next_message
