"""Short documents of our own domain: the statements in them, their times, and passages from which none may come."""

from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, matched, rows
from memories.reading import Context, PlainReader, Statement

FIGURES = (
    Figure("domain_statements/f1", "statements, token F1 ≥ .5", aim=75),
    Figure("domain_statements/precision", "of the statements read"),
    Figure("domain_statements/recall", "of the statements wanted"),
    Figure("domain_statements/not_stored", "passages that state nothing and were stored, %", 5, lower_is_better=True),
    Figure("domain_statements/about", "matched statements with the right day of their time, both ends, %"),
)


def measure(folder: Path) -> dict[str, float]:
    tally, times = Tally(), Tally()
    stored = passages = 0
    for row in rows(folder / "domain" / "statements.jsonl"):
        reference = datetime.fromisoformat(row["reference_time"])
        found = PlainReader().read(row["text"], Context(reference))
        gold = row["statements"]
        texts, wanted = [each.text for each in found], [each["text"] for each in gold]
        tally.add_texts(texts, wanted, threshold=0.5)
        pairs = matched(texts, wanted, 0.5)
        times.add(sum(_same_days(found[this], gold[that]) for this, that in pairs), len(pairs), len(pairs))
        stored += sum(_is_stored(passage, row["text"], found) for passage in row["not_statements"])
        passages += len(row["not_statements"])
    return {
        **tally.figures("domain_statements"),
        "domain_statements/not_stored": 100 * stored / max(1, passages),
        "domain_statements/about": times.precision,
    }


def _is_stored(passage: str, text: str, found: list[Statement]) -> bool:
    """Whether any statement was read from a span that touches the passage."""
    start = text.find(passage)
    return any(each.start < start + len(passage) and start < each.end for each in found) if start >= 0 else False


def _same_days(found: Statement, gold: dict[str, Any]) -> bool:
    return all(
        (ours.date().isoformat() if ours else None) == (theirs[:10] if theirs else None)
        for ours, theirs in ((found.about_from, gold["about_from"]), (found.about_until, gold["about_until"]))
    )
