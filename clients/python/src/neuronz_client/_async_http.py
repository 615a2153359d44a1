"""How the client asks, written once. `_sync_http.py` is made from this file by `unasync.py`; change this one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from neuronz_client import _wire
from neuronz_client._wire import Request

if TYPE_CHECKING:
    from typing_extensions import Self  # for type checkers alone: httpx is all that is needed


class AsyncDoor:
    """Connections to one server: opened, asked, asked again where nothing was lost by it, and closed."""

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Without `url` and `key`: NEURONZ_URL (else this machine's port 8000) and NEURONZ_API_KEY."""
        self._settings = _wire.settings(url, key, timeout, retries)
        self._http = httpx.AsyncClient(
            base_url=self._settings.url, headers=self._settings.headers(), timeout=timeout, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Give the connections back."""
        await self._http.aclose()

    async def _get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        return await self._send(_wire.request("GET", path, query=query))

    async def _post(self, path: str, body: dict[str, Any] | None, idempotency_key: str | None) -> Any:
        return await self._send(_wire.request("POST", path, body=body or {}, idempotency_key=idempotency_key))

    async def _pages(self, path: str, page_size: int, filters: Any) -> AsyncIterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            query = {**filters, "limit": page_size, "cursor": cursor or None}
            page = await self._get(path, query)
            for each in page["results"]:
                yield each
            cursor = _wire.next_page(page)

    async def _send(self, sent: Request) -> Any:
        tried = 0
        while True:
            response: httpx.Response | None = None
            try:
                response = await self._http.request(
                    sent.method, sent.path, params=sent.query, json=sent.body, headers=sent.headers
                )
            except httpx.HTTPError as error:
                pause = _wire.wait_before_repeat(sent, tried, self._settings.retries, None)
                if pause is None:
                    raise _wire.no_answer(error) from error
            else:
                pause = _wire.wait_before_repeat(sent, tried, self._settings.retries, response)
                if pause is None:
                    return _wire.answer_of(response)
            await asyncio.sleep(pause)
            tried += 1

    @asynccontextmanager
    async def _stream(self, path: str) -> AsyncIterator[httpx.Response]:
        try:
            async with self._http.stream("GET", f"/api/v1/{path}") as response:
                if not response.is_success:
                    await response.aread()
                    _wire.answer_of(response)
                yield response
        except httpx.HTTPError as error:
            raise _wire.no_answer(error) from error
