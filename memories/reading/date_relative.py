""" "Last week", "the 15th", "Friday", "first week of May": read against the reference time."""

import re
from datetime import datetime, timedelta
from typing import cast

from memories.reading import date_words as words
from memories.reading.date_forms import Answer, leaning, with_part, year_in
from memories.reading.periods import (
    DAY,
    WEEK,
    Period,
    Unit,
    day_of,
    midnight,
    month_of,
    months,
    nearest,
    shifted,
    unit_around,
    week_of,
    year_of,
)

_NUMBER = re.compile(r"\d+")
_OF_NEXT = re.compile(r",?\s(?:of\s)?(?:the\s)?(last|this|next|following|coming|previous) week(?!\w)", re.IGNORECASE)
_OVER = re.compile(r"(?<!\w)(?:in|over|during|within|for)\s$", re.IGNORECASE)
BACK = frozenset(["last", "past", "previous", "prior"])
_AHEAD = frozenset(["next", "following"])
CLOCK_GRAIN = frozenset(["second", "minute", "hour"])


def unit_named(word: str) -> tuple[Unit, int]:
    low = word.lower()
    name = words.UNITS.get(low) or words.UNITS.get(low.rstrip("s"), "")
    if not name:
        raise ValueError(word)
    return ("week", 2) if name == "fortnight" else (cast("Unit", name), 1)


def _relative(text: str, written: str, start: int, reference: datetime) -> Answer:
    low, end = written.lower().removeprefix("the ").removeprefix("this "), start + len(written)
    if written.lower().startswith("this ") and low.split()[0] not in directions():
        low = written.lower()
    which, _, what = low.partition(" ")
    if which == "the":
        return None
    step = -1 if which in BACK else 1 if which in _AHEAD or which in {"coming", "upcoming"} else 0
    if what in words.WEEKDAYS:
        return with_part(text, _weekday_by(which, words.WEEKDAYS[what], reference), start, end)
    if what == "may" and which == "this" and written.endswith("may"):
        return None  # "this may or may not"
    period = _named(what, step, reference)
    if period is None:
        unit, size = unit_named(what)
        if unit in CLOCK_GRAIN or (unit == "day" and step):
            return None  # "the last day", "the next hour" are no times of the calendar
        period = _stepped(unit, step, size, reference)
        if step < 0 and written.lower().startswith("the ") and _OVER.search(text[max(0, start - 12) : start]):
            today = midnight(reference.date())
            period = Period(shifted(today, unit, -size), today + DAY, "more")
    return period, start, end


def _named(what: str, step: int, reference: datetime) -> Period | None:
    if what in words.MONTHS:
        return _month_by(step, words.MONTHS[what], reference)
    if what in words.SEASONS:
        return _season_by(step, words.SEASONS[what], reference)
    if what in {"night", "morning", "afternoon", "evening"}:
        return day_of(reference.date() + DAY * step).with_part(what)
    return None


def directions() -> frozenset[str]:
    return BACK | _AHEAD | {"coming", "upcoming", "this", "current"}


def _stepped(unit: Unit, step: int, size: int, reference: datetime) -> Period:
    if size == 2:
        first = unit_around(reference, "week").first + WEEK * 2 * step
        return Period(first, first + 2 * WEEK, "more")
    return unit_around(shifted(unit_around(reference, unit).first, unit, step), unit)


def _weekday_by(which: str, weekday: int, reference: datetime) -> Period:
    """ "Last Friday" is the latest one that is over; "next" is in the week after; "this" in this week."""
    today = reference.date()
    if which in BACK:
        return day_of(today - DAY * ((today.weekday() - weekday - 1) % 7 + 1))
    if which in {"coming", "upcoming"}:
        return day_of(today + DAY * ((weekday - today.weekday() - 1) % 7 + 1))
    week = week_of(today).first.date() + (WEEK if which in _AHEAD else timedelta(0))
    return day_of(week + DAY * weekday)


def _month_by(step: int, month: int, reference: datetime) -> Period:
    """ "Last May" is the latest May that began before this month, "next May" the first that begins after it."""
    year = reference.year
    if step < 0 and month >= reference.month:
        year -= 1
    if step > 0 and month <= reference.month:
        year += 1
    return month_of(year, month)


def _season_by(step: int, first_month: int, reference: datetime) -> Period:
    year = reference.year - (1 if step < 0 and first_month + 2 >= reference.month else 0)
    year += 1 if step > 0 and first_month <= reference.month else 0
    return months(year, first_month, 3, "quarter")


def _before_last(text: str, written: str, start: int, reference: datetime) -> Answer:
    _, what, side, _ = written.lower().split()
    step = -2 if side == "before" else 2
    if what in words.WEEKDAYS:
        day = _weekday_by("last" if step < 0 else "coming", words.WEEKDAYS[what], reference)
        return day_of((day.first + WEEK * (step // 2)).date()), start, start + len(written)
    unit, size = unit_named(what)
    return _stepped(unit, step * size, 1, reference), start, start + len(written)


def _weekday(text: str, written: str, start: int, reference: datetime) -> Answer:
    end = start + len(written)
    weekday = words.WEEKDAYS[re.split(r"[\s,.]", written.lower())[0]]
    number = _NUMBER.search(written)
    if number:
        return with_part(
            text, _numbered_weekday(weekday, int(number.group()), reference, leaning(text, start, end)), start, end
        )
    if match := _OF_NEXT.match(text, end):
        which = match[1].lower()
        step = -1 if which in BACK else 1 if which in _AHEAD or which == "coming" else 0
        monday = week_of(reference.date()).first.date() + WEEK * step
        return with_part(text, day_of(monday + DAY * weekday), start, match.end())
    today = reference.date()
    ahead = today + DAY * ((weekday - today.weekday()) % 7)
    lean = leaning(text, start, end, weakly=True)
    if lean < 0:
        return with_part(text, day_of(today - DAY * ((today.weekday() - weekday) % 7 or 7)), start, end)
    return with_part(text, day_of(ahead if ahead != today else ahead + WEEK), start, end)


def _numbered_weekday(weekday: int, number: int, reference: datetime, lean: int) -> Period:
    """ "Friday the 26th": of the closest month in which they meet."""
    candidates = []
    for shift in range(-12, 13):
        month = unit_around(shifted(unit_around(reference, "month").first, "month", shift), "month")
        day = month.first + DAY * (number - 1)
        if number >= 1 and day < month.end and day.weekday() == weekday:
            candidates.append(day_of(day.date()))
    if not candidates:
        raise ValueError("no such day")
    return nearest(candidates, reference, lean)


def _nth(text: str, written: str, start: int, reference: datetime) -> Answer:
    """ "On the 15th": of the closest month that has one."""
    end = start + len(written)
    following = text[end : end + 14].lower()
    if not re.match(r"\s*(?:$|[.,;!?)]|(?:at|and|to|after|before|for|of this|of last|of next|with|we|i)\b)", following):
        return None
    if not re.search(
        r"(?:on|by|until|since|from|between|and|to|due|before|after)\sthe\s$",
        text[max(0, start - 20) : start],
        re.IGNORECASE,
    ):
        return None
    number = int(_NUMBER.findall(written)[0])
    candidates = []
    for shift in (-1, 0, 1):
        month = unit_around(shifted(unit_around(reference, "month").first, "month", shift), "month")
        day = month.first + DAY * (number - 1)
        if number >= 1 and day < month.end:
            candidates.append(day_of(day.date()))
    return nearest(candidates, reference, leaning(text, start, end)), start, end


def _ordinal_unit(text: str, written: str, start: int, reference: datetime) -> Answer:
    low = re.sub(r"^the\s", "", written.lower())
    place, what, rest = re.split(r"\s(week|weekend|day|month)\s(?:of|in)\s", low, maxsplit=1)
    number = words.ORDINALS[place] if place in words.ORDINALS else int(_NUMBER.findall(place)[0])
    whole = _named_period(rest, reference)
    if whole is None:
        return None
    unit, _ = unit_named(what)
    if number < 0:
        inside = unit_around(whole.end - DAY, unit)
    else:
        first = whole.first + DAY * 3 if unit == "week" and whole.first.weekday() > 3 else whole.first
        inside = unit_around(shifted(unit_around(first, unit).first, unit, number - 1), unit)
    return inside, start, start + len(written)


def _named_period(rest: str, reference: datetime) -> Period | None:
    rest = re.sub(r"^the\s", "", rest)
    year = year_in(rest)
    name = rest.split()[0]
    if name in words.MONTHS:
        around = [month_of(year or reference.year + shift, words.MONTHS[name]) for shift in (-1, 0, 1)]
        return nearest(around, reference, 0)
    if year:
        return year_of(year)
    unit, size = unit_named(rest.split()[1])
    step = -1 if name in BACK else 1 if name in _AHEAD else 0
    return _stepped(unit, step, size, reference)


def moved_behind(later: Period, earlier: Period, *, days: int | None = None) -> Period:
    """ "24 Dec - 1 Jan", "Monday to Wednesday": the second day is the next one after the first."""
    first = later.first
    while first < earlier.first:
        first = first + DAY * days if days else shifted(first, "year", 1)
    return day_of(first.date())


def moved_before(earlier: Period, later: Period) -> Period:
    """ "January to April 2015": the year stands once and is meant for both."""
    first, end = earlier.first, earlier.end
    while first > later.first:
        first, end = shifted(first, "year", -1), shifted(end, "year", -1)
    while shifted(first, "year", 1) <= later.first:
        first, end = shifted(first, "year", 1), shifted(end, "year", 1)
    return Period(first, end, earlier.grain)


READERS = {
    "relative": _relative, "beforelast": _before_last, "weekday": _weekday, "nth": _nth, "ordinalunit": _ordinal_unit,
}  # fmt: skip
