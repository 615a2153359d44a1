"""Rules in the admin: the queue of proposals, and a person's decisions."""

import pytest
from django.test import Client

from memories.actors import Actor
from memories.choices import RuleStatus
from memories.models import Rule
from memories.services import rules
from tests import desk

TEXT = "Never deploy on Fridays."


@pytest.fixture
def proposed(a1: Actor) -> Rule:
    return rules.propose(by=a1, text=TEXT, why="It broke twice.").rule


@pytest.fixture
def client(curator: Actor) -> Client:
    return desk.at_desk(curator)


def act(client: Client, name: str, rule: Rule, **typed: str) -> None:
    answer = desk.confirm(client, desk.act_of("rule", name, rule), **typed)
    assert answer.status_code in (200, 302), answer
    rule.refresh_from_db()


def test_what_waits_stands_first_and_is_counted_in_the_sidebar(client: Client, proposed: Rule, a1: Actor) -> None:
    newer = rules.propose(by=a1, text="Always whisper.").rule
    act(client, "approve", newer)
    page = client.get(desk.list_of("rule"))
    listed = page.content.decode()
    assert listed.index(TEXT) < listed.index("Always whisper.")
    items = [item for group in page.context["sidebar_navigation"] for item in group["items"]]
    assert {item["title"]: item.get("badge") for item in items}["Rules"] == "1"


def test_a_person_approves_as_it_stands_or_in_other_words(client: Client, proposed: Rule, a1: Actor) -> None:
    act(client, "approve", proposed)
    assert (proposed.status, proposed.text) == (RuleStatus.APPROVED, TEXT)
    other = rules.propose(by=a1, text="Always whisper.").rule
    act(client, "approve", other, text="Whisper at night.", why="Days are loud.")
    assert (other.status, other.text) == (RuleStatus.APPROVED, "Whisper at night.")
    shown = client.get(desk.page_of("rule", other)).content.decode()
    assert all(said in shown for said in ("Always whisper.", "Whisper at night.", "Days are loud.", "curator"))


def test_a_person_edits_rejects_and_retires(client: Client, proposed: Rule) -> None:
    act(client, "edit", proposed, text="Never deploy after Thursday.")
    assert (proposed.status, proposed.text) == (RuleStatus.PROPOSED, "Never deploy after Thursday.")
    act(client, "reject", proposed)
    assert proposed.status == RuleStatus.REJECTED
    act(client, "approve", proposed)
    act(client, "retire", proposed, why="We deploy on no day now.")
    assert proposed.status == RuleStatus.RETIRED
    assert TEXT not in client.get(desk.list_of("rule")).content.decode()


def test_what_makes_no_sense_is_refused_with_a_sentence(client: Client, proposed: Rule) -> None:
    act(client, "retire", proposed)
    assert proposed.status == RuleStatus.PROPOSED
    shown = client.get(desk.page_of("rule", proposed)).content.decode()
    assert "can&#x27;t become retired" in shown
