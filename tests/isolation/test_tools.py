"""Every MCP tool, read off the list of tools: what is behind a wall answers like what does not exist."""

from typing import Any
from uuid import uuid4

import pytest

from memories.services import keys
from neuronz.mcp import calling, registry
from neuronz.mcp.server import publish
from tests.api.test_isolation import SECRET, SECRET_TEXT, SHARED, snapshot
from tests.isolation.conftest import World

pytestmark = pytest.mark.django_db
#: Arguments that name a row.
IDS = {"id", "fact", "other", "conflict", "from", "to", "entity"}
#: What each tool is called with, besides ids. A new tool needs a line here, or the walk fails.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "fact_add": {"content": SECRET},
    "fact_resolve": {"verdict": "duplicate"},
    "fact_search": {"query": SECRET},
    "fact_get": {},
    "fact_list": {"history": True},
    "fact_update": {"content": "The lamp is gone."},
    "fact_delete": {},
    "list_conflicts": {},
    "resolve_conflict": {"answer": "neither"},
    "memory_add": {"text": SECRET_TEXT, "wait": True},
    "memory_search": {"q": SECRET_TEXT},
    "recall": {"prompt": SECRET},
    "graph_search": {"query": "Tarnvik"},
    "rule_propose": {"text": "Never touch the private gate."},
    "rule_list": {},
    "auto_recall": {"query": SECRET, "session_id": "s2"},
}
#: They store what the caller itself says, and so may repeat it to the caller.
STORE = {"fact_add", "memory_add", "rule_propose"}


def call(secret: str, name: str, **arguments: Any) -> tuple[bool, str]:
    """Whether it failed, and the text that the model reads."""
    caller = keys.verify(secret)
    assert caller is not None
    tool = registry.tools()[name]
    answer = calling.call(tool, publish(tool).input_schema, lambda: caller, arguments)
    return bool(answer.is_error), "".join(getattr(part, "text", "") for part in answer.content)


def ids_of(name: str) -> list[str]:
    return [each for each in publish(registry.tools()[name]).input_schema["properties"] if each in IDS]


def test_the_walk_knows_every_tool() -> None:
    assert set(registry.tools()) == set(ARGUMENTS)


@pytest.mark.parametrize("who", ["a2_key", "b1_key"])
def test_no_tool_opens_a_hidden_row(world: World, who: str, request: pytest.FixtureRequest) -> None:
    key: str = request.getfixturevalue(who)
    mine = [call(key, "fact_add", content=f"The {bird} sings.")[1] for bird in ("owl", "wren")]
    own = [part.partition('"id":"')[2].partition('"')[0] for part in mine]
    hidden = {*world.private.ids["memories"], *world.private.ids["conflicts"]}
    if who == "b1_key":
        hidden |= {*world.shared.ids["memories"], *world.shared.ids["conflicts"]}
    before = snapshot()
    for name, arguments in ARGUMENTS.items():
        for asked in ids_of(name):
            ours = dict.fromkeys(ids_of(name), own[0])
            answers = {call(key, name, **(arguments | ours | {asked: id_})) for id_ in [*hidden, str(uuid4())]}
            assert (name, asked, len(answers), {failed for failed, _ in answers}) == (name, asked, 1, {True})
    assert snapshot() == before


@pytest.mark.parametrize("who", ["a2_key", "b1_key"])
def test_no_tool_tells_what_is_hidden(world: World, who: str, request: pytest.FixtureRequest) -> None:
    key: str = request.getfixturevalue(who)
    words = world.whispered if who == "a2_key" else [*world.whispered, *world.said]
    hidden = [*world.private.ids["memories"], *(world.shared.ids["memories"] if who == "b1_key" else [])]
    # Last those that store: what the caller has said itself it may well be told afterwards.
    for name, arguments in sorted(ARGUMENTS.items(), key=lambda each: each[0] in STORE):
        if ids_of(name):
            continue
        _, text = call(key, name, **arguments)
        assert (name, [each for each in hidden if each in text]) == (name, [])
        if name not in STORE:
            assert (name, [each for each in words if each in text and each not in str(arguments)]) == (name, [])


def test_the_owner_is_told(world: World, a1_key: str) -> None:
    """Or the walk would prove nothing."""
    assert SECRET in call(a1_key, "fact_search", query=SECRET)[1]
    assert SHARED in call(a1_key, "fact_get", id=world.shared.fact)[1]
