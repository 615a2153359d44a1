"""MCP over HTTP at /mcp, in the process of the site: stateless, one JSON answer to each POST."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.db import Error as DatabaseError
from django.http.request import split_domain_port, validate_host
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST
from rest_framework import status
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from memories.services.keys import Caller
from neuronz.mcp.admission import NotAdmittedError, admit
from neuronz.mcp.calling import NO_DATABASE
from neuronz.mcp.server import Context, make_server
from neuronz.mcp.threads import in_pool
from neuronz.parsing import BODY_BYTES

PATHS = ("/mcp", "/mcp/")


class HttpDoor:
    """An ASGI app that serves while `running` is entered."""

    def __init__(self) -> None:
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self._sessions = StreamableHTTPSessionManager(
            make_server(_caller_of), json_response=True, stateless=True, max_request_body_size=BODY_BYTES
        )
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            headers = Headers(scope=scope)
            _require_post(scope["method"])
            _require_own_host(headers)
            _require_length(headers)
            caller = await _admitted(headers, (scope.get("client") or [""])[0])
        except NotAdmittedError as error:
            await _reply(error)(scope, receive, send)
            return
        if self._sessions is None:
            raise RuntimeError("The web server has to run ASGI's lifespan, or /mcp does not start.")
        state = {**scope.get("state", {}), "caller": caller}
        await self._sessions.handle_request({**scope, "path": "/mcp", "state": state}, receive, send)


def _caller_of(context: Context) -> Caller:
    request: Any = context.request  # the SDK passes on what HttpDoor gave it
    return cast("Caller", request.state.caller)


def _require_post(method: str) -> None:
    """A GET would open a stream that stays open for nothing, and there is no session to DELETE."""
    if method != "POST":
        sentence = "/mcp takes POST alone: it is stateless and opens no streams."
        raise NotAdmittedError(status.HTTP_405_METHOD_NOT_ALLOWED, "method_not_allowed", sentence, {"Allow": "POST"})


def _require_own_host(headers: Headers) -> None:
    """Against pages that point a name of their own at this machine (DNS rebinding)."""
    if not _is_allowed(headers.get("host", "")):
        sentence = "This host name is not one of NEURONZ_ALLOWED_HOSTS."
        raise NotAdmittedError(status.HTTP_421_MISDIRECTED_REQUEST, "invalid", sentence)
    origin = headers.get("origin")
    if origin and origin not in settings.CSRF_TRUSTED_ORIGINS and not _is_allowed(urlsplit(origin).netloc):
        sentence = "Pages of this origin may not call /mcp; name it in NEURONZ_TRUSTED_ORIGINS."
        raise NotAdmittedError(status.HTTP_403_FORBIDDEN, "forbidden", sentence)


def _is_allowed(host: str) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _require_length(headers: Headers) -> None:
    """The SDK stops at the same length, without a sentence; it sees to bodies of unknown length."""
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > BODY_BYTES:
        sentence = f"A request has at most {BODY_BYTES // 2**20} MiB; send the text in parts."
        raise NotAdmittedError(status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "too_large", sentence)


async def _admitted(headers: Headers, address: str) -> Caller:
    try:
        return await in_pool(partial(admit, headers.get("authorization", ""), address))
    except DatabaseError as error:
        headers_of_503 = {"Retry-After": "1"}
        raise NotAdmittedError(
            status.HTTP_503_SERVICE_UNAVAILABLE, "unavailable", NO_DATABASE, headers_of_503
        ) from error


def _reply(error: NotAdmittedError) -> JSONResponse:
    """As a JSON-RPC error, so that clients show the sentence instead of a bare status."""
    body: dict[str, Any] = {"code": INVALID_REQUEST, "message": error.sentence, "data": {"code": error.code}}
    return JSONResponse(
        {"jsonrpc": "2.0", "id": None, "error": body}, status_code=error.status_code, headers=error.headers
    )
