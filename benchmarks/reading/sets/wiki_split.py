"""A complex sentence and the two that an editor made of it."""

from datetime import UTC, datetime
from pathlib import Path

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, rows
from memories.reading import Context, PlainReader

FIGURES = (
    Figure("wiki_split/f1", "statements, token F1 ≥ .7", aim=67, baseline="52.6"),
    Figure("wiki_split/precision", "of the statements read"),
    Figure("wiki_split/recall", "of the statements wanted"),
)


def measure(folder: Path) -> dict[str, float]:
    context = Context(datetime(2026, 1, 1, tzinfo=UTC))
    tally = Tally()
    for row in rows(folder / "wiki_split" / "sentences.jsonl"):
        found = [statement.text for statement in PlainReader().read(row["sentence"], context)]
        tally.add_texts(found, row["split"], threshold=0.7)
    return tally.figures("wiki_split")
