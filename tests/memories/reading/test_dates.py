from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from memories.reading import Context, PlainReader
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
