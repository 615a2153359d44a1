"""Pairs of news sentences that say the same or nearly. For measuring only; nothing is trained on it."""

from pathlib import Path

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, rows
from memories.embeddings.choice import built

FIGURES = (
    Figure("mrpc/f1", "duplicate, cosine ≥ .63", 83, "81.7"),
    Figure("mrpc/precision", "of what is called one"),
    Figure("mrpc/recall", "of those that are"),
)
FLOOR = 0.63


def measure(folder: Path) -> dict[str, float]:
    found = list(rows(folder / "mrpc" / "pairs.jsonl"))
    vectors = built("packaged").embed([row[side] for row in found for side in ("a", "b")])
    tally = Tally()
    for place, row in enumerate(found):
        told = float(vectors[2 * place] @ vectors[2 * place + 1]) >= FLOOR
        is_one = row["label"] == "duplicate"
        tally.add(told and is_one, told, is_one)
    return tally.figures("mrpc")
