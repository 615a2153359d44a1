"""Many at once, over real connections: one row, one winner, no deadlock."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection

from memories.actors import Actor
from memories.choices import Outcome, Scope, Status, Tier, Verb, WriteState
from memories.errors import Conflict
from memories.models import CapturedMessage, Evidence, Memory, MemoryEvent, Write
from memories.services import captures, claims, editing, statements
from memories.services.captures import Message
from memories.services.editing import Acted
from tests.factories import add, fact, write
from tests.stubs import StubReader

pytestmark = pytest.mark.django_db(transaction=True)
Result = TypeVar("Result")
REVIEW = "The quarterly review is on the 14th."


def at_once(acts: Sequence[Callable[[], Result]]) -> list[Result]:
    """Each act in a thread and a connection of its own, all started at one barrier."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Result]) -> Result:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=120)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def test_ten_at_once_save_the_same_fact_once(a1: Actor) -> None:
    """Case 13."""
    added = at_once([partial(add, a1, REVIEW)] * 10)
    assert len({each.fact.pk for each in added}) == 1
    assert sorted(each.outcome for each in added) == [Outcome.ADDED] + [Outcome.KNOWN] * 9
    assert Memory.objects.count() == 1
    assert Evidence.objects.filter(memory=added[0].fact).count() == 10


def test_ten_at_once_save_ten_different_facts(a1: Actor) -> None:
    added = at_once([partial(add, a1, f"The review {day} is on the {day}th.") for day in range(4, 14)])
    assert {each.outcome for each in added} == {Outcome.ADDED}
    assert Memory.objects.count() == len({each.fact.pk for each in added}) == 10


def test_pools_do_not_wait_for_each_other_and_do_not_mix(a1: Actor, a2: Actor, b1: Actor) -> None:
    acts = [partial(add, by, REVIEW, scope=scope) for by in (a1, a2, b1) for scope in Scope for _ in range(2)]
    added = at_once(acts)
    assert len({each.fact.pk for each in added}) == Memory.objects.count() == 5  # two shared pools, three private


def test_a_repeat_at_a_higher_tier_races_with_the_weaker_ones(a1: Actor) -> None:
    at_once([partial(add, a1, REVIEW, tier=tier) for tier in [*Tier, *Tier]])
    current = Memory.objects.current().get()
    assert current.tier == Tier.POLICY
    assert set(Memory.objects.exclude(pk=current.pk).values_list("status", flat=True)) <= {Status.SUPERSEDED}


def edit(by: Actor, memory: Memory, content: str) -> Acted | Conflict:
    try:
        return editing.revise(by=by, memory_id=memory.pk, content=content)
    except Conflict as refused:
        return refused


def test_two_at_once_edit_the_same_fact_and_one_wins(a1: Actor, a2: Actor) -> None:
    old = fact(a1, REVIEW)
    answers = at_once([partial(edit, by, old, f"The review is on the {day}th.") for by, day in ((a1, 15), (a2, 16))])
    won = [each for each in answers if isinstance(each, Acted)]
    lost = [each for each in answers if isinstance(each, Conflict)]
    assert (len(won), len(lost)) == (1, 1)
    assert lost[0].current == won[0].fact
    assert list(Memory.objects.current()) == [won[0].fact]


def test_two_facts_edited_to_the_same_wording_at_once_become_one(a1: Actor, a2: Actor) -> None:
    old = [fact(a1, "The review is on the 14th."), fact(a1, "The review is mid-month.")]
    answers = at_once([partial(edit, by, each, REVIEW) for by, each in zip((a1, a2), old, strict=True)])
    assert {type(each) for each in answers} == {Acted}
    assert [each.content for each in Memory.objects.current()] == [REVIEW]
    assert Memory.objects.filter(status=Status.SUPERSEDED, replaced_by__content=REVIEW).count() == 2


def test_two_at_once_retire_the_same_fact_and_history_says_it_once(a1: Actor, a2: Actor) -> None:
    memory = fact(a1, REVIEW)
    acted = at_once([partial(editing.retire, by=by, memory_id=memory.pk) for by in (a1, a2)])
    assert {each.outcome for each in acted} == {Outcome.RETIRED}
    assert MemoryEvent.objects.filter(pgh_obj=memory, pgh_context__verb=Verb.RETIRE).count() == 1


def test_five_workers_take_one_write_and_read_it_once(a1: Actor, stub_reader: StubReader) -> None:
    written = write(a1, "The ferry leaves at nine. The ferry has two decks.", wait=False)
    took = at_once([partial(statements.read_write, written.pk)] * 5)
    written.refresh_from_db()
    assert sorted(took) == [False] * 4 + [True]
    assert (written.state, written.attempts) == (WriteState.DONE, 1)
    assert Memory.objects.statements_only().count() == 2


def test_a_write_is_cancelled_or_read_but_never_both(a1: Actor, stub_reader: StubReader) -> None:
    written = write(a1, "The ferry leaves at nine.", wait=False)

    def cancel() -> bool:
        try:
            return claims.cancel(by=a1, write_id=written.pk).state == WriteState.CANCELLED
        except Conflict:
            return False

    acts: list[Callable[[], bool]] = [cancel, partial(statements.read_write, written.pk)]
    was_cancelled, was_read = at_once(acts)
    written.refresh_from_db()
    assert was_cancelled != was_read
    assert written.state == (WriteState.CANCELLED if was_cancelled else WriteState.DONE)
    assert Memory.objects.statements_only().count() == was_read


def test_texts_that_say_the_same_at_once_double_nothing(a1: Actor, a2: Actor, stub_reader: StubReader) -> None:
    text = "The ferry leaves at nine. The ferry has two decks. The ferry is white."
    written = at_once([partial(write, by, text) for by in (a1, a2) * 4])
    assert {each.state for each in written} == {WriteState.DONE}
    assert Memory.objects.statements_only().count() == 3
    assert {each.evidence.count() for each in Memory.objects.statements_only()} == {8}


def test_eight_at_once_capture_the_same_messages_once(a1: Actor, stub_reader: StubReader) -> None:
    messages = [Message(f"m{place}", "user", f"The ferry {place} leaves at nine.") for place in range(6)]
    act = partial(captures.capture, by=a1, session="s1", messages=messages, wait=True)
    captured = at_once([act] * 8)
    assert CapturedMessage.objects.count() == Write.objects.count() == 6
    assert sum(each.is_new for one in captured for each in one.kept) == 6
    assert len({tuple(each.write for each in one.kept) for one in captured}) == 1
    assert Memory.objects.statements_only().count() == 6
