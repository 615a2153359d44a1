"""A deterministic embedder without a model: similar wording gives similar vectors. For tests."""

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from memories.embeddings.base import Matrix, Vector, storable, unit_rows

WORD = re.compile(r"\w+")
#: A shared word says more than a shared run of three letters.
WORD_WEIGHT, TRIGRAM_WEIGHT = 1.0, 0.3


class HashingEmbedder:
    """Words and letter trigrams, each hashed to one signed dimension."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.name = f"hashing-{dimensions}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        rows: Matrix = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                place, sign = self._place(feature)
                row[place] += sign * weight
            if not row.any():
                row[0] = 1.0  # a text without words, or whose features cancel out, still has a direction
        return unit_rows(rows)

    def _place(self, feature: str) -> tuple[int, int]:
        digest = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "big")
        return (digest >> 1) % self.dimensions, 1 if digest & 1 else -1

    def warm(self) -> None:
        """Nothing to load."""

    def state(self) -> str:
        return "ready"


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in WORD.findall(storable(text).casefold()):
        yield word, WORD_WEIGHT
        padded = f"<{word}>"
        for start in range(len(padded) - 2):
            yield f"3:{padded[start : start + 3]}", TRIGRAM_WEIGHT
