"""A cross-encoder as a second judge of two statements: any NLI model that sentence-transformers' CrossEncoder loads.

It reads both statements together, in both directions. The certain rules stay above it, and its own word is never
certain: it suggests a contradiction that the rules missed, takes one back that they only suspected, and makes an
uncertain one of a likely verdict that it doesn't share.
"""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memories.choices import Category, Kind
from memories.loading import ONE_AT_A_TIME
from memories.reading.base import Comparison, Context, Reader, Statement, Vector, Verdict
from memories.reading.weighing import MOST_CHARACTERS, SURE

logger = logging.getLogger(__name__)

#: From which likelihood the model's word counts, and below which a suspected contradiction is taken back.
SAYS, DENIES = 0.6, 0.2
_AGAINST = (Verdict.REPLACES, Verdict.CONTRADICTS)
_NAMES = {"contradiction": "against", "entailment": "follows", "neutral": "neutral"}


class CrossEncoderJudge:
    """Loaded at the first pair, from a folder or the local cache; nothing is downloaded."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._model: Any = None
        self._labels: list[str] = []

    def likelihoods(self, one: str, other: str) -> Mapping[str, float] | None:
        """Means over both directions of `against`, `follows`, `neutral`; None where there is no answer."""
        try:
            given = self._loaded().predict(
                [(other, one), (one, other)], apply_softmax=True, show_progress_bar=False, convert_to_numpy=True
            )
        except Exception as error:  # noqa: BLE001 - a model may raise anything, and quotes its input
            logger.warning("The judge failed (%s); the rules' verdict stays.", type(error).__name__)
            return None
        return {name: float(given[:, place].mean()) for place, name in enumerate(self._labels)}

    def _loaded(self) -> Any:
        with ONE_AT_A_TIME:
            if self._model is None:
                from sentence_transformers import CrossEncoder  # noqa: PLC0415 - takes seconds

                model = CrossEncoder(self.folder, device="cpu", local_files_only=True)
                self._labels = _labels(model.model.config.id2label)
                self._model = model
            return self._model


def _labels(named: Mapping[int, str]) -> list[str]:
    """What each output means, by the names in the model's own configuration."""
    found = [_NAMES.get(named[place].lower(), "") for place in range(len(named))]
    if "against" not in found:
        raise ValueError(f"The judge's labels are {', '.join(named.values())}; one has to be contradiction.")
    return found


class Judged:
    """Another reader, with a cross-encoder that looks at what it compares."""

    def __init__(self, reader: Reader, judge: CrossEncoderJudge) -> None:
        self.reader = reader
        self.judge = judge

    def compare(self, newer: str, older: str, *, similarity: float | None = None) -> Comparison:
        found = self.reader.compare(newer, older, similarity=similarity)
        is_ruled = found.certain and found.confidence >= SURE
        if is_ruled or found.verdict == Verdict.UNRELATED or max(len(newer), len(older)) > MOST_CHARACTERS:
            return found
        told = self.judge.likelihoods(newer, older)
        return found if told is None else _weighed(found, told["against"], told.get("follows", 0.0))

    def read(self, text: str, context: Context) -> list[Statement]:
        return self.reader.read(text, context)

    def labelled(self, statement: Statement, vector: Vector | None) -> Statement:
        return self.reader.labelled(statement, vector)

    def kind(self, text: str, vector: Vector | None = None) -> Kind:
        return self.reader.kind(text, vector)

    def category(self, text: str, vector: Vector | None = None) -> Category:
        return self.reader.category(text, vector)

    def person(self, text: str) -> str | None:
        return self.reader.person(text)


def _weighed(found: Comparison, against: float, follows: float) -> Comparison:
    if found.verdict in _AGAINST:
        if against < DENIES:
            return replace(found, verdict=Verdict.NEAR, certain=False, confidence=1 - against)
        return replace(found, certain=found.certain and against >= SAYS)
    if against >= SAYS:
        return replace(found, verdict=Verdict.CONTRADICTS, certain=False, confidence=against)
    if found.verdict == Verdict.NEAR and follows >= SAYS:
        return replace(found, verdict=Verdict.SAME, certain=False, confidence=follows)
    return found
