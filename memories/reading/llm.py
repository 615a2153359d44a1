"""A reader that asks a language model for the statements, and falls back to the plain reader wherever it must.

The model only says which sentences a text holds, by the number of the passage each comes from. Everything else is
derived here as for any text: the place, dates, kind, names. Each sentence is checked (faithful.py) before it is taken.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from typing import Protocol

from memories.choices import Category, Kind
from memories.reading.base import MAX_STATEMENT_LENGTH, Allowance, Comparison, Context, Statement, Vector
from memories.reading.faithful import is_faithful
from memories.reading.normal import statement_key
from memories.reading.passages import Part, Passage, parts, passages
from memories.reading.plain import PlainReader, statement_of
from memories.reading.statements import is_statement

#: A part of which the rules read so much and the model nothing is read by the rules: small models go silent.
MOST_LOST = 3


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that the model gave, and the number of the passage it came from, from 1."""

    passage: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one part: sentences, or in words why none did. `used` is None where nobody counted."""

    said: tuple[Said, ...] = ()
    failure: str = ""
    used: int | None = None


class Model(Protocol):
    """Whoever answers for some parts, in their order. Never raises for what the outside world does."""

    def cost(self, part: Part) -> int:
        """So many tokens at most one part is likely to take, with its answer."""
        ...

    def answers(self, asked: Sequence[Part]) -> list[Answer]: ...


@dataclass(slots=True)
class _Tally:
    """What is said of a reading afterwards."""

    parts: int = 0
    failures: tuple[str, ...] = ()
    over_budget: int = 0
    useless: int = 0
    refused: int = 0


class ModelReader:
    """`read` asks the model; labels and comparisons are the plain reader's."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.plain = PlainReader()

    def read(self, text: str, context: Context) -> list[Statement]:
        plainly = self.plain.read(text, context)
        if context.allowance is None:
            return plainly
        asked = list(parts(list(passages(text, context))))
        tally = _Tally(parts=len(asked))
        answered = list(self._answered(asked, context.allowance, tally))
        read = _with(plainly, answered, tally)
        for sentence in _notes(tally):
            context.allowance.note(sentence)
        return read

    def _answered(
        self, asked: Sequence[Part], allowance: Allowance, tally: _Tally
    ) -> Iterator[tuple[Part, tuple[Said, ...]]]:
        costs = [self.model.cost(part) for part in asked]
        paid = [(part, cost) for part, cost in zip(asked, costs, strict=True) if allowance.take(cost)]
        tally.over_budget = len(asked) - len(paid)
        for (part, cost), answer in zip(paid, self.model.answers([part for part, _ in paid]), strict=True):
            allowance.settle(cost, cost if answer.used is None else answer.used)
            if answer.failure:
                tally.failures = (*tally.failures, answer.failure)
            else:
                yield part, answer.said

    def labelled(self, statement: Statement, vector: Vector | None) -> Statement:
        return self.plain.labelled(statement, vector)

    def compare(self, newer: str, older: str, *, similarity: float | None = None) -> Comparison:
        return self.plain.compare(newer, older, similarity=similarity)

    def kind(self, text: str, vector: Vector | None = None) -> Kind:
        return self.plain.kind(text, vector)

    def category(self, text: str, vector: Vector | None = None) -> Category:
        return self.plain.category(text, vector)

    def person(self, text: str) -> str | None:
        return self.plain.person(text)


def _with(
    plainly: Sequence[Statement], answered: Sequence[tuple[Part, tuple[Said, ...]]], tally: _Tally
) -> list[Statement]:
    """The model's statements in the place of the rules' where it answered well. Code stays as the rules keep it."""
    read: list[Statement] = []
    left = sorted(plainly, key=attrgetter("start"))
    kept = [True] * len(left)
    for part, said in answered:
        places = range(*(bisect_left(left, at, key=attrgetter("start")) for at in (part.start, part.end)))
        inside = [place for place in places if not left[place].is_code]
        taken, refused = _accepted(part, said)
        tally.refused += refused
        if len(taken) < refused or (not taken and len(inside) > MOST_LOST):
            tally.useless += 1
            continue
        read += taken
        for place in inside:
            kept[place] = False
    read += compress(left, kept)
    return sorted(read, key=attrgetter("start", "end"))


def _accepted(part: Part, said: Sequence[Said]) -> tuple[list[Statement], int]:
    """The statements among a model's sentences, each once, and how many sentences were refused."""
    taken: dict[str, Statement] = {}
    refused = 0
    for each in said:
        place, sentence = each.passage - 1, " ".join(each.sentence.split())
        if not (0 <= place < len(part.passages) and 0 < len(sentence) <= MAX_STATEMENT_LENGTH):
            refused += 1
            continue
        passage = part.passages[place]
        if not is_faithful(sentence, passage.text, _around(part, place)):
            refused += 1
        elif is_statement(sentence):
            made = statement_of(sentence, passage.start, passage.end, passage.context)
            taken.setdefault(statement_key(sentence), made)
    return list(taken.values()), refused


def _around(part: Part, place: int) -> list[str]:
    passage: Passage = part.passages[place]
    before = [each.text for each in [*part.before, *part.passages[:place]]]
    known = [passage.context.speaker or "", passage.context.title or ""]
    return [*passage.headings, *known, *before]


def _notes(tally: _Tally) -> Iterator[str]:
    if tally.over_budget:
        yield (
            f"Today's budget of model tokens did not reach: {tally.over_budget} of {tally.parts} parts were read by "
            "rules."
        )
    if tally.failures:
        yield (
            f"The model failed ({', '.join(dict.fromkeys(tally.failures))}): {len(tally.failures)} of {tally.parts} "
            "parts were read by rules."
        )
    if tally.useless:
        yield f"The model's answer was of no use for {tally.useless} of {tally.parts} parts: they were read by rules."
    if tally.refused:
        yield _refused(tally.refused)


def _refused(count: int) -> str:
    if count == 1:
        return "1 sentence of the model was refused: it says what the text does not."
    return f"{count} sentences of the model were refused: they say what the text does not."
