"""Undo of a settlement: by a person, while nothing has been built on it, back to exactly how it was."""

from typing import Any

import pytest

from conflicts import services, undoing
from conflicts.choices import Answer, State
from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import Outcome, Reason, Scope, Status, Verb, VerdictGiven
from memories.errors import Conflict, Forbidden, NotFound
from memories.models import Memory, MemoryEvent
from memories.services import editing, history, resolving
from tests.conflicts.conftest import LIT, OFF, Opens, sides
from tests.factories import add, fact

BROKEN = "The lamp is broken."


def said(answer: Answer) -> str | None:
    return BROKEN if answer == Answer.CORRECTION else None


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("answer", [Answer.OLDER, Answer.NEWER, Answer.NEITHER, Answer.CORRECTION])
@pytest.mark.parametrize("confirmed", [True, False])
def test_both_sides_get_exactly_the_status_they_had(
    *, opened: Opens, curator: Actor, reason: Reason, answer: Answer, confirmed: bool
) -> None:
    pair = opened(reason, confirmed=confirmed)
    before = sides(pair)
    services.settle(by=curator, pair_id=pair.pk, answer=answer, correction=said(answer))
    undone = undoing.undo(by=curator, pair_id=pair.pk, why="I misread it.")
    pair.refresh_from_db()
    assert (undone.outcome, sides(pair), pair.state) == (Outcome.UNDONE, before, State.OPEN)
    told = (pair.answer, pair.correction, pair.settled_at, pair.settled_by, pair.settled_by_name, pair.why)
    assert told == ("", None, None, None, "", "")


def test_the_history_keeps_both_the_settlement_and_its_undoing(opened: Opens, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    undoing.undo(by=curator, pair_id=pair.pk, why="I misread it.")
    moves = [(each.verb, each.from_, each.to, each.why) for each in history.of(pair.newer)][2:]
    assert moves == [
        (Verb.SETTLE, Status.DISPUTED, Status.VERIFIED, ""),
        (Verb.UNDO, Status.VERIFIED, Status.DISPUTED, "I misread it."),
    ]


def test_a_correction_leaves_with_its_settlement(opened: Opens, curator: Actor) -> None:
    pair = opened()
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    undoing.undo(by=curator, pair_id=pair.pk)
    assert settled.correction is not None
    settled.correction.refresh_from_db()
    assert settled.correction.status == Status.RETIRED
    assert not Memory.objects.current().exists()


def test_a_correction_taken_back_may_be_said_again(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    undoing.undo(by=curator, pair_id=pair.pk)
    assert add(a1, BROKEN).outcome == Outcome.ADDED


def test_a_correction_that_was_there_before_stays(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair, known = opened(), fact(a1, BROKEN, confirmed=False)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    undoing.undo(by=curator, pair_id=pair.pk)
    known.refresh_from_db()
    assert known.status == Status.UNVERIFIED


def test_a_settlement_may_be_undone_and_made_again_as_often_as_one_likes(opened: Opens, curator: Actor) -> None:
    pair = opened()
    for answer in (Answer.OLDER, Answer.NEWER, Answer.CORRECTION, Answer.CORRECTION, Answer.NEITHER):
        services.settle(by=curator, pair_id=pair.pk, answer=answer, correction=said(answer))
        undoing.undo(by=curator, pair_id=pair.pk)
        assert sides(pair) == (Status.DISPUTED, Status.DISPUTED)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    assert sides(pair) == (Status.RETIRED, Status.VERIFIED)


def test_a_winner_that_had_to_wait_is_left_waiting(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    third = fact(a1, BROKEN)
    resolving.resolve(by=a1, newer_id=third.pk, older_id=pair.older_id, verdict=VerdictGiven.CONTRADICTS)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    undoing.undo(by=curator, pair_id=pair.pk)
    assert sides(pair) == (Status.DISPUTED, Status.DISPUTED)


def test_a_side_that_others_had_taken_out_stays_out(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    editing.retire(by=a1, memory_id=pair.newer_id)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    undoing.undo(by=curator, pair_id=pair.pk)
    assert sides(pair) == (Status.DISPUTED, Status.RETIRED)


# --- something was built on it


def edit(pair: Pair, a1: Actor) -> Any:
    return editing.revise(by=a1, memory_id=pair.newer_id, content=BROKEN)


def retire(pair: Pair, a1: Actor) -> Any:
    return editing.retire(by=a1, memory_id=pair.newer_id)


def dispute(pair: Pair, a1: Actor) -> Any:
    return resolving.resolve(
        by=a1, newer_id=fact(a1, BROKEN).pk, older_id=pair.newer_id, verdict=VerdictGiven.CONTRADICTS
    )


def replace(pair: Pair, a1: Actor) -> Any:
    return resolving.resolve(by=a1, newer_id=fact(a1, BROKEN).pk, older_id=pair.newer_id, verdict=VerdictGiven.REPLACES)


@pytest.mark.parametrize("build", [edit, retire, dispute, replace])
def test_what_something_was_built_on_is_not_undone(opened: Opens, a1: Actor, curator: Actor, build: Any) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    build(pair, a1)
    moves, before = MemoryEvent.objects.count(), sides(pair)
    with pytest.raises(Conflict, match="built on this settlement"):
        undoing.undo(by=curator, pair_id=pair.pk)
    pair.refresh_from_db()
    assert (pair.state, sides(pair), MemoryEvent.objects.count()) == (State.SETTLED, before, moves)


def test_a_correction_that_others_repeated_is_not_taken_back(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    fact(a1, BROKEN)
    with pytest.raises(Conflict, match="built on this settlement"):
        undoing.undo(by=curator, pair_id=pair.pk)
    assert sides(pair) == (Status.RETIRED, Status.RETIRED)


def test_a_correction_that_replaced_another_is_not_taken_back(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair, other = opened(), fact(a1, "The lamp is cracked.")
    correction = services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN).correction
    assert correction is not None
    resolving.resolve(by=curator, newer_id=correction.pk, older_id=other.pk, verdict=VerdictGiven.REPLACES)
    with pytest.raises(Conflict, match="built on this settlement"):
        undoing.undo(by=curator, pair_id=pair.pk)


def test_a_loser_that_was_said_again_is_not_revived_beside_its_twin(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    assert add(a1, LIT).fact.status == Status.CONFLICTING
    with pytest.raises(Conflict):
        undoing.undo(by=curator, pair_id=pair.pk)
    assert sides(pair) == (Status.RETIRED, Status.VERIFIED)


def test_a_pair_that_came_up_anew_is_in_the_way(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened(Reason.UNSURE)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.BOTH)
    pair.newer.conflicts.open_against(pair.older, reason=Reason.UNSURE)
    with pytest.raises(Conflict, match="newer pair"):
        undoing.undo(by=curator, pair_id=pair.pk)


# --- who may


def test_no_agent_undoes_a_settlement_not_even_its_own(opened: Opens, a1: Actor, a2: Actor) -> None:
    pair = opened()
    services.settle(by=a1, pair_id=pair.pk, answer=Answer.OLDER)
    for by in (a1, a2):
        with pytest.raises(Forbidden):
            undoing.undo(by=by, pair_id=pair.pk)
    assert sides(pair) == (Status.VERIFIED, Status.RETIRED)


def test_a_person_sees_no_private_pair(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened(scope=Scope.PRIVATE)
    services.settle(by=a1, pair_id=pair.pk, answer=Answer.OLDER)
    with pytest.raises(NotFound):
        undoing.undo(by=curator, pair_id=pair.pk)


@pytest.mark.parametrize("put_off", [True, False])
def test_only_a_settled_pair_is_undone(opened: Opens, curator: Actor, put_off: bool) -> None:
    pair = opened(older=LIT, newer=OFF)
    if put_off:
        services.settle(by=curator, pair_id=pair.pk, answer=Answer.NOT_NOW)
    with pytest.raises(Conflict, match="not settled"):
        undoing.undo(by=curator, pair_id=pair.pk)
