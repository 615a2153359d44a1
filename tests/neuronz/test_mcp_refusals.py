"""How tools refuse: one sentence that says what would have worked, and nothing stored."""

import json
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from memories.actors import Actor
from memories.choices import Permission, Status
from memories.models import Agent, AgentKey, Memory
from memories.services import keys
from tests import factories
from tests.neuronz.mcp_clients import answer, complaint, in_process

pytestmark = pytest.mark.django_db

NOBODYS_ID = str(UUID(int=42))

BAD_INPUT: list[tuple[str, dict[str, Any], list[str]]] = [
    ("fact_add", {}, ["content: This field is required."]),
    ("fact_add", {"content": "..."}, ["content: ", "letter"]),
    ("fact_add", {"content": 5}, ["content: This must be a string."]),
    ("fact_add", {"content": "a" * 8001}, ["content: ", "8,000"]),
    ("fact_add", {"content": "It rains.", "contents": "x"}, ["contents: Not a field here. Known: ", "content"]),
    ("fact_add", {"content": "It rains.", "kind": "Fact"}, ["kind: Not a field here."]),
    ("fact_add", {"content": "It rains.", "status": None}, ["status: Not a field here."]),
    ("fact_add", {"content": "It rains.", "category": "wizard"}, ["category: 'wizard' is none of: fact, entity"]),
    ("fact_add", {"content": "It rains.", "tier": "boss"}, ["tier: 'boss' is none of: policy, official"]),
    ("fact_add", {"content": "It rains.", "tags": {"x": 1}}, ["tags: This must be a string or a list of strings."]),
    ("fact_add", {"content": "It rains.", "metadata": "[1]"}, ["metadata: This must be an object."]),
    ("fact_add", {"content": "It rains.", "confirmed": "perhaps"}, ["confirmed: "]),
    ("fact_add", {"content": "It rains.", "about": "2026-07-12T09:00:00"}, ["about: A time needs an offset"]),
    ("fact_search", {}, ["query: This field is required."]),
    ("fact_search", {"query": "  "}, ["The query is empty"]),
    ("fact_search", {"qurey": "x"}, ["qurey: Not a field here. Known: query, limit"]),
    ("fact_search", {"query": "x", "limit": 0}, ["limit: ", "1"]),
    ("fact_search", {"query": "x", "limit": 101}, ["limit: ", "100"]),
    ("fact_search", {"query": "x", "limit": "many"}, ["limit: A valid integer is required."]),
    ("fact_search", {"query": "x", "as_of": "yesterday"}, ["as_of: No such time; use a form such as 2026-07-12"]),
    ("fact_get", {}, ["id: This field is required."]),
    ("fact_get", {"id": NOBODYS_ID}, ["There is nothing with this id"]),
    ("fact_get", {"id": "Pump C"}, ["There is nothing with this id"]),
    ("fact_list", {"tag": 5}, ["tag: This must be a string or a list of strings."]),
    ("fact_list", {"cursor": "zzz"}, ["cursor: No such cursor"]),
    ("fact_update", {"id": NOBODYS_ID}, ["content: Send content to edit, or confirmed: true to confirm."]),
    ("fact_update", {"id": NOBODYS_ID, "content": "It rains."}, ["There is nothing with this id"]),
    ("fact_delete", {"id": ""}, ["id: "]),
    ("fact_delete", {"id": NOBODYS_ID}, ["There is nothing with this id"]),
    ("memory_add", {"text": None}, ["text: This field is required."]),
    ("memory_add", {"text": "a" * (2**20 + 1)}, ["at most 1 MiB"]),
    ("memory_search", {"q": "x", "raw": "maybe"}, ["raw: 'maybe' is none of: include, only, none."]),
    ("fact_resolve", {"fact": NOBODYS_ID}, ["other: This field is required.", "verdict: This field is required."]),
    (
        "fact_resolve",
        {"fact": NOBODYS_ID, "other": str(UUID(int=43)), "verdict": "replaces"},
        ["There is nothing with"],
    ),
    ("fact_resolve", {"fact": NOBODYS_ID, "other": NOBODYS_ID, "verdict": "wins"}, ["verdict: 'wins' is none of: "]),
    ("list_conflicts", {"state": "closed"}, ["state: 'closed' is none of: open, put_off, settled."]),
    ("resolve_conflict", {"conflict": NOBODYS_ID, "answer": "older"}, ["There is nothing with this id"]),
    ("resolve_conflict", {"conflict": NOBODYS_ID, "answer": "maybe"}, ["answer: 'maybe' is none of: older, newer"]),
    ("graph_search", {"query": "Ana", "type": "wizard"}, ["type: 'wizard' is none of: "]),
    ("graph_search", {"depth": 2}, ["depth: Not a field here. Known: q, type"]),
    ("recall", {}, ["prompt: This field is required."]),
    ("recall", {"prompt": "x" * 200_001}, ["at most 200,000 characters"]),
    ("recall", {"prompt": "x", "max_tokens": 0}, ["max_tokens: "]),
    ("recall", {"prompt": "x", "session": "s" * 201}, ["session: ", "200"]),
    ("auto_recall", {"query": "x", "prompt_id": "1"}, ["prompt_id: Not a field here. Known: query, session_id"]),
    ("rule_propose", {"why": "It broke twice."}, ["text: This field is required."]),
    ("rule_propose", {"text": "Obey.", "status": "approved"}, ["status: Not a field here. Known: text, why"]),
    ("rule_list", {"status": "proposed"}, ["status: Not a field here."]),
    ("rule_list", {"limit": 0}, ["limit: "]),
    ("fact_forget", {}, ["There is no tool 'fact_forget'; there are: fact_add, "]),
]


@pytest.mark.parametrize(("tool", "arguments", "said"), BAD_INPUT)
def test_bad_input_gets_a_sentence_and_stores_nothing(
    a1_key: str, tool: str, arguments: dict[str, Any], said: list[str]
) -> None:
    complained = complaint(a1_key, tool, **arguments)

    assert all(each in complained for each in said), complained
    assert len(complained) < 500
    assert not Memory.objects.exists()


def test_the_same_in_the_older_era(a1_key: str) -> None:
    tool, arguments, _ = BAD_INPUT[4]

    assert complaint(a1_key, tool, "legacy", **arguments) == complaint(a1_key, tool, **arguments)


def test_a_state_that_forbids_it_is_told(a1_key: str, a1: Actor) -> None:
    fact = factories.fact(a1, "The ferry leaves at nine.")
    edited = answer(a1_key, "fact_update", id=str(fact.pk), content="The ferry leaves at ten.")["fact"]

    complained = complaint(a1_key, "fact_update", id=str(fact.pk), content="The ferry leaves at noon.")

    assert "Only a current fact can be edited" in complained
    current = json.loads(complained.partition(" current: ")[2])
    assert current == {"id": edited["id"], "status": "unverified", "content": "The ferry leaves at ten."}


@pytest.mark.parametrize(
    ("tool", "more"), [("fact_get", {}), ("fact_update", {"content": "It rains."}), ("fact_delete", {})]
)
def test_anothers_id_answers_like_a_random_one(
    tool: str, more: dict[str, Any], a1: Actor, a2_key: str, b1_key: str
) -> None:
    shared, private = factories.fact(a1, "Shared."), factories.fact(a1, "Private.", scope="private")

    random = complaint(b1_key, tool, id=NOBODYS_ID, **more)
    assert complaint(b1_key, tool, id=str(shared.pk), **more) == random
    assert complaint(a2_key, tool, id=str(private.pk), **more) == random
    assert set(Memory.objects.values_list("status", flat=True)) == {Status.VERIFIED}


def test_what_another_may_not_see_is_not_found(a1: Actor, a2_key: str, b1_key: str) -> None:
    shared, _ = factories.fact(a1, "Shared word."), factories.fact(a1, "Private word.", scope="private")

    for tool, arguments in (
        ("fact_search", {"query": "word"}),
        ("memory_search", {"q": "word"}),
        ("fact_list", {}),
    ):
        assert answer(b1_key, tool, **arguments)["results"] == []
        (seen,) = answer(a2_key, tool, **arguments)["results"]
        assert seen.get("memory", seen)["id"] == str(shared.pk)


def test_a_key_without_permission_is_told_what_it_lacks(a1: Actor) -> None:
    _, secret = keys.issue(agent=Agent.objects.get(name="a1"), permissions=(Permission.READ,))

    assert "no write permission" in complaint(secret, "fact_add", content="It rains.")
    assert answer(secret, "fact_list")["results"] == []


def test_a_revoked_key_ends_at_the_next_call(a1_key: str) -> None:
    async def calls(client: Any) -> list[bool]:
        first = await client.call_tool("fact_list", {})
        await AgentKey.objects.aupdate(revoked_at="2026-01-01T00:00:00Z")
        return [first.is_error, (await client.call_tool("fact_list", {})).is_error]

    assert in_process(a1_key, calls) == [False, True]


def test_calls_over_the_rate_are_told_to_wait(a1_key: str, settings: Settings) -> None:
    settings.RATE_PER_MINUTE = 0

    assert "try again in" in complaint(a1_key, "fact_list")


@pytest.mark.parametrize(
    ("tool", "said"),
    [("breaks", "Something broke here"), ("loses_the_database", "The database does not answer now")],
)
def test_a_crash_is_logged_and_not_told(
    a1_key: str, settings: Settings, caplog: pytest.LogCaptureFixture, tool: str, said: str
) -> None:
    settings.MCP_TOOLS = [*settings.MCP_TOOLS, "tests.neuronz.odd_tools"]

    complained = complaint(a1_key, tool)

    assert complained.startswith(said)
    assert "marigold" not in complained
    assert tool in caplog.text


def test_broken_characters_in_names_do_no_harm(a1_key: str) -> None:
    broken: dict[str, Any] = {"a\ud800": True}

    assert "Not a field here" in complaint(a1_key, "fact_list", **broken)
