"""What both clients share: how a request is made, when it is repeated, and what an answer means. No network here."""

import json
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any
from uuid import uuid4

import httpx

from neuronz_client._errors import ConnectionFailed, NeuronzError, UnexpectedAnswer, error_of

#: Answers after which the same request may succeed.
MAY_PASS = (429, 502, 503, 504)
#: Seconds before the first repetition; doubled for each further one.
FIRST_WAIT, LONGEST_WAIT = 0.25, 60.0


class Unset:
    """Not said: left out of the body. None is said as null."""


UNSET = Unset()


@dataclass(frozen=True)
class Request:
    """`may_repeat`: it only reads, or an Idempotency-Key makes the second time the same as the first."""

    method: str
    path: str
    query: httpx.QueryParams
    body: Any
    headers: dict[str, str]
    may_repeat: bool


@dataclass(frozen=True)
class Settings:
    """Where the server is, with which key, how patiently."""

    url: str
    key: str
    timeout: float
    retries: int

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", "User-Agent": "neuronz-client/0.1.0"}


def settings(url: str | None, key: str | None, timeout: float, retries: int) -> Settings:
    url = url or os.environ.get("NEURONZ_URL") or "http://127.0.0.1:8000"
    key = key or os.environ.get("NEURONZ_API_KEY")
    if not key:
        raise ValueError("Give the key of an agent, or set NEURONZ_API_KEY.")
    return Settings(url.rstrip("/"), key, timeout, retries)


def request(
    method: str,
    path: str,
    *,
    query: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
    only_reads: bool = False,
    idempotency_key: str | None = None,
) -> Request:
    """A POST that writes gets an Idempotency-Key, so that it may be repeated; edits and retirements may not."""
    headers = {}
    is_write = method == "POST" and not only_reads
    if is_write:
        headers["Idempotency-Key"] = idempotency_key or str(uuid4())
    sent = None if body is None else {name: value for name, value in body.items() if value is not UNSET}
    may_repeat = method == "GET" or only_reads or is_write
    return Request(method, f"/api/v1/{path}", httpx.QueryParams(_pairs(query or {})), sent, headers, may_repeat)


def _pairs(query: Mapping[str, Any]) -> list[tuple[str, str | int | float | bool | None]]:
    found: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in query.items():
        if value is None or value is UNSET:
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        found += [(name, _word(each)) for each in values]
    return found


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def wait_before_repeat(sent: Request, tried: int, retries: int, response: httpx.Response | None) -> float | None:
    """Seconds to wait before sending it again, or None if that must not or need not be."""
    if tried >= retries or not sent.may_repeat:
        return None
    if response is not None and response.status_code not in MAY_PASS:
        return None
    told = retry_after(response) if response is not None else None
    if told is not None:
        return told if told <= LONGEST_WAIT else None
    return float(FIRST_WAIT * 2**tried * (1 + random.random() / 4))  # noqa: S311  # spreads repetitions, guards nothing


def retry_after(response: httpx.Response) -> float | None:
    """`Retry-After`, in seconds or as a date."""
    told = response.headers.get("Retry-After", "")
    if told.isdecimal():
        return float(told)
    try:
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def answer_of(response: httpx.Response) -> Any:
    """The body of a success; an exception for everything else."""
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if not response.is_success:
        raise error_of(response.status_code, body, retry_after(response))
    if body is None:
        raise UnexpectedAnswer("The server's answer is no JSON; is the address right?", status=response.status_code)
    return body


def no_answer(error: httpx.HTTPError) -> NeuronzError:
    return ConnectionFailed(f"The server did not answer ({type(error).__name__}: {error}).", code="connection")


def next_page(page: Mapping[str, Any]) -> str | None:
    """The cursor of the following page."""
    following = page.get("next")
    return httpx.URL(following).params.get("cursor") if following else None


def record(line: str) -> dict[str, Any]:
    """One line of an export."""
    told = json.loads(line)
    if not isinstance(told, dict):
        raise UnexpectedAnswer("A line of the export is no record.")
    return told
