"""The official client, as an agent would use it: in process, over HTTP, over stdio; in both protocol eras."""

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
from asgiref.sync import async_to_sync, sync_to_async
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from neuronz.mcp.admission import admit
from neuronz.mcp.server import make_server

ROOT = Path(__file__).resolve().parents[2]
MANAGE = str(ROOT / "manage.py")

T = TypeVar("T")
Scenario = Callable[[Client], Awaitable[T]]

#: The newest revision, found by asking, and the ones that begin with a handshake.
ERAS = ["auto", "legacy"]


async def in_this_thread(function: Callable[[], T], /) -> T:
    """Where the test's own transaction is seen."""
    return await sync_to_async(function, thread_sensitive=True)()


def in_process(secret: str, scenario: Scenario[T], era: str = ERAS[0]) -> T:
    """Let a client with this key do something, without a network."""

    async def run() -> T:
        server = make_server(lambda _: admit(f"Bearer {secret}"), run=in_this_thread)
        async with Client(server, mode=era) as client:
            return await scenario(client)

    return async_to_sync(run)()


@asynccontextmanager
async def over_http(url: str, secret: str, era: str = ERAS[0]) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=180) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=era) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(environment: dict[str, str], secret: str, era: str = ERAS[0]) -> AsyncIterator[Client]:
    """Start the program as a client would, and talk with it."""
    program = StdioServerParameters(
        command=sys.executable, args=[MANAGE, "mcp"], env=environment | {"NEURONZ_API_KEY": secret}, cwd=str(ROOT)
    )
    async with Client(program, mode=era) as client:
        yield client


def call(secret: str, tool: str, /, era: str = ERAS[0], **arguments: Any) -> CallToolResult:
    return in_process(secret, lambda client: client.call_tool(tool, arguments), era)


def answer(secret: str, tool: str, /, era: str = ERAS[0], **arguments: Any) -> dict[str, Any]:
    """The structure that a successful call gives."""
    return structure(call(secret, tool, era=era, **arguments))


def complaint(secret: str, tool: str, /, era: str = ERAS[0], **arguments: Any) -> str:
    """The sentence that a failed call gives."""
    return sentence(call(secret, tool, era=era, **arguments))


def structure(result: CallToolResult) -> dict[str, Any]:
    """What it says twice: as a structure and as the same JSON in few characters."""
    assert not result.is_error, text(result)
    assert json.loads(text(result)) == result.structured_content
    return dict(result.structured_content or {})


def sentence(result: CallToolResult) -> str:
    assert result.is_error
    assert result.structured_content is None
    return text(result)


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
