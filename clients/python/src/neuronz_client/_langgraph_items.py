"""An item of LangGraph as a fact of Neuronz and back, and what its filters mean."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from langgraph.store.base import MatchCondition, SearchItem

from neuronz_client.shapes import Memory

Namespace = tuple[str, ...]

#: The server's limits.
TAG_CHARACTERS, MOST_TAGS = 64, 32
#: On every item, whatever its namespace.
ALL = "langgraph"


def written(namespace: Namespace, key: str, value: Mapping[str, Any], *, mark: bool = False) -> str:
    """The fact's words. The place is in it, so that two keys with one value are two facts."""
    told = json.dumps(value, ensure_ascii=False, allow_nan=False)
    place = " / ".join((*namespace, key)).replace(": {", ":{")
    return f"{place}: {told}" + (f" (version {_digest(told)[:8]})" if mark else "")


def tags_of(namespace: Namespace, key: str) -> list[str]:
    prefixes = [ns_tag(namespace[:depth]) for depth in range(1, len(namespace) + 1)]
    tags = [ALL, key_tag(namespace, key), *prefixes]
    if len(tags) > MOST_TAGS:
        raise ValueError(f"A namespace has at most {MOST_TAGS - 2} parts here, this one {len(namespace)}.")
    return tags


def ns_tag(namespace: Namespace) -> str:
    return _tag("ns:", namespace)


def key_tag(namespace: Namespace, key: str) -> str:
    return _tag("key:", (*namespace, key))


def _tag(sort: str, parts: Namespace) -> str:
    """Readable where it fits and cannot be mistaken; else a digest."""
    plain = f"{sort}{'/'.join(parts)}"
    is_plain = all(part and part.isprintable() and "/" not in part and part == part.strip() for part in parts)
    return plain if is_plain and len(plain) <= TAG_CHARACTERS else f"{sort}#{_digest(json.dumps(parts))[:48]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def value_of(memory: Memory) -> dict[str, Any] | None:
    """What was put, out of the fact's words."""
    start = memory["content"].find(": {")
    try:
        told, _ = json.JSONDecoder().raw_decode(memory["content"], start + 2)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _told(memory: Memory) -> dict[str, Any]:
    told = memory["metadata"].get("langgraph")
    return told if isinstance(told, dict) else {}


def namespace_of(memory: Memory) -> Namespace | None:
    told = _told(memory).get("namespace")
    return tuple(told) if isinstance(told, list) else None


def is_of(memory: Memory, namespace: Namespace, key: str) -> bool:
    return namespace_of(memory) == namespace and _told(memory).get("key") == key and value_of(memory) is not None


def is_in(memory: Memory, prefix: Namespace) -> bool:
    namespace = namespace_of(memory)
    return namespace is not None and namespace[: len(prefix)] == prefix and value_of(memory) is not None


def item(memory: Memory, score: float | None = None) -> SearchItem:
    told, updated = _told(memory), datetime.fromisoformat(memory["recorded_at"].replace("Z", "+00:00"))
    return SearchItem(
        namespace=tuple(told["namespace"]),
        key=told["key"],
        value=value_of(memory) or {},
        created_at=datetime.fromisoformat(told.get("created_at") or updated.isoformat()),
        updated_at=updated,
        score=score,
    )


# --- filters --------------------------------------------------------------------------------------

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": lambda value, wanted: bool(value is not None and value > wanted),
    "$gte": lambda value, wanted: bool(value is not None and value >= wanted),
    "$lt": lambda value, wanted: bool(value is not None and value < wanted),
    "$lte": lambda value, wanted: bool(value is not None and value <= wanted),
}


def matches(value: Any, wanted: Any) -> bool:
    """Whether a value is what a filter asks for: equal, or as its operators say, objects key by key."""
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        unknown = [name for name in wanted if name not in OPERATORS]
        if unknown:
            raise ValueError(f"There is no operator {unknown[0]}; known: {', '.join(OPERATORS)}.")
        return all(OPERATORS[name](value, operand) for name, operand in wanted.items())
    return isinstance(value, dict) and all(matches(value.get(name), each) for name, each in wanted.items())


def fits(namespace: Namespace, wanted: MatchCondition) -> bool:
    path = tuple(wanted.path)
    part = namespace[: len(path)] if wanted.match_type == "prefix" else namespace[-len(path) :] if path else ()
    return len(part) == len(path) and all(one in ("*", other) for one, other in zip(path, part, strict=True))
