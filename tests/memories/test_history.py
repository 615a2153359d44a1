"""The history of a statement: every move of every version, with who, what and why."""

from typing import Any

import pytest

from memories.actors import Actor, acting
from memories.choices import Scope, Status, Tier, Verb
from memories.models import Memory, MemoryEvent, Product
from memories.reading import Verdict
from memories.services import editing, history, lifecycle
from tests import factories
from tests.factories import fact, write
from tests.stubs import StubReader

LAMP, OFF, BROKEN = "The lamp is lit.", "The lamp is off.", "The lamp is broken."


def told(memory: Memory) -> list[tuple[str, str, str | None, str]]:
    memory = Memory.objects.get(pk=memory.pk)
    return [(each.content, each.verb, each.from_, each.to) for each in history.of(memory)]


def test_a_new_memory_has_one_move(a1: Actor) -> None:
    memory = fact(a1, LAMP)
    (move,) = history.of(memory)
    assert (move.by_type, move.by_name, move.verb, move.why) == ("agent", "a1", Verb.ADD, "")
    assert (move.from_, move.to, move.version, move.content) == (None, Status.VERIFIED, memory.pk, LAMP)
    assert move.at.tzinfo is not None


def test_every_version_tells_the_whole_story(a1: Actor) -> None:
    first = fact(a1, LAMP, confirmed=False)
    second = editing.revise(by=a1, memory_id=first.pk, content=OFF, confirmed=True).fact
    third = editing.revise(by=a1, memory_id=second.pk, content=BROKEN).fact
    editing.retire(by=a1, memory_id=third.pk)
    story = told(first)
    assert told(second) == told(third) == story
    assert [each for each in story if each[0] == LAMP] == [
        (LAMP, Verb.ADD, None, Status.UNVERIFIED),
        (LAMP, Verb.EDIT, Status.UNVERIFIED, Status.SUPERSEDED),
    ]
    assert story[-1] == (BROKEN, Verb.RETIRE, Status.UNVERIFIED, Status.RETIRED)
    assert len(story) == 6


def test_all_that_one_statement_replaced_belong_to_its_story(a1: Actor, stub_reader: StubReader) -> None:
    older = [fact(a1, LAMP), fact(a1, OFF)]
    for each in older:
        stub_reader.judge(BROKEN, each.content, Verdict.REPLACES)
    newest = write(a1, BROKEN).statements.get().memory
    story = told(newest)
    assert {content for content, *_ in story} == {LAMP, OFF, BROKEN}
    assert told(older[0]) == told(older[1]) == story


def test_what_has_nothing_to_do_with_it_is_left_out(a1: Actor) -> None:
    memory, other = fact(a1, LAMP), fact(a1, OFF)
    editing.retire(by=a1, memory_id=other.pk)
    assert told(memory) == [(LAMP, Verb.ADD, None, Status.VERIFIED)]


def test_a_memory_that_comes_and_goes_tells_each_time(a1: Actor, curator: Actor) -> None:
    memory = fact(a1, LAMP)
    for _ in range(2):
        editing.retire(by=a1, memory_id=memory.pk)
        editing.restore(by=curator, memory_id=memory.pk)
    assert [verb for _, verb, *_ in told(memory)] == [Verb.ADD, *[Verb.RETIRE, Verb.RESTORE] * 2]


@pytest.mark.parametrize("who", ["agent", "person", "source", "cognition"])
def test_whoever_acts_is_named(lighthouse: Product, a1: Actor, curator: Actor, who: str) -> None:
    actors = {
        "agent": a1,
        "person": curator,
        "source": factories.source(lighthouse),
        "cognition": factories.cognition(lighthouse),
    }
    by = actors[who]
    memory = fact(a1, LAMP)
    editing.retire(by=by, memory_id=memory.pk, why="Gone.")
    move = history.of(memory)[-1]
    assert (move.by_type, move.by_name, move.why) == (who, by.name, "Gone.")
    context: Any = MemoryEvent.objects.latest("pgh_id").pgh_context
    assert (context["agent"], context["user"], context["source"]) == (
        str(by.agent_id) if by.agent_id else None,
        by.user_id,
        str(by.source_id) if by.source_id else None,
    )


def test_the_innermost_actor_is_named_and_then_the_outer_one_again(a1: Actor, a2: Actor) -> None:
    memories = [fact(a1, f"Lamp {number} is lit.") for number in range(3)]
    with acting(a1, Verb.RETIRE, "outer"):
        Memory.objects.filter(pk=memories[0].pk).update(status=Status.RETIRED)
        with acting(a2, Verb.DISPUTE, "inner"):
            Memory.objects.filter(pk=memories[1].pk).update(status=Status.DISPUTED)
        Memory.objects.filter(pk=memories[2].pk).update(status=Status.RETIRED)
    last = [history.of(memory)[-1] for memory in memories]
    assert [(each.by_name, each.verb, each.why) for each in last] == [
        ("a1", Verb.RETIRE, "outer"),
        ("a2", Verb.DISPUTE, "inner"),
        ("a1", Verb.RETIRE, "outer"),
    ]


def test_the_names_are_given_back_when_something_breaks(a1: Actor, a2: Actor) -> None:
    memory = fact(a1, LAMP)
    with acting(a1, Verb.RETIRE):
        with pytest.raises(ZeroDivisionError), acting(a2, Verb.DISPUTE):
            raise ZeroDivisionError
        Memory.objects.filter(pk=memory.pk).update(status=Status.RETIRED)
    assert history.of(memory)[-1].by_name == "a1"


@pytest.mark.django_db(transaction=True)
def test_a_move_that_went_around_the_services_is_told_as_well(a1: Actor) -> None:
    """In a transaction of its own: within one, pghistory's names stay until it ends."""
    memory = fact(a1, LAMP)
    Memory.objects.filter(pk=memory.pk).update(status=Status.DISPUTED)
    move = history.of(memory)[-1]
    assert (move.by_type, move.by_name, move.verb, move.to) == ("", "", "moved", Status.DISPUTED)


def test_a_refused_edit_is_a_story_of_its_own(a1: Actor) -> None:
    memory = fact(a1, LAMP, tier=Tier.POLICY)
    refused = editing.revise(by=a1, memory_id=memory.pk, content=OFF)
    assert told(memory) == [(LAMP, Verb.ADD, None, Status.VERIFIED)]
    assert told(refused.fact) == [(OFF, Verb.ADD, None, Status.CONFLICTING)]


def test_a_private_memory_and_its_shared_twin_have_two_stories(a1: Actor) -> None:
    private = fact(a1, LAMP, scope=Scope.PRIVATE)
    lifecycle.dispute(fact(a1, LAMP), by=a1)
    assert told(private) == [(LAMP, Verb.ADD, None, Status.VERIFIED)]
