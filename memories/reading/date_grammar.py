"""From forms to intervals: each form becomes a period, then neighbours are joined ("from A to B", "A at 5 pm")."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memories.reading import date_amounts, date_forms, date_relative
from memories.reading.date_words import FORMS, HINT
from memories.reading.periods import DAY, Period, midnight

#: What stands before a lone month or year that is meant as a time.
_LED = re.compile(
    r"(?:^|(?<!\w)(?:in|of|by|to|on|since|until|till|during|from|through|before|after|late|early|mid|back in|year|and"
    r"|between|this|last|next|the|for|around|circa)|[(–—~-])[\s]*$",
    re.IGNORECASE,
)
_MAY_LED = re.compile(
    r"(?<!\w)(?:in|of|by|since|until|till|during|from|through|late|early|mid|last|next|this)\s$", re.IGNORECASE
)
_REPEATED = frozenset(["weekday", "month", "relative", "nth", "day"])
_EACH = re.compile(
    r"(?<!\w)(?:every|each|per|most|other|on many|jeden|chaque|cada)\s(?:other\s)?(?:\w+day(?:\sand\s|,\s|\sor\s))?$",
    re.IGNORECASE,
)
_PORTION = re.compile(
    r"(?<!\w)(?:(?P<early>early|beginning of|start of|earlier|first part of)|(?P<mid>mid|middle of)"
    r"|(?P<late>late|later|end of|the rest of|rest of))(?:\s(?:in|on|of))?(?:\sthe)?[\s-]$",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?<!\w)(?:from|between|vom|von|du|del?)(?:\sthe)?\s$", re.IGNORECASE)
_SINCE = re.compile(
    r"(?<!\w)(?:(?:ever\s)?since|from|as of|starting(?: on| from| in)?|beginning|effective"
    r"|valid from|seit|ab|depuis|desde)"
    r"(?:\s(?:the|dem|le))?\s$",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?<!\w)(?:after|later than|nach)\s(?:the\s)?(?:year\s)?$", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?<!\w)(?:until|till|up to|through|by|no later than|due(?: on| by)?|bis(?: zum)?|jusqu['’]au|hasta)"
    r"\s(?:(?:the end of\s)?(?:the\s)?(?:year\s)?|the\s(?:[\w-]+\s){1,3}on\s)$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?<!\w)(?:before|prior to|earlier than|vor dem)\s(?:the\s)?(?:year\s)?$", re.IGNORECASE)
_TO = re.compile(
    r"\s*(?:to|until|till|thru|through|bis(?:\szum)?|au|al|a|[-–—~至到])\s*(?:(?:the|on|end of)\s)?$", re.IGNORECASE
)
_TO_THE = re.compile(r"(?<!\w)(?:to|until|till|by|before|and|through|from|between)\s(?:the\s)?$", re.IGNORECASE)
_OR_LATER = re.compile(r"\s(?:(?:and|or)\s(?:later|after|thereafter|beyond)|onwards?|ff\.)(?!\w)", re.IGNORECASE)
_OR_EARLIER = re.compile(r"\s(?:and|or)\s(?:earlier|before)(?!\w)", re.IGNORECASE)
_AND = re.compile(r"\s*and\s*(?:the\s)?$", re.IGNORECASE)
_JOIN = re.compile(r",?\s*(?:at|from|between|on|of|in the|in|,|@|around|about|the|by|due)?\s*$", re.IGNORECASE)
_LOOK_BACK = 24
_CLOCKS = frozenset(["clock", "clocks"])
_YEARLESS = frozenset(["month", "daymonth", "monthday"])


@dataclass(frozen=True, slots=True)
class Found:
    """A time in a text: its place and its bounds (the end is the first moment after; None is open)."""

    start: int
    end: int
    first: datetime | None
    after: datetime | None
    form: str
    period: Period | None = None


_READERS: dict[str, Callable[[str, str, int, datetime], date_forms.Answer]] = {
    **date_forms.READERS, **date_relative.READERS, **date_amounts.READERS,
}  # fmt: skip


def found(text: str, reference: datetime) -> list[Found]:
    """All of them, in order. `reference` is naive local time."""
    if not HINT.search(text):
        return []
    return list(_joined(text, list(_single(text, reference))))


def _single(text: str, reference: datetime) -> Iterator[Found]:
    position = 0
    while match := FORMS.search(text, position):
        form = match.lastgroup or ""
        start, end = match.span()
        position = end
        before = text[max(0, start - _LOOK_BACK) : start]
        if not _is_meant(form, match.group(), before) and not (form == "year" and _TO_YEAR.match(text, end)):
            continue
        try:
            answer = _READERS[form](text, match.group(), start, reference)
        except (ValueError, OverflowError):
            continue
        if answer is not None:
            period, start, end = answer
            position = max(position, end)
            yield Found(start, end, period.first, period.end, form, period)


def _is_meant(form: str, written: str, before: str) -> bool:
    if form in {"month", "year"}:
        if written.lower() in {"may", "march"} and (written.islower() or not before.strip()):
            return bool(_MAY_LED.search(before))
        return bool(_LED.search(before)) and (
            form != "year" or not before.endswith(("the ", "for ", "to ", "by ", "on "))
        )
    return not (_EACH.search(before) and form in _REPEATED)


_TO_YEAR = re.compile(r"\s?(?:to|-|–|through|until|till)\s?(?:1[0-9]|20|21)\d\d(?!\d)")


def _joined(text: str, singles: list[Found]) -> Iterator[Found]:
    """Ranges, times of day at their day, and what stands before: since, until, early, late."""
    dated = _groups(text, list(_groups(text, singles, clocks=True)))
    for group in dated:
        if group.form not in {"clock", "clocks", "now"}:  # a time of no day is no time
            yield _bounded(text, group)


def _groups(text: str, singles: list[Found], *, clocks: bool = False) -> Iterator[Found]:
    """Neighbours put together: first the two ends of a stretch of hours, then the rest."""
    held: Found | None = None
    for one in singles:
        both = bool(held) and held.form == one.form == "clock"  # type: ignore[union-attr]
        together = _together(text, held, one) if held and (both or not clocks) else None
        if together:
            held = together
            continue
        if held:
            yield held
        held = one if clocks else _early_or_late(text, one)
    if held:
        yield held


def _together(text: str, held: Found, one: Found) -> Found | None:
    between = text[held.end : one.start]
    if len(between) > _LOOK_BACK or not (held.period and one.period and held.first and one.after):
        return None
    before = text[max(0, held.start - _LOOK_BACK) : held.start]
    is_range = bool(_TO.match(between) or (_AND.match(between) and _FROM.search(before)))
    if held.form == "clock" and one.form == "clock" and is_range:
        return _clock_range(held, one)
    if {held.form, one.form} & _CLOCKS:
        return _at_time(held, one, between, is_range=is_range)
    if is_range and one.form not in {"ago", "in"}:
        return _range(text, held, one, held.period, one.period)
    return _same_day(held, one, held.period, one.period) if _JOIN.match(between) else None


def _range(text: str, held: Found, one: Found, first: Period, second: Period) -> Found | None:
    if second.first < first.first and (second.grain, first.grain) == ("day", "day"):
        second = date_relative.moved_behind(second, first, days=7 if one.form == "weekday" else None)
    has_year = [bool(date_forms.year_in(text[each.start : each.end])) for each in (held, one)]
    if held.form in _YEARLESS and has_year == [False, True]:
        first = date_relative.moved_before(first, second)
    if second.end <= first.first:
        return None
    whole = Period(first.first, second.end, first.grain)
    return Found(held.start, one.end, whole.first, whole.end, "range", whole)


def _same_day(held: Found, one: Found, first: Period, second: Period) -> Found | None:
    """ "Tomorrow, Friday" and "Monday, 3 May" name one day twice."""
    if not (first.grain == second.grain == "day" and "weekday" in (held.form, one.form)):
        return None
    exact = one if held.form == "weekday" else held
    agree = first.first.weekday() == second.first.weekday() or "day" in (held.form, one.form)
    return replace(exact, start=held.start, end=one.end) if agree else None


def _clock_range(held: Found, one: Found) -> Found | None:
    """ "from 5 to 6 pm": the first takes the half of the day from the second."""
    first, second = held.period, one.period
    if not first or not second:
        return None
    if second.first < first.first or (second.first.hour >= 12 > first.first.hour and first.grain == "moment"
                                      and (first.first + timedelta(hours=12)) < second.first):  # fmt: skip
        moved = first.first + timedelta(hours=12)
        first = Period(moved, moved, "moment") if moved < second.first else first
    end = second.first if second.first > first.first else second.first + timedelta(hours=12)
    whole = Period(first.first, end, "hours")
    return Found(held.start, one.end, whole.first, whole.end, "clock", whole)


def _at_time(held: Found, one: Found, between: str, *, is_range: bool) -> Found | None:
    clock, day = (held, one) if held.form in _CLOCKS else (one, held)
    if not clock.period or not day.period or day.period.end - day.period.first > DAY or day.form in _CLOCKS:
        return None
    if not (_JOIN.match(between) or is_range) or day.form == "moment":
        return None
    base = midnight(day.period.first.date())
    offset = clock.period.first - midnight(clock.period.first.date())
    if day.period.grain == "hours" and day.period.first.hour >= 12 and offset < timedelta(hours=12):
        offset += timedelta(hours=12)
    length = clock.period.end - clock.period.first
    whole = Period(base + offset, base + offset + length, "hours" if length else "moment")
    return Found(min(held.start, one.start), max(held.end, one.end), whole.first, whole.end, "moment", whole)


def _early_or_late(text: str, one: Found) -> Found:
    match = _PORTION.search(text[max(0, one.start - _LOOK_BACK) : one.start])
    if not match or not one.period or one.form in {"clock", "clocks", "ago", "in", "decade"}:
        return one
    start = one.start - (len(match.group()))
    if match.group().lower().startswith(("end of", "start of", "beginning of")) and (
        bound := _TO_THE.search(text[max(0, start - _LOOK_BACK) : start])
    ):
        at_start = not match.group().lower().startswith("end")
        edge = one.period.first if at_start else one.period.end
        whole = Period(edge, edge, "moment") if at_start or "from" in bound.group() else one.period
        return Found(start, one.end, whole.first, whole.end, "portion", whole)
    part = one.period.portion(match.lastgroup or "late")
    return Found(start, one.end, part.first, part.end, "portion", part)


def _bounded(text: str, one: Found) -> Found:
    before = text[max(0, one.start - _LOOK_BACK) : one.start]
    if one.form == "range":
        match = _FROM.search(before)
        return replace(one, start=one.start - len(match.group())) if match else one
    if match := _OR_LATER.match(text, one.end):
        return replace(one, end=match.end(), after=None)
    if match := _OR_EARLIER.match(text, one.end):
        return replace(one, end=match.end(), first=None)
    for pattern, first, after in (
        (_SINCE, one.first, None), (_AFTER, one.after, None), (_UNTIL, None, one.after), (_BEFORE, None, one.first),
    ):  # fmt: skip
        if match := pattern.search(before):
            return replace(one, start=one.start - len(match.group()), first=first, after=after)
    return one
