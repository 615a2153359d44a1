"""One POST to Neuronz."""

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import config


class Unsent(Exception):
    """The server did not take it. `again`: the same may work later; else it never will."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.again = again


def post(path: str, body: dict[str, Any], *, timeout: float) -> dict[str, Any]:
    request = Request(  # noqa: S310  # the address is the user's own setting
        f"{config.api_url()}/api/v1/{path}",
        data=json.dumps(body, ensure_ascii=False).encode(errors="replace"),
        headers={"Authorization": f"Bearer {config.api_key()}", "Content-Type": "application/json"},
        method="POST",
    )
    try:
        with urlopen(request, timeout=timeout) as answer:  # noqa: S310
            read: dict[str, Any] = json.load(answer)
            return read
    except HTTPError as error:
        raise Unsent(f"{path} answered {error.code}", again=_passes(error.code)) from error
    except (URLError, OSError, ValueError) as error:
        raise Unsent(f"{path} did not answer: {type(error).__name__}", again=True) from error


def _passes(code: int) -> bool:
    """A key may be renewed, and a limit or an outage passes; what is wrong with a body stays wrong."""
    return code in {401, 403, 404, 408, 429} or code >= 500
