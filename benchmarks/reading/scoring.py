"""How texts are held against gold: greedy one-to-one by token F1, as benchmarks were always scored here."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_WORD = re.compile(r"\w+")


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def words_of(text: str) -> Counter[str]:
    """Lower-cased words, punctuation dropped."""
    return Counter(_WORD.findall(text.lower()))


def token_f1(one: Counter[str], other: Counter[str]) -> float:
    common = sum((one & other).values())
    return 2 * common / (sum(one.values()) + sum(other.values())) if common else 0.0


def matched(found: Sequence[str], gold: Sequence[str], threshold: float) -> list[tuple[int, int]]:
    """Pairs of places, best first, each text in one pair at most."""
    these, those = [words_of(text) for text in found], [words_of(text) for text in gold]
    scores = [
        (token_f1(this, that), place, other) for place, this in enumerate(these) for other, that in enumerate(those)
    ]
    pairs: list[tuple[int, int]] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for score, place, other in sorted(scores, key=lambda each: (-each[0], each[1], each[2])):
        if score >= threshold and place not in taken[0] and other not in taken[1]:
            pairs.append((place, other))
            taken[0].add(place)
            taken[1].add(other)
    return pairs


@dataclass(slots=True)
class Tally:
    """Hits, and how many were found and wanted, summed over a set."""

    hits: int = 0
    found: int = 0
    wanted: int = 0

    def add(self, hits: int, found: int, wanted: int) -> None:
        self.hits += hits
        self.found += found
        self.wanted += wanted

    def add_texts(self, found: Sequence[str], gold: Sequence[str], threshold: float) -> None:
        self.add(len(matched(found, gold, threshold)), len(found), len(gold))

    def add_names(self, found: Iterable[str], gold: Iterable[str]) -> None:
        """As sets, case folded."""
        these, those = ({" ".join(name.casefold().split()) for name in names} for names in (found, gold))
        self.add(len(these & those), len(these), len(those))

    @property
    def precision(self) -> float:
        return 100 * self.hits / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return 100 * self.hits / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        return 200 * self.hits / (self.found + self.wanted) if self.hits else 0.0

    def figures(self, name: str) -> dict[str, float]:
        return {f"{name}/f1": self.f1, f"{name}/precision": self.precision, f"{name}/recall": self.recall}


def macro_f1(guessed: Sequence[str], wanted: Sequence[str]) -> float:
    """The mean of the F1 of each label that is wanted anywhere."""
    each = []
    for label in sorted(set(wanted)):
        hits = sum(one == other == label for one, other in zip(guessed, wanted, strict=True))
        each.append(200 * hits / (list(guessed).count(label) + list(wanted).count(label)))
    return sum(each) / len(each)
