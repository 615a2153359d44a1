"""The protocol, by the official SDK: one server object for every transport and every revision."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, TypeVar

from django.conf import settings
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp_types import Tool as PublishedTool

from memories.services.keys import Caller
from memories.tooling import Tool
from neuronz.mcp import calling, registry, schemas
from neuronz.mcp.instructions import INSTRUCTIONS
from neuronz.mcp.threads import in_pool

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
#: How a transport says who calls; asked in a thread that may use the database.
Identify = Callable[[Context], Caller]
#: Tools change only with a new version of Neuronz.
KEEP_LIST_MS = 5 * 60 * 1000
#: Of the contract, the same for REST.
VERSION = str(settings.SPECTACULAR_SETTINGS["VERSION"])


class Runner(Protocol):
    """How work that uses the database leaves the event loop."""

    def __call__(self, function: Callable[[], T], /) -> Awaitable[T]: ...


def make_server(identify: Identify, run: Runner = in_pool) -> Server[Any]:
    tools = registry.tools()
    published = {name: publish(tool) for name, tool in tools.items()}

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(published.values()))

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools:
            return calling.refusal(f"There is no tool {params.name!r}; there are: {', '.join(tools)}.")
        schema = published[params.name].input_schema
        who = partial(identify, context)
        return await run(partial(calling.call, tools[params.name], schema, who, params.arguments or {}))

    return Server(
        "neuronz", title="Neuronz", version=VERSION, instructions=INSTRUCTIONS,
        on_list_tools=list_tools, on_call_tool=call_tool,
        get_tool_input_schema=lambda name: published[name].input_schema if name in published else None,
        cache_hints={"tools/list": CacheHint(ttl_ms=KEEP_LIST_MS, scope="public")},
    )  # fmt: skip


def publish(tool: Tool) -> PublishedTool:
    hints = ToolAnnotations(
        read_only_hint=tool.is_read_only, destructive_hint=tool.is_destructive, idempotent_hint=tool.is_idempotent,
        open_world_hint=False,
    )  # fmt: skip
    return PublishedTool(
        name=tool.name, title=tool.title, description=tool.description, annotations=hints,
        input_schema=schemas.of_arguments(tool.arguments), output_schema=schemas.of_answer(tool.answer),
    )  # fmt: skip
