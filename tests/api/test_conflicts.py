"""GET conflicts/ and POST conflicts/{id}/resolve/: pairs as they are shown, and settled with one answer."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conflicts.models import Conflict
from memories.models import Memory, MemoryEvent, Product
from tests.api.door import Door

FRIDAYS, NEVER, MONDAYS, SOMETIMES = (
    "The Kestrel team deploys on Fridays.", "The Kestrel team never deploys on Fridays.",
    "The Kestrel team deploys only on Mondays.", "The Kestrel team deploys on every second Friday.",
)  # fmt: skip


class Dispute:
    def __init__(self, door: Door, **more: Any) -> None:
        self.older, self.newer = door.fact(FRIDAYS, **more), door.fact(NEVER, **more)
        self.pair = str(door.verdict(self.newer, "contradicts", self.older)["conflict"])


@pytest.fixture
def dispute(door: Door) -> Dispute:
    return Dispute(door)


@pytest.mark.parametrize(
    ("answer", "older", "newer"),
    [
        ("older", "verified", "retired"),
        ("newer", "retired", "verified"),
        ("neither", "retired", "retired"),
    ],
)
def test_settling_takes_one_answer(door: Door, dispute: Dispute, answer: str, older: str, newer: str) -> None:
    settled = door.settle(dispute.pair, answer, why="Ivo was asked.")
    assert (settled["outcome"], settled["correction"], settled["remaining"]) == ("settled", None, [])
    ends = {dispute.older: older, dispute.newer: newer}
    assert {id_: door.status(id_) for id_ in ends} == ends
    assert set(settled["retired"]) == {id_ for id_, status in ends.items() if status == "retired"}
    assert settled["winner"] == next((id_ for id_, status in ends.items() if status == "verified"), None)
    pair = settled["conflict"]
    told = [pair[name] for name in ("state", "answer", "settled_by", "why", "other_side", "put_off_until")]
    assert told == ["settled", answer, "a1", "Ivo was asked.", None, None]
    assert pair["settled_at"] is not None
    assert door.memory(dispute.older)["conflicts"] == []
    assert (door.pairs(), door.pairs(state="settled")) == ([], [pair])


def test_none_is_true_here_is_what_is(door: Door, dispute: Dispute) -> None:
    settled = door.settle(dispute.pair, "correction", correction=SOMETIMES)
    correction = settled["correction"]
    assert (correction["content"], correction["status"], correction["origin"]) == (SOMETIMES, "verified", "agent")
    assert settled["conflict"]["correction"] == correction["id"]
    assert set(settled["retired"]) == {dispute.older, dispute.newer}
    assert door.listed() == [SOMETIMES]


def test_not_now_puts_off_for_seven_days(door: Door, dispute: Dispute) -> None:
    answer = door.settle(dispute.pair, "not_now", why="Ivo is away.")
    pair = answer["conflict"]
    assert (answer["outcome"], pair["state"], pair["answer"], pair["settled_at"]) == ("put_off", "put_off", None, None)
    until = Conflict.objects.get().put_off_until
    assert until is not None
    assert abs(until - timezone.now() - timedelta(days=7)) < timedelta(minutes=1)
    assert (door.pairs(), door.pairs(state="put_off")) == ([], [pair])
    assert (door.status(dispute.older), door.status(dispute.newer)) == ("disputed", "disputed")


@pytest.mark.parametrize(
    ("until", "expected"),
    [("2099-03-01", "2099-02-28T23:00:00Z"), ("2099-03-01T09:00:00+09:00", "2099-03-01T00:00:00Z")],
)
def test_not_now_may_name_a_date(door: Door, dispute: Dispute, lighthouse: Product, until: str, expected: str) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(zone="Europe/Berlin")
    assert door.settle(dispute.pair, "not_now", until=until)["conflict"]["put_off_until"] == expected


def test_a_settled_pair_is_a_409_that_shows_how(door: Door, dispute: Dispute) -> None:
    door.settle(dispute.pair, "older")
    refused = door.post(f"conflicts/{dispute.pair}/resolve/", {"answer": "newer"})
    assert (refused.code, refused["error"]["current"]["answer"]) == (409, "older")
    assert door.status(dispute.older) == "verified"


def test_an_agent_of_a_lower_tier_settles_nothing(door: Door) -> None:
    dispute = Dispute(door, tier="policy")
    moves = MemoryEvent.objects.count()
    answer = door.settle(dispute.pair, "newer")
    assert (answer["outcome"], answer["winner"], answer["retired"]) == ("refused", None, [])
    assert (answer["conflict"]["state"], MemoryEvent.objects.count()) == ("open", moves)
    assert door.settle(dispute.pair, "newer", tier="policy")["outcome"] == "settled"


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ({}, {"answer"}), ({"answer": "maybe"}, {"answer"}), ({"answer": None}, {"answer"}),
        ({"answer": 5}, {"answer"}), ({"answer": ["older"]}, {"answer"}),
        ({"answer": "correction"}, {"correction"}), ({"answer": "correction", "correction": None}, {"correction"}),
        ({"answer": "correction", "correction": "..."}, {"correction"}),
        ({"answer": "correction", "correction": 5}, {"correction"}),
        ({"answer": "correction", "correction": "a\0b"}, {"correction"}),
        ({"answer": "correction", "correction": FRIDAYS}, {"correction"}),
        ({"answer": "older", "correction": SOMETIMES}, {"correction"}),
        ({"answer": "older", "until": "2099-01-01"}, {"until"}),
        ({"answer": "not_now", "until": "2020-01-01"}, {"until"}),
        ({"answer": "not_now", "until": "2099-01-01T09:00:00"}, {"until"}),
        ({"answer": "not_now", "until": 5}, {"until"}), ({"answer": "older", "tier": "boss"}, {"tier"}),
        ({"answer": "older", "why": 5}, {"why"}), ({"answer": "older", "why": "a\ud800"}, {"why"}),
        ({"answer": "older", "winner": "x"}, {"winner"}),
    ],
)  # fmt: skip
def test_a_bad_settlement_is_named_and_changes_nothing(
    door: Door, dispute: Dispute, sent: dict[str, Any], named: set[str]
) -> None:
    refused = door.post(f"conflicts/{dispute.pair}/resolve/", sent)
    assert (refused.code, refused.fields) == (400, named)
    assert (Conflict.objects.get().state, Memory.objects.count()) == ("open", 2)


def test_both_answers_a_suggestion_only(door: Door, dispute: Dispute) -> None:
    refused = door.post(f"conflicts/{dispute.pair}/resolve/", {"answer": "both"})
    assert (refused.code, refused["error"]["current"]["id"]) == (409, dispute.pair)


# --- what is listed


@pytest.fixture
def three(door: Door, dispute: Dispute) -> dict[str, str]:
    """A disagreement, a persona disagreement and a refusal by authority."""
    traits = [door.fact(each, category="persona", person="Ivo") for each in ("Ivo likes tea.", "Ivo hates tea.")]
    policy, weak = door.fact("The gate is shut at night.", tier="policy"), door.fact("The gate is open at night.")
    return {
        "disagreement": dispute.pair,
        "persona": str(door.verdict(traits[1], "contradicts", traits[0])["conflict"]),
        "authority": str(door.verdict(weak, "replaces", policy)["conflict"]),
    }


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["authority", "persona", "disagreement"]),
        ({"state": "open"}, ["authority", "persona", "disagreement"]),
        ({"state": "put_off"}, []),
        ({"state": "settled"}, []),
        ({"persona": 1}, ["persona"]),
        ({"persona": 0}, ["authority", "disagreement"]),
        ({"persona": "true"}, ["persona"]),
        ({"reason": "disagreement"}, ["persona", "disagreement"]),
        ({"reason": "authority"}, ["authority"]),
        ({"reason": "unsure"}, []),
        ({"needs_clarification": 1}, ["authority"]),
        ({"needs_clarification": 0}, ["persona", "disagreement"]),
        ({"reason": "disagreement", "persona": 0}, ["disagreement"]),
        ({"limit": 1}, ["authority"]),
    ],
)
def test_pairs_are_narrowed_by_what_they_are(
    door: Door, three: dict[str, str], filters: dict[str, Any], expected: list[str]
) -> None:
    assert [each["id"] for each in door.pairs(**filters)] == [three[name] for name in expected]


@pytest.mark.parametrize(
    ("field", "value"),
    [("state", "old"), ("persona", "maybe"), ("persona", 2), ("reason", "whim"), ("needs_clarification", "x"),
     ("limit", 0), ("limit", 201), ("cursor", "x"), ("answer", "older"), ("scope", "shared")],
)  # fmt: skip
def test_a_filter_of_the_wrong_type_names_itself(door: Door, field: str, value: Any) -> None:
    refused = door.get("conflicts/", **{field: value})
    assert (refused.code, refused.fields) == (400, {field})


@pytest.mark.parametrize("id_", ["0f2e8992-3d02-4963-bfbc-d56937c4f9d9", "Pump C", "%00", "0"])
def test_a_pair_that_is_not_there_is_a_404(door: Door, dispute: Dispute, id_: str) -> None:
    read, settled = door.get(f"conflicts/{id_}/"), door.post(f"conflicts/{id_}/resolve/", {"answer": "older"})
    assert (read.code, settled.code) == (404, 404)
    assert read.body == settled.body == door.get(f"memories/{id_}/").body


@pytest.mark.parametrize(("act", "side"), [("delete", "retired"), ("edit", "superseded")])
def test_a_pair_stays_listed_when_one_side_is_taken_out(door: Door, act: str, side: str) -> None:
    policy, weak = door.fact(FRIDAYS, tier="policy"), door.fact(NEVER)
    pair = door.verdict(weak, "contradicts", policy)["conflict"]
    if act == "delete":
        door.delete(f"facts/{policy}/", {"tier": "policy"})
    else:
        door.patch(f"facts/{policy}/", {"content": MONDAYS, "tier": "policy"})
    (listed,) = door.pairs()
    assert (listed["id"], listed["state"], listed["other_side"]) == (pair, "open", side)
    assert door.post(f"conflicts/{pair}/resolve/", {"answer": "older"}).code == 409
    settled = door.settle(pair, "newer")
    assert (settled["winner"], settled["retired"], settled["conflict"]["other_side"]) == (weak, [], None)
    assert door.status(weak) == "verified"


def test_private_pairs_are_seen_and_settled_by_their_owner_alone(door: Door, other: Door) -> None:
    dispute = Dispute(door, scope="private")
    assert [each["id"] for each in door.pairs()] == [dispute.pair]
    assert other.pairs() == []
    assert other.get(f"conflicts/{dispute.pair}/").code == 404
    assert other.post(f"conflicts/{dispute.pair}/resolve/", {"answer": "older"}).code == 404
    assert door.settle(dispute.pair, "correction", correction=SOMETIMES)["correction"]["scope"] == "private"
