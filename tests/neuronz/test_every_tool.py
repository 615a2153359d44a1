"""The official client drives every tool over both transports and in both eras, with good and bad input; and what it
costs in connections when they are called often."""

import asyncio
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from memories.models import Memory, Rule
from neuronz.mcp.threads import THREADS
from tests.neuronz.connections import count_other_connections, end_other_connections
from tests.neuronz.mcp_clients import ERAS, over_http, over_stdio, sentence, structure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("connections_are_ended")]

IN_A_ROW, AT_ONCE = 200, 20
GATE = "The Harbor gateway listens on port {}."
ASKED = "On which port does the Harbor gateway listen?"
#: What each tool can make nothing of: for all of them an argument that nobody knows.
UNKNOWN = {"qurey": "x"}


async def live(client: Client) -> dict[str, dict[str, Any]]:
    """Every tool once with what it can use; what it answered."""
    said: dict[str, dict[str, Any]] = {}

    async def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
        said[tool] = structure(await client.call_tool(tool, arguments))
        return said[tool]

    older, newer = [(await call("fact_add", content=GATE.format(port)))["fact"]["id"] for port in (8443, 9443)]
    await call("fact_get", id=older)
    await call("fact_list", limit=1)
    await call("fact_search", query="gateway port")
    await call("memory_add", text="Ana Lima showed Valve V-1603 to Ben Ito.", wait=True)
    await call("memory_search", q="valve", raw="only")
    await call("graph_search", query="V-1603")
    await call("recall", prompt=ASKED, session="s1")
    await call("auto_recall", query=ASKED, session_id="s2")
    await call("rule_propose", text="Never deploy on Fridays.")
    await call("rule_list")
    pair = (await call("fact_resolve", fact=newer, other=older, verdict="contradicts"))["conflict"]
    await call("list_conflicts")
    await call("resolve_conflict", conflict=pair, answer="newer")
    await call("fact_update", id=newer, confirmed=True)
    await call("fact_delete", id=newer)
    return said


async def misuse(client: Client) -> dict[str, str]:
    """Every tool that there is, called with nonsense; the sentence that it gave."""
    tools = [tool.name for tool in (await client.list_tools()).tools]
    return {tool: sentence(await client.call_tool(tool, UNKNOWN)) for tool in tools}


async def both(client: Client) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    return await live(client), await misuse(client)


def check(said: dict[str, dict[str, Any]], complaints: dict[str, str]) -> None:
    assert set(said) == set(complaints)
    assert all(each.startswith("qurey: Not a field here. Known: ") or "qurey" in each for each in complaints.values())
    outcomes = {tool: each["outcome"] for tool, each in said.items() if "outcome" in each}
    assert outcomes == {
        "fact_add": "added", "fact_resolve": "disputed", "resolve_conflict": "settled", "fact_update": "unchanged",
        "fact_delete": "retired",
    }  # fmt: skip
    assert GATE.format(8443) in said["recall"]["text"]
    assert GATE.format(8443) in said["auto_recall"]["hookSpecificOutput"]["additionalContext"]
    assert [each["text"] for each in said["rule_list"]["results"]] == ["Never deploy on Fridays."]
    assert said["graph_search"]["entities"]
    assert Rule.objects.count() == 1
    assert Memory.objects.count() == 4


@pytest.mark.parametrize("era", ERAS)
def test_over_http(site: str, a1_key: str, era: str) -> None:
    async def run() -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
        async with over_http(site, a1_key, era) as client:
            return await both(client)

    check(*asyncio.run(run()))


@pytest.mark.parametrize("era", ERAS)
def test_over_stdio(environment: dict[str, str], a1_key: str, era: str) -> None:
    async def run() -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
        async with over_stdio(environment, a1_key, era) as client:
            return await both(client)

    check(*asyncio.run(run()))


#: Calls that write, read, and do both.
OFTEN: list[tuple[str, dict[str, Any]]] = [
    ("fact_add", {"content": GATE.format(8443)}),
    ("recall", {"prompt": ASKED, "session": "s1"}),
    ("auto_recall", {"query": ASKED, "session_id": "s2"}),
    ("rule_propose", {"text": "Never deploy on Fridays."}),
    ("graph_search", {"query": "gateway"}),
    ("fact_search", {"query": "gateway"}),
    ("rule_list", {}),
    ("list_conflicts", {}),
]


async def call_often(client: Client, in_a_row: int, at_once: int) -> list[CallToolResult]:
    calls = [OFTEN[number % len(OFTEN)] for number in range(in_a_row + at_once)]
    results = [await client.call_tool(*each) for each in calls[:in_a_row]]
    return results + list(await asyncio.gather(*(client.call_tool(*each) for each in calls[in_a_row:])))


@pytest.mark.parametrize("era", ERAS)
def test_connections_are_bounded_and_renewed_after_all_were_killed(site: str, a1_key: str, era: str) -> None:
    async def run(in_a_row: int, at_once: int) -> list[CallToolResult]:
        async with over_http(site, a1_key, era) as client:
            return await call_often(client, in_a_row, at_once)

    results = asyncio.run(run(IN_A_ROW, AT_ONCE))
    assert [each for each in results if each.is_error] == []
    assert 1 <= count_other_connections() <= THREADS

    end_other_connections()
    results = asyncio.run(run(1, AT_ONCE))
    assert [each for each in results if each.is_error] == []
    assert 1 <= count_other_connections() <= THREADS
    assert (Memory.objects.count(), Rule.objects.count()) == (1, 1)
