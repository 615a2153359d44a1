"""Times: what period of days a message speaks of (locomo), and single expressions in all their forms (recognizers)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import rows
from memories.reading import Context, dates

FIGURES = (
    Figure("locomo_time/overlaps", "the day or range read, else the day of writing, meets the gold, %", 95, "92.7"),
    Figure("locomo_time/inside", "… lies inside the gold, %", 86, "80.2"),
    Figure("recognizers_datetime/exact", "one expression: exactly its interval, one of its readings, %", 58, "46.7"),
    Figure(
        "recognizers_datetime/exact_or_through",
        "… or with the last day of 'from A to B' counted as inside, %",
    ),
    Figure(
        "recognizers_datetime/false_alarms",
        "of the texts without a time",
        3,
        "10 of 34",
        lower_is_better=True,
        digits=0,
    ),
)
_DATED = {"date", "daterange", "datetime", "datetimerange"}
_TICK = timedelta(microseconds=1)
_DAY = timedelta(days=1)

Interval = tuple[datetime | None, datetime | None]


def measure(folder: Path) -> dict[str, float]:
    return {**_locomo(folder), **_recognizers(folder)}


def _locomo(folder: Path) -> dict[str, float]:
    overlaps = inside = total = 0
    for row in rows(folder / "locomo" / "time.jsonl"):
        reference = datetime.fromisoformat(row["reference_time"]).replace(tzinfo=UTC)
        found = dates.spans(row["text"], Context(reference))
        first = (found[0].first or found[0].last) if found else reference
        last = (found[0].last or found[0].first) if found else reference
        ours = (first or reference).date().isoformat(), (last or reference).date().isoformat()
        total += 1
        overlaps += ours[0] <= row["gold_end"] and row["gold_start"] <= ours[1]
        inside += row["gold_start"] <= ours[0] and ours[1] <= row["gold_end"]
    return {"locomo_time/overlaps": 100 * overlaps / total, "locomo_time/inside": 100 * inside / total}


def _recognizers(folder: Path) -> dict[str, float]:
    exact = through = total = false = 0
    for row in rows(folder / "recognizers_datetime" / "expressions.jsonl"):
        context = Context(datetime.fromisoformat(row["reference_time"]).replace(tzinfo=UTC))
        found = [_interval(span) for span in dates.spans(row["text"], context)]
        if not row["results"]:
            false += bool(found)
        elif len(row["results"]) == 1 and row["results"][0]["type"] in _DATED:
            total += 1
            gold = list(_gold(row["results"][0]["values"] or []))
            exact += len(found) == 1 and found[0] in gold
            through += len(found) == 1 and (found[0] in gold or _through(found[0]) in gold)
    return {
        "recognizers_datetime/exact": 100 * exact / total,
        "recognizers_datetime/exact_or_through": 100 * through / total,
        "recognizers_datetime/false_alarms": false,
    }


def _interval(span: dates.Span) -> Interval:
    """The end as the first moment after; a moment is its own end."""
    first = span.first.replace(tzinfo=None) if span.first else None
    if span.last is None or span.last == span.first:
        return first, span.last.replace(tzinfo=None) if span.last else None
    return first, span.last.replace(tzinfo=None) + _TICK


def _through(interval: Interval) -> Interval:
    return interval[0], interval[1] - _DAY if interval[1] else None


def _gold(values: list[dict[str, Any]]) -> Iterator[Interval]:
    for value in values:
        if "value" in value:
            moment = _time(value["value"])
            if moment:
                is_day = len(value["value"]) == 10
                yield moment, moment + _DAY if is_day else moment
        else:
            yield _time(value.get("start")), _time(value.get("end"))


def _time(written: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(written) if written else None
    except ValueError:
        return None
