"""Cases from public bug reports (shared/cases.md) about saving, settling, isolation and shape: 1, 3, 11, 13 to 19."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from conflicts import services
from conflicts.choices import Answer
from memories.actors import Actor
from memories.filters import NO_FILTERS, narrowed
from memories.models import Evidence, Memory, MemoryEvent, Write
from tests.api.door import Answer as Said
from tests.api.door import Door

PORT, NEW_PORT = "The Harbor gateway listens on port 8443.", "The Harbor gateway listens on port 9443."
FRIDAYS, NEVER, MONDAYS = (
    "The Kestrel team deploys on Fridays.", "The Kestrel team never deploys on Fridays.",
    "The Kestrel team deploys only on Mondays.",
)  # fmt: skip


def test_case_1_a_corrected_value_is_not_a_duplicate(door: Door) -> None:
    first, saved = door.fact(PORT), door.save(NEW_PORT)
    second = saved["fact"]["id"]
    assert (saved["outcome"], second != first) == ("added", True)
    assert [each["memory"]["id"] for each in saved["similar"]] == [first]
    assert saved["similar"][0]["similarity"] >= 0.8
    assert (door.status(first), door.status(second)) == ("verified", "verified")
    door.verdict(second, "replaces", first)
    assert door.found("Harbor gateway port") == [NEW_PORT]
    assert (door.status(first), door.memory(first)["replaced_by"]) == ("superseded", second)
    assert {move["content"] for move in door.history(first)} == {PORT, NEW_PORT}
    assert door.history(first) == door.history(second)


def test_case_3_the_opposite_statement_must_not_empty_the_memory(door: Door, other: Door, curator: Actor) -> None:
    first, second = door.fact(FRIDAYS), door.fact(NEVER)
    pair = door.verdict(second, "contradicts", first)["conflict"]
    assert [each["id"] for each in door.pairs()] == [pair]
    assert (door.status(first), door.status(second)) == ("disputed", "disputed")
    assert door.found("Kestrel deploy day") == []
    third = other.fact(MONDAYS)
    another = other.verdict(third, "contradicts", first)["conflict"]
    assert {each["id"] for each in door.pairs()} == {pair, another}
    services.settle(by=curator, pair_id=pair, answer=Answer.NEWER)
    assert (door.status(first), [move["verb"] for move in door.history(first)][-1]) == ("retired", "settle")
    assert (door.memory(second)["status"], door.memory(second)["conflicts"]) == ("verified", [])
    assert door.found("Kestrel deploy day") == [NEVER]
    (left,) = door.pairs()
    assert (left["id"], left["state"], left["other_side"]) == (another, "open", "retired")
    assert door.status(third) == "disputed"
    assert other.settle(another, "newer")["winner"] == third
    assert door.status(third) == "verified"


NOTHING: list[tuple[str, dict[str, Any]]] = [
    ("content", {"content": ""}), ("content", {"content": "   "}), ("content", {"content": "\n\t"}),
    ("content", {"content": "..."}), ("content", {"content": "--"}), ("content", {}), ("content", {"content": 7}),
    ("kind", {"content": "The lamp is lit.", "kind": "wizard"}),
    ("category", {"content": "The lamp is lit.", "category": "wizard"}),
]  # fmt: skip


def test_case_11_nothing_in_nothing_stored(door: Door) -> None:
    for field, body in NOTHING:
        refused = door.post("facts/", body)
        assert (refused.code, refused.fields) == (400, {field})
    rows = [model._default_manager.count() for model in (Memory, Write, Evidence, MemoryEvent)]
    assert rows == [0, 0, 0, 0]
    receipt = door.write("...")
    assert (receipt["state"], receipt["statements"]) == ("done", [])
    assert [each["content"] for each in door.page("memories/")] == ["..."]
    assert door.get("search/", q="").code == door.post("search/", {"q": ""}).code == 400


def at_once(acts: list[Any]) -> list[Said]:
    """Started at one barrier, each over a database connection of its own."""
    barrier = threading.Barrier(len(acts))

    def run(act: Any) -> Said:
        barrier.wait()
        try:
            return act()  # type: ignore[no-any-return]  # a lambda
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def saving(key: str, content: str) -> Any:
    return lambda: Door(key).post("facts/", {"content": content, "confirmed": True})


@pytest.mark.django_db(transaction=True)
def test_case_13_ten_agents_say_the_same_at_once(a1_key: str) -> None:
    answers = at_once([saving(a1_key, "The quarterly review is on the 14th.")] * 10)
    assert sorted(each.code for each in answers) == [200] * 9 + [201]
    assert len({each["fact"]["id"] for each in answers}) == 1
    assert (Memory.objects.count(), Evidence.objects.count()) == (1, 10)
    different = at_once([saving(a1_key, f"Review {number} is on the 14th.") for number in range(10)])
    assert {each.code for each in different} == {201}
    assert Memory.objects.count() == 11


def test_case_15_a_foreign_id_is_unknown_on_every_path(door: Door, other: Door, stranger: Door, curator: Actor) -> None:
    """The walk over every address is tests/api/test_isolation.py; this is the story."""
    shared = [door.fact(each) for each in (PORT, FRIDAYS, NEVER)]
    private = [door.fact(each, scope="private") for each in ("The vault key hangs left.", "The vault key hangs right.")]
    pairs = [door.verdict(two, "contradicts", one)["conflict"] for one, two in (shared[1:], private)]
    events = MemoryEvent.objects.count()
    for who, id_, pair in ((stranger, shared[0], pairs[0]), (other, private[0], pairs[1])):
        for unknown, unknown_pair in ((id_, pair), (str(uuid4()), str(uuid4()))):
            answers = [
                *(who.get(f"facts/{unknown}/{rest}") for rest in ("", "history/", "similar/", "evidence/")),
                who.patch(f"facts/{unknown}/", {"content": "Taken over."}), who.delete(f"facts/{unknown}/"),
                who.post(f"facts/{unknown}/resolve/", {"other": shared[0], "verdict": "replaces"}),
                who.get(f"conflicts/{unknown_pair}/"),
                who.post(f"conflicts/{unknown_pair}/resolve/", {"answer": "neither"}),
            ]  # fmt: skip
            assert {each.code for each in answers} == {404}
            assert len({str(each.body) for each in answers}) == 1
    assert MemoryEvent.objects.count() == events
    assert (stranger.found(PORT), other.found("The vault key hangs left.", scope="private")) == ([], [])
    assert other.memory(shared[0])["content"] == PORT
    assert {door.status(each) for each in private} == {"disputed"}
    assert list(narrowed(curator, NO_FILTERS).values_list("pk", flat=True)) == [Memory.objects.get(pk=shared[0]).pk]
    assert not Memory.objects.shown_to(get_user_model().objects.create_superuser("root")).filter(pk__in=private)


TAGGED = {"ops": ["ops"], "o": ["o"], "both": ["ops", "net"], "none": []}


def test_case_17_a_string_where_a_list_is_expected(door: Door) -> None:
    for name, tags in TAGGED.items():
        door.fact(f"This gate is tagged {name}.", tags=tags)
    asked: dict[str, dict[str, Any]] = {
        "string": {"tag": "ops"}, "list": {"tag": ["ops"]}, "any": {"tag": ["ops", "net"]},
        "all": {"tag": ["ops", "net"], "tag_mode": "all"},
    }  # fmt: skip
    listed = {
        name: {content.removeprefix("This gate is tagged ").rstrip(".") for content in door.listed(**filters)}
        for name, filters in asked.items()
    }
    assert listed == {"string": {"ops", "both"}, "list": {"ops", "both"}, "any": {"ops", "both"}, "all": {"both"}}
    for tag in ("ops", ["ops"], ["ops", "net"]):
        found = door.post("search/", {"q": "gate", "tag": tag})["results"]
        assert {tuple(hit["memory"]["tags"]) for hit in found} == {("ops",), ("ops", "net")}
    for wrong in ({"x": 1}, 5, True, [5], [{"x": 1}]):
        assert door.post("search/", {"q": "gate", "tag": wrong}).fields == {"tag"}
        assert door.post("facts/", {"content": PORT, "tags": wrong}).fields == {"tags"}
    assert door.save(PORT, tags="ops")["fact"]["tags"] == ["ops"]


def test_case_19_editing_what_does_not_exist_edits_nothing(door: Door) -> None:
    pumps = [door.fact(f"Pump {name} runs at night.") for name in "AB"]
    events = MemoryEvent.objects.count()
    for unknown in (str(uuid4()), "Pump C", "Pump%20C", "", pumps[0][:8]):
        address = f"facts/{unknown}/".replace(" ", "%20")
        answers = [
            door.patch(address, {"content": "Pump C runs."}), door.delete(address),
            door.post(f"{address}resolve/", {"other": pumps[1], "verdict": "duplicate"}),
            door.post(f"facts/{pumps[0]}/resolve/", {"other": unknown, "verdict": "duplicate"}),
        ]  # fmt: skip
        assert {each.code for each in answers} <= {400, 404}
    assert MemoryEvent.objects.count() == events
    assert sorted(door.listed()) == ["Pump A runs at night.", "Pump B runs at night."]
