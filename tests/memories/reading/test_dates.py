from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from memories.reading import Context, PlainReader, dates
from tests.memories.reading.conftest import NOON, Read


@pytest.mark.parametrize(
    "text",
    [
        "The site inspection on 2026-07-13 found a crack.",
        "The site inspection on 13 July 2026 found a crack.",
        "The site inspection on July 13th, 2026 found a crack.",
        "13. Juli 2026 war der Tag der Begehung.",
        "Die Begehung am 13. Juli 2026 ergab einen Riss.",
        "Die Begehung am 13.07.2026 ergab einen Riss.",
        "La inspección del 13 de julio de 2026 encontró una grieta.",
        "2026年7月13日现场检查发现裂缝。",
    ],
)
def test_a_day_is_a_whole_day_in_the_readers_zone(read: Read, text: str) -> None:
    (statement,) = read(text, timezone="Asia/Tokyo")
    day = datetime(2026, 7, 13, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert statement.about_from == day
    assert statement.about_until == datetime.combine(day, time.max, day.tzinfo)


def test_a_month_and_two_joined_days_are_ranges(read: Read) -> None:
    (month,) = read("The pilot ran in February 2028 without trouble.")
    assert (month.about_from, month.about_until) == _days((2028, 2, 1), (2028, 2, 29))
    (days,) = read("The garage is closed from 2026-12-07 to 2026-12-11 for repainting.")
    assert (days.about_from, days.about_until) == _days((2026, 12, 7), (2026, 12, 11))


def test_since_and_until_leave_the_other_end_open(read: Read) -> None:
    (since,) = read("Frauke has led the team since 1 May 2025.")
    assert (since.about_from, since.about_until) == (_days((2025, 5, 1), (2025, 5, 1))[0], None)
    (until,) = read("The contract is valid until 2027-03-31 at least.")
    assert (until.about_from, until.about_until) == (None, _days((2027, 3, 31), (2027, 3, 31))[1])


@pytest.mark.parametrize(("word", "day"), [("today", 1), ("Tomorrow", 2)])
def test_relative_days_count_from_the_reference_time(read: Read, word: str, day: int) -> None:
    (statement,) = read(f"{word} the ferry leaves at nine.")
    assert (statement.about_from, statement.about_until) == _days((2026, 3, day), (2026, 3, day))


@pytest.mark.parametrize(
    "text",
    [
        "We may sit in the sun for a second while we wait.",
        "The March release went out on the second Sunday.",
        "Releases 1.2.2026.7 and 2026.07.12.1 were tagged as v2026-07-1234.",
        "The meeting on 12 July was moved.",
        "Ann came on 2026-07-12, Bob came on 2026-08-01.",
        "The form is due on 2026-02-30 at noon.",
        "Dinosaurs lived here 100000 years ago.",
        "十万年前这里是海洋。",
        "The archive closes in July 99999 for good.",
        "It was found in the year 99999999999999999999.",
    ],
)
def test_what_names_no_single_day_has_no_date(read: Read, text: str) -> None:
    assert {(one.about_from, one.about_until) for one in read(text)} == {(None, None)}


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("The audit took place last May", (2025, 5, 1), (2025, 5, 31)),
        ("The audit took place last week", (2026, 2, 16), (2026, 2, 22)),
        ("The audit took place last weekend", (2026, 2, 21), (2026, 2, 22)),
        ("The audit took place last Friday", (2026, 2, 27), (2026, 2, 27)),
        ("The audit took place two weeks ago", (2026, 2, 15), (2026, 2, 15)),
        ("The audit took place three years ago", (2023, 1, 1), (2023, 12, 31)),
        ("The audit took place a few days ago", (2026, 2, 24), (2026, 2, 27)),
        ("The audit took place in Q3 2025", (2025, 7, 1), (2025, 9, 30)),
        ("The audit took place in 2024", (2024, 1, 1), (2024, 12, 31)),
        ("The audit took place in the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("The audit took place on the 15th", (2026, 2, 15), (2026, 2, 15)),
        ("The audit will take place on 4 July", (2026, 7, 4), (2026, 7, 4)),
        ("The audit will take place in week 48", (2026, 11, 23), (2026, 11, 29)),
        ("The audit will take place next month", (2026, 4, 1), (2026, 4, 30)),
        ("The audit will take place on Thursday", (2026, 3, 5), (2026, 3, 5)),
        ("The audit will take place by next Wednesday", None, (2026, 3, 4)),
        ("The shop is closed 24 Dec - 1 Jan", (2025, 12, 24), (2026, 1, 1)),
        ("The shop is closed 12-14 October 2026", (2026, 10, 12), (2026, 10, 14)),
        ("The shop is closed from January to April 2015", (2015, 1, 1), (2015, 4, 30)),
        ("The shop was closed since Tuesday", (2026, 2, 24), None),
        ("L'audit a eu lieu le 3 mars 2025", (2025, 3, 3), (2025, 3, 3)),
        ("Die Prüfung war gestern Vormittag", (2026, 2, 28), (2026, 2, 28)),
        ("検査は2025年3月に行われた", (2025, 3, 1), (2025, 3, 31)),
    ],
)
def test_a_time_is_its_exact_range_as_of_the_reference_time(
    words: str, first: tuple[int, int, int] | None, last: tuple[int, int, int] | None
) -> None:
    """The reference time is Sunday, 1 March 2026."""
    (span,) = dates.spans(words, Context(NOON))
    assert span.first == (_days(first, first)[0] if first else None)
    assert span.last == (_days(last, last)[1] if last else None)


def test_a_time_of_day_belongs_to_its_day() -> None:
    (span,) = dates.spans("We meet tomorrow from 2 to 3:30 pm in Lyon.", Context(NOON, timezone="Europe/Paris"))
    zone = ZoneInfo("Europe/Paris")
    assert span.first == datetime(2026, 3, 2, 14, tzinfo=zone)
    assert span.last is not None
    assert span.last - span.first < timedelta(minutes=90)


@pytest.mark.parametrize(
    "text",
    [
        "It may march on for a second, and the sun will fall.",
        "The report comes every Monday and Thursday, and each January.",
        "Ravi is in onboarding week 1 with 10 students.",
        "Call back within 15 minutes, at 10:20 at the latest.",
        "On 3/4/2026 nobody knows which day it was.",
        "Have a great week, and march to ticket 2015-32.",
    ],
)
def test_words_that_only_look_like_times_are_none(text: str) -> None:
    assert dates.spans(text, Context(NOON)) == []


def test_the_ends_of_the_calendar_do_not_crash(read: Read) -> None:
    for edge in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)):
        context = Context(edge, timezone="Pacific/Kiritimati")
        assert PlainReader().read("The ferry left yesterday and returns tomorrow.", context)
        assert PlainReader().read("The ferry left yesterday at nine.", context)
        assert PlainReader().read("The ferry leaves tomorrow at nine.", context)


def test_a_naive_time_and_an_unknown_zone_are_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        Context(NOON.replace(tzinfo=None))
    with pytest.raises(KeyError, match="Atlantis"):
        Context(NOON, timezone="Atlantis/City")


def _days(first: tuple[int, int, int], last: tuple[int, int, int]) -> tuple[datetime, datetime]:
    zone = ZoneInfo("UTC")
    return datetime(*first, tzinfo=zone), datetime.combine(datetime(*last, tzinfo=zone), time.max, zone)
