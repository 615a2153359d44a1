"""Filters of the list of facts that ask what stands around a fact: its pairs, its age, what it names."""

import pytest
from django.test import Client

from conflicts import services
from conflicts.choices import Answer
from memories.actors import Actor
from memories.choices import Reason, Scope, VerdictGiven
from memories.services import editing, resolving
from tests import desk, factories
from tests.conftest import Clock


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def facts(client: Client, **asked: str) -> set[str]:
    return {memory.content for memory in client.get(desk.list_of("fact"), asked).context["cl"].result_list}


def test_facts_that_stand_in_a_pair_are_found_even_where_it_holds_them_back(
    ada: Client, a1: Actor, curator: Actor
) -> None:
    lit, dark = factories.fact(a1, "The lamp is lit."), factories.fact(a1, "The lamp is dark.")
    resolving.resolve(by=a1, newer_id=dark.pk, older_id=lit.pk, verdict=VerdictGiven.CONTRADICTS)
    steep = factories.fact(a1, "The stairs are steep.")
    steep.conflicts.open_against(factories.fact(a1, "The stairs are flat."), reason=Reason.UNSURE)
    factories.fact(a1, "The sea is calm.")
    assert facts(ada, pair="none") == {"The sea is calm."}
    both = {"The lamp is lit.", "The lamp is dark.", "The stairs are steep.", "The stairs are flat."}
    assert facts(ada, pair="open") == both
    assert facts(ada, pair="open", status="disputed") == {"The lamp is lit.", "The lamp is dark."}
    services.settle(by=curator, pair_id=dark.conflicts.get().pk, answer=Answer.NOT_NOW)
    assert facts(ada, pair="open") == {"The stairs are steep.", "The stairs are flat."}
    assert facts(ada, pair="unsettled") == both


def test_what_nobody_confirmed_for_long_is_found(ada: Client, a1: Actor, curator: Actor, clock: Clock) -> None:
    factories.fact(a1, "The lamp is lit.", confirmed=False)
    assert facts(ada, stale="30") == set()
    clock.pass_(days=31)  # longer than a session lasts
    later = desk.at_desk(curator)
    assert facts(later, stale="30") == {"The lamp is lit."}
    assert facts(later, stale="90") == set()


@pytest.mark.parametrize("act", ["said again", "verified"])
def test_what_was_said_again_or_verified_since_is_not_stale(
    ada: Client, a1: Actor, curator: Actor, clock: Clock, act: str
) -> None:
    """The database stamps with its own clock, so the fact is made to be old instead."""
    long_ago = clock.now.replace(year=clock.now.year - 1)
    fact = factories.stored_row(a1, "The lamp is lit.", recorded_at=long_ago, agent_id=a1.agent_id)
    if act == "verified":
        editing.verify(by=curator, memory_id=fact.pk)
    else:
        factories.fact(a1, "The lamp is lit.", confirmed=False)
    assert facts(ada, stale="30") == set()


def test_facts_are_found_by_what_they_name_in_any_spelling_of_it(ada: Client, a1: Actor, b1: Actor) -> None:
    factories.fact(a1, "Lena Okafor keeps the keys.")
    factories.fact(a1, "The door is green.")
    factories.fact(a1, "Lena Okafor hides a spare key.", scope=Scope.PRIVATE)
    factories.fact(b1, "Lena Okafor picks the pears.")
    assert facts(ada, entity="lena  okafor") == {"Lena Okafor keeps the keys."}
    assert facts(ada, entity="nobody") == set()


@pytest.mark.parametrize("asked", [{"pair": "x"}, {"stale": "x"}, {"stale": "1"}])
def test_an_unknown_choice_narrows_nothing(ada: Client, a1: Actor, asked: dict[str, str]) -> None:
    factories.fact(a1, "The lamp is lit.")
    assert facts(ada, **asked) == {"The lamp is lit."}
