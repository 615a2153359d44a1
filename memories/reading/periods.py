"""Stretches of the calendar and how they are moved. Naive local time; the end is the first moment after.

Whatever leaves the calendar (year 0, 31 February) raises ValueError or OverflowError: callers drop the expression.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

Grain = Literal["moment", "hours", "day", "week", "month", "quarter", "year", "more"]
Unit = Literal["second", "minute", "hour", "day", "week", "weekend", "month", "quarter", "year", "decade", "century"]

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
#: Parts of a day as people mean them, in hours.
PARTS = {"morning": (8, 12), "afternoon": (12, 16), "evening": (16, 20), "night": (20, 24)}
CLOCK: dict[str, timedelta] = {
    "second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    first: datetime
    end: datetime
    grain: Grain

    def with_part(self, part: str) -> "Period":
        begin, end = PARTS[part]
        return Period(self.first + timedelta(hours=begin), self.first + timedelta(hours=end), "hours")

    def portion(self, which: str) -> "Period":
        """Early, middle or late: the first half, the middle third, the second half. Of a day: around noon."""
        length = self.end - self.first
        half = length / 2 if self.grain == "day" else timedelta(days=(length / 2).days or 1)
        if which == "early":
            return Period(self.first, self.first + half, self.grain)
        if which == "late":
            return Period(self.end - half, self.end, self.grain)
        if self.grain == "day":
            return Period(self.first + timedelta(hours=10), self.first + timedelta(hours=14), "hours")
        third = timedelta(days=max(1, length.days // 3))
        return Period(self.first + third - DAY * (third > DAY), self.end - third, self.grain)


def midnight(day: date) -> datetime:
    return datetime.combine(day, time.min)  # naive on purpose: the zone comes last


def day_of(day: date) -> Period:
    return Period(midnight(day), midnight(day) + DAY, "day")


def week_of(day: date) -> Period:
    monday = midnight(day) - DAY * day.weekday()
    return Period(monday, monday + WEEK, "week")


def weekend_of(day: date) -> Period:
    """Saturday and Sunday of that week."""
    week = week_of(day)
    return Period(week.end - 2 * DAY, week.end, "week")


def month_of(year: int, month: int) -> Period:
    return months(year, month, 1, "month")


def months(year: int, month: int, count: int, grain: Grain) -> Period:
    first = midnight(date(year, month, 1))
    return Period(first, shifted(first, "month", count), grain)


def quarter_of(year: int, number: int) -> Period:
    return months(year, 3 * number - 2, 3, "quarter")


def year_of(year: int) -> Period:
    return months(year, 1, 12, "year")


def unit_around(moment: datetime, unit: Unit) -> Period:
    """The day, week, month ... in which a moment lies."""
    made = {
        "day": lambda: day_of(moment.date()),
        "week": lambda: week_of(moment.date()),
        "weekend": lambda: weekend_of(moment.date()),
        "month": lambda: month_of(moment.year, moment.month),
        "quarter": lambda: quarter_of(moment.year, (moment.month + 2) // 3),
        "year": lambda: year_of(moment.year),
        "decade": lambda: months(moment.year - moment.year % 10 or 1, 1, 120, "more"),
        "century": lambda: months(moment.year - moment.year % 100 or 1, 1, 1200, "more"),
    }
    return made[unit]() if unit in made else Period(moment, moment, "moment")


def shifted(moment: datetime, unit: Unit, count: int) -> datetime:
    """Moved by whole units; the 31st becomes the last day of a shorter month."""
    if unit in CLOCK:
        return moment + CLOCK[unit] * count
    if unit in {"day", "week", "weekend"}:
        return moment + (DAY if unit == "day" else WEEK) * count
    size = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}[unit]
    place = moment.year * 12 + moment.month - 1 + size * count
    year, month = divmod(place, 12)
    for day in (moment.day, 30, 29, 28):
        try:
            return moment.replace(year=year, month=month + 1, day=min(day, moment.day))
        except ValueError:
            if day == 28 or not 1 <= year <= 9999:
                raise
    raise AssertionError("28 days has every month")


def nearest(candidates: list[Period], reference: datetime, leaning: int) -> Period:
    """Which of several is meant: the closest, on the side that the tense tells (-1 past, 1 future)."""
    today = midnight(reference.date())
    if leaning < 0:
        sided = [each for each in candidates if each.first <= today]
    elif leaning > 0:
        sided = [each for each in candidates if each.end > today]
    else:
        sided = candidates
    return min(sided or candidates, key=lambda each: abs((each.first - today).total_seconds()))
