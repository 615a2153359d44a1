"""The audit log: who did what, behind the walls of products, without a word that is private."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from conflicts import services
from conflicts.choices import Answer
from memories.actors import Actor
from memories.choices import RuleStatus, Scope, Status, VerdictGiven
from memories.models import Agent, AgentKey, Memory, MemoryEvent, RuleEvent
from memories.services import editing, resolving, rules
from tests import desk, factories


def log(client: Client, page: str = "audit", **asked: Any) -> list[tuple[str, str, str]]:
    """Who did what, and why, newest first."""
    rows = client.get(desk.list_of(page), asked).context["cl"].result_list
    return [(row.pgh_context["name"], row.pgh_context["verb"], row.pgh_context["why"]) for row in rows]


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


@pytest.fixture
def lamp(a1: Actor, curator: Actor) -> Memory:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)
    editing.verify(by=curator, memory_id=fact.pk, why="I can see it.")
    return fact


def test_every_act_names_who_did_it_and_why_newest_first(ada: Client, lamp: Memory) -> None:
    assert log(ada) == [("curator", "verify", "I can see it."), ("a1", "add", "")]
    page = ada.get(desk.list_of("audit")).content.decode()
    for words in ("The lamp is lit.", "Verified", "I can see it.", desk.page_of("fact", lamp)):
        assert words in page


def test_it_is_narrowed_by_person_agent_verb_actor_and_fact(
    ada: Client, lamp: Memory, a2: Actor, manager: Actor
) -> None:
    door = factories.fact(a2, "The door is green.")
    editing.retire(by=manager, memory_id=door.pk, why="Repainted.")
    assert log(ada, person=manager.user_id) == [("manager", "retire", "Repainted.")]
    assert log(ada, agent=str(Agent.objects.get(name="a2").pk)) == [("a2", "add", "")]
    assert log(ada, verb="verify") == [("curator", "verify", "I can see it.")]
    assert [name for name, _, _ in log(ada, origin="agent")] == ["a2", "a1"]
    assert log(ada, memory=str(lamp.pk)) == log(ada, q=str(lamp.pk)) == log(ada, q="lamp")
    assert [name for name, _, _ in log(ada, memory=str(lamp.pk))] == ["curator", "a1"]


def test_it_is_narrowed_by_day(ada: Client, lamp: Memory) -> None:
    assert len(log(ada, pgh_created_at_from="2020-01-01")) == 2
    assert log(ada, pgh_created_at_to="2020-01-01") == []


@pytest.mark.parametrize("asked", ["person", "agent", "memory"])
def test_what_is_no_id_finds_nothing(ada: Client, lamp: Memory, asked: str) -> None:
    assert log(ada, **{asked: "x"}) == log(ada, **{asked: str(uuid4())}) == []


def test_a_settlement_leads_to_its_pair(ada: Client, a1: Actor, curator: Actor) -> None:
    older, newer = factories.fact(a1, "The gate is open."), factories.fact(a1, "The gate is shut.")
    resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)
    pair = newer.conflicts.get()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER, why="I went and looked.")
    assert log(ada, verb="settle") == 2 * [("curator", "settle", "I went and looked.")]
    assert desk.page_of("conflict", pair) in ada.get(desk.list_of("audit"), {"verb": "settle"}).content.decode()


def test_a_row_leads_to_the_page_of_what_it_happened_to(ada: Client, lamp: Memory, a1: Actor) -> None:
    raw = factories.write(a1, "The roof is red.").raw
    for page, memory in (("fact", lamp), ("raw text", raw)):
        answer = ada.get(desk.page_of("audit", MemoryEvent.objects.filter(pgh_obj=memory)[0]))
        assert answer["Location"] == desk.page_of(page, memory)


def test_nobody_reads_what_is_private_or_of_another_product(
    lamp: Memory, curator: Actor, a1: Actor, b1: Actor, ada: Client
) -> None:
    hidden = [factories.fact(a1, "The safe is blue.", scope=Scope.PRIVATE), factories.fact(b1, "The pears are ripe.")]
    seen = {row.pgh_obj_id for row in ada.get(desk.list_of("audit")).context["cl"].result_list}
    assert seen == {lamp.pk}
    for memory in hidden:
        assert ada.get(desk.page_of("audit", memory.events.get())).status_code == 404
        assert log(ada, memory=str(memory.pk)) == []
    assert log(ada, agent=str(b1.agent_id)) == []
    root = desk.superuser()
    assert "The safe is blue." not in root.get(desk.list_of("audit")).content.decode()
    assert root.get(desk.page_of("audit", hidden[0].events.get())).status_code == 404


def test_decisions_about_rules_are_logged_as_the_rule_read_then(
    ada: Client, a1: Actor, b1: Actor, curator: Actor
) -> None:
    rule = rules.propose(by=a1, text="Test before you deploy.", why="It broke twice.").rule
    rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.APPROVED, text="Test before deploying.", why="Agreed.")
    theirs = rules.propose(by=b1, text="Pick the pears first.").rule
    assert log(ada, "audit of rules") == [("curator", "verify", "Agreed."), ("a1", "add", "It broke twice.")]
    assert log(ada, "audit of rules", person=curator.user_id) == [("curator", "verify", "Agreed.")]
    page = ada.get(desk.list_of("audit of rules")).content.decode()
    assert "Test before you deploy." in page
    assert "Pick the pears first." not in page
    event = RuleEvent.objects.filter(pgh_obj=rule)[0]
    assert ada.get(desk.page_of("audit of rules", event)).status_code == 302
    assert ada.get(desk.page_of("audit of rules", RuleEvent.objects.get(pgh_obj=theirs))).status_code == 404


@pytest.mark.django_db(transaction=True)  # in one transaction, the last actor would still be named
def test_a_move_that_names_nobody_is_shown_as_that(ada: Client, lamp: Memory) -> None:
    Memory.objects.filter(pk=lamp.pk).update(status=Status.RETIRED)
    assert "Outside the services" in ada.get(desk.list_of("audit")).content.decode()


def test_a_page_of_it_costs_the_same_however_much_happened(
    ada: Client, a1: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(9):
        factories.fact(a1, f"Lamp {number} is lit.")
    with django_assert_num_queries(12) as asked:
        ada.get(desk.list_of("audit"))
    assert not [query["sql"] for query in asked if "COUNT(*)" in query["sql"] and "LIMIT" not in query["sql"]]


def test_the_issue_rotation_and_revocation_of_keys_say_who_and_when(manager: Actor, a1: Actor) -> None:
    mara, old = desk.at_desk(manager), AgentKey.objects.get(agent=a1.agent_id)
    desk.confirm(mara, desk.act_of("key", "rotate", old))
    desk.confirm(mara, desk.act_of("key", "revoke", old))
    assert f'href="{desk.list_of("key")}"' in mara.get(desk.list_of("audit")).content.decode()
    page = mara.get(desk.list_of("key")).content.decode()
    assert f"in place of {old}" in page
    assert "by manager" in page
    old.refresh_from_db()
    assert old.revoked_by == "manager"
    assert old.revoked_at
