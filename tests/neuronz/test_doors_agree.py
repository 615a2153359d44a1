"""REST and MCP give the same answers on the same cases.

Each case is a walk: the same calls, once through each door, by an agent of its own product. What was answered is
compared with ids and times masked, and without the nulls that MCP leaves out.
"""

import re
from typing import Any

import pytest
from mcp_types import CallToolResult

from memories.models import Product
from tests import factories
from tests.api.door import Door
from tests.neuronz import mcp_clients
from tests.neuronz.walks import WALKS, Walk

pytestmark = pytest.mark.django_db

#: Tool → method and path of the same call through REST. Names in braces are arguments, the others body or query.
ROUTES = {
    "fact_add": ("POST", "facts/"),
    "fact_resolve": ("POST", "facts/{fact}/resolve/"),
    "fact_search": ("POST", "search/"),
    "fact_get": ("GET", "facts/{id}/"),
    "fact_list": ("GET", "facts/"),
    "fact_update": ("PATCH", "facts/{id}/"),
    "fact_delete": ("DELETE", "facts/{id}/"),
    "memory_add": ("POST", "memories/"),
    "memory_search": ("POST", "search/"),
    "graph_search": ("GET", "graph/search/"),
    "recall": ("POST", "recall/"),
    "rule_propose": ("POST", "rules/"),
    "rule_list": ("GET", "rules/"),
    "list_conflicts": ("GET", "conflicts/"),
    "resolve_conflict": ("POST", "conflicts/{conflict}/resolve/"),
}
#: Tools that REST has no call for, and why.
ALONE = {"auto_recall": "It answers a hook of a client; REST gives the same block by recall/."}
#: What MCP does otherwise on purpose: short pages, facts alone, an argument's name.
OTHERWISE: dict[str, dict[str, Any]] = {
    "fact_search": {"raw": "none"}, "fact_list": {"limit": 10}, "rule_list": {"limit": 10},
}  # fmt: skip
MASKED = {
    "recorded_at",
    "created_at",
    "at",
    "opened_at",
    "settled_at",
    "put_off_until",
    "took_ms",
    "score",
    "next",
    "previous",
}


class ByRest:
    def __init__(self, key: str) -> None:
        self.door, self.said = Door(key), list[Any]()

    def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        answer = self._sent(tool, OTHERWISE.get(tool, {}) | arguments)
        if answer.code < 400:
            self.said.append(without_nulls(answer.body))
            return dict(answer.body)
        self.said.append(complaints(answer.body["error"]))
        return {}

    def _sent(self, tool: str, arguments: dict[str, Any]) -> Any:
        method, path = ROUTES[tool]
        in_path = {name: value for name, value in arguments.items() if f"{{{name}}}" in path}
        rest = {("q" if name == "query" else name): arguments[name] for name in arguments if name not in in_path}
        path = path.format(**in_path)
        return self.door.get(path, **rest) if method == "GET" else self.door.send(method, path, rest)


class ByMcp:
    def __init__(self, key: str) -> None:
        self.key, self.said = key, list[Any]()

    def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = mcp_clients.in_process(self.key, lambda client: client.call_tool(tool, arguments))
        self.said.append(self._said(result))
        return dict(result.structured_content or {})

    def _said(self, result: CallToolResult) -> Any:
        return mcp_clients.sentence(result) if result.is_error else mcp_clients.structure(result)


def complaints(error: dict[str, Any]) -> list[str]:
    """What MCP's sentence has to hold: what is wrong with each field, else the message. Which fields there are
    besides, and what a query is called, differs with the tool."""
    wrong = [sentence for sentences in error["fields"].values() for sentence in sentences]
    return [sentence.partition(" Known: ")[0] for sentence in wrong] or [error["message"]]


def without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {
            key: each if key == "metadata" else without_nulls(each) for key, each in value.items() if each is not None
        }
    return value


def masked(value: Any, ids: dict[str, str], key: str = "") -> Any:
    """Ids by the order in which they come up; what the clock decides is only there."""
    if isinstance(value, dict):
        return {name: masked(value[name], ids, name) for name in sorted(value)}
    if isinstance(value, list):
        return [masked(each, ids, key) for each in value]
    if key in MASKED:
        return "masked"
    if isinstance(value, str) and re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value):
        return ids.setdefault(value, f"id {len(ids)}")
    return value


@pytest.mark.parametrize("walk", WALKS)
def test_both_doors_say_the_same(walk: Walk, lighthouse: Product, orchard: Product) -> None:
    by_rest = ByRest(factories.agent_key(lighthouse, "walker"))
    by_mcp = ByMcp(factories.agent_key(orchard, "walker"))

    walk(by_rest)
    walk(by_mcp)

    rest_ids: dict[str, str] = {}
    mcp_ids: dict[str, str] = {}
    for rest, mcp in zip(by_rest.said, by_mcp.said, strict=True):
        if isinstance(mcp, str):
            assert isinstance(rest, list), f"only MCP refused: {mcp}"
            assert all(sentence in mcp for sentence in rest), f"{rest} is not in: {mcp}"
        else:
            assert masked(mcp, mcp_ids) == masked(rest, rest_ids)


def test_every_tool_is_walked_through(a1_key: str) -> None:
    """A new tool gets a route here and a walk, or a reason why REST has no such call."""
    listed = mcp_clients.in_process(a1_key, lambda client: client.list_tools()).tools

    assert {tool.name for tool in listed} == set(ROUTES) | set(ALONE)
