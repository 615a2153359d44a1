"""What became of a pair, in the sentences that a person reads after an answer."""

from django.utils import timezone
from django.utils.formats import date_format

from conflicts.choices import Answer
from conflicts.services import Settled
from memories.choices import Outcome

#: The pair's own page says the rest, by name.
SETTLED = {
    Answer.OLDER: "Settled: the older is true.",
    Answer.NEWER: "Settled: the newer is true.",
    Answer.NEITHER: "Settled: neither is true.",
    Answer.CORRECTION: "Settled: neither is true, and your correction is.",
    Answer.BOTH: "Settled: both are true. Neither was changed.",
}


def told(settled: Settled) -> str:
    if settled.outcome == Outcome.PUT_OFF:
        until = settled.conflict.put_off_until
        day = date_format(timezone.localtime(until), "j M Y") if until else ""
        return f"Put off until {day}. It comes back by itself."
    said = [SETTLED[Answer(settled.conflict.answer)], _of_winner(settled), _of_losers(settled), _of_correction(settled)]
    return " ".join(sentence for sentence in said if sentence)


def _of_winner(settled: Settled) -> str:
    if settled.winner is None:
        return ""
    status, others = settled.winner.get_status_display().lower(), len(settled.remaining)
    if settled.winner.is_current:
        return f"It is {status} and in recall."
    pairs = "another pair it stands in is" if others == 1 else f"{others} other pairs it stands in are"
    return f"It stays {status} until {pairs} settled."


def _of_losers(settled: Settled) -> str:
    if not settled.retired:
        return ""
    if settled.winner:
        return "The other was retired."
    return "One fact was retired." if len(settled.retired) == 1 else "Both were retired."


def _of_correction(settled: Settled) -> str:
    return "The correction is verified and in recall." if settled.correction else ""
