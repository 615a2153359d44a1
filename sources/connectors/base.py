"""What a connector promises: it tells what is in an outside system, and what changed there, one page at a time.

A connector knows no row and writes nothing. It is made from the values of its declared fields, and goes on from
the cursor that came with the last page whose changes were stored.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from memories import screening
from memories.choices import Tier

#: JSON that only its connector understands. Empty at the very first run: everything is listed then.
Cursor = Mapping[str, Any]


class FieldKind(StrEnum):
    TEXT = "text"
    SECRET = "secret"  # noqa: S105  # a kind of field; stored encrypted and never shown again
    URL = "url"
    LINES = "lines"  # one value a line: a tuple of strings
    CHOICE = "choice"
    CHOICES = "choices"  # several of them: a tuple of strings
    SWITCH = "switch"


@dataclass(frozen=True, slots=True)
class Field:
    """One value that staff enter. `help` says where to get it, and which permissions are enough."""

    name: str
    label: str
    help: str
    kind: FieldKind = FieldKind.TEXT
    required: bool = False
    default: str | bool | tuple[str, ...] = ""
    choices: tuple[tuple[str, str], ...] = ()


class _Told:
    """What an outside system tells may hold what no row can: NUL, halves of characters. A text keeps them; it is
    stored like any other, and its receipt counts them."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]  # the classes below are the only ones
            value = getattr(self, each.name)
            if isinstance(value, str) and each.name != "text":
                object.__setattr__(self, each.name, screening.storable(value)[0])


@dataclass(frozen=True, slots=True)
class Item(_Told):
    """One document, issue or task as it reads now.

    `key` names it for good, also when it is renamed. `version` is whatever tells the next listing that it need
    not be fetched again (a hash, an ETag, a revision). `formerly` is the key it had, where a rename changed it.
    """

    key: str
    title: str
    text: str
    url: str
    version: str
    revised_at: datetime | None = None
    formerly: str = ""
    left_out: str = ""  # a sentence, when the text was cut at the size limit


@dataclass(frozen=True, slots=True)
class Unchanged(_Told):
    """It is still there, as it was read before."""

    key: str


@dataclass(frozen=True, slots=True)
class Gone(_Told):
    """It was removed, moved out, or is no longer of a kind that is read."""

    key: str


@dataclass(frozen=True, slots=True)
class Unread(_Told):
    """It is there and could not be read now. What is known of it stays, and the next run tries again."""

    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class Skipped(_Told):
    """It is there and is not read on purpose: an unknown type, too large. Nothing is kept of it."""

    key: str
    reason: str


Change = Item | Unchanged | Gone | Unread | Skipped


@dataclass(frozen=True, slots=True)
class Page:
    """Some changes, and the cursor to go on from once they are stored.

    `begins` and `ends` frame a sweep, a listing of all items whose keys start with that prefix ("" for all). What
    has the prefix and was not mentioned between the two has vanished. A sweep may last over several runs.
    """

    changes: Sequence[Change]
    cursor: Cursor
    begins: str | None = None
    ends: str | None = None


#: The versions of the items among these keys that are known, as they were last read.
Versions = Callable[[Collection[str]], Mapping[str, str]]


def nothing_known(_: Collection[str]) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Connection:
    """What a connector is made from. Secrets stand in `secrets` only, so that `values` may be shown and logged."""

    values: Mapping[str, Any]
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    versions: Versions = nothing_known


class Connector(Protocol):
    type: ClassVar[str]
    label: ClassVar[str]
    default_tier: ClassVar[Tier]
    fields: ClassVar[tuple[Field, ...]]

    def __init__(self, connection: Connection) -> None: ...

    def test(self) -> str:
        """Try the credentials and say in a sentence what they open; else a ConnectorError."""
        ...

    def pages(self, cursor: Cursor) -> Iterator[Page]:
        """What changed since the cursor, lazily. Raises ConnectorError when it can't go on."""
        ...


class ConnectorError(Exception):
    """Why an outside system can't be read, as a sentence that staff understand and without any secret in it.

    `permanent`: trying again won't help, a person has to do something. `retry_after`: seconds it asked us to wait.
    """

    def __init__(self, sentence: str, *, permanent: bool = False, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.permanent = permanent
        self.retry_after = retry_after
