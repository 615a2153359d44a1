"""Rules: whoever proposes, a person decides; and every change can be read afterwards."""

from typing import Any

import pytest

from memories.actors import Actor
from memories.choices import Outcome, RuleStatus
from memories.errors import Conflict, Forbidden, InvalidInput, NotFound, TooLarge
from memories.models import Rule
from memories.services import rules

TEXT = "Never deploy on Fridays."


def statuses(by: Actor) -> dict[str, str]:
    return {rule.text: rule.status for rule in rules.visible_to(by)}


def test_a_proposal_binds_nobody_until_a_person_approves_it(a1: Actor, a2: Actor, curator: Actor) -> None:
    rule = rules.propose(by=a1, text=f"  {TEXT} ", why="It broke twice.").rule
    assert list(rules.approved(a2)) == []
    assert (statuses(a1), statuses(a2), statuses(curator)) == ({TEXT: "proposed"}, {}, {TEXT: "proposed"})
    decided = rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.APPROVED)
    assert decided.decided_by is not None
    assert decided.decided_by.username == curator.name
    assert list(rules.approved(a2)) == [rule]
    assert statuses(a2) == {TEXT: "approved"}


@pytest.mark.parametrize("to", [RuleStatus.APPROVED, RuleStatus.REJECTED, RuleStatus.RETIRED])
def test_only_a_person_decides_and_edits(a1: Actor, to: RuleStatus) -> None:
    rule = rules.propose(by=a1, text=TEXT).rule
    with pytest.raises(Forbidden):
        rules.decide(by=a1, rule_id=rule.pk, to=to)
    with pytest.raises(Forbidden):
        rules.edit(by=a1, rule_id=rule.pk, text="Always deploy.")


@pytest.mark.parametrize("to", [None, RuleStatus.APPROVED, RuleStatus.REJECTED])
def test_the_same_text_again_is_known_however_it_stands(a1: Actor, a2: Actor, curator: Actor, to: Any) -> None:
    rule = rules.propose(by=a1, text=TEXT).rule
    if to:
        rules.decide(by=curator, rule_id=rule.pk, to=to)
    again = rules.propose(by=a2, text="never  deploy on FRIDAYS.")
    assert (again.outcome, again.rule.pk, again.rule.status) == (Outcome.KNOWN, rule.pk, to or RuleStatus.PROPOSED)
    assert Rule.objects.count() == 1


def test_a_retired_rule_may_be_proposed_anew(a1: Actor, curator: Actor) -> None:
    rule = rules.propose(by=a1, text=TEXT).rule
    for to in (RuleStatus.APPROVED, RuleStatus.RETIRED):
        rules.decide(by=curator, rule_id=rule.pk, to=to)
    assert rules.propose(by=a1, text=TEXT).outcome == Outcome.ADDED
    with pytest.raises(Conflict):
        rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.APPROVED)


def test_approving_in_other_words_and_editing_leave_a_history(a1: Actor, curator: Actor) -> None:
    rule = rules.propose(by=a1, text=TEXT).rule
    rules.decide(
        by=curator, rule_id=rule.pk, to=RuleStatus.APPROVED, text="Never deploy after Thursday.", why="Clearer."
    )
    rules.edit(by=curator, rule_id=rule.pk, text="Never deploy after Wednesday.")
    said = [(event.text, event.status, event.pgh_context["name"]) for event in rule.events.order_by("pgh_id")]
    assert said == [
        (TEXT, "proposed", "a1"),
        ("Never deploy after Thursday.", "approved", "curator"),
        ("Never deploy after Wednesday.", "approved", "curator"),
    ]


def test_a_wording_that_another_rule_has_is_a_conflict(a1: Actor, curator: Actor) -> None:
    rules.propose(by=a1, text=TEXT)
    other = rules.propose(by=a1, text="Always deploy on Mondays.").rule
    with pytest.raises(Conflict):
        rules.edit(by=curator, rule_id=other.pk, text=TEXT)


def test_moves_that_make_no_sense_are_refused(a1: Actor, curator: Actor) -> None:
    rule = rules.propose(by=a1, text=TEXT).rule
    with pytest.raises(Conflict):
        rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.RETIRED)
    rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.REJECTED)
    assert rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.REJECTED).status == RuleStatus.REJECTED
    assert rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.APPROVED).status == RuleStatus.APPROVED


def test_the_wall_stands(a1: Actor, b1: Actor, curator: Actor) -> None:
    theirs = rules.propose(by=b1, text=TEXT).rule
    assert rules.propose(by=a1, text=TEXT).outcome == Outcome.ADDED
    assert statuses(a1) == {TEXT: "proposed"}
    with pytest.raises(NotFound):
        rules.decide(by=curator, rule_id=theirs.pk, to=RuleStatus.APPROVED)


@pytest.mark.parametrize(
    ("text", "error"), [("", InvalidInput), (" … ", InvalidInput), ("a\0b", InvalidInput), ("x" * 2_001, TooLarge)]
)
def test_a_rule_says_something(a1: Actor, text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        rules.propose(by=a1, text=text)
    assert not Rule.objects.exists()


def test_credentials_are_masked(a1: Actor) -> None:
    rule = rules.propose(by=a1, text="Use the token ghp_abcdefghijklmnopqrstuvwxyz0123456789AB always.").rule
    assert "ghp_abc" not in rule.text
