"""The day or range a statement is about. Only what is unambiguous: a wrong date is worse than none.

A whole day in the reader's zone: from 00:00:00 to 23:59:59.999999. "may", "sun" and "second" alone are no dates.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from memories.reading import date_grammar
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
#: "13. Juli": to Markdown the beginning of a list, to a splitter the end of a sentence.
ORDINAL_DAY = re.compile(
    r"\d{1,2}\.[ \t]+(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)(?!\w)",
    re.IGNORECASE,
)

Bounds = tuple[datetime | None, datetime | None]
NO_DATE: Bounds = (None, None)
_EVER, _FOREVER = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """A time in a text: its place, and its first and last moment. A day ends at 23:59:59.999999; None is open."""

    start: int
    end: int
    first: datetime | None
    last: datetime | None


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


def spans(text: str, context: Context) -> list[Span]:
    """Every time that a text names, in order, with its exact interval as of the reference time and zone.

    Vague times are ranges ("last May" is that month, "a few days ago" four days); what stands for no certain time
    ("may", "every Monday", "3/4/2026", a time of no day) is left out.
    """
    zone = ZoneInfo(context.timezone)
    reference = _reference(context, zone)
    made = []
    for one in date_grammar.found(text, reference.replace(tzinfo=None)):
        first = _aware(one.first, zone)
        last = _aware(one.after, zone)
        if last is not None and (first is None or last != first):
            last -= timedelta(microseconds=1)
        made.append(Span(one.start, one.end, first, last))
    return made


def about(text: str, context: Context) -> Bounds:
    """When the statement is about one time: its bounds; an open bound is None. With several, the narrowest, if it
    lies inside the others ("on 30 September at 10:20"); else nothing is certain."""
    found = spans(text, context)
    if not found:
        return NO_DATE
    narrow = min(found, key=lambda one: (one.last or _FOREVER) - (one.first or _EVER))
    if all(_holds(one, narrow) for one in found):
        return narrow.first, narrow.last
    return NO_DATE


def _holds(wide: "Span", narrow: "Span") -> bool:
    return (wide.first or _EVER) <= (narrow.first or _EVER) and (narrow.last or _FOREVER) <= (wide.last or _FOREVER)


def _reference(context: Context, zone: tzinfo) -> datetime:
    try:
        return context.reference_time.astimezone(zone)
    except OverflowError:  # at the ends of the calendar
        return context.reference_time


def _aware(moment: datetime | None, zone: tzinfo) -> datetime | None:
    return moment.replace(tzinfo=moment.tzinfo or zone) if moment else None


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
