"""mem0: what `get_all` answers, saved as JSON.

`{"results": [{id, memory, user_id, metadata, categories, created_at}]}`,
the bare list, or one object a line.

An export job of mem0 with a schema of one's own has no fixed shape; save the answer of `get_all` instead.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sources.kinds.base import (
    Bad,
    Candidate,
    File,
    Unusable,
    each_line,
    entries,
    is_json_document,
    lenient,
    metadata,
    sentence,
    words,
)

#: What mem0 says of a memory besides its words; kept under the name mem0 in the metadata.
KEPT = ("id", "user_id", "agent_id", "app_id", "run_id", "actor_id", "role", "created_at", "updated_at")


def read(file: File) -> Iterator[Candidate | Bad]:
    try:
        for line, entry in _entries(file.text):
            try:
                yield _candidate(line, entry, file)
            except Unusable as error:
                yield Bad(line, str(error))
    except json.JSONDecodeError as error:
        yield Bad(error.lineno, f"the JSON is broken here: {error.msg}")
    except Unusable as error:
        yield Bad(1, f"{error}; save the answer of mem0's get_all")
    except RecursionError:
        yield Bad(1, "the JSON is nested too deeply")


def _entries(text: str) -> Iterator[tuple[int, Any]]:
    lines = list(each_line(text))
    if len(lines) > 1 and lines[0][1].strip().endswith("}") and not is_json_document(text):
        for number, line in lines:
            try:
                yield number, json.loads(line)
            except ValueError:
                yield number, None
        return
    yield from entries(text, "results", "memories", "data")


def _candidate(line: int, entry: Any, file: File) -> Candidate:
    if not isinstance(entry, Mapping):
        raise Unusable("it is no object with a memory")
    given = entry.get("metadata") or {}
    if not isinstance(given, Mapping):
        raise Unusable("its metadata are no object")
    said = {name: entry[name] for name in KEPT if entry.get(name) not in (None, "")}
    user = entry.get("user_id")
    return Candidate(
        line=line,
        content=sentence(entry, "memory", "text", "data", "content"),
        name=str(entry.get("id") or ""),
        person=user if isinstance(user, str) and user else None,
        tags=words(entry.get("categories")),
        metadata=metadata({**given, "mem0": said}),
        said_at=lenient(entry.get("created_at"), file.zone),
    )
