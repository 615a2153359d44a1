"""GET and POST search/: ranked, visible and current only; any query is safe."""

from typing import Any

import pytest

from memories.actors import Actor
from memories.models import Product
from tests import factories
from tests.api import shapes
from tests.api.door import Door
from tests.api.shapes import problems

PORT, LAMP, NOTE = "The Harbor gateway listens on port 8443.", "The lamp is lit.", "The Harbor gateway is old."


@pytest.fixture
def shelf(door: Door, other: Door) -> None:
    door.fact(PORT, tags=["net"], tier="team")
    door.fact(LAMP)
    other.fact(NOTE, scope="private")


@pytest.mark.usefixtures("shelf")
def test_a_search_finds_what_is_visible_best_first(door: Door, other: Door) -> None:
    assert door.found("Harbor gateway port")[0] == PORT
    assert NOTE not in door.found("Harbor gateway is old")
    assert other.found("Harbor gateway is old")[0] == NOTE


@pytest.mark.usefixtures("shelf")
def test_both_ways_of_asking_give_the_same_answer(door: Door) -> None:
    by_query, by_body = door.get("search/", q="gateway", limit=5), door.post("search/", {"q": "gateway", "limit": 5})
    assert by_query["results"] == by_body["results"]


@pytest.mark.usefixtures("shelf")
def test_why_is_told_only_on_request_and_adds_up(door: Door) -> None:
    plain, explained = door.get("search/", q="gateway port"), door.get("search/", q="gateway port", explain=1)
    assert all("why" not in hit for hit in plain["results"])
    assert [each for hit in explained["results"] for each in problems(hit, shapes.EXPLAINED)] == []
    for hit in explained["results"]:
        assert sum(hit["why"].values()) == pytest.approx(hit["score"])
    assert explained["results"][0]["why"]["words"] > 0
    assert explained["results"][0]["why"]["tier"] > 0


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tier": "team"}, [PORT]), ({"tag": "net"}, [PORT]), ({"tag": ["net", "x"]}, [PORT]),
        ({"tag": ["net", "x"], "tag_mode": "all"}, []), ({"scope": "private"}, []), ({"agent": "a2"}, []),
        ({"category": ["fact", "term"], "tier": ["team"]}, [PORT]), ({"kind": "Raw"}, []),
        ({"recorded_after": "2020-01-01", "tier": "team"}, [PORT]), ({"recorded_before": "2020-01-01"}, []),
        ({"about_after": "2020-01-01"}, []), ({"person": "Ivo"}, []), ({"source": "handbook"}, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_search_is_narrowed_as_a_list_is(
    door: Door, method: str, filters: dict[str, Any], expected: list[str]
) -> None:
    answer = (
        door.get("search/", q="gateway port lamp", **filters)
        if method == "get"
        else door.post("search/", {"q": "gateway port lamp", **filters})
    )
    assert [hit["memory"]["content"] for hit in answer["results"]] == expected


def test_raw_texts_are_included_alone_or_left_out(door: Door) -> None:
    door.write("The lamp is lit. The otter is asleep.")
    kinds = {
        raw: {hit["memory"]["kind"] == "Raw" for hit in door.get("search/", q="lamp", raw=raw)["results"]}
        for raw in ("include", "only", "none")
    }
    assert kinds == {"include": {True, False}, "only": {True}, "none": {False}}


def test_ten_hits_unless_asked_otherwise_and_a_hundred_at_most(door: Door, a1: Actor) -> None:
    for number in range(105):
        factories.fact(a1, f"The support crew closed a ticket about heating in room {number}.")
    counts = [len(door.found("heating ticket", **more)) for more in ({}, {"limit": 1}, {"limit": 100})]
    assert counts == [10, 1, 100]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("q", ""), ("q", "   "), ("q", "\n\t"), ("q", "\0"), ("q", None), ("q", 5), ("q", ["x"]), ("q", {"x": 1}),
        ("limit", 0), ("limit", 101), ("limit", "many"), ("limit", None), ("limit", [5]), ("limit", 1.5),
        ("raw", "some"), ("raw", None), ("raw", True), ("explain", "maybe"), ("explain", 1), ("rerank", 5),
        ("tag", 5), ("tag", {"x": 1}), ("tag", [5]), ("tag", None), ("kind", "Fct"), ("kind", 5), ("kind", {"x": 1}),
        ("tier", ["boss"]), ("scope", ["shared"]), ("scope", 5), ("source", 5), ("agent", ["a1"]), ("person", {}),
        ("recorded_after", 5), ("recorded_after", "2026-07-12T09:30:00"), ("as_of", ["2026-07-12"]), ("as_of", None),
        ("status", "retired"), ("history", True), ("cursor", "x"), ("wizard", 1),
    ],
)  # fmt: skip
def test_a_bad_field_of_a_search_is_named(door: Door, field: str, value: object) -> None:
    refused = door.post("search/", {"q": "lamp", field: value})
    assert (refused.code, refused.fields) == (400, {field})


@pytest.mark.parametrize(
    ("field", "value"),
    [("q", ""), ("q", "  "), ("limit", 0), ("limit", "x"), ("status", "retired"), ("history", 1), ("wizard", 1)],
)
def test_a_bad_parameter_of_a_search_is_named(door: Door, field: str, value: object) -> None:
    refused = door.get("search/", **{"q": "lamp", field: value})
    assert (refused.code, refused.fields) == (400, {field})


def test_a_search_without_a_query_says_so(door: Door) -> None:
    assert door.get("search/").fields == door.post("search/", {}).fields == {"q"}


AWKWARD = [
    "'", '"', "''", "\\", "%", "_", "*", "a & b | !c <-> (d", "'; DROP TABLE memories_memory; --", ":*", "()", "!!!",
    "\u202e\u200b\ufeff", "🗝️", "十万年前", "what happened 100000 years ago", "a\0b", "\ud800", "x\udfffy", "ß" * 3,
    "1/0", "NaN", "-1", "0000-00-00", "9999-12-31T23:59:59Z", "in the year 275760", "lamp\r\n\tlamp", "{}", "[]",
    "AND OR NOT", "<script>", "e\u0301" * 50, "\u0e01" * 200, "仓库钥匙" * 100, "http://[::1", "a" * 5_000,
]  # fmt: skip


@pytest.mark.parametrize("q", AWKWARD, ids=ascii)
def test_any_query_is_safe(door: Door, q: str) -> None:
    door.fact(LAMP)
    assert door.post("search/", {"q": q}).code == 200
    assert door.get("search/", q=q).code == 200


def test_a_query_of_any_length_is_answered(door: Door) -> None:
    door.fact(LAMP)
    long = "lamp " * 6_400
    assert door.post("search/", {"q": long + "x " * 100_000})["results"][0]["memory"]["content"] == LAMP


# --- who is asking


def test_whoami_names_the_product_the_agent_and_what_it_may(door: Door, lighthouse: Product) -> None:
    me = door.get("whoami/")
    assert (me["product"]["slug"], me["agent"]["name"]) == ("lighthouse", "a1")
    assert me["permissions"] == ["read", "write"]
    assert me["settings"]["fact_neighbor_floor"] == 0.8
    assert me["limits"]["fact_characters"] == 8_000
