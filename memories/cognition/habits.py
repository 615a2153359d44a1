"""On which days something happens again and again. Pure: statements come as plain values.

A habit counts different days. Where chance would do as well, nothing is said.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import comb

from memories.choices import EntityType
from memories.cognition.patterns import DENIALS, LEAST, QUESTION, SHARE, WORD, Pattern, Said
from memories.cognition.wording import is_common, root

#: Chance does as well once in so many sets of dates.
CHANCE = 0.021
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class _Rhythm:
    """A way in which days may be alike, and in how many ways they may differ there."""

    name: str
    of: Callable[[date], int]
    ways: int
    say: Callable[[int], str]


def _ordinal(day: int) -> str:
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"the {day}{ending} of the month"


_RHYTHMS = (
    _Rhythm("weekday", date.weekday, 7, lambda day: f"a {WEEKDAYS[day]}"),
    _Rhythm("day of the month", lambda each: each.day, 30, _ordinal),
)
_TIMES = re.compile(
    r"\b(?:on|in|at|by|since|until|from)?\s*(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b,?"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\S*\d\S*")
_LEAST_WORDS = 2


def habits(said: Iterable[Said]) -> Iterator[Pattern]:
    """What happens again and again on the same sort of day: "Release … was cut: on a Tuesday, 5 of 6 times"."""
    groups: dict[tuple[str, ...], list[Said]] = defaultdict(list)
    for one in said:
        if one.day is not None and not DENIALS.search(one.text) and not QUESTION.search(one.text):
            key = _event(one)
            if len(key) >= _LEAST_WORDS:
                groups[key].append(one)
    for key, cases in sorted(groups.items()):
        days = {case.day for case in cases if case.day}
        if len(days) >= LEAST:
            yield from _rhythm(key, cases, days)


def _event(one: Said) -> tuple[str, ...]:
    """What happened, whichever one it was and whenever: the words that are no code and no time."""
    text = one.text
    for name, kind in one.names:
        if kind in (EntityType.CODE, EntityType.DATE):
            text = text.replace(name, " ")
    text = _CODE.sub(" ", _TIMES.sub(" ", text))
    telling = (word for word in WORD.findall(text) if not is_common(word))
    return tuple(sorted({each for each in map(root, telling) if len(each) > 1}))


def _rhythm(key: tuple[str, ...], cases: Sequence[Said], days: set[date]) -> Iterator[Pattern]:
    for rhythm in _RHYTHMS:
        value, number = max(Counter(map(rhythm.of, days)).items(), key=lambda each: (each[1], -each[0]))
        share = number / len(days)
        if number < LEAST or share < SHARE or _by_chance(number, len(days), rhythm.ways) > CHANCE:
            continue
        grounds = [case for case in cases if case.day and rhythm.of(case.day) == value]
        others = [case for case in cases if case.day and rhythm.of(case.day) != value]
        yield Pattern(
            subject=f"habit:{rhythm.name}:{' '.join(key)}",
            text=f"{_headline(grounds[0])}: on {rhythm.say(value)}, {number} of {len(days)} times {_between(days)}.",
            grounds=tuple(sorted(case.id for case in grounds)),
            counters=tuple(sorted(case.id for case in others)),
            support=number,
        )
        return


def _by_chance(number: int, of: int, ways: int) -> float:
    """How likely at least so many of the days would be alike in some way if nothing were behind it."""
    tail = sum(comb(of, k) * (1 / ways) ** k * (1 - 1 / ways) ** (of - k) for k in range(number, of + 1))
    return min(1.0, ways * tail)


def _headline(one: Said) -> str:
    """The statement up to its time, without the one name or code that only this case has."""
    text = one.text.strip().rstrip(".!")
    cut = re.search(
        r",?\s+(?:on|at|by|in)?\s*(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\d{4}-\d\d-\d\d"
        r"|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[A-Z][a-z]{2,}|[A-Z][a-z]{2,}\s+\d{1,2}(?:st|nd|rd|th)?\b)",
        text,
    )
    text = text[: cut.start()] if cut and cut.start() > 0 else text
    text = re.sub(r"\s*\S*\d\S*", " …", text)
    return re.sub(r"(?:\s…)+", " …", " ".join(text.split())).strip()


def _between(days: set[date]) -> str:
    first, last = min(days), max(days)
    if first.year == last.year:
        return f"in {first.year}"
    return f"from {first.year} to {last.year}"
