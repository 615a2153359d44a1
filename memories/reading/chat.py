"""A transcript as turns: `Speaker: text` lines, with or without a date in front."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_ROLES = frozenset({"user", "assistant", "human", "ai", "system", "agent", "bot", "customer", "support"})
_TURN = re.compile(
    r"^[ \t]*(?:[\[(](?P<date>[^\[\]()\n]{4,40})[\])][ \t]*)?"
    r"(?P<marks>\*{0,2})(?P<speaker>[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,2})(?P=marks)"
    r":\*{0,2}[ \t]+(?=\S)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said in one go. A text that is no transcript is one turn of nobody."""

    start: int
    end: int
    speaker: str | None = None
    date: str | None = None


def turns(text: str, start: int) -> Iterator[Turn]:
    openings = _openings(text, start)
    if not _is_transcript(text, start, openings):
        yield Turn(start, len(text))
        return
    if text[start : openings[0].start()].strip():
        yield Turn(start, openings[0].start())
    ends = [*(opening.start() for opening in openings[1:]), len(text)]
    for opening, end in zip(openings, ends, strict=True):
        yield Turn(opening.end(), end, opening["speaker"], opening["date"])


def _openings(text: str, start: int) -> list[re.Match[str]]:
    """Where turns begin. Where turns carry dates, an undated `port: 8443` inside one is a value, and no new speaker."""
    found = list(_TURN.finditer(text, start))
    dated = {opening["speaker"] for opening in found if opening["date"]}
    if sum(1 for opening in found if opening["date"]) < 2:
        return found
    return [opening for opening in found if opening["date"] or opening["speaker"] in dated]


def _is_transcript(text: str, start: int, openings: list[re.Match[str]]) -> bool:
    """Speakers take turns; the keys of a list of values (`Port: 8443`) hardly return.

    A dated line or the name of a role is enough. Otherwise someone speaks twice and most lines are turns.
    """
    if len(openings) < 2:
        return False
    speakers = Counter(opening["speaker"] for opening in openings)
    if all(name.lower() in _ROLES for name in speakers) or sum(1 for opening in openings if opening["date"]) > 1:
        return True
    filled = sum(1 for line in text[start:].splitlines() if line.strip())
    return len(speakers) > 1 and max(speakers.values()) > 1 and len(openings) >= 0.6 * filled
