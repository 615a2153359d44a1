"""The outward shapes of api.md, and a checker. More fields may be there than the contract says, never fewer."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Is:
    """A value that the test of its name accepts."""

    name: str
    test: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Maybe:
    """The shape or null."""

    shape: Any


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with any names, each value in the shape."""

    shape: Any


@dataclass(frozen=True, slots=True)
class Also:
    """The shape, and claims about it that must be true: sentence → test."""

    shape: Any
    claims: Mapping[str, Callable[[Any], bool]]


def words(*allowed: str) -> Is:
    return Is(f"one of {', '.join(allowed)}", lambda value: isinstance(value, str) and value in allowed)


def problems(value: Any, shape: Any, path: str = "answer") -> Iterator[str]:
    """Everything in which the value departs from the shape."""
    if isinstance(shape, Maybe):
        if value is not None:
            yield from problems(value, shape.shape, path)
    elif isinstance(shape, Also):
        found = list(problems(value, shape.shape, path))
        yield from found or (f"{path}: not {claim}" for claim, test in shape.claims.items() if not test(value))
    elif isinstance(shape, Is):
        if not shape.test(value):
            yield f"{path}: {value!r} is not {shape.name}"
    elif isinstance(shape, type):
        if not _is_a(value, shape):
            yield f"{path}: {value!r} is not {shape.__name__}"
    elif isinstance(shape, list):
        yield from _problems_of_list(value, shape[0], path)
    else:
        yield from _problems_of_object(value, shape, path)


def _is_a(value: Any, wanted: type) -> bool:
    """As JSON has it: true is no number, and a whole number may stand for a fraction."""
    if isinstance(value, bool) or wanted is bool:
        return isinstance(value, bool) and wanted in (bool, object)
    return isinstance(value, (int, float) if wanted is float else wanted)


def _problems_of_list(value: Any, shape: Any, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path}: {value!r} is no list"
        return
    for place, each in enumerate(value):
        yield from problems(each, shape, f"{path}[{place}]")


def _problems_of_object(value: Any, shape: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: {value!r} is no object"
    elif isinstance(shape, MapOf):
        for name, each in value.items():
            yield from problems(each, shape.shape, f"{path}.{name}")
    else:
        for name, inner in shape.items():
            if name in value:
                yield from problems(value[name], inner, f"{path}.{name}")
            else:
                yield f"{path}.{name} is missing"


def _is_uuid(value: Any, *, version: int | None) -> bool:
    try:
        return str(UUID(value)) == value and version in (None, UUID(value).version)
    except (ValueError, TypeError, AttributeError):
        return False


def _is_moment(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).utcoffset() == timedelta(0)
    except (ValueError, TypeError):
        return False


ID = Is("a UUID of version 7", lambda value: _is_uuid(value, version=7))
ANY_ID = Is("a UUID", lambda value: _is_uuid(value, version=None))
MOMENT = Is("an ISO 8601 time in UTC", _is_moment)
SHARE = Is("a number from 0 to 1", lambda value: isinstance(value, int | float) and 0 <= value <= 1.0001)

TIER = words("policy", "official", "team", "informal")
STATUS = words("unverified", "verified", "disputed", "conflicting", "superseded", "retired")
ORIGIN = words("agent", "source", "cognition", "person")
KIND = words("Fact", "Summary", "Identity", "Basic", "Knowledge", "Raw", "Schema", "Intention")
CATEGORY = words("fact", "entity", "term", "instruction", "persona", "other")
SOURCE = {"id": ANY_ID, "name": str, "item": str, "url": str}
SAID = {"session": str, "message": str, "speaker": str, "at": Maybe(MOMENT)}

RUN = {
    "id": ID, "state": words("running", "done", "failed", "stopped"), "trigger": words("schedule", "person", "command"),
    "started_at": MOMENT, "finished_at": Maybe(MOMENT), "error": str,
    "items": dict.fromkeys(
        ("seen", "new", "changed", "unchanged", "moved", "removed", "restored", "skipped", "failed"), int
    ),
    "memories": dict.fromkeys(("added", "superseded", "retired", "brought_back"), int),
}  # fmt: skip
SOURCE_ROW = {
    "id": ID, "name": str, "type": words("upload", "folder", "github", "google_drive", "clickup"), "tier": TIER,
    "state": words("active", "paused"), "reason": str, "next_due_at": Maybe(MOMENT), "last_run": Maybe(RUN),
}  # fmt: skip

MEMORY = Also(
    {
        "id": ID, "content": str, "kind": KIND, "category": CATEGORY, "person": Maybe(str), "status": STATUS,
        "current": bool, "tier": TIER, "scope": words("shared", "private"), "tags": [str], "metadata": MapOf(object),
        "about": Maybe({"from": Maybe(MOMENT), "until": Maybe(MOMENT)}), "recorded_at": MOMENT, "agent": Maybe(str),
        "origin": ORIGIN, "source": Maybe(SOURCE), "said": Maybe(SAID), "raw": Maybe(ID), "replaces": [ID],
        "replaced_by": Maybe(ID), "conflicts": [ID], "needs_clarification": bool,
        "embedding": words("ready", "pending", "failed"),
    },
    {
        "current exactly when unverified or verified": lambda it: (
            it["current"] == (it["status"] in ("unverified", "verified"))
        ),
        "superseded exactly when it names its successor": lambda it: (
            (it["status"] == "superseded") == bool(it["replaced_by"])
        ),
        "conflicting exactly when it needs clarification": lambda it: (
            it["needs_clarification"] == (it["status"] == "conflicting")
        ),
        "by an agent exactly when it names one": lambda it: (it["origin"] == "agent") == bool(it["agent"]),
    },
)  # fmt: skip
DIFFERENCE = {
    "what": words("number", "date", "name", "unit", "negation", "word"), "this": Maybe(str), "other": Maybe(str),
}  # fmt: skip
SIMILAR = {"memory": MEMORY, "similarity": SHARE, "differs": [DIFFERENCE]}
STATEMENT = {
    "memory": MEMORY, "outcome": words("added", "known", "superseded", "refused", "unsure"), "against": Maybe(ID),
    "similar": [SIMILAR],
}  # fmt: skip
WRITE = {
    "id": ID, "state": words("received", "reading", "done", "failed", "cancelled"), "reason": str, "note": str,
    "raw": ID,
    "masked": [{"kind": str, "start": int, "end": int}], "replaced_characters": int, "statements": [STATEMENT],
    "created_at": MOMENT,
}  # fmt: skip
CONFLICT = {
    "id": ID, "older": MEMORY, "newer": MEMORY, "reason": words("disagreement", "authority", "unsure"),
    "persona": bool, "state": words("open", "put_off", "settled"), "put_off_until": Maybe(MOMENT),
    "other_side": Maybe(words("retired", "superseded", "erased")),
    "answer": Maybe(words("older", "newer", "neither", "correction", "not_now", "both")), "correction": Maybe(ID),
    "settled_by": Maybe(str), "settled_at": Maybe(MOMENT), "why": str,
}  # fmt: skip
MOVE = {
    "at": MOMENT, "by": {"type": ORIGIN, "name": str}, "verb": str, "why": str, "from": Maybe(STATUS), "to": STATUS,
    "version": ID, "content": str,
}  # fmt: skip
EVIDENCE = {
    "raw": Maybe(ID), "excerpt": str, "write": Maybe(ID), "source": Maybe(SOURCE), "said": Maybe(SAID), "at": MOMENT,
}  # fmt: skip
HIT = {"memory": MEMORY, "score": float}
ARMS = ("meaning", "words", "neighbours", "person", "session", "time", "graph", "tier")
EXPLAINED = {**HIT, "why": dict.fromkeys(ARMS, float)}
ERROR = {"error": {"code": str, "message": str, "fields": MapOf([str])}}
#: What a 409, a 413 say besides.
ERROR_WITH_CURRENT = {"error": {**ERROR["error"], "current": Maybe(dict)}}
ERROR_WITH_LIMIT = {"error": {**ERROR["error"], "limit": int}}
