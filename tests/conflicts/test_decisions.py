"""What an answer does to the two sides, read off product.md §6 case by case."""

import pytest

from conflicts.choices import Answer
from conflicts.decisions import FATES, PUT_OFF_DAYS, Fate, Objection, Sides, objection, status_of_winner
from memories.choices import CURRENT, LIVE, Reason, Status

WINS, RETIRES, STAYS = Fate.WINS, Fate.RETIRES, Fate.STAYS
GONE = [status for status in Status if status not in LIVE]


def test_every_answer_says_what_becomes_of_either_side() -> None:
    assert FATES == {
        Answer.OLDER: (WINS, RETIRES), Answer.NEWER: (RETIRES, WINS), Answer.NEITHER: (RETIRES, RETIRES),
        Answer.CORRECTION: (RETIRES, RETIRES), Answer.BOTH: (STAYS, STAYS), Answer.NOT_NOW: (STAYS, STAYS),
    }  # fmt: skip


def test_not_now_means_a_week() -> None:
    assert PUT_OFF_DAYS == 7


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("answer", Answer)
def test_both_answers_a_suggestion_alone(reason: Reason, answer: Answer) -> None:
    found = objection(answer, reason, Sides(Status.VERIFIED, Status.VERIFIED))
    is_odd = answer == Answer.BOTH and reason != Reason.UNSURE
    assert found == (Objection.BOTH_NOT_OFFERED if is_odd else None)


@pytest.mark.parametrize("status", GONE)
@pytest.mark.parametrize(("answer", "side"), [(Answer.OLDER, 0), (Answer.NEWER, 1)])
def test_a_side_that_was_taken_out_is_not_found_true(answer: Answer, side: int, status: Status) -> None:
    sides = [Status.DISPUTED, Status.DISPUTED]
    sides[side] = status
    assert objection(answer, Reason.DISAGREEMENT, Sides(*sides)) == Objection.WINNER_GONE


@pytest.mark.parametrize("status", GONE)
@pytest.mark.parametrize("answer", [Answer.OLDER, Answer.NEITHER, Answer.CORRECTION, Answer.NOT_NOW])
def test_a_side_that_was_taken_out_may_be_found_false(answer: Answer, status: Status) -> None:
    assert objection(answer, Reason.DISAGREEMENT, Sides(Status.DISPUTED, status)) is None


@pytest.mark.parametrize("status", LIVE)
@pytest.mark.parametrize("stands_in_another", [False, True])
def test_a_winner_in_another_open_pair_stays_as_it_is_until_that_is_settled(
    status: Status, stands_in_another: bool
) -> None:
    waits = stands_in_another and status not in CURRENT
    assert status_of_winner(status, stands_in_another=stands_in_another) == (status if waits else Status.VERIFIED)
