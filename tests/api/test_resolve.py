"""POST facts/{id}/resolve/ and the pairs it opens, as an agent sees them."""

from typing import Any

import pytest

from memories.models import Evidence, MemoryEvent
from tests.api.door import Door

PORT, OTHER_PORT = "The Harbor gateway listens on port 8443.", "The Harbor gateway listens on port 9443."


@pytest.fixture
def older(door: Door) -> str:
    return door.fact(PORT)


@pytest.fixture
def newer(door: Door, older: str) -> str:
    return door.fact(OTHER_PORT)


def test_a_duplicate_is_dropped_and_its_evidence_copied(door: Door, newer: str, older: str) -> None:
    answer = door.verdict(newer, "duplicate", older)
    assert (answer["verdict"], answer["outcome"], answer["conflict"]) == ("duplicate", "dropped", None)
    assert (answer["fact"]["status"], answer["other"]["status"]) == ("retired", "verified")
    assert door.history(newer)[-1]["why"] == f"Duplicate of {older}."
    assert [each["excerpt"] for each in door.get(f"facts/{older}/evidence/")["results"]] == [PORT, OTHER_PORT]


def test_the_replaced_fact_names_its_successor(door: Door, newer: str, older: str) -> None:
    answer = door.verdict(newer, "replaces", older, why="The gateway moved.")
    assert (answer["outcome"], answer["conflict"]) == ("replaced", None)
    assert (answer["other"]["status"], answer["other"]["replaced_by"]) == ("superseded", newer)
    assert answer["fact"]["replaces"] == [older]
    assert door.history(newer)[-1]["why"] == "The gateway moved."


def test_contradicting_facts_are_disputed_and_stand_in_a_pair(door: Door, newer: str, older: str) -> None:
    answer = door.verdict(newer, "contradicts", older)
    assert (answer["outcome"], answer["fact"]["status"], answer["other"]["status"]) == (
        "disputed", "disputed", "disputed",
    )  # fmt: skip
    (pair,) = door.pairs()
    assert (pair["id"], pair["reason"], pair["state"]) == (answer["conflict"], "disagreement", "open")
    assert (pair["older"]["id"], pair["newer"]["id"], pair["other_side"]) == (older, newer, None)
    assert answer["fact"]["conflicts"] == answer["other"]["conflicts"] == [pair["id"]]
    assert door.get(f"conflicts/{pair['id']}/").body == pair


@pytest.mark.parametrize("verdict", ["duplicate", "replaces", "contradicts"])
def test_the_same_verdict_again_gives_the_same_answer(door: Door, newer: str, older: str, verdict: str) -> None:
    first = door.verdict(newer, verdict, older)
    moves, rows = MemoryEvent.objects.count(), Evidence.objects.count()
    assert door.verdict(newer, verdict, older) == first
    assert (MemoryEvent.objects.count(), Evidence.objects.count()) == (moves, rows)


@pytest.mark.parametrize("verdict", ["replaces", "contradicts"])
def test_a_higher_tier_is_not_displaced(door: Door, verdict: str) -> None:
    older, newer = door.fact(PORT, tier="policy"), door.fact(OTHER_PORT)
    answer = door.verdict(newer, verdict, older)
    assert (answer["outcome"], answer["fact"]["status"], answer["other"]["status"]) == (
        "refused", "conflicting", "verified",
    )  # fmt: skip
    (pair,) = door.pairs(needs_clarification=1)
    assert (pair["id"], pair["reason"]) == (answer["conflict"], "authority")
    assert door.verdict(newer, verdict, older) == answer


@pytest.mark.parametrize(("tier", "outcome"), [("team", "refused"), ("official", "replaced"), ("policy", "replaced")])
def test_the_tier_of_the_act_counts_too(door: Door, newer: str, older: str, tier: str, outcome: str) -> None:
    assert door.verdict(newer, "replaces", older, tier=tier)["outcome"] == outcome


@pytest.mark.parametrize("verdict", ["duplicate", "replaces", "contradicts"])
@pytest.mark.parametrize("side", ["newer", "older"])
def test_a_side_that_is_not_current_is_a_409_with_the_side_as_it_is(
    *, door: Door, newer: str, older: str, verdict: str, side: str
) -> None:
    gone = newer if side == "newer" else older
    door.delete(f"facts/{gone}/")
    refused = door.post(f"facts/{newer}/resolve/", {"other": older, "verdict": verdict})
    assert (refused.code, refused["error"]["current"]) == (409, door.memory(gone))
    assert door.pairs() == []


def test_of_two_agents_replacing_the_same_fact_the_later_is_told(door: Door, other: Door, older: str) -> None:
    first, second = door.fact(OTHER_PORT), other.fact("The Harbor gateway listens on port 1.")
    door.verdict(first, "replaces", older)
    refused = other.post(f"facts/{second}/resolve/", {"other": older, "verdict": "replaces"})
    assert (refused.code, other.status(second)) == (409, "verified")
    assert refused["error"]["current"]["id"] in (older, first)


def test_a_fact_is_not_resolved_against_itself(door: Door, older: str) -> None:
    refused = door.post(f"facts/{older}/resolve/", {"other": older, "verdict": "duplicate"})
    assert (refused.code, refused.fields) == (400, {"other"})


@pytest.mark.parametrize("verdict", ["duplicate", "replaces", "contradicts"])
def test_private_and_shared_are_never_compared(door: Door, older: str, verdict: str) -> None:
    private = door.fact(OTHER_PORT, scope="private")
    for one, two in ((private, older), (older, private)):
        refused = door.post(f"facts/{one}/resolve/", {"other": two, "verdict": verdict})
        assert (refused.code, refused.fields) == (400, {"other"})
    assert (door.status(older), door.status(private)) == ("verified", "verified")


@pytest.mark.parametrize(
    ("field", "value"),
    [("verdict", "same"), ("verdict", None), ("verdict", 5), ("other", None), ("other", 5), ("other", ""),
     ("other", "a\0b"), ("other", "a\ud800"), ("other", ["x"]), ("tier", "boss"), ("why", 5), ("why", "a\0b"),
     ("scope", "shared"), ("fact", "x")],
)  # fmt: skip
def test_a_bad_field_of_a_verdict_is_named(door: Door, newer: str, older: str, field: str, value: Any) -> None:
    refused = door.post(f"facts/{newer}/resolve/", {"other": older, "verdict": "replaces", field: value})
    assert (refused.code, refused.fields) == (400, {field})
    assert (door.status(older), door.status(newer)) == ("verified", "verified")


def test_a_missing_field_of_a_verdict_is_named(door: Door, newer: str) -> None:
    assert door.post(f"facts/{newer}/resolve/", {}).fields == {"other", "verdict"}


@pytest.mark.parametrize("unknown", ["019af000-0000-7000-8000-000000000000", "Pump C", "019af000"])
def test_an_unknown_side_is_a_404_and_changes_nothing(door: Door, newer: str, older: str, unknown: str) -> None:
    codes = [
        door.post(f"facts/{one}/resolve/", {"other": two, "verdict": "duplicate"}).code
        for one, two in ((newer, unknown), (unknown, older))
    ]
    assert codes == [404, 404]
    assert (door.status(older), door.status(newer)) == ("verified", "verified")
