"""Messages as JSON Lines, one object a line: who says it, when, and the text, each character in its place.

What is said keeps its place in the raw text: the JSON around it is blanked, and what an escape is longer than its
character is filled with PAD, which cleaning takes off again.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memories.reading.chat import Turn
from memories.reading.inline import PAD
from memories.reading.session import is_heard

_TEXTS = ("content", "text", "message", "body")
_SPEAKERS = ("speaker", "name", "author", "from", "user", "sender", "role")
_DATES = ("at", "date", "time", "timestamp", "created_at", "ts", "sent_at")
_STRING = re.compile(rf'"(?:{"|".join(_TEXTS)})"\s{{0,20}}:\s{{0,20}}"(?P<value>(?:[^"\\]|\\.)*+)"')
_ESCAPE = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.)")
_LINE = re.compile(r"[^\r\n]+")
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Messages:
    """`visible` is as long as the raw text and holds what is said, and nothing else."""

    visible: str
    turns: tuple[Turn, ...]


def messages(raw: str) -> Messages | None:
    """None for a text that is no list of messages."""
    if not raw.lstrip("\ufeff \t\r\n").startswith("{"):
        return None
    lines = _LINE.finditer(raw)
    parts: list[str] = []
    turns: list[Turn] = []
    position = count = 0
    for line in lines:
        if not line.group().strip("\ufeff \t"):
            continue
        said = _message(line.group())
        if said is None:
            return None
        count += 1
        speaker, date, spans = said
        for start, end in spans:
            begin, stop = line.start() + start, line.start() + end
            parts += [_blank(raw[position:begin]), _ESCAPE.sub(_unescaped, raw[begin:stop])]
            turns.append(Turn(begin, stop, speaker, date))
            position = stop
    if count < _FEWEST or not turns:
        return None
    return Messages("".join([*parts, _blank(raw[position:])]), tuple(turns))


def _message(line: str) -> tuple[str | None, str | None, list[tuple[int, int]]] | None:
    """Who says it, when, and where in the line it stands. An object without text says nothing."""
    try:
        read = json.loads(line.strip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    inner = read["message"] if isinstance(read.get("message"), dict) else read
    role = _first(inner, ("role", "type")) or ""
    if not is_heard(role):
        return None, None, []
    wanted = set(_texts(inner))
    found = [(match.span("value"), _decoded(match["value"])) for match in _STRING.finditer(line)]
    spans = [span for span, text in found if text in wanted]
    return _first(inner, _SPEAKERS) or _first(read, _SPEAKERS), _first(read, _DATES), spans


def _texts(read: Mapping[str, Any]) -> Iterator[str]:
    """What is said: a string, or the texts of a list of parts."""
    for name in _TEXTS:
        value = read.get(name)
        if isinstance(value, str):
            yield value
            return
        if isinstance(value, list):
            yield from (part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
            return


def _first(read: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    values = (read.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and 0 < len(value) <= 80), None)


def _decoded(value: str) -> str | None:
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError:
        return None


def _unescaped(match: re.Match[str]) -> str:
    """The character that the escape stands for, as long as the escape; a line break comes last, so a line begins."""
    escape = match.group()
    character = _decoded(escape) or " "
    return character.rjust(len(escape), PAD) if character == "\n" else character.ljust(len(escape), PAD)


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
