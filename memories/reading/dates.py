"""The day or range a statement is about. Only what is unambiguous: a wrong date is worse than none.

A whole day in the reader's zone: from 00:00:00 to 23:59:59.999999. "may", "sun" and "second" alone are no dates.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from memories.reading.base import Context

_NAMES = (
    "january januar janvier enero jan",
    "february februar février febrero feb",
    "march märz mars marzo mar",
    "april avril abril apr",
    "may mai mayo",
    "june juni juin junio jun",
    "july juli juillet julio jul",
    "august août agosto aug",
    "september septembre septiembre sept sep",
    "october oktober octobre octubre oct okt",
    "november novembre noviembre nov",
    "december dezember décembre diciembre dec dez",
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[0-9]|2[0-9])\d\d(?![\d])"

#: No \b: it sees no border between a digit and a Chinese character.
_DATE = re.compile(
    rf"""
    (?<![\w./-])(?P<iso>(?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d))(?![\d-])
    | (?<![\d.])(?P<d2>\d{{1,2}})\.\s?(?P<m2>\d{{1,2}})\.\s?(?P<y2>{_YEAR})(?!\.\d)
    | (?<!\d)(?P<y3>{_YEAR})\s?年\s?(?P<m3>\d{{1,2}})\s?月(?:\s?(?P<d3>\d{{1,2}})\s?[日号])?
    | (?<![\w.])(?P<d4>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<m4>{_MONTH})\.?,?
      \s(?:de\s|del\s)?(?P<y4>{_YEAR})
    | (?<!\w)(?P<m5>{_MONTH})\.?\s(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y5>{_YEAR})
    | (?<!\w)(?P<m6>{_MONTH})\.?,?\s(?:de\s)?(?P<y6>{_YEAR})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FORMS = 6
_DIGIT = re.compile(r"\d")
#: Also days without a year, and months after "in": enough to see that two texts name different days.
_PARTIAL = re.compile(
    rf"(?<![\w.])(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:{_MONTH})|(?:{_MONTH})\s\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}/\d{{1,2}}/{_YEAR})"
    rf"(?![\w:]|[.,]\d)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?<![\w-])(?P<day>today|yesterday|tomorrow)(?!\w)", re.IGNORECASE)
_SHIFT = {"today": 0, "yesterday": -1, "tomorrow": 1}
_SINCE = re.compile(r"(?:since|from|as of|starting|starting on|effective|seit|ab|depuis|desde)\s+$", re.IGNORECASE)
_UNTIL = re.compile(r"(?:until|till|by|before|bis|bis zum|jusqu'au|hasta)\s+(?:the\s)?$", re.IGNORECASE)
_TO = re.compile(r"\s*(?:to|until|till|through|and|bis(?: zum)?|au|al|[-–—~至到])\s*$", re.IGNORECASE)

#: "13. Juli": to Markdown the beginning of a list, to a splitter the end of a sentence.
ORDINAL_DAY = re.compile(
    r"\d{1,2}\.[ \t]+(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)(?!\w)",
    re.IGNORECASE,
)

Bounds = tuple[datetime | None, datetime | None]
NO_DATE: Bounds = (None, None)


@dataclass(frozen=True, slots=True)
class Found:
    """A date expression: its place in the text, its first and its last day."""

    start: int
    end: int
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names a day or month, and a key that is equal for the same one."""

    start: int
    end: int
    key: str


def mentions(text: str) -> list[Mention]:
    if not _DIGIT.search(text):
        return []
    whole = [Mention(one.start, one.end, f"{one.first} {one.last}") for one in find(text)]
    taken = [(one.start, one.end) for one in whole]
    partial = [
        Mention(match.start(), match.end(), " ".join(sorted(match.group().casefold().split())))
        for match in _PARTIAL.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return sorted([*whole, *partial], key=lambda one: one.start)


def find(text: str) -> list[Found]:
    """Absolute dates and months with a year, in order."""
    return list(_found(text)) if _DIGIT.search(text) else []


def about(text: str, context: Context) -> Bounds:
    """When the statement is about exactly one day or range: its bounds. An open bound is None."""
    found = find(text)
    zone = ZoneInfo(context.timezone)
    if not found:
        return _relative(text, context.reference_time, zone)
    first, last = found[0], found[-1]
    if len({(one.first, one.last) for one in found}) == 1:
        before = text[max(0, first.start - 20) : first.start]
        return (
            None if _UNTIL.search(before) else _start(first.first, zone),
            None if _SINCE.search(before) else _end(first.last, zone),
        )
    if len(found) == 2 and first.first <= last.last and _TO.match(text[first.end : last.start]):
        return _start(first.first, zone), _end(last.last, zone)
    return NO_DATE


def _found(text: str) -> Iterator[Found]:
    for match in _DATE.finditer(text):
        for form in range(1, _FORMS + 1):
            if match[f"y{form}"]:
                yield from _days(
                    match, match[f"y{form}"], match[f"m{form}"], match[f"d{form}"] if form != _FORMS else None
                )


def _days(match: re.Match[str], year: str, month: str, day: str | None) -> Iterator[Found]:
    """Nothing for a day that the calendar does not have, such as 2026-02-30."""
    number = _MONTHS.get(month.lower()) or (int(month) if month.isdecimal() else 0)
    try:
        first = date(int(year), number, int(day) if day else 1)
    except ValueError:
        return
    last = first if day else (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    yield Found(match.start(), match.end(), first, last)


def _relative(text: str, reference: datetime, zone: tzinfo) -> Bounds:
    shifts = {_SHIFT[match["day"].lower()] for match in _RELATIVE.finditer(text)}
    if len(shifts) != 1:
        return NO_DATE
    try:
        day = reference.astimezone(zone).date() + timedelta(days=shifts.pop())
    except OverflowError:  # at the ends of the calendar
        return NO_DATE
    return _start(day, zone), _end(day, zone)


def _start(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone)


def _end(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.max, zone)
