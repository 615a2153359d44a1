"""The database keeps rules a person's decision, and their history, whoever goes around the services."""

from itertools import product as pairs_of
from typing import Any

import pytest
from django.utils import timezone

from memories.actors import Actor
from memories.choices import RULE_MOVES, RuleStatus
from memories.models import Given, Rule, RuleEvent
from tests import guards
from tests.guards import refused_by

PATHS = {RuleStatus.RETIRED: [RuleStatus.APPROVED]}


def proposal(by: Actor, **columns: Any) -> Rule:
    values = {"product_id": by.product_id, "text": "Never deploy on Fridays.", "key": b"k", "agent_id": by.agent_id}
    return Rule.objects.create(**(values | columns))


def in_status(by: Actor, person: Actor, status: RuleStatus) -> Rule:
    rule = proposal(by)
    for step in [*PATHS.get(status, []), status]:
        move(rule, step, person)
    return rule


def move(rule: Rule, status: RuleStatus, person: Actor) -> None:
    Rule.objects.filter(pk=rule.pk).update(status=status, decided_by_id=person.user_id, decided_at=timezone.now())


@pytest.mark.parametrize(("old", "new"), list(pairs_of(RuleStatus, RuleStatus)))
def test_only_legal_moves_are_let_through(a1: Actor, curator: Actor, old: RuleStatus, new: RuleStatus) -> None:
    rule = in_status(a1, curator, old)
    if old == new or (old, new) in RULE_MOVES:
        move(rule, new, curator)
        return
    with refused_by("Rule:legal_rule_moves_only"):
        move(rule, new, curator)


@pytest.mark.parametrize("status", [each for each in RuleStatus if each != RuleStatus.PROPOSED])
def test_a_rule_begins_as_a_proposal(a1: Actor, curator: Actor, status: RuleStatus) -> None:
    with refused_by("Rule:rules_begin_as_proposals"):
        proposal(a1, status=status, decided_by_id=curator.user_id, decided_at=timezone.now())


def test_a_decision_names_a_person(a1: Actor) -> None:
    rule = proposal(a1)
    with refused_by("Rule:rule_is_decided_by_a_person"):
        Rule.objects.filter(pk=rule.pk).update(status=RuleStatus.APPROVED)


def test_a_text_is_one_rule_until_it_is_retired(a1: Actor, curator: Actor) -> None:
    in_status(a1, curator, RuleStatus.RETIRED)
    proposal(a1)
    with refused_by("Rule:one_rule_per_text"):
        proposal(a1)


@pytest.mark.parametrize("column", ["product_id", "agent_id", "author_id", "created_at"])
def test_who_proposed_it_stays(a1: Actor, column: str) -> None:
    rule = proposal(a1)
    with refused_by("Rule:proposal_stays"):
        guards.set_column(rule, column, guards.other_value(rule, column))


def test_a_rule_is_never_deleted(a1: Actor) -> None:
    rule = proposal(a1)
    with refused_by("Rule:no_deletes"):
        guards.delete(rule)


def test_its_agent_is_of_its_product(a1: Actor, b1: Actor) -> None:
    with refused_by("Rule:same_product"):
        proposal(a1, agent_id=b1.agent_id)


@pytest.mark.parametrize("guard", ["Rule:proposed_insert", "Rule:changed_update"])
def test_history_is_written_by_triggers_even_for_raw_sql(a1: Actor, guard: str) -> None:
    rule = proposal(a1)
    if guard == "Rule:changed_update":
        guards.execute("UPDATE memories_rule SET text = 'Never.' WHERE id = %s", rule.pk)
    event = RuleEvent.objects.filter(pgh_obj=rule).latest("pgh_id")
    rule.refresh_from_db()
    assert (event.pgh_label, event.text) == (guard.partition(":")[2].partition("_")[0], rule.text)


def test_history_stays(a1: Actor) -> None:
    proposal(a1)
    with refused_by("RuleEvent:append_only"):
        RuleEvent.objects.update(text="Always.")


def test_an_item_is_noted_once_per_session(a1: Actor) -> None:
    rule = proposal(a1)
    assert rule.agent_id
    Given.objects.create(agent_id=rule.agent_id, session="s1", item=rule.pk, state="x")
    with refused_by("Given:given_once_per_session"):
        Given.objects.create(agent_id=rule.agent_id, session="s1", item=rule.pk, state="y")
