"""What the keys of the desk send, and what they are answered: one fact at once, its sentence, and where its undo is."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memories.actors import Actor
from memories.choices import Scope, Status
from memories.models import Memory
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def press(client: Client, verb: str, fact: Memory) -> Any:
    return sent(client, reverse("admin:memories_memory_act", args=[verb]), ids=str(fact.pk))


def sent(client: Client, address: str, **typed: str) -> Any:
    return client.post(address, typed, headers={"Accept": "application/json"}).json()


def status(fact: Memory) -> str:
    return Memory.objects.get(pk=fact.pk).status


@pytest.mark.parametrize(("verb", "after"), [("verify", Status.VERIFIED), ("retire", Status.RETIRED)])
def test_a_key_acts_at_once_and_its_answer_says_where_it_is_taken_back(
    ada: Client, a1: Actor, verb: str, after: Status
) -> None:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)
    answer = press(ada, verb, fact)
    assert (answer["said"], status(fact)) == (f"{after.label}.", after)
    assert sent(ada, answer["undo"]) == {"said": "Taken back.", "undo": ""}
    assert status(fact) == Status.UNVERIFIED


def test_what_is_refused_says_why_and_has_no_undo(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    assert press(ada, "verify", fact) == {"said": "It is so already.", "undo": "", "receipt": ""}


def test_what_is_behind_a_wall_is_not_there(ada: Client, a1: Actor, b1: Actor) -> None:
    hidden = [factories.fact(a1, "The safe is blue.", scope=Scope.PRIVATE), factories.fact(b1, "The pears are ripe.")]
    for fact in hidden:
        assert press(ada, "retire", fact) == {"said": "Not found.", "undo": "", "receipt": ""}
        assert status(fact) == Status.VERIFIED
