"""How likely each verdict on a pair is: a small model over the signs of pairs.py, half regression, half trees.

The weights (judge.npz) are made by `python -m benchmarks.training.judge` from the invented pairs in
examples/pairs.jsonl and from neighbours among them that say different things. With the cosine of the two it judges
better; without, it judges.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memories.reading import pairs
from memories.reading.base import Verdict

WEIGHTS = Path(__file__).parent / "judge.npz"


def likelihoods(told: dict[str, float]) -> dict[Verdict, float]:
    """By the signs of a pair. They add up to 1."""
    kept = _kept()
    row = np.array([told[name] for name in pairs.SIGNS], dtype=np.float32)
    both = (_by_regression(kept, row) + _by_trees(kept, row)) / 2
    return {Verdict(str(name)): float(value) for name, value in zip(kept["labels"], both, strict=True)}


def _by_regression(kept: dict[str, NDArray[np.generic]], row: NDArray[np.float32]) -> NDArray[np.float64]:
    score = kept["coefficients"].astype(np.float64) @ row + kept["bias"].astype(np.float64)
    lifted = np.exp(score - score.max())
    return np.asarray(lifted / lifted.sum())


def _by_trees(kept: dict[str, NDArray[np.generic]], row: NDArray[np.float32]) -> NDArray[np.float64]:
    """All trees go down one step at a time; a leaf is its own child."""
    at, (sign, limit, left, right) = kept["roots"], (kept[name] for name in ("sign", "limit", "left", "right"))
    for _ in range(int(kept["depth"][()])):
        at = np.where(row[sign[at]] <= limit[at], left[at], right[at])
    return np.asarray(kept["shares"][at].astype(np.float64).mean(axis=0))


@cache
def _kept() -> dict[str, NDArray[np.generic]]:
    with np.load(WEIGHTS) as stored:
        return {name: stored[name] for name in stored.files}
