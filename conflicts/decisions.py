"""What an answer does to the two sides of a pair. Pure: tables first."""

from dataclasses import dataclass
from enum import StrEnum

from conflicts.choices import Answer
from memories.choices import CURRENT, LIVE, Reason, Status


class Fate(StrEnum):
    """What becomes of one side."""

    WINS = "wins"
    RETIRES = "retires"
    STAYS = "stays"


#: Answer → the fate of the older and of the newer side (product.md §6).
FATES: dict[Answer, tuple[Fate, Fate]] = {
    Answer.OLDER: (Fate.WINS, Fate.RETIRES),
    Answer.NEWER: (Fate.RETIRES, Fate.WINS),
    Answer.NEITHER: (Fate.RETIRES, Fate.RETIRES),
    Answer.CORRECTION: (Fate.RETIRES, Fate.RETIRES),
    Answer.BOTH: (Fate.STAYS, Fate.STAYS),
    Answer.NOT_NOW: (Fate.STAYS, Fate.STAYS),
}
#: How long "not now" puts a pair off, unless a date is named.
PUT_OFF_DAYS = 7


class Objection(StrEnum):
    """Why an answer can't be taken as it is."""

    BOTH_NOT_OFFERED = "both_not_offered"
    WINNER_GONE = "winner_gone"


@dataclass(frozen=True, slots=True)
class Sides:
    older: Status
    newer: Status


def objection(answer: Answer, reason: Reason, sides: Sides) -> Objection | None:
    """`both` is for suggestions alone; a side that was taken out meanwhile can't be found true."""
    if answer == Answer.BOTH and reason != Reason.UNSURE:
        return Objection.BOTH_NOT_OFFERED
    for fate, status in zip(FATES[answer], (sides.older, sides.newer), strict=True):
        if fate == Fate.WINS and status not in LIVE:
            return Objection.WINNER_GONE
    return None


def status_of_winner(status: Status, *, stands_in_another: bool) -> Status:
    """ "A winner that stands in another open pair stays disputed until that pair is settled."\""""
    if status not in CURRENT and stands_in_another:
        return status
    return Status.VERIFIED
