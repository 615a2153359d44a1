"""Several at one pair in the same moment: one is first, the others are told, nobody waits for ever."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from conflicts import services, undoing
from conflicts.choices import Answer, State
from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import Outcome, Status, VerdictGiven
from memories.errors import Conflict
from memories.models import Memory, MemoryEvent
from memories.services import editing, resolving
from tests.conflicts.conftest import LIT, OFF, Opens, sides
from tests.factories import fact

pytestmark = pytest.mark.django_db(transaction=True)
BROKEN = "The lamp is broken."


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """What each returned, or the Conflict it met. Anything else is raised."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return act()
        except Conflict as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def refusals(ends: list[Any]) -> list[Conflict]:
    return [each for each in ends if isinstance(each, Conflict)]


def test_one_of_several_answers_settles_a_pair(opened: Opens, curator: Actor) -> None:
    pair = opened()
    answers = [Answer.OLDER, Answer.NEWER, Answer.NEITHER, Answer.OLDER]
    ends = at_once([lambda a=a: services.settle(by=curator, pair_id=pair.pk, answer=a) for a in answers])  # type: ignore[misc]  # a default holds the loop's value
    refused = refusals(ends)
    pair.refresh_from_db()
    assert len(refused) == 3
    assert all(each.current == pair and each.current.state == State.SETTLED for each in refused)
    fates = {Answer.OLDER: ("verified", "retired"), Answer.NEWER: ("retired", "verified")}
    assert sides(pair) == fates.get(Answer(pair.answer), ("retired", "retired"))


def test_a_settlement_and_its_undoing_leave_a_pair_either_way_whole(opened: Opens, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    at_once([lambda: undoing.undo(by=curator, pair_id=pair.pk)] * 3)
    pair.refresh_from_db()
    assert (pair.state, sides(pair)) == (State.OPEN, (Status.DISPUTED, Status.DISPUTED))
    assert MemoryEvent.objects.filter(pgh_obj=pair.older).count() == 4


def test_the_same_dispute_from_many_sides_opens_one_pair(a1: Actor, a2: Actor) -> None:
    one, two = fact(a1, LIT), fact(a1, OFF)

    def say(by: Actor, newer: Memory, older: Memory) -> Callable[[], Any]:
        return lambda: resolving.resolve(by=by, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)

    ends = at_once([say(a1, two, one), say(a2, one, two), say(a2, two, one), say(a1, one, two)])
    assert {each.outcome for each in ends} == {Outcome.DISPUTED}
    assert {each.conflict for each in ends} == {Pair.objects.get().pk}
    assert MemoryEvent.objects.count() == 4


def test_crossing_disputes_of_three_facts_never_wait_for_each_other(a1: Actor) -> None:
    facts = [fact(a1, each) for each in (LIT, OFF, BROKEN)]

    def say(newer: Memory, older: Memory) -> Callable[[], Any]:
        return lambda: resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)

    ends = at_once([say(one, other) for one in facts for other in facts if one != other])
    assert (refusals(ends), Pair.objects.count()) == ([], 3)


def test_whoever_retires_edits_and_judges_one_fact_at_once_gets_an_answer_or_a_conflict(a1: Actor, a2: Actor) -> None:
    older, newer = fact(a1, LIT), fact(a1, OFF)
    at_once([
        lambda: editing.retire(by=a1, memory_id=older.pk),
        lambda: editing.revise(by=a2, memory_id=older.pk, content=BROKEN),
        lambda: resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.REPLACES),
        lambda: resolving.resolve(by=a2, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS),
        lambda: fact(a2, LIT), lambda: fact(a1, OFF), lambda: editing.verify(by=a2, memory_id=newer.pk),
    ])  # fmt: skip
    for memory in Memory.objects.all():
        assert (memory.status == Status.SUPERSEDED) == (memory.replaced_by_id is not None)
        if memory.status == Status.DISPUTED:
            assert Pair.objects.unsettled().with_side(memory).exists()
    keys = [bytes(each.key) for each in Memory.objects.live()]
    assert len(keys) == len(set(keys))
