"""Readers and embedders that do as a test tells them."""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from memories.choices import Category, Kind
from memories.embeddings import HashingEmbedder, Vector
from memories.errors import EmbedderDown
from memories.reading import Comparison, Context, Statement, Verdict, same_statement

SENTENCE = re.compile(r"[^.\n]*[^.\s][^.\n]*\.?")


class StubReader:
    """Every sentence is a statement; what two of them mean to each other is what the test said.

    `memories.reader` keeps one object for each dotted path, so the fixture `stub_reader` resets it.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.verdicts: dict[tuple[str, str], Comparison] = {}
        self.error: BaseException | None = None
        #: Fail only when this many statements have been handed out.
        self.error_after = 0
        self.contexts: list[Context] = []

    def judge(self, newer: str, older: str, verdict: Verdict, *, certain: bool = True) -> None:
        self.verdicts[newer, older] = Comparison(verdict, certain)

    def read(self, text: str, context: Context) -> list[Statement]:
        self.contexts.append(context)
        if self.error and not self.error_after:
            raise self.error
        found = [self._statement(match) for match in SENTENCE.finditer(text)]
        return _Breaking(found, self.error_after, self.error) if self.error else found

    def _statement(self, match: re.Match[str]) -> Statement:
        text = match.group().strip()
        start = match.start() + match.group().index(text)
        return Statement(text, start, start + len(text), Kind.FACT, Category.FACT)

    def compare(self, newer: str, older: str, *, similarity: float | None = None) -> Comparison:
        if same_statement(newer, older):
            return Comparison(Verdict.SAME, certain=True)
        return self.verdicts.get((newer, older), Comparison(Verdict.UNRELATED, certain=False))

    def labelled(self, statement: Statement, vector: Vector | None) -> Statement:
        return statement

    def kind(self, text: str, vector: Vector | None = None) -> Kind:
        return Kind.FACT

    def category(self, text: str, vector: Vector | None = None) -> Category:
        return Category.FACT

    def person(self, text: str) -> str | None:
        return None


class _Breaking(list[Statement]):
    """Statements that can be had only up to a place."""

    def __init__(self, found: Sequence[Statement], whole: int, error: BaseException) -> None:
        super().__init__(found)
        self.whole = whole
        self.error = error

    def __iter__(self) -> Iterator[Statement]:
        for place, each in enumerate(super().__iter__()):
            if place == self.whole:
                raise self.error
            yield each


class BrokenEmbedder:
    """The same space as a working one, but it can't answer now."""

    def __init__(self, name: str = "hashing-64", dimensions: int = 64) -> None:
        self.name = name
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise EmbedderDown("The stub is told to fail.")

    def warm(self) -> None:
        """Nothing to load."""

    def state(self) -> str:
        return "failed: the stub is told to fail."


class TableEmbedder(HashingEmbedder):
    """Vectors by the first word they are listed under; every other text is hashed. A model of its own name."""

    def __init__(self, name: str, dimensions: int, table: Mapping[str, Sequence[float]] | None = None) -> None:
        super().__init__(dimensions)
        self.name = name
        self.table = table or {}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        hashed = super().embed(texts)
        return [self._listed(text, vector) for text, vector in zip(texts, hashed, strict=True)]

    def _listed(self, text: str, vector: Vector) -> Vector:
        for word, listed in self.table.items():
            if word in text:
                found = np.array([*listed, *[0.0] * (self.dimensions - len(listed))], dtype=np.float32)
                return (found / np.linalg.norm(found)).astype(np.float32)
        return vector
