"""What reading promises, whoever does it: the plain reader offline, or a language model.

Everything here is pure: no database, no settings, no clock. The reference time is an argument.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from memories.choices import Category, Kind

#: One fact is at most this long; a longer statement is cut on a border into several.
MAX_STATEMENT_LENGTH = 8_000

#: A statement's place in the space of the packaged embedding model (labels.SPACE).
Vector = NDArray[np.float32]
DifferenceKind = Literal["number", "date", "name", "unit", "negation", "word"]


class Allowance(Protocol):
    """What a reader that asks a model may spend on one text, and where it says how it went. Handed in by whoever keeps
    the budget."""

    def take(self, tokens: int) -> bool:
        """Set so many tokens aside, if the budget still holds them."""
        ...

    def settle(self, taken: int, used: int) -> None:
        """What was set aside and not used goes back; what was used besides is counted."""
        ...

    def note(self, sentence: str) -> None:
        """Say what people should know of this reading. Never words of the text."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What the caller knows about a text and the text itself does not say."""

    reference_time: datetime
    timezone: str = "UTC"
    speaker: str | None = None
    title: str | None = None
    #: Without one no model is asked.
    allowance: Allowance | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.reference_time.tzinfo is None:
            raise ValueError("The reference time needs a time zone.")
        ZoneInfo(self.timezone)  # fails here for an unknown zone, not in the middle of a text


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a text says. `start` and `end` count the characters of the raw text it was read from."""

    text: str
    start: int
    end: int
    kind: Kind
    category: Category
    about_from: datetime | None = None
    about_until: datetime | None = None
    person: str | None = None
    names: tuple[str, ...] = ()
    #: A block of code, kept as one: its words are not looked into.
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two texts part: `this` stands in the newer text, `other` in the older."""

    what: DifferenceKind
    this: str | None
    other: str | None


class Verdict(StrEnum):
    SAME = "same"
    REPLACES = "replaces"
    CONTRADICTS = "contradicts"
    NEAR = "near"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Only a certain verdict may be acted upon; the rest is for a person."""

    verdict: Verdict
    certain: bool
    differs: tuple[Difference, ...] = ()
    #: In words: "port: 8443 → 9443", "negation".
    reason: str = field(default="", compare=False)
    #: How likely the verdict is, 0 to 1.
    confidence: float = field(default=0.0, compare=False)


class Reader(Protocol):
    """Reads texts into statements, and judges how a newer statement stands to an older one.

    Nothing is embedded here: whoever has the vector of a statement hands it over, and labels get better by it.
    """

    def read(self, text: str, context: Context) -> list[Statement]: ...

    def labelled(self, statement: Statement, vector: Vector | None) -> Statement:
        """The statement with kind, category and person as they are seen once its vector is known."""
        ...

    def compare(self, newer: str, older: str, *, similarity: float | None = None) -> Comparison:
        """`similarity` is the cosine of the two in the space of the packaged model, where it is known."""
        ...

    def kind(self, text: str, vector: Vector | None = None) -> Kind: ...

    def category(self, text: str, vector: Vector | None = None) -> Category: ...

    def person(self, text: str) -> str | None: ...
