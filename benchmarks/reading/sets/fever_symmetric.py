"""Claims and evidence where overlap alone is chance: what is decided, and how much."""

from pathlib import Path

from benchmarks.reading.contradiction import contradictions
from benchmarks.reading.figures import Figure

FIGURES = (
    Figure("fever_symmetric/precision", "contradiction, of what is called one", 72, "53.6"),
    Figure("fever_symmetric/recall", "of those that are", 20, "20.9"),
    Figure("fever_symmetric/f1", "both"),
)


def measure(folder: Path) -> dict[str, float]:
    return contradictions(folder / "fever_symmetric" / "pairs.jsonl").figures("fever_symmetric")
