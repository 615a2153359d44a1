"""Sentences with one word exchanged: contradiction (colour, number, country) or one meaning (synonym)."""

from pathlib import Path

from benchmarks.reading.contradiction import contradictions
from benchmarks.reading.figures import Figure

FIGURES = (
    Figure("breaking_nli/f1", "contradiction", 95, "92.5"),
    Figure("breaking_nli/precision", "of what is called one"),
    Figure("breaking_nli/recall", "of those that are"),
)


def measure(folder: Path) -> dict[str, float]:
    return contradictions(folder / "breaking_nli" / "pairs.jsonl").figures("breaking_nli")
