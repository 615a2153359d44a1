"""How well is found what was told? Through the real REST API, on a platform of its own in a throw-away folder.

    python -m benchmarks.search --data DIR [--json FILE] [--only locomo,domain]

Conversations go in by `captures/`, one message a turn; hits are counted by message, the first ten distinct ones.
DIR holds the labelled sets, one folder each; they are read and never kept.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks.machine import machine
from benchmarks.platform import Site, start, stop
from benchmarks.search.door import Door, door
from benchmarks.search.sets import SETS, Question

#: Hits asked for; several may belong to one message.
LIMIT = 30


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--json", type=Path, help="also write the figures to this file")
    options.add_argument("--only", default=",".join(SETS), help="some of the sets")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="neuronz-search-") as folder:
        site = start(Path(folder))
        try:
            figures = {name: measured(name, chosen.data, site, Path(folder)) for name in chosen.only.split(",")}
        finally:
            stop(site)
    report = {"machine": machine(), "sets": figures}
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


def measured(name: str, data: Path, site: Site, folder: Path) -> dict[str, Any]:
    rows: list[Row] = []
    seconds, messages = 0.0, 0
    silent: dict[bool, list[bool]] = defaultdict(list)
    for pool in SETS[name](data):
        at = door(site, folder, slug(f"{name} {pool.name}"))
        seconds += at.fill(pool)
        messages += len(pool.messages) + len(pool.facts)
        rows += [row(at, asked) for asked in pool.questions if asked.answers]
        if name == "domain":
            for asked in pool.questions:
                silent[bool(asked.answers)].append(at.is_silent(asked.text))
    figures = summary(rows) | {"told": messages, "seconds to tell": round(seconds, 1)}
    if silent:
        figures["recall silent on unanswerable"] = f"{sum(silent[False])} of {len(silent[False])}"
        figures["recall silent on answerable, %"] = percent(silent[True])
    return figures


Row = tuple[Question, list[str], float]


def row(at: Door, asked: Question) -> Row:
    found, took = at.found(asked.text, limit=LIMIT)
    return asked, found[:10], took


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    kinds: dict[str, list[float]] = defaultdict(list)
    for asked, found, _ in rows:
        kinds[asked.kind].append(recall(asked, found, 10))
    return {
        "questions": len(rows), "recall@1": percent([recall(asked, found, 1) for asked, found, _ in rows]),
        "recall@5": percent([recall(asked, found, 5) for asked, found, _ in rows]),
        "recall@10": percent([recall(asked, found, 10) for asked, found, _ in rows]),
        "MRR": percent([reciprocal(asked, found) for asked, found, _ in rows]),
        "recall@10 by kind": {kind: percent(values) for kind, values in sorted(kinds.items())},
        "search ms p50": round(median(took for _, _, took in rows), 1),
    }  # fmt: skip


def recall(asked: Question, found: Sequence[str], most: int) -> float:
    return len(asked.answers & set(found[:most])) / len(asked.answers)


def reciprocal(asked: Question, found: Sequence[str]) -> float:
    return next((1 / place for place, each in enumerate(found, 1) if each in asked.answers), 0.0)


def percent(values: Sequence[float]) -> float:
    return round(100 * mean(values), 1)


def slug(text: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())


if __name__ == "__main__":
    main()
