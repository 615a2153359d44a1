"""Lists of memories as ChatGPT shows them, copied out or asked for: one a line, or a JSON list.

Bullets, numbers and a date in front (`[2026-07-12] - …`) are understood; the date says when it was noted.
"""

import json
import re
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
)

_BULLET = re.compile(r"(?:[-*+•–—]|\d{1,4}[.)])[ \t]+")
_DATE = re.compile(r"\[?(?P<day>\d{4}-\d{2}-\d{2}|unknown)\]?[ \t]*(?:[-–—:|.][ \t]*)")
_SEPARATOR = re.compile(r"[ \t]*(?:[-=_*~]{3,}|```\w*|#{1,6}[ \t].*)[ \t]*")


def read(file: File) -> Iterator[Candidate | Bad]:
    try:
        if file.text.lstrip("\ufeff \r\n\t")[:1] in ("[", "{") and is_json_document(file.text):
            for line, entry in entries(file.text, "memories", "results", "memory"):
                yield _of_entry(line, entry, file)
            return
    except Unusable as error:
        yield Bad(1, str(error))
        return
    for number, written in each_line(file.text):
        if not _SEPARATOR.fullmatch(written.rstrip("\r")):
            yield _of_line(number, written.strip(), file)


def _of_line(number: int, line: str, file: File) -> Candidate:
    bare = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    dated = _DATE.match(bare)
    content = bare[dated.end() :].strip() if dated else bare
    return Candidate(number, content, said_at=lenient(dated["day"], file.zone) if dated else None)


def _of_entry(line: int, entry: Any, file: File) -> Candidate | Bad:
    try:
        if isinstance(entry, str):
            return Candidate(line, entry.strip())
        if not isinstance(entry, Mapping):
            raise Unusable("it is neither a sentence nor an object with one")
        said_at = next(
            (entry[name] for name in ("created_at", "updated_at", "timestamp", "date") if entry.get(name)), None
        )
        content = sentence(entry)
        said = {name: each for name, each in entry.items() if each != content and name != "id"}
        return Candidate(
            line, content, name=str(entry.get("id") or ""), said_at=lenient(said_at, file.zone),
            metadata=metadata({"chatgpt": said} if said else {}),
        )  # fmt: skip
    except Unusable as error:
        return Bad(line, str(error))
    except json.JSONDecodeError as error:
        return Bad(error.lineno, f"the JSON is broken here: {error.msg}")
