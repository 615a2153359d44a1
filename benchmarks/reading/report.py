"""A table for people, JSON for programs, and both kept in `benchmarks/results/` with the machine and the day."""

import json
import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.reading.figures import Figure

RESULTS = Path(__file__).resolve().parent.parent / "results"


def table(figures: Iterable[Figure], values: Mapping[str, float]) -> Iterator[str]:
    yield "| figure | value | aim | baseline | what |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for figure in figures:
        if figure.key in values:
            value = values[figure.key]
            mark = "" if figure.is_reached(value) else " (short)"
            shown = f"{value:,.{figure.digits}f}{mark}"
            yield f"| {figure.key} | {shown} | {_aim(figure)} | {figure.baseline} | {figure.what} |"


def _aim(figure: Figure) -> str:
    if figure.aim is None:
        return "–"
    return f"{'≤' if figure.lower_is_better else '≥'} {figure.aim:,g}"


def machine() -> str:
    """Enough to judge a speed by. No name of a host or a person."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1].strip() if found else platform.machine()


def keep(lines: Iterable[str], values: Mapping[str, float]) -> None:
    """`reading.json` and `reading.md`: the last full run, whoever made it."""
    RESULTS.mkdir(exist_ok=True)
    day = datetime.now(UTC).date().isoformat()
    kept = {"date": day, "machine": machine(), "figures": rounded(values)}
    (RESULTS / "reading.json").write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n")
    head = f"# Reading, measured {day}\n\n{machine()}. `python -m benchmarks.reading --data DIR`, dev halves.\n\n"
    (RESULTS / "reading.md").write_text(head + "\n".join(lines) + "\n")


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {key: round(value, 2) for key, value in sorted(values.items())}
