"""Made from `_async_http.py` by `unasync.py`. Don't edit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from neuronz_client import _wire
from neuronz_client._wire import Request

if TYPE_CHECKING:
    from typing_extensions import Self  # for type checkers alone: httpx is all that is needed


class Door:
    """Connections to one server: opened, asked, asked again where nothing was lost by it, and closed."""

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Without `url` and `key`: NEURONZ_URL (else this machine's port 8000) and NEURONZ_API_KEY."""
        self._settings = _wire.settings(url, key, timeout, retries)
        self._http = httpx.Client(
            base_url=self._settings.url, headers=self._settings.headers(), timeout=timeout, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def _get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        return self._send(_wire.request("GET", path, query=query))

    def _post(self, path: str, body: dict[str, Any] | None, idempotency_key: str | None) -> Any:
        return self._send(_wire.request("POST", path, body=body or {}, idempotency_key=idempotency_key))

    def _pages(self, path: str, page_size: int, filters: Any) -> Iterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            query = {**filters, "limit": page_size, "cursor": cursor or None}
            page = self._get(path, query)
            for each in page["results"]:
                yield each
            cursor = _wire.next_page(page)

    def _send(self, sent: Request) -> Any:
        tried = 0
        while True:
            response: httpx.Response | None = None
            try:
                response = self._http.request(
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
            time.sleep(pause)
            tried += 1

    @contextmanager
    def _stream(self, path: str) -> Iterator[httpx.Response]:
        try:
            with self._http.stream("GET", f"/api/v1/{path}") as response:
                if not response.is_success:
                    response.read()
                    _wire.answer_of(response)
                yield response
        except httpx.HTTPError as error:
            raise _wire.no_answer(error) from error
