"""Short plain sentences: contradictions among them. For measuring only; nothing is trained on it."""

from pathlib import Path

from benchmarks.reading.contradiction import contradictions
from benchmarks.reading.figures import Figure

FIGURES = (
    Figure("sick/f1", "contradiction", 72, "49.2"),
    Figure("sick/precision", "of what is called one", 75, "33.3"),
    Figure("sick/recall", "of those that are", None, "94.6"),
)


def measure(folder: Path) -> dict[str, float]:
    return contradictions(folder / "sick" / "pairs.jsonl").figures("sick")
