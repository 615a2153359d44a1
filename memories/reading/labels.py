"""Kind and category of a statement: a small model over its cues, its words and, where it is known, its vector.

The weights (labels.npz) are made by `python -m benchmarks.training.kinds` from the invented sentences in
examples/kinds.jsonl. Without a vector of the packaged model a second set of weights decides by cues and words alone, so
labels never wait for the embedder. The rules of kinds.py are among the features, never the last word.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memories.choices import Category, Kind
from memories.reading import kinds
from memories.reading.base import Statement, Vector

#: The space the vectors must come from; another model's say nothing here.
SPACE = "all-MiniLM-L6-v2"
WEIGHTS = Path(__file__).parent / "labels.npz"
#: Beside some dozen words of weight 1, a vector of length 1 would hardly be heard.
VECTOR_WEIGHT = 2.0
#: The beginning of a statement tells what it is; a whole page has no kind.
_MOST_CHARACTERS = 600

#: Scripts without spaces are looked at by the character.
_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_SPACELESS}]|(?:(?![{_SPACELESS}])[^\W\d_])+(?:[-'’][^\W\d_]+)*|\d+|[^\w\s]")
_ENDING, _LONGER_THAN = 3, 4

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Model:
    """One row of weights for each feature and dimension, one column for each label, as (cues alone, with vector)."""

    labels: tuple[str, ...]
    words: tuple[Weights, Weights]
    bias: tuple[Weights, Weights]
    vector: Weights

    def best(self, rows: list[int], vector: Vector | None) -> str:
        way = 0 if vector is None else 1
        score = self.words[way][rows].sum(axis=0) + self.bias[way]
        if vector is not None:
            score = score + vector @ self.vector
        return self.labels[int(np.argmax(score))]


def kind(text: str, vector: Vector | None = None) -> Kind:
    return Kind(_models()[0].best(_rows(text), vector))


def category(text: str, vector: Vector | None = None) -> Category:
    return Category(_models()[1].best(_rows(text), vector))


def both(text: str, vector: Vector | None = None) -> tuple[Kind, Category]:
    rows = _rows(text)
    of_kind, of_category = _models()
    return Kind(of_kind.best(rows, vector)), Category(of_category.best(rows, vector))


def labelled(statement: Statement, vector: Vector | None) -> Statement:
    """The statement with the labels its vector gives it. Only a trait of somebody is a persona."""
    of_kind, of_category = both(statement.text, vector)
    whose = person(statement.text, of_category) if statement.person is None else statement.person
    if of_category == Category.PERSONA and whose is None:
        of_category = statement.category
    return replace(
        statement, kind=of_kind, category=of_category, person=whose if of_category == Category.PERSONA else None
    )


def person(text: str, of_category: Category, speaker: str | None = None) -> str | None:
    """Whose trait a persona statement tells."""
    if of_category != Category.PERSONA:
        return None
    return kinds.person(text, speaker) or kinds.subject_of_trait(text, speaker)


def features(text: str) -> set[str]:
    """What is looked at: the rules' own answers, words, pairs of words, how it begins and ends; names are all alike."""
    text = text[:_MOST_CHARACTERS]
    found = _WORD.findall(text)
    shapes = [_shape(word, is_first=not place) for place, word in enumerate(found)]
    told = set(shapes) | {f"{one} {two}" for one, two in pairwise(shapes)}
    told |= {f"%{word[-_ENDING:]}" for word in shapes if len(word) > _LONGER_THAN}
    if shapes:
        told |= {f"^{shapes[0]}", f"^2 {' '.join(shapes[:2])}", f"${shapes[-1]}"}
    told.add(f"#long {min(len(found) // 5, 4)}")
    return told | kinds.cues(text)


def _shape(word: str, *, is_first: bool) -> str:
    """Names and numbers are all alike: what matters is that one stands there."""
    if word.isdigit():
        return "<number>"
    if is_first or not word[0].isupper() or word == "I":
        return word.lower()
    return "<capitals>" if len(word) > 1 and word.isupper() else "<name>"


def _rows(text: str) -> list[int]:
    places = _places()
    return [places[feature] for feature in sorted(features(text)) if feature in places]


@cache
def _places() -> dict[str, int]:
    with np.load(WEIGHTS) as stored:
        return {str(feature): place for place, feature in enumerate(stored["features"])}


@cache
def _models() -> tuple[_Model, _Model]:
    with np.load(WEIGHTS) as stored:
        kept = {name: stored[name] for name in stored.files}
    return _model(kept, "kind"), _model(kept, "category")


def _model(kept: dict[str, NDArray[np.generic]], of: str) -> _Model:
    def weights(name: str) -> Weights:
        return kept[f"{of}_{name}"].astype(np.float32)

    labels = tuple(str(label) for label in kept[f"{of}_labels"])
    return _Model(
        labels,
        words=(weights("words_alone"), weights("words_beside")),
        bias=(weights("bias_alone"), weights("bias_beside")),
        vector=weights("vector"),
    )
