"""Amounts of time ("three days ago", "the next two weeks", "for five years now") and times of day.

Above `date_forms` and `date_relative`, because an amount may count from any of their periods: "two weeks after 3 May".
"""

import re
from datetime import datetime, timedelta

from memories.reading import date_forms, date_relative
from memories.reading import date_words as words
from memories.reading.date_forms import Answer
from memories.reading.date_relative import BACK, CLOCK_GRAIN, directions, unit_named
from memories.reading.periods import DAY, Period, Unit, midnight, shifted, unit_around, week_of, weekend_of

_NUMBER = re.compile(r"\d+")
_AFTER_AMOUNT = re.compile(r"\s(ago|back|earlier|from now|hence|later|from|before|after|prior to)(?!\w)", re.IGNORECASE)
_BASE = re.compile(r"\s(today|now|yesterday|tomorrow|tmrw)(?!\w)", re.IGNORECASE)
#: How far "a few" and "several" reach.
_FUZZY = {"few": (2, 5), "several": (3, 7)}
_CLOCK = re.compile(
    r"(?P<h>\d{1,2})(?:[:.](?P<m>\d\d))?(?::(?P<s>\d\d))?\s?(?P<half>[ap])?|(?P<noon>noon)|(?P<midnight>midnight)",
    re.IGNORECASE,
)
_LEADS_A_CLOCK = re.compile(r"(?<!\w)(?:at|from|between|to|until|till|around)\s$|[-–]\s?$|\band\s$", re.IGNORECASE)


def _amount(written: str) -> tuple[int, int, Unit]:
    """The least and the most that "three", "a few", "half an" of a unit may be."""
    low = re.sub(r"^(?:in|within)\s(?:the next\s)?", "", written.lower())
    match = re.match(r"(\d+|(?:a )?(?:few|several|couple(?: of)?)|half an?|\w+)\s?(\w+)$", low)
    if not match:
        raise ValueError(written)
    count, unit_word = match[1], match[2]
    unit, size = unit_named(unit_word)
    if fuzzy := next((_FUZZY[name] for name in _FUZZY if name in count), None):
        return fuzzy[0] * size, fuzzy[1] * size, unit
    if count.startswith("half"):
        return (30, 30, "minute") if unit == "hour" else (6, 6, "month")
    number = int(count) if count.isdigit() else words.COUNTS[count]
    return number * size, number * size, unit


def _period_at(text: str, position: int, reference: datetime) -> Answer:
    """The period that stands right here, behind "after" or "of". One level deep."""
    position += len(re.match(r"\s?(?:the\s)?", text[position : position + 5]).group())  # type: ignore[union-attr]
    match = words.FORMS.match(text, position)
    form = match.lastgroup if match else None
    if not match or not form or form in {"ago", "in", "weekof", "clock", "clocks", "nthlast"}:
        return None
    return {**date_forms.READERS, **date_relative.READERS}[form](text, match.group(), position, reference)


def _ago(text: str, written: str, start: int, reference: datetime) -> Answer:
    low, high, unit = _amount(written)
    match = _AFTER_AMOUNT.match(text, start + len(written))
    if not match:
        return None
    end, word, base = match.end(), match[1].lower(), reference
    if word in {"from", "before", "after", "prior to", "earlier", "later"}:
        if anchor := _BASE.match(text, end):
            base, end = reference + DAY * words.RELATIVE_DAYS.get(anchor[1].lower(), 0), anchor.end()
        elif other := _period_at(text, end, reference):
            base, end = other[0].first, other[2]
        else:
            return None
    back = word in {"ago", "back", "before", "prior to"}
    return _away(base, unit, (-high, -low) if back else (low, high)), start, end


def _week_of(text: str, written: str, start: int, reference: datetime) -> Answer:
    answer = _period_at(text, start + len(written), reference)
    if answer is None or answer[0].end - answer[0].first > DAY:
        return None
    day = answer[0].first.date()
    return (weekend_of(day) if "weekend" in written.lower() else week_of(day)), start, answer[2]


def _in(text: str, written: str, start: int, reference: datetime) -> Answer:
    low, high, unit = _amount(written)
    if "next" in written.lower():
        until = shifted(reference if unit in CLOCK_GRAIN else midnight(reference.date()), unit, high)
        if unit in CLOCK_GRAIN:
            return Period(reference, until, "hours"), start, start + len(written)
        return Period(midnight(reference.date()), until + DAY, "more"), start, start + len(written)
    if re.search(
        r"(?<!\w)(?:took|take|takes|done|finished|built|lasts?|learn\w*)\s[\w\s]{0,20}$",
        text[max(0, start - 30) : start],
    ):
        return None  # "it was done in two days" tells how long it took
    return _away(reference, unit, (low, high)), start, start + len(written)


def _now(text: str, written: str, start: int, reference: datetime) -> Answer:
    return Period(reference, reference, "moment"), start, start + len(written)


def _for(text: str, written: str, start: int, reference: datetime) -> Answer:
    """ "For three years now": from then on."""
    low = re.sub(r"^for\s(?:over\s|about\s|the\s(?:last|past)\s)?|\snow$", "", written.lower())
    _, most, unit = _amount(low)
    first = unit_around(shifted(reference, unit, -most), unit).first
    return Period(first, midnight(reference.date()) + DAY, "more"), start, start + len(written)


def _away(base: datetime, unit: Unit, shifts: tuple[int, int]) -> Period:
    """Exact to the unit: days and weeks to the day, months to the month, years to the year."""
    low, high = (shifted(base, unit, shift) for shift in shifts)
    if unit in CLOCK_GRAIN:
        return Period(low, high, "moment" if low == high else "hours")
    grain: Unit = "day" if unit in {"day", "week"} and low == high else unit
    grain = "week" if unit == "weekend" else grain
    if unit == "weekend":
        return Period(weekend_of(low.date()).first, weekend_of(high.date()).end, "week")
    if grain == "day" or unit in {"day", "week"}:
        return Period(midnight(low.date()), midnight(high.date()) + DAY, "day")
    first, last = unit_around(low, grain), unit_around(high, grain)
    return Period(first.first, last.end, first.grain)


def _nth_last(text: str, written: str, start: int, reference: datetime) -> Answer:
    """ "The last two weeks": up to now; "the next three months": from now on. Months and longer from the first day."""
    low = re.sub(r"^the\s", "", written.lower())
    match = re.match(r"(.+?)\s(last|past|previous|next|coming|upcoming|following)\s(\w+)$", low) or re.match(
        r"(last|past|previous|next|coming|upcoming|following)\s(.+?)\s(\w+)$", low
    )
    if not match:
        return None
    side, count = (match[2], match[1]) if match[1] not in directions() else (match[1], match[2])
    _, most, unit = _amount(f"{count} {match[3]}")
    back = side in BACK
    if inside := re.match(r"\sof(?!\w)", text[start + len(written) :]):
        whole_of = _period_at(text, start + len(written) + inside.end(), reference)
        if back and whole_of:
            return Period(shifted(whole_of[0].end, unit, -most), whole_of[0].end, "more"), start, whole_of[2]
    now = reference if unit in CLOCK_GRAIN else midnight(reference.date())
    if unit in {"quarter", "decade", "weekend"}:
        whole = unit_around(reference, unit)
        if back:
            return Period(shifted(whole.first, unit, -most), whole.first, "more"), start, start + len(written)
        return Period(whole.end, shifted(whole.end, unit, most), "more"), start, start + len(written)
    if back:
        return Period(shifted(now, unit, -most), now, "more"), start, start + len(written)
    begin = now + DAY if unit not in CLOCK_GRAIN else now
    return Period(begin, shifted(begin, unit, most), "more"), start, start + len(written)


def _clock(text: str, written: str, start: int, reference: datetime) -> Answer:
    """A time of day. A bare number is one only after "at", "from", "between" or in a range."""
    match = _CLOCK.match(written)
    if not match:
        return None
    if written.isdigit() and not _LEADS_A_CLOCK.search(text[max(0, start - 9) : start]):
        return None
    hour = 12 if match["noon"] else 0 if match["midnight"] else int(match["h"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    if hour > 23:
        return None
    moment = midnight(reference.date()) + timedelta(
        hours=hour, minutes=int(match["m"] or 0), seconds=int(match["s"] or 0)
    )
    return Period(moment, moment, "moment"), start, start + len(written)


def _clocks(text: str, written: str, start: int, reference: datetime) -> Answer:
    """ "3-8 pm": the first hour takes its half of the day from the second."""
    first, last = re.split(r"\s?[-–]\s?", written, maxsplit=1)
    one, other = _clock(text, first + ":00" * first.isdigit(), start, reference), _clock(text, last, start, reference)
    if one is None or other is None:
        return None
    begin, end = one[0].first, other[0].first
    half = timedelta(hours=12)
    if "m" not in first.lower() and begin + half < end:
        begin += half
    return (Period(begin, end, "hours"), start, start + len(written)) if begin < end else None


READERS = {
    "ago": _ago, "in": _in, "nthlast": _nth_last, "clock": _clock, "weekof": _week_of, "clocks": _clocks, "now": _now,
    "for": _for,
}  # fmt: skip
