"""What every kind gives, and the readings several of them share."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from memories import limits
from memories.choices import Category, Scope

#: Names under which files of other makers carry the sentence itself.
CONTENT_NAMES = ("content", "memory", "text", "fact", "statement", "value")


@dataclass(frozen=True, slots=True)
class File:
    """One file as it was read. `siblings` are the names of the files imported with it."""

    key: str
    text: str
    zone: ZoneInfo
    siblings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One fact, or (`is_text`) a text to be read for facts, as an import offers it.

    `name` is what it is called for good where it came from, empty if it has no name.
    """

    line: int
    content: str
    name: str = ""
    is_text: bool = False
    category: Category | None = None
    person: str | None = None
    scope: Scope = Scope.SHARED
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    about_from: datetime | None = None
    about_until: datetime | None = None
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Bad:
    """A line that can't be taken, and why."""

    line: int
    reason: str


class Unusable(ValueError):
    """One entry is not as it should be. The message completes "line 7: …"."""


# --- entries of a JSON document, each with its line -----------------------------------------------


def entries(text: str, *lists: str) -> Iterator[tuple[int, Any]]:
    """The entries of a JSON list, or of the lists of these names in a JSON object; each with the line it begins on.

    A document that is broken in the middle gives what stands before; then JSONDecodeError is raised.
    """
    decoder, place = json.JSONDecoder(), _after_space(text, 0)
    if text[place : place + 1] == "[":
        yield from _in_list(text, place, decoder)
        return
    if text[place : place + 1] != "{":
        raise Unusable("it is neither a JSON list nor a JSON object")
    has_one = False
    place = _after_space(text, place + 1)
    while text[place : place + 1] != "}":
        name, place = decoder.raw_decode(text, place)
        place = _after_space(text, _after(text, place, ":"))
        if name in lists and text[place : place + 1] == "[":
            has_one = True
            yield from _in_list(text, place, decoder)
        place = decoder.raw_decode(text, place)[1]
        place = _after_separator(text, place, "}")
    if not has_one:
        raise Unusable(f"it has no list called {' or '.join(lists)}")


def _in_list(text: str, place: int, decoder: json.JSONDecoder) -> Iterator[tuple[int, Any]]:
    line, counted = 1, 0
    place = _after_space(text, place + 1)
    while text[place : place + 1] != "]":
        line, counted = line + text.count("\n", counted, place), place
        entry, end = decoder.raw_decode(text, place)
        yield line, entry
        place = _after_separator(text, end, "]")


def _after_separator(text: str, place: int, closing: str) -> int:
    place = _after_space(text, place)
    return place if text[place : place + 1] == closing else _after_space(text, _after(text, place, ","))


def _after(text: str, place: int, sign: str) -> int:
    place = _after_space(text, place)
    if text[place : place + 1] != sign:
        raise json.JSONDecodeError(f"Expecting {sign!r}", text, place)
    return place + 1


def _after_space(text: str, place: int) -> int:
    while text[place : place + 1] in (" ", "\t", "\r", "\n", "\ufeff") and place < len(text):
        place += 1
    return place


def each_line(text: str) -> Iterator[tuple[int, str]]:
    """Lines as editors count them, blank ones left out."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def is_json_document(text: str) -> bool:
    """One JSON value, not one a line."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


# --- values ---------------------------------------------------------------------------------------


def sentence(entry: Mapping[str, Any], *names: str) -> str:
    """The words of an entry, under the first of these names that it has."""
    for name in names or CONTENT_NAMES:
        value = entry.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    raise Unusable(f"it has no text under any of: {', '.join(names or CONTENT_NAMES)}")


def words(value: Any) -> tuple[str, ...]:
    """Tags: a list of strings, or one string with commas or semicolons."""
    found = value.replace(";", ",").split(",") if isinstance(value, str) else value or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise Unusable("its tags are no list of strings")
    tags = tuple(dict.fromkeys(each.strip() for each in found if each.strip()))
    if len(tags) > limits.TAGS or any(len(each) > limits.TAG_CHARACTERS for each in tags):
        raise Unusable(f"it has more than {limits.TAGS} tags, or one of more than {limits.TAG_CHARACTERS} characters")
    return tags


def metadata(value: Mapping[str, Any]) -> dict[str, Any]:
    """Kept as equal JSON; what says nothing is left out."""
    kept = {name: each for name, each in value.items() if each not in (None, "", [], {})}
    if len(json.dumps(kept, ensure_ascii=False).encode("utf-8", "surrogatepass")) > limits.METADATA_BYTES:
        raise Unusable(f"its metadata are larger than {limits.METADATA_BYTES // 1024} KiB")
    return kept


def one_of(value: Any, choices: Any, what: str) -> Any:
    try:
        return choices(value.strip().lower() if isinstance(value, str) else value)
    except ValueError:
        raise Unusable(f"its {what} is {value!r}; known: {', '.join(choices.values)}") from None


def moment(value: Any, zone: ZoneInfo, *, is_end: bool = False) -> datetime | None:
    """ISO 8601 with or without a time of day, or seconds since 1970. Without an offset it is in the product's zone."""
    if value in (None, ""):
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if len(value) == len("2026-07-12"):
            return datetime.combine(date.fromisoformat(value), time.max if is_end else time.min, zone)
        told = datetime.fromisoformat(value)
    except (ValueError, TypeError, OverflowError, OSError):
        raise Unusable(f"{value!r} is no time; write it as 2026-07-12 or 2026-07-12T09:00:00Z") from None
    return told if told.tzinfo else told.replace(tzinfo=zone)


def lenient(value: Any, zone: ZoneInfo) -> datetime | None:
    """A time that only says when it was noted: one that can't be read is as good as none."""
    try:
        return moment(value, zone)
    except Unusable:
        return None
