"""One memory by its id: read, edited, confirmed, retired, restored, with its history, neighbours and evidence."""

from typing import Any

import pytest

from memories import embeddings
from memories.models import Memory, MemoryEvent
from tests.api.door import Door
from tests.stubs import BrokenEmbedder

LAMP, OFF = "The lamp is lit.", "The lamp is off."
PATHS = pytest.mark.parametrize("path", ["facts", "memories"])


@PATHS
def test_an_edit_is_a_new_version_and_both_ends_name_each_other(door: Door, path: str) -> None:
    old = door.save(LAMP, tags=["ops"], metadata={"n": 1}, tier="team", about="2026-07-12")["fact"]
    edited = door.patch(f"{path}/{old['id']}/", {"content": OFF, "confirmed": True, "why": "Someone turned it off."})
    new = edited["fact"]
    assert (edited.code, edited["outcome"], edited["conflict"]) == (200, "edited", None)
    assert (new["content"], new["status"], new["replaces"]) == (OFF, "verified", [old["id"]])
    kept = ("tags", "metadata", "tier", "about", "scope", "category", "person")
    assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    assert door.memory(old["id"]) == {
        **old, "status": "superseded", "current": False, "replaced_by": new["id"],
    }  # fmt: skip


@PATHS
def test_the_history_shows_every_move_of_every_version_from_either_end(door: Door, other: Door, path: str) -> None:
    old = door.fact(LAMP, confirmed=False)
    other.patch(f"facts/{old}/", {"confirmed": True})
    new = other.patch(f"facts/{old}/", {"content": OFF, "why": "Seen."})["fact"]["id"]
    door.delete(f"facts/{new}/", {"why": "Nobody asks."})
    moves = door.get(f"{path}/{old}/history/")["results"]
    assert moves == door.get(f"{path}/{new}/history/")["results"]
    told = [(m["version"], m["verb"], m["from"], m["to"], m["by"]["name"], m["why"], m["content"]) for m in moves]
    assert told == [
        (old, "add", None, "unverified", "a1", "", LAMP),
        (old, "verify", "unverified", "verified", "a2", "", LAMP),
        (old, "edit", "verified", "superseded", "a2", "Seen.", LAMP),
        (new, "add", None, "unverified", "a2", "Seen.", OFF),
        (new, "retire", "unverified", "retired", "a1", "Nobody asks.", OFF),
    ]
    assert {each["by"]["type"] for each in moves} == {"agent"}


def test_another_spelling_of_a_higher_tier_is_refused_and_nothing_is_stored(door: Door) -> None:
    fact = door.fact(LAMP, tier="policy")
    refused = door.patch(f"facts/{fact}/", {"content": "the LAMP is lit."})
    assert (refused["outcome"], refused["fact"]["id"], refused["conflict"]) == ("refused", fact, None)
    assert (Memory.objects.count(), door.pairs()) == (1, [])
    assert door.patch(f"facts/{fact}/", {"content": "the LAMP is lit.", "tier": "policy"})["outcome"] == "edited"


@PATHS
@pytest.mark.parametrize(
    ("before", "sent", "outcome", "status"),
    [
        (False, {"confirmed": True}, "confirmed", "verified"),
        (False, {"confirmed": True, "content": LAMP}, "confirmed", "verified"),
        (True, {"confirmed": True}, "unchanged", "verified"),
        (False, {"content": LAMP}, "unchanged", "unverified"),
    ],
)
def test_without_a_new_wording_a_patch_only_confirms(
    *, door: Door, path: str, before: bool, sent: dict[str, Any], outcome: str, status: str
) -> None:
    fact = door.fact(LAMP, confirmed=before)
    answer = door.patch(f"{path}/{fact}/", sent)
    assert (answer["outcome"], answer["fact"]["id"], answer["fact"]["status"]) == (outcome, fact, status)
    assert Memory.objects.count() == 1


@PATHS
@pytest.mark.parametrize(
    "immutable",
    ["status", "scope", "tags", "metadata", "about", "category", "person", "kind", "agent", "id", "recorded_at"],
)
def test_what_is_fixed_when_written_is_refused_by_name(door: Door, path: str, immutable: str) -> None:
    fact = door.save(LAMP)["fact"]
    refused = door.patch(f"{path}/{fact['id']}/", {"content": OFF, immutable: fact[immutable]})
    assert (refused.code, refused.fields) == (400, {immutable})
    assert door.memory(fact["id"]) == fact


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", ""), ("content", "..."), ("content", None), ("content", 5),
        ("content", "a\0b"), ("content", "a\ud800"), ("tier", "boss"), ("tier", None), ("confirmed", "maybe"),
        ("why", 5), ("why", None), ("why", "x" * 2_001), ("why", "a\0b"), ("why", "a\ud800"),
    ],
)  # fmt: skip
def test_a_bad_edit_is_named_and_changes_nothing(door: Door, field: str, value: object) -> None:
    fact = door.fact(LAMP)
    refused = door.patch(f"facts/{fact}/", {"content": OFF, field: value})
    assert (refused.code, refused.fields) == (400, {field})
    assert MemoryEvent.objects.count() == 1


def test_an_empty_edit_says_what_would_have_worked(door: Door) -> None:
    refused = door.patch(f"facts/{door.fact(LAMP)}/", {})
    assert (refused.code, refused.fields) == (400, {"content"})


def test_a_raw_text_and_what_is_not_current_are_not_edited(door: Door) -> None:
    raw, gone = door.write(LAMP)["raw"], door.fact(OFF)
    door.delete(f"facts/{gone}/")
    for id_ in (raw, gone):
        refused = door.patch(f"memories/{id_}/", {"content": "The lamp glows."})
        assert (refused.code, refused["error"]["current"]) == (409, door.memory(id_))


def test_whoever_edits_too_late_is_shown_the_newest_version(door: Door, other: Door) -> None:
    old = door.fact(LAMP)
    newest = other.patch(f"facts/{old}/", {"content": OFF})["fact"]["id"]
    refused = door.patch(f"facts/{old}/", {"content": "The lamp glows."})
    assert (refused.code, refused["error"]["current"]["id"]) == (409, newest)


def test_a_raw_text_may_be_retired_under_memories_and_its_statements_stay(door: Door) -> None:
    receipt = door.write(LAMP)
    assert door.delete(f"memories/{receipt['raw']}/")["outcome"] == "retired"
    assert door.listed("memories/") == [LAMP]
    assert door.memory(receipt["statements"][0]["memory"]["id"])["current"]


# --- retire and restore


@PATHS
@pytest.mark.parametrize("how", ["a body", "the query", "neither"])
def test_deleting_retires_and_deleting_again_gives_the_same_answer(door: Door, path: str, how: str) -> None:
    fact = door.fact(LAMP)
    address = f"{path}/{fact}/" + ("?tier=official&why=Wrong." if how == "the query" else "")
    body = {"tier": "official", "why": "Wrong."} if how == "a body" else None
    first, again = door.delete(address, body), door.delete(address, body)
    assert (first.code, first["outcome"], first["fact"]["status"]) == (200, "retired", "retired")
    assert again.body == first.body
    assert [(m["verb"], m["why"]) for m in door.history(fact)][1:] == [("retire", "" if how == "neither" else "Wrong.")]
    assert door.listed() == []


@PATHS
def test_restoring_brings_back_the_status_it_had(door: Door, path: str) -> None:
    fact = door.fact(LAMP, confirmed=False)
    door.delete(f"facts/{fact}/")
    restored = door.post(f"{path}/{fact}/restore/", {"why": "It was right."})
    assert (restored.code, restored["outcome"], restored["fact"]["status"]) == (200, "restored", "unverified")
    assert door.listed() == [LAMP]
    assert door.post(f"{path}/{fact}/restore/").code == 409


def test_restoring_beside_a_live_twin_is_a_409_that_shows_the_twin(door: Door) -> None:
    fact = door.fact(LAMP)
    door.delete(f"facts/{fact}/")
    twin = door.fact(LAMP)
    refused = door.post(f"facts/{fact}/restore/")
    assert (refused.code, refused["error"]["current"]["id"]) == (409, twin)


def test_a_superseded_fact_is_not_retired(door: Door) -> None:
    old = door.fact(LAMP)
    door.patch(f"facts/{old}/", {"content": OFF})
    assert door.delete(f"facts/{old}/").code == 409
    assert door.status(old) == "superseded"


@pytest.mark.parametrize(
    ("act", "field", "value"),
    [("delete", "tier", "boss"), ("delete", "why", 5), ("delete", "content", "x"), ("restore", "why", "a\0b"),
     ("restore", "tier", "team"), ("restore", "status", "verified")],
)  # fmt: skip
def test_a_bad_field_of_a_retirement_or_a_restoration_is_named(door: Door, act: str, field: str, value: Any) -> None:
    fact = door.fact(LAMP)
    if act == "delete":
        refused = door.delete(f"facts/{fact}/", {field: value})
    else:
        door.delete(f"facts/{fact}/")
        refused = door.post(f"facts/{fact}/restore/", {field: value})
    assert (refused.code, refused.fields) == (400, {field})
    assert door.status(fact) == ("verified" if act == "delete" else "retired")


# --- neighbours, and what is not there


@PATHS
def test_similar_facts_of_a_stored_one(door: Door, other: Door, path: str) -> None:
    gateway = "The Harbor gateway listens on port {}."
    fact, near = door.fact(gateway.format(8443)), door.fact(gateway.format(9443))
    door.fact("Otters swim upstream in winter.")
    other.fact(gateway.format(1443), scope="private")
    door.delete(f"facts/{door.fact(gateway.format(2443))}/")
    similar = door.get(f"{path}/{fact}/similar/")["results"]
    assert [each["memory"]["id"] for each in similar] == [near]
    assert similar[0]["differs"] == [{"what": "number", "this": "8443", "other": "9443"}]


def test_without_an_embedder_a_fact_is_saved_and_similar_is_null(door: Door) -> None:
    first = door.fact(LAMP)
    with embeddings.override(BrokenEmbedder()):
        answer = door.post("facts/", {"content": OFF})
        assert (answer.code, answer["similar"], answer["fact"]["embedding"]) == (201, None, "failed")
        assert door.get(f"facts/{answer['fact']['id']}/similar/").code == 503
        assert sorted(door.found("lamp")) == [LAMP, OFF]
        assert door.delete(f"facts/{first}/")["outcome"] == "retired"


UNKNOWN = [
    "0f2e8992-3d02-4963-bfbc-d56937c4f9d9",
    "0f2e8992-3d02-4963-bfbc-d56937c4f9d9".upper(),
    "Pump C",
    "0",
    "null",
    "%00",
    "%ED%A0%80",
    "a%0Ab",
    "{}",
    "x" * 5_000,
]


@PATHS
@pytest.mark.parametrize("id_", UNKNOWN)
def test_what_is_not_there_answers_404_on_every_path(door: Door, path: str, id_: str) -> None:
    door.fact(LAMP)
    address = f"{path}/{id_}/"
    answers = [
        *(door.get(f"{address}{rest}") for rest in ("", "history/", "similar/", "evidence/")),
        door.patch(address, {"content": OFF}), door.delete(address), door.post(f"{address}restore/"),
    ]  # fmt: skip
    assert {each.code for each in answers} == {404}
    assert all(each.body == answers[0].body for each in answers)
    assert MemoryEvent.objects.count() == 1
