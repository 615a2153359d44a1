"""Something said, and later said otherwise: are the two statements judged to disagree, and their neighbours not?

The turns of one update are read into statements; it counts as judged when any newer statement replaces or contradicts
any older one, certain or not. Neighbours are the statements of other updates closest in meaning to each newer one, as
intake would compare them. That the older is *found* is measured by `benchmarks.search`, through the door.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import rows
from memories.embeddings.choice import built
from memories.reading import Context, PlainReader, Verdict

FIGURES = (
    Figure("updates/longmemeval_judged", "real updates judged replaces or contradicts, %", 60),
    Figure("updates/longmemeval_compared", "with a pair from cosine .45 up, so that intake compares them, %"),
    Figure("updates/longmemeval_neighbours", "unrelated neighbours judged so, %", 2, lower_is_better=True),
    Figure("updates/longmemeval_acted", "unrelated neighbours acted upon", 0, lower_is_better=True),
)
AGAINST = (Verdict.REPLACES, Verdict.CONTRADICTS)
FLOOR, NEIGHBOURS = 0.45, 10


@dataclass(frozen=True, slots=True)
class _Side:
    texts: list[str]
    vectors: NDArray[np.float32]


def measure(folder: Path) -> dict[str, float]:
    found = list(rows(folder / "longmemeval_evidence" / "updates.jsonl"))
    old, new = ([_side(row[name]) for row in found] for name in ("old", "new"))
    judged = compared = asked = wrong = acted = 0
    for place, newer in enumerate(new):
        likeness = newer.vectors @ old[place].vectors.T
        compared += bool(likeness.size) and bool(likeness.max() >= FLOOR)
        judged += any(_verdicts(newer, old[place], likeness))
        others = [side for other, side in enumerate(old) if other != place]
        tally = _neighbours(newer, others)
        asked, wrong, acted = asked + tally[0], wrong + tally[1], acted + tally[2]
    return {
        "updates/longmemeval_judged": 100 * judged / len(found),
        "updates/longmemeval_compared": 100 * compared / len(found),
        "updates/longmemeval_neighbours": 100 * wrong / max(1, asked),
        "updates/longmemeval_acted": acted,
    }


def _side(turns: Sequence[dict[str, Any]]) -> _Side:
    texts = []
    for turn in turns:
        said = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC)
        texts += [each.text for each in PlainReader().read(turn["text"], Context(said))]
    vectors = np.asarray(built("packaged").embed(texts)) if texts else np.zeros((0, 384), np.float32)
    return _Side(texts, vectors)


def _verdicts(newer: _Side, older: _Side, likeness: NDArray[np.float32]) -> list[bool]:
    reader = PlainReader()
    return [
        reader.compare(this, other, similarity=float(likeness[row, column])).verdict in AGAINST
        for row, this in enumerate(newer.texts)
        for column, other in enumerate(older.texts)
        if likeness[row, column] >= FLOOR
    ]


def _neighbours(newer: _Side, others: Sequence[_Side]) -> tuple[int, int, int]:
    """Pairs compared, those judged to disagree, and those of them that would be acted upon."""
    texts = [text for side in others for text in side.texts]
    likeness = newer.vectors @ np.concatenate([side.vectors for side in others]).T
    asked = wrong = acted = 0
    for this, row in zip(newer.texts, likeness, strict=True):
        for column in np.argsort(-row)[:NEIGHBOURS]:
            if row[column] >= FLOOR:
                result = PlainReader().compare(this, texts[column], similarity=float(row[column]))
                asked += 1
                wrong += result.verdict in AGAINST
                acted += result.verdict in AGAINST and result.certain
    return asked, wrong, acted
