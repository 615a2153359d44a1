"""An edit whose new wording is said already does to that one what any repeat does."""

import pytest

from memories.actors import Actor
from memories.choices import Outcome, Status, Tier
from memories.models import Memory
from memories.services import editing
from tests.factories import fact

LAMP, OFF = "The lamp is lit.", "The lamp is off."


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_confirmed_edit_verifies_what_says_so_already(a1: Actor, confirmed: bool) -> None:
    old, twin = fact(a1, LAMP), fact(a1, OFF, confirmed=False)
    edited = editing.revise(by=a1, memory_id=old.pk, content=OFF, confirmed=confirmed)
    twin.refresh_from_db()
    assert edited.fact == twin
    assert twin.status == (Status.VERIFIED if confirmed else Status.UNVERIFIED)


def test_a_persons_edit_verifies_what_says_so_already(a1: Actor, curator: Actor) -> None:
    old, twin = fact(a1, LAMP), fact(a1, OFF, confirmed=False)
    editing.revise(by=curator, memory_id=old.pk, content=OFF)
    twin.refresh_from_db()
    assert twin.status == Status.VERIFIED


def test_the_edit_is_kept_as_further_evidence(a1: Actor, a2: Actor) -> None:
    old, twin = fact(a1, LAMP), fact(a1, OFF)
    editing.revise(by=a2, memory_id=old.pk, content=OFF)
    assert [each.agent_id for each in twin.evidence.order_by("id")] == [a1.agent_id, a2.agent_id]


def test_an_edit_supersedes_a_weaker_copy_of_its_wording(a1: Actor, a2: Actor) -> None:
    old, weaker = fact(a1, LAMP, confirmed=False), fact(a2, OFF, tier=Tier.INFORMAL)
    edited = editing.revise(by=a1, memory_id=old.pk, content=OFF)
    for each in (old, weaker):
        each.refresh_from_db()
        assert (each.status, each.replaced_by) == (Status.SUPERSEDED, edited.fact)
    assert (edited.fact.tier, edited.fact.status) == (Tier.OFFICIAL, Status.VERIFIED)
    assert {each.agent_id for each in edited.fact.evidence.all()} == {a1.agent_id, a2.agent_id}


def test_an_edit_never_revives_what_a_person_retired(a1: Actor, curator: Actor) -> None:
    old, false = fact(a1, LAMP), fact(a1, OFF)
    editing.retire(by=curator, memory_id=false.pk, why="never was")
    refused = editing.revise(by=a1, memory_id=old.pk, content=OFF, confirmed=True)
    pair = refused.fact.conflicts.get()
    assert (refused.outcome, refused.fact.status) == (Outcome.REFUSED, Status.CONFLICTING)
    assert (refused.conflict, pair.older) == (pair.pk, false)
    assert list(Memory.objects.current()) == [old]


def test_a_person_may_say_again_what_a_person_retired(a1: Actor, curator: Actor) -> None:
    old, false = fact(a1, LAMP), fact(a1, OFF)
    editing.retire(by=curator, memory_id=false.pk)
    edited = editing.revise(by=curator, memory_id=old.pk, content=OFF)
    assert (edited.outcome, edited.fact.status) == (Outcome.EDITED, Status.VERIFIED)
