"""Transcripts in JSON Lines, one message a line, as many programs write them. Pure: no database, no clock."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

#: Which keys of a line hold what; the first that holds something counts. A name says more than a role.
KEYS = {
    "text": ("text", "content", "message"),
    "speaker": ("speaker", "author", "name", "role"),
    "said_at": ("at", "timestamp", "time", "session_time", "date", "created_at", "time_anchor"),
    "conversation": ("conversation", "conversation_id", "pool"),
    "session": ("session", "session_id", "sessionId"),
    "id": ("id", "message_id", "uuid", "dia_id", "doc_id"),
}
#: Ways to write a time, besides ISO 8601 and seconds or milliseconds since 1970.
TIMES = ("%Y/%m/%d (%a) %H:%M", "%Y/%m/%d", "%I:%M %p on %d %B, %Y", "%B-%d-%Y", "%B %d, %Y", "%d %B %Y")
#: Claude Code's lines carry a sessionId, and those of other types are its own book-keeping.
CLAUDE_CODE = "sessionId"
CLAUDE_CODE_TYPES = ("user", "assistant")
#: Seconds since 1970 stay below this for three thousand years; milliseconds passed it in 1973.
FIRST_MILLISECONDS = 10**11
#: Names and ids are for people and for an index; longer ones are cut, and told apart by a hash.
NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Message:
    """What someone said, verbatim. `session` and `id` are never empty: together they name the message."""

    text: str
    session: str
    id: str
    speaker: str = ""
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that can't be understood; `number` counts from 1."""

    number: int
    reason: str


def messages(lines: Iterable[bytes], *, name: str, zone: ZoneInfo) -> Iterator[Message | Broken | None]:
    """One result a line: a message, a broken line, or None for a line in which nobody says anything.

    `name` stands for the session where lines name none; a time without an offset is one of `zone`.
    """
    seen: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            yield Broken(number, "no JSON")
            continue
        if not isinstance(found, dict):
            yield Broken(number, "no JSON object")
        else:
            yield _message(found, name, zone, seen)


def _message(line: dict[str, Any], name: str, zone: ZoneInfo, seen: Counter[str]) -> Message | None:
    text = "" if _is_aside(line) else _text(_first(line, "text"))
    if not text.strip():
        return None
    inner = line["message"] if isinstance(line.get("message"), dict) else {}
    speaker = _name(_first(line, "speaker") or _first(inner, "speaker"))
    said_at = _time(_first(line, "said_at"), zone)
    session = "/".join(filter(None, (_name(_first(line, "conversation")), _name(_first(line, "session"))))) or name
    id_ = _name(_first(line, "id")) or _id_of_content(session, speaker, said_at, text, seen)
    return Message(text, session, id_, speaker, said_at)


def _is_aside(line: dict[str, Any]) -> bool:
    """Written by Claude Code for itself: summaries, snapshots, what it tells the model in the user's name."""
    return CLAUDE_CODE in line and (line.get("type") not in CLAUDE_CODE_TYPES or bool(line.get("isMeta")))


def _first(line: dict[str, Any], what: str) -> Any:
    """The first of the keys that is there. 0 is an id like any other; empty values are none."""
    return next((line[key] for key in KEYS[what] if line.get(key) not in (None, "", [], {})), None)


def _text(value: Any) -> str:
    """A string, the text blocks of a list (not tool calls, their results, or thinking), or a message around them."""
    if isinstance(value, dict):
        return _text(_first(value, "text"))
    if isinstance(value, list):
        blocks = [each for each in value if isinstance(each, dict) and each.get("type", "text") == "text"]
        return "\n\n".join(filter(None, (_text(block.get("text")) for block in blocks)))
    return value if isinstance(value, str) else ""


def _name(value: Any) -> str:
    """Something short on one line that can be stored and indexed."""
    if not isinstance(value, str | int | float):
        return ""
    plain = " ".join(str(value).replace("\0", " ").encode("utf-8", "replace").decode().split())
    return plain if len(plain) <= NAME_CHARACTERS else f"{plain[:NAME_CHARACTERS]}…{_digest(plain)}"


def _id_of_content(session: str, speaker: str, said_at: datetime | None, text: str, seen: Counter[str]) -> str:
    """A name for a message without an id that stays the same when lines are added before it."""
    digest = _digest(f"{session}\0{speaker}\0{said_at}\0{text}")
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}.{seen[digest]}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _time(value: Any, zone: ZoneInfo) -> datetime | None:
    """When it was said; None when that can't be made out, which is no reason to lose the message."""
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value >= FIRST_MILLISECONDS else value, UTC)
        if isinstance(value, str):
            found = _read_time(value.strip())
            return found if found is None or found.tzinfo else found.replace(tzinfo=zone)
    return None


def _read_time(value: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(value)
    for pattern in TIMES:
        with suppress(ValueError):
            return datetime.strptime(value, pattern)  # noqa: DTZ007  # the zone is the caller's
    return None
