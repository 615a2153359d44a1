"""Notes of people and agents, and the memories to keep of them; some hold none."""

from datetime import UTC, datetime
from pathlib import Path

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, rows
from memories.reading import Context, PlainReader

FIGURES = (
    Figure("mempalace/f1", "memories, token F1 ≥ .5", aim=68, baseline="57.5"),
    Figure("mempalace/precision", "of the statements read", baseline="43.1"),
    Figure("mempalace/recall", "of the memories wanted", baseline="86.2"),
)


def measure(folder: Path) -> dict[str, float]:
    context = Context(datetime(2026, 1, 1, tzinfo=UTC))
    tally = Tally()
    for row in rows(folder / "mempalace_eval" / "memory_extraction.jsonl"):
        found = [statement.text for statement in PlainReader().read(row["text"], context)]
        tally.add_texts(found, [memory["content"] for memory in row["memories"]], threshold=0.5)
    return tally.figures("mempalace")
