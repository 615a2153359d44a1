"""One reader per form of `date_words.FORMS`: what is written, against the reference time → a period, or None.

Each gets the text, what was matched, where, and the reference; and answers the period with its place, which may have
grown ("three days" → "three days ago").
"""

import re
from datetime import date, datetime

from memories.reading import date_words as words
from memories.reading.periods import (
    DAY,
    Period,
    day_of,
    month_of,
    months,
    nearest,
    quarter_of,
    shifted,
    unit_around,
    week_of,
    year_of,
)

Answer = tuple[Period, int, int] | None

_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d(?!\d)")
_NAMED_DAY = re.compile(
    "|".join(sorted((name for name in words.ORDINALS if name != "last"), key=len, reverse=True)) + r"|\d+"
)
_SHORT_YEAR = re.compile(r"['’](\d\d)$|\sof\s(\d\d)$")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_IN = re.compile(r"(?:^|(?<!\w)(?:in|of|for|from|since|until|by|to|the))\s?$", re.IGNORECASE)
_FUTURE = re.compile(
    r"(?<!\w)(?:will|won['’]t|shall|going to|plans? to|planned|due|until|till|by|next|upcoming|deadline|ahead|arrives?"
    r"|starts?|begins?|opens?|moved? to|postponed to|to be|is scheduled|are scheduled|leaves?|let['’]?s|can we|book"
    r"|remind)(?!\w)|['’]ll(?!\w)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"(?<!\w)(?:was|were|had|did|didn['’]t|went|got|took|met|came|saw|said|began|ran|broke|fell"
    r"|wrote|since|ago|last|past|has been|have been)(?!\w)",
    re.IGNORECASE,
)
#: "The invoice is accepted", "the merged branch": a participle tells less than a verb.
_PERHAPS_PAST = re.compile(r"(?<!\w)(?!need)[a-z]{2,}ed(?!\w)", re.IGNORECASE)
_PART = re.compile(r",?\s(?:in the\s)?(morning|afternoon|evening|night)(?!\w)", re.IGNORECASE)
_CLAUSE_BORDER = re.compile(r"[.!?;\n]")


def leaning(text: str, start: int, end: int, *, weakly: bool = False) -> int:
    """Where the sentence around looks: -1 back, 1 ahead, 0 untold."""
    left = max(
        [match.end() for match in _CLAUSE_BORDER.finditer(text, max(0, start - 120), start)],
        default=max(0, start - 120),
    )
    stop = _CLAUSE_BORDER.search(text, end, end + 120)
    around = text[left : stop.start() if stop else end + 120]
    if _FUTURE.search(around):
        return 1
    return -1 if _PAST.search(around) or (weakly and _PERHAPS_PAST.search(around)) else 0


def year_in(written: str) -> int | None:
    if match := _YEAR.search(written):
        return int(match.group())
    if match := _SHORT_YEAR.search(written):
        short = int(match[1] or match[2])
        return 2000 + short if short < 50 else 1900 + short
    return None


def _month_word(written: str) -> int:
    for match in _WORD.finditer(written):
        if match.group().lower() in words.MONTHS:
            return words.MONTHS[match.group().lower()]
    for name, number in words.MONTHS.items():  # "Dec31"
        if len(name) > 2 and name in written.lower():
            return number
    raise ValueError(written)


def _day_number(written: str) -> int:
    without_year = _YEAR.sub("", written)
    if match := _NUMBER.search(without_year):
        return int(match.group())
    low = written.lower()
    return next(
        number for name, number in sorted(words.ORDINALS.items(), key=lambda each: -len(each[0])) if name in low
    )


def _in_year(month: int, day: int, year: int) -> Period:
    return day_of(date(year, month, day))


def _in_years(month: int, day: int, reference: datetime) -> list[Period]:
    made = []
    for year in (reference.year - 1, reference.year, reference.year + 1):
        try:
            made.append(_in_year(month, day, year))
        except ValueError:
            continue
    if not made:
        raise ValueError("no such day")
    return made


def _day_and_month(text: str, written: str, start: int, reference: datetime) -> Answer:
    month, day, year = _month_word(written), _day_number(written), year_in(written)
    end = start + len(written)
    if year:
        return _in_year(month, day, year), start, end
    return _closest(_in_years(month, day, reference), reference, leaning(text, start, end)), start, end


def _closest(days: list[Period], reference: datetime, lean: int) -> Period:
    """A day without a year is the closest one; if the tense tells of the past and that is ahead, nobody knows."""
    chosen = nearest(days, reference, max(lean, 0))
    if lean < 0 and chosen.first > reference:
        raise ValueError("which year?")
    return chosen


def _iso(text: str, written: str, start: int, reference: datetime) -> Answer:
    if len(written) <= 10:
        return day_of(date.fromisoformat(written)), start, start + len(written)
    moment = datetime.fromisoformat(written)
    return Period(moment, moment, "moment"), start, start + len(written)


def _basic(text: str, written: str, start: int, reference: datetime) -> Answer:
    return day_of(date(int(written[:4]), int(written[4:6]), int(written[6:]))), start, start + len(written)


def _iso_month(text: str, written: str, start: int, reference: datetime) -> Answer:
    return month_of(int(written[:4]), int(written[5:])), start, start + len(written)


def _slashed(text: str, written: str, start: int, reference: datetime) -> Answer:
    """Day or month first only where the number tells: 3/4 is nobody's date for sure."""
    numbers = [int(number) for number in _NUMBER.findall(written)]
    end = start + len(written)
    if numbers[0] > 99:
        return _in_year(numbers[1], numbers[2], numbers[0]), start, end
    one, other = numbers[:2]
    if (one <= 12 and other <= 12 and one != other) or max(one, other) > 31:
        return None
    month, day = (one, other) if other > 12 or one == other else (other, one)
    if len(numbers) == 2:
        return (nearest(_in_years(month, day, reference), reference, 0), start, end) if day > 12 else None
    year = numbers[2] if numbers[2] > 99 else 2000 + numbers[2] if numbers[2] < 50 else 1900 + numbers[2]
    return _in_year(month, day, year), start, end


def _dotted(text: str, written: str, start: int, reference: datetime) -> Answer:
    numbers = [int(number) for number in _NUMBER.findall(written)]
    end = start + len(written)
    if len(numbers) == 3:
        return _in_year(numbers[1], numbers[0], numbers[2]), start, end
    if not 1 <= numbers[1] <= 12 or text[max(0, start - 1) : start].strip():
        return None
    return nearest(_in_years(numbers[1], numbers[0], reference), reference, 0), start, end


def _cjk(text: str, written: str, start: int, reference: datetime) -> Answer:
    numbers = [int(number) for number in _NUMBER.findall(written)]
    end = start + len(written)
    if "年" in written:
        if len(numbers) == 1:
            return year_of(numbers[0]), start, end
        return (month_of(*numbers) if len(numbers) == 2 else day_of(date(*numbers))), start, end
    if len(numbers) == 1:
        return None  # "3月" may be three months
    return nearest(_in_years(numbers[0], numbers[1], reference), reference, leaning(text, start, end)), start, end


def _days(text: str, written: str, start: int, reference: datetime) -> Answer:
    """ "12-14 October", "May 3 to 9": both days and all between."""
    month, year, end = _month_word(written), year_in(written), start + len(written)
    low = _YEAR.sub("", written).lower()
    numbers = [int(number) for number in _NUMBER.findall(low)]
    if len(numbers) < 2:
        numbers = [int(each) if each.isdigit() else words.ORDINALS[each] for each in _NAMED_DAY.findall(low)]
    if len(numbers) != 2:
        return None
    lean = leaning(text, start, end)
    first = (
        _in_year(month, numbers[0], year) if year else nearest(_in_years(month, numbers[0], reference), reference, lean)
    )
    last = date(first.first.year, month, numbers[1])
    if last < first.first.date():
        last = (unit_around(shifted(first.first, "month", 1), "month").first + DAY * (numbers[1] - 1)).date()
    return Period(first.first, day_of(last).end, "day"), start, end


def _month_year(text: str, written: str, start: int, reference: datetime) -> Answer:
    return month_of(year_in(written) or reference.year, _month_word(written)), start, start + len(written)


def _month(text: str, written: str, start: int, reference: datetime) -> Answer:
    end = start + len(written)
    number = _month_word(written)
    around = [month_of(reference.year + shift, number) for shift in (-1, 0, 1)]
    return nearest(around, reference, leaning(text, start, end)), start, end


def _year(text: str, written: str, start: int, reference: datetime) -> Answer:
    return year_of(int(written)), start, start + len(written)


def _year_range(text: str, written: str, start: int, reference: datetime) -> Answer:
    first, last = (int(number) for number in _NUMBER.findall(written))
    if last <= first:
        return None
    return Period(year_of(first).first, year_of(last).end, "more"), start, start + len(written)


def _quarter(text: str, written: str, start: int, reference: datetime) -> Answer:
    low, end = written.lower(), start + len(written)
    year = year_in(written) or reference.year
    year += -1 if low.startswith(("last", "previous", "past")) or "last year" in low else 0
    year += 1 if low.startswith("next") or "next year" in low else 0
    match = re.search(r"([qh])([1-4])", low)
    if match:
        kind, number = match[1], int(match[2])
    else:
        place = next(word for word in ("first", "second", "third", "fourth", "last") if word in low)
        kind = "h" if "half" in low else "q"
        number = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 2 if kind == "h" else 4}[place]
    return (quarter_of(year, number) if kind == "q" else months(year, 6 * number - 5, 6, "more")), start, end


def _week_number(text: str, written: str, start: int, reference: datetime) -> Answer:
    year = year_in(written) or reference.year
    if not year_in(written) and written.lower().startswith("week") and not _IN.search(text[max(0, start - 10) : start]):
        return None  # "onboarding week 1"
    number = int(_NUMBER.findall(_YEAR.sub("", written))[0])
    return week_of(date.fromisocalendar(year, number, 1)), start, start + len(written)


def _decade(text: str, written: str, start: int, reference: datetime) -> Answer:
    number = int(_NUMBER.findall(written)[0])
    first = number if number > 99 else 1900 + number
    whole = months(first, 1, 120, "more")
    low = written.lower()
    part = next((name for name in ("early", "mid", "late") if name in low), None)
    return (whole.portion(part) if part else whole), start, start + len(written)


def _season(text: str, written: str, start: int, reference: datetime) -> Answer:
    name = _WORD.findall(written)[0].lower()
    return months(year_in(written) or reference.year, words.SEASONS[name], 3, "quarter"), start, start + len(written)


def _feast(text: str, written: str, start: int, reference: datetime) -> Answer:
    end, year = start + len(written), year_in(written)
    name = _YEAR.sub("", written).lower().removesuffix(" of ").strip()
    month, day = words.FEASTS[name]
    if year:
        return _in_year(month, day, year), start, end
    return nearest(_in_years(month, day, reference), reference, leaning(text, start, end)), start, end


def _day(text: str, written: str, start: int, reference: datetime) -> Answer:
    shift = words.RELATIVE_DAYS[written.lower()]
    return with_part(text, day_of(reference.date() + DAY * shift), start, start + len(written))


def _tonight(text: str, written: str, start: int, reference: datetime) -> Answer:
    return day_of(reference.date()).with_part("night"), start, start + len(written)


def with_part(text: str, day: Period, start: int, end: int) -> tuple[Period, int, int]:
    if match := _PART.match(text, end):
        return day.with_part(match[1].lower()), start, match.end()
    return day, start, end


READERS = {
    "days": _days, "iso": _iso, "basic": _basic, "isomonth": _iso_month, "slashed": _slashed, "dotted": _dotted,
    "cjk": _cjk,
    "daymonth": _day_and_month, "monthday": _day_and_month, "monthyear": _month_year, "month": _month, "year": _year,
    "yearrange": _year_range, "quarter": _quarter, "weeknumber": _week_number, "decade": _decade, "season": _season,
    "feast": _feast, "day": _day, "tonight": _tonight,
}  # fmt: skip
