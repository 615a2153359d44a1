"""A restored side stands in its pair again: nothing false revives silently, and nothing is held back for ever."""

import pytest

from conflicts import services
from conflicts.choices import Answer, State
from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import Reason, Status
from memories.errors import Conflict
from memories.services import editing
from tests.conflicts.conftest import Opens, sides


def unsettled() -> Pair:
    return Pair.objects.unsettled().get()


@pytest.mark.parametrize("by_agent", [True, False])
@pytest.mark.parametrize(
    ("reason", "side", "status"),
    [
        (Reason.DISAGREEMENT, "older", Status.DISPUTED),
        (Reason.DISAGREEMENT, "newer", Status.DISPUTED),
        (Reason.AUTHORITY, "newer", Status.CONFLICTING),
    ],
)
def test_what_was_settled_false_comes_back_held_in_a_pair_anew(
    *, opened: Opens, a1: Actor, curator: Actor, reason: Reason, side: str, status: Status, by_agent: bool
) -> None:
    pair = opened(reason)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEITHER)
    restored = editing.restore(by=a1 if by_agent else curator, memory_id=getattr(pair, f"{side}_id")).fact
    again = unsettled()
    assert restored.status == status
    assert (again.older, again.newer, again.reason, again.state) == (pair.older, pair.newer, reason, State.OPEN)
    assert again != pair


def test_what_came_back_is_settled_with_one_answer(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEITHER)
    editing.restore(by=a1, memory_id=pair.older_id)
    services.settle(by=curator, pair_id=unsettled().pk, answer=Answer.OLDER)
    assert sides(pair) == (Status.VERIFIED, Status.RETIRED)


def test_both_sides_brought_back_stand_in_one_pair(opened: Opens, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEITHER)
    for side in (pair.newer_id, pair.older_id):
        editing.restore(by=curator, memory_id=side)
    assert (sides(pair), Pair.objects.unsettled().count()) == ((Status.DISPUTED, Status.DISPUTED), 1)


def test_a_loser_comes_back_only_when_the_winner_is_gone(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    with pytest.raises(Conflict, match="settled false"):
        editing.restore(by=curator, memory_id=pair.newer_id)
    editing.retire(by=a1, memory_id=pair.older_id)
    editing.restore(by=curator, memory_id=pair.newer_id)
    assert (sides(pair), unsettled().newer) == ((Status.RETIRED, Status.DISPUTED), pair.newer)


def test_a_winner_that_comes_back_into_an_open_dispute_is_disputed(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    editing.retire(by=a1, memory_id=pair.older_id)
    editing.restore(by=curator, memory_id=pair.newer_id)
    assert editing.restore(by=curator, memory_id=pair.older_id).fact.status == Status.DISPUTED
    assert sides(pair) == (Status.DISPUTED, Status.DISPUTED)


def test_a_side_whose_pair_is_open_still_opens_no_second_one(opened: Opens, a1: Actor) -> None:
    pair = opened()
    editing.retire(by=a1, memory_id=pair.newer_id)
    editing.restore(by=a1, memory_id=pair.newer_id)
    assert (sides(pair), unsettled()) == ((Status.DISPUTED, Status.DISPUTED), pair)


def test_a_suggestion_holds_nothing_back(opened: Opens, curator: Actor) -> None:
    pair = opened(Reason.UNSURE)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEITHER)
    assert editing.restore(by=curator, memory_id=pair.older_id).fact.status == Status.VERIFIED
    assert not Pair.objects.unsettled().exists()
