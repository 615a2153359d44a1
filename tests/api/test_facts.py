"""POST facts/: one fact, as given. Similar ones are listed, and nothing is decided."""

import pytest

from memories.models import Evidence, Memory
from tests.api.door import Door

LAMP, OFF = "The lamp is lit.", "The lamp is off."
PORT, OTHER_PORT = "The Harbor gateway listens on port 8443.", "The Harbor gateway listens on port 9443."


def test_a_fact_is_stored_as_given_and_shown_in_full(door: Door) -> None:
    about = {"from": "2026-07-12T09:30:00+02:00", "until": None}
    sent = {
        "content": "  Ivo prefers tea. ", "category": "persona", "person": "Ivo", "confirmed": True, "tier": "team",
        "scope": "private", "tags": ["ops", "net"], "metadata": {"n": [1, {"x": None}]}, "about": about,
    }  # fmt: skip
    answer = door.post("facts/", sent)
    fact = answer["fact"]
    assert (answer.code, answer["outcome"], answer["similar"]) == (201, "added", [])
    assert {name: fact[name] for name in sent if name not in ("confirmed", "about")} == {
        name: value for name, value in sent.items() if name not in ("confirmed", "about")
    }
    assert fact["about"] == {"from": "2026-07-12T07:30:00Z", "until": None}
    assert (fact["status"], fact["agent"], fact["origin"], fact["embedding"]) == ("verified", "a1", "agent", "ready")
    assert door.get(f"facts/{fact['id']}/").body == fact
    assert Memory.objects.get().content == sent["content"]


def test_what_is_left_out_has_its_documented_default(door: Door) -> None:
    fact = door.post("facts/", {"content": LAMP})["fact"]
    shown = {name: fact[name] for name in ("status", "tier", "scope", "tags", "metadata", "about", "person")}
    assert shown == {
        "status": "unverified", "tier": "official", "scope": "shared", "tags": [], "metadata": {}, "about": None,
        "person": None,
    }  # fmt: skip


def test_similar_facts_are_listed_with_what_differs_and_nothing_is_decided(door: Door) -> None:
    first = door.fact(PORT)
    answer = door.post("facts/", {"content": OTHER_PORT})
    assert (answer.code, answer["outcome"]) == (201, "added")
    similar = answer["similar"][0]
    assert (similar["memory"]["id"], similar["memory"]["status"]) == (first, "verified")
    assert similar["similarity"] >= 0.8
    assert similar["differs"] == [{"what": "number", "this": "9443", "other": "8443"}]
    assert door.get(f"facts/{answer['fact']['id']}/similar/")["results"][0]["memory"]["id"] == first


def test_the_same_again_is_known_and_answers_200(door: Door, other: Door) -> None:
    first = door.fact(LAMP, confirmed=False)
    again = other.post("facts/", {"content": "the  LAMP is lit."})
    assert (again.code, again["outcome"], again["fact"]["id"]) == (200, "known", first)
    assert again["fact"]["status"] == "unverified"
    assert (Memory.objects.count(), Evidence.objects.count()) == (1, 2)


def test_a_refusal_by_authority_is_a_result(door: Door, lighthouse: object) -> None:
    policy = door.fact(LAMP, tier="policy")
    refused = door.patch(f"facts/{policy}/", {"content": OFF})
    assert (refused.code, refused["outcome"], refused["fact"]["status"]) == (200, "refused", "conflicting")
    assert refused["fact"]["conflicts"] == [refused["conflict"]]


@pytest.mark.parametrize("path", ["facts/", "memories/"])
@pytest.mark.parametrize(
    "immutable", ["id", "kind", "status", "product", "agent", "owner", "origin", "recorded_at", "replaces", "raw"]
)
def test_what_a_writer_never_sets_is_refused_by_name(door: Door, path: str, immutable: str) -> None:
    text = {"content": LAMP} if path == "facts/" else {"text": LAMP}
    refused = door.post(path, {**text, immutable: "x"})
    assert (refused.code, refused.fields) == (400, {immutable})
    assert Memory.objects.count() == 0


def test_a_fact_over_the_limit_is_too_large(door: Door) -> None:
    refused = door.post("facts/", {"content": "x" * 8_001})
    assert (refused.code, refused.fields, refused["error"]["limit"]) == (413, {"content"}, 8_000)
    assert Memory.objects.count() == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", ""), ("content", "   "), ("content", "\n\t"), ("content", "..."), ("content", "--"),
        ("content", 5), ("content", None), ("content", ["x"]), ("content", {"x": 1}), ("content", True),
        ("content", "a\0b"), ("content", "a\ud800b"),
        ("category", "wizard"), ("category", 5), ("category", None), ("category", ["fact"]), ("kind", "wizard"),
        ("tier", "boss"), ("tier", 5), ("tier", None), ("tier", []), ("scope", "everyone"), ("scope", None),
        ("confirmed", "yes"), ("confirmed", 1), ("confirmed", None), ("confirmed", []),
        ("person", 5), ("person", "x" * 201), ("person", "a\0b"), ("person", "a\ud800b"), ("person", ["x"]),
        ("tags", {"x": 1}), ("tags", 5), ("tags", [5]), ("tags", ["x" * 65]), ("tags", [None]), ("tags", [["x"]]),
        ("tags", [f"tag {number}" for number in range(33)]), ("tags", ["a\0b"]), ("tags", ["a\ud800b"]),
        ("metadata", []), ("metadata", "x"), ("metadata", 5), ("metadata", {"x": "y" * 16_384}),
        ("metadata", {"a\0b": 1}), ("metadata", {"x": ["a\0b"]}), ("metadata", {"a\ud800b": 1}),
        ("metadata", {"x": {"y": "a\udfffb"}}),
        ("about", 5), ("about", []), ("about", "yesterday"), ("about", {"when": "2026-07-12"}),
        ("about", {"from": 5}), ("about", {"from": "2026-07-12T09:30:00"}), ("about", {"until": "2026-02-30"}),
        ("about", {"from": "2026-07-13", "until": "2026-07-12"}), ("about", "2026-07-12\0"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_by_its_field(door: Door, field: str, value: object) -> None:
    refused = door.post("facts/", {"content": LAMP, field: value})
    assert (refused.code, refused.fields) == (400, {field})
    assert Memory.objects.count() == 0


@pytest.mark.parametrize(
    ("field", "value", "would_work"),
    [
        ("confirmed", "maybe", "true or false"),
        ("confirmed", None, "true or false"),
        ("tier", None, "policy, official, team, informal"),
        ("person", " ", "leave it out"),
        ("content", None, "a string"),
    ],
)
def test_a_refusal_says_what_would_have_worked(door: Door, field: str, value: object, would_work: str) -> None:
    refused = door.post("facts/", {"content": "The lamp is lit.", field: value})
    assert (refused.code, refused.fields) == (400, {field})
    assert would_work in refused["error"]["message"]


def test_a_missing_content_is_named(door: Door) -> None:
    assert door.post("facts/", {}).fields == {"content"}


def test_tags_as_one_string_are_one_tag(door: Door) -> None:
    assert door.save(LAMP, tags="ops")["fact"]["tags"] == ["ops"]


def test_the_longest_allowed_values_fit(door: Door) -> None:
    tags = [f"{number:064}" for number in range(32)]
    metadata = {"x": "y" * (16_384 - len('{"x": ""}'))}
    fact = door.save("x" * 8_000, tags=tags, metadata=metadata, person="ä" * 200)["fact"]
    assert (len(fact["content"]), fact["tags"], fact["metadata"]) == (8_000, tags, metadata)


@pytest.mark.parametrize(
    "metadata",
    [
        {"": {"": []}}, {"status": "verified", "scope": "private", "tier": "policy", "owner": 1},
        {"n": 2**70, "f": 0.1, "zero": -0.5, "list": [True, None, "ß"], "text": "\\u0000 \\\\u0000"},
        {"键": "仓库", "emoji": "🗝️", "quote": "\"'\\", "lines": "a\r\nb\tc\u2028"},
    ],
)  # fmt: skip
def test_metadata_comes_back_as_equal_json(door: Door, metadata: object) -> None:
    fact = door.save(LAMP, metadata=metadata)["fact"]
    assert fact["metadata"] == metadata
    assert door.memory(fact["id"])["metadata"] == metadata
    assert (fact["status"], fact["scope"], fact["tier"]) == ("verified", "shared", "official")
