"""When a source or cognition is due. Pure: the time now, the zone and everything else are handed in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

#: After the first failure, and at most.
FIRST_WAIT = timedelta(minutes=2)
LONGEST_WAIT = timedelta(hours=6)
#: An interval is lengthened by up to this share of it, but by no more than so long: sources don't all start at once.
JITTER_SHARE = 0.1
MOST_JITTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every so often, or at times of day in the product's zone; never within the quiet hours. Empty: by hand alone."""

    every: timedelta | None = None
    times: Sequence[time] = ()
    quiet_from: time | None = None
    quiet_until: time | None = None


def next_due(schedule: Schedule, *, after: datetime, zone: ZoneInfo, jitter: float) -> datetime | None:
    """The next time, or None for a source that only runs by hand. `jitter` is a share between 0 and 1, its own."""
    if schedule.times:
        due = min(_next_at(each, after, zone) for each in schedule.times)
        return _after_quiet(due + MOST_JITTER * jitter, schedule, zone)
    if schedule.every is None:
        return None
    spread = min(schedule.every * JITTER_SHARE, MOST_JITTER)
    return _after_quiet(after + schedule.every + spread * jitter, schedule, zone)


def wait_after(failures: int, *, asked: float | None = None) -> timedelta:
    """How long to wait after so many failures in a row; as long as the outside system asked for, if that is longer."""
    doublings: int = min(max(failures - 1, 0), 20)
    wait = min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)
    return max(wait, timedelta(seconds=asked)) if asked else wait


def is_quiet(schedule: Schedule, *, at: datetime, zone: ZoneInfo) -> bool:
    """Whether the quiet hours hold, which may run over midnight."""
    begin, end = schedule.quiet_from, schedule.quiet_until
    if begin is None or end is None or begin == end:
        return False
    local = at.astimezone(zone).time()
    return begin <= local < end if begin < end else (local >= begin or local < end)


def _next_at(at: time, after: datetime, zone: ZoneInfo) -> datetime:
    local = after.astimezone(zone)
    today = datetime.combine(local.date(), at, tzinfo=zone)
    return today if today > local else datetime.combine(local.date() + timedelta(days=1), at, tzinfo=zone)


def _after_quiet(due: datetime, schedule: Schedule, zone: ZoneInfo) -> datetime:
    """Put off to the end of the quiet hours, which may run over midnight."""
    end = schedule.quiet_until
    return _next_at(end, due.astimezone(zone), zone) if end and is_quiet(schedule, at=due, zone=zone) else due
