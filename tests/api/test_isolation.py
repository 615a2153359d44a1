"""Walls, walked along the URL table: another product's rows and another agent's private ones are not there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from conflicts.models import Conflict
from memories.models import (
    CapturedMessage,
    Evidence,
    Given,
    Memory,
    MemoryEvent,
    Product,
    Rule,
    RuleEvent,
    Write,
    WriteStatement,
)
from sources.choices import SourceType
from sources.models import Source
from tests.api.addresses import Pattern, methods_of, patterns
from tests.api.door import Answer, Door

SHARED, SECRET = "The Harbor gateway listens on port 8443.", "The vault key hangs behind the Tarnvik map."
NAMES = {"shared": ["Harbor"], "private": ["Tarnvik"]}
TEXT, SECRET_TEXT = "The ferry leaves at nine.", "The private ferry leaves at midnight."


@dataclass(frozen=True, slots=True)
class Estate:
    """What an agent has: ids by the first part of their addresses."""

    ids: dict[str, list[str]]
    #: A current fact, which acts can be tried upon.
    fact: str


def settle_in(door: Door, scope: str, fact: str, text: str) -> Estate:
    first, receipt = door.fact(fact, scope=scope), door.write(text, scope=scope)
    sides = [door.fact(f"The {scope} gate is {state}.", scope=scope) for state in ("open", "shut")]
    pair = door.verdict(sides[1], "contradicts", sides[0])["conflict"]
    gone = door.fact(f"The {scope} door is gone.", scope=scope)
    door.delete(f"facts/{gone}/")
    memories = [first, receipt["raw"], receipt["statements"][0]["memory"]["id"], *sides, gone]
    queued = door.post("memories/", {"text": "x", "scope": scope, "wait": False})["id"]
    said = {"id": scope, "role": "user", "content": f"The {scope} buoy is red."}
    captured = door.post("captures/", {"session": "s1", "messages": [said], "scope": scope})
    named = [each["id"] for name in NAMES[scope] for each in door.get("graph/entities/", q=name)["entities"]]
    door.post("rules/", {"text": f"Never touch the {scope} gate."})
    door.post("recall/", {"prompt": fact, "session": "s2"})
    ids = {
        "memories": [*memories, captured["raw"]], "facts": memories, "conflicts": [pair], "graph": named,
        "writes": [receipt["id"], queued, captured["id"]],
    }  # fmt: skip
    return Estate(ids | {"sources": a_source(door) if scope == "shared" else []}, first)


def a_source(door: Door) -> list[str]:
    """A source is the product's: its agents may all see it."""
    product = Product.objects.get(pk=door.get("whoami/")["product"]["id"])
    return [str(Source.objects.create(product=product, type=SourceType.FOLDER, name="handbook").pk)]


@pytest.fixture
def shared(door: Door) -> Estate:
    return settle_in(door, "shared", SHARED, TEXT)


@pytest.fixture
def private(door: Door) -> Estate:
    return settle_in(door, "private", SECRET, SECRET_TEXT)


#: What is sent where something must be sent; chosen so that it would work on one's own rows.
BODIES: dict[tuple[str, str], Any] = {
    ("POST", "facts/{id}/resolve/"): {"other": str(uuid4()), "verdict": "duplicate"},
    ("POST", "conflicts/{id}/resolve/"): {"answer": "neither"},
    ("PATCH", "facts/{id}/"): {"content": "The lamp is gone."},
    ("PATCH", "memories/{id}/"): {"content": "The lamp is gone."},
}


def acts(pattern: Pattern, id_: str, door: Door) -> Iterator[Answer]:
    for method in methods_of(pattern):
        body = None if method == "GET" else BODIES.get((method, pattern.shown), {})
        yield door.send(method, pattern.path(id_), body)


def by_id() -> list[Pattern]:
    return [pattern for pattern in patterns() if pattern.has_id]


def snapshot() -> list[Any]:
    """Everything that an act could have changed."""
    return [
        list(Memory.objects.order_by("pk").values_list("pk", "status", "replaced_by", "duplicate_of", "content")),
        list(Write.objects.order_by("pk").values_list("pk", "state", "reason")),
        list(Conflict.objects.order_by("pk").values_list("pk", "state", "answer", "put_off_until")),
        list(Rule.objects.order_by("pk").values_list("pk", "status", "text", "decided_by")),
        *(
            model._default_manager.count()
            for model in (MemoryEvent, Evidence, WriteStatement, RuleEvent, Given, CapturedMessage)
        ),
    ]


def assert_nothing_is_there(estate: Estate, door: Door) -> None:
    before = snapshot()
    for pattern in by_id():
        unknown = [(each.code, each.body) for each in acts(pattern, str(uuid4()), door)]
        assert {code for code, _ in unknown} == {404}
        for id_ in estate.ids[pattern.shown.partition("/")[0]]:
            assert [(each.code, each.body) for each in acts(pattern, id_, door)] == unknown, pattern.shown
    assert snapshot() == before


def test_the_walk_visits_every_address_with_an_id(shared: Estate) -> None:
    assert {pattern.shown.partition("/")[0] for pattern in by_id()} == set(shared.ids)
    assert len(by_id()) >= 16


def test_an_agent_of_another_product_finds_nothing_under_any_id(
    shared: Estate, private: Estate, stranger: Door
) -> None:
    assert_nothing_is_there(shared, stranger)
    assert_nothing_is_there(private, stranger)


def test_another_agent_of_the_product_finds_nothing_private(private: Estate, other: Door) -> None:
    assert_nothing_is_there(private, other)


def test_receipts_are_their_writers_alone_even_of_shared_texts(shared: Estate, other: Door) -> None:
    assert_nothing_is_there(Estate(dict.fromkeys(shared.ids, shared.ids["writes"]), ""), other)


def test_without_a_key_every_address_is_a_401(shared: Estate, private: Estate, nobody: Door) -> None:
    before = snapshot()
    for pattern in patterns():
        ids = [*shared.ids["memories"], str(uuid4())] if pattern.has_id else [""]
        assert {each.code for id_ in ids for each in acts(pattern, id_, nobody)} == {401}, pattern.shown
    assert snapshot() == before


def test_the_owner_can_do_what_the_others_could_not(shared: Estate, door: Door) -> None:
    """Or the walk would prove nothing: the same calls work for whoever may make them."""
    worked = {answer.code for pattern in by_id() for id_ in shared.ids[pattern.shown.partition("/")[0]]
              for answer in acts(pattern, id_, door)}  # fmt: skip
    assert 200 in worked
    assert door.get(f"facts/{shared.fact}/").code == 200


@pytest.mark.parametrize("verdict", ["duplicate", "replaces", "contradicts"])
@pytest.mark.parametrize("who", ["stranger", "other"])
def test_a_hidden_fact_is_not_there_as_the_other_side_either(
    *, private: Estate, who: str, verdict: str, request: pytest.FixtureRequest
) -> None:
    door: Door = request.getfixturevalue(who)
    mine = door.fact("The lamp is lit.")
    before = snapshot()
    refused = [
        door.post(f"facts/{mine}/resolve/", {"other": each, "verdict": verdict})
        for each in (private.fact, str(uuid4()))
    ]
    assert [each.code for each in refused] == [404, 404]
    assert refused[0].body == refused[1].body
    assert snapshot() == before


LISTS = ["memories/", "facts/", "writes/", "conflicts/", "sources/", "rules/"]


def test_lists_and_searches_show_a_stranger_nothing(shared: Estate, private: Estate, stranger: Door) -> None:
    assert [stranger.page(path) for path in LISTS] == [[]] * len(LISTS)
    for filters in ({"history": 1}, {"status": ["retired", "disputed"]}, {"agent": "a1"}, {"scope": "private"}):
        assert stranger.page("memories/", **filters) == []
    for state in ("open", "put_off", "settled"):
        assert stranger.pairs(state=state) == []
    assert [stranger.found(text) for text in (SHARED, SECRET, TEXT, SECRET_TEXT)] == [[]] * 4


def test_lists_and_searches_show_another_agent_what_is_shared_alone(
    shared: Estate, private: Estate, door: Door, other: Door
) -> None:
    listed = [{each["id"] for each in who.page("memories/", history=1)} for who in (door, other)]
    assert listed[0] - listed[1] >= set(private.ids["memories"])
    assert listed[1] == {each["id"] for each in door.page("memories/", history=1, scope="shared")}
    assert [each["id"] for each in other.pairs()] == shared.ids["conflicts"]
    assert other.page("writes/") == []
    hits = [hit for text in (SECRET, SECRET_TEXT) for hit in other.get("search/", q=text)["results"]]
    assert {hit["memory"]["scope"] for hit in hits} <= {"shared"}


def test_recall_says_nothing_of_what_is_hidden(private: Estate, shared: Estate, other: Door, stranger: Door) -> None:
    before = snapshot()
    for prompt in (SECRET, SECRET_TEXT):
        given = [other.post("recall/", {"prompt": prompt}), stranger.post("recall/", {"prompt": prompt})]
        hidden = set(private.ids["memories"])
        assert not hidden & {each["id"] for each in [*given[0]["memories"], *given[0]["persona"]]}
        assert SECRET not in given[0]["text"]
        assert given[1].body == {"text": "", "tokens": 0, "rules": [], "persona": [], "memories": []}
    assert other.page("rules/") == stranger.page("rules/") == []
    assert snapshot() == before


def test_a_session_of_the_same_name_is_another_agents_own(shared: Estate, door: Door, other: Door) -> None:
    assert door.post("recall/", {"prompt": SHARED, "session": "s2"})["text"] == ""
    assert other.post("recall/", {"prompt": SHARED, "session": "s2"})["text"]
    said = {"id": "shared", "role": "user", "content": "The buoy has a bell."}
    assert other.post("captures/", {"session": "s1", "messages": [said]})["id"] not in shared.ids["writes"]


def test_saving_what_is_hidden_reveals_nothing(private: Estate, shared: Estate, other: Door, stranger: Door) -> None:
    for door in (other, stranger):
        saved = door.save(SECRET)
        assert (saved["outcome"], saved["similar"]) == ("added", [])
        assert door.write(SECRET_TEXT)["statements"][0]["outcome"] == "added"
    assert stranger.save(SHARED)["outcome"] == "added"


def test_the_names_of_others_filter_nothing_out_of_their_walls(
    private: Estate, shared: Estate, door: Door, stranger: Door
) -> None:
    agent = door.get("whoami/")["agent"]["id"]
    assert stranger.listed(agent=agent) == stranger.found(SHARED, agent=agent) == []


def test_a_cursor_from_beyond_the_wall_opens_nothing(shared: Estate, door: Door, stranger: Door) -> None:
    theirs = door.get("facts/", limit=1)["next"]
    assert stranger.follow(theirs)["results"] == []
