"""JSON lines, one fact each, in the words of `POST facts/`: `content` and, if you like, `category`, `person`, `scope`,
`tags`, `metadata`, `about`, and `id` and `created_at` of where it came from. Other names go into the metadata.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memories.choices import Category, Scope
from sources.kinds.base import (
    CONTENT_NAMES,
    Bad,
    Candidate,
    File,
    Unusable,
    each_line,
    lenient,
    metadata,
    moment,
    one_of,
    sentence,
    words,
)

KNOWN = frozenset(
    {*CONTENT_NAMES, "category", "person", "scope", "tags", "metadata", "about", "about_from", "about_until", "id"}
)


def read(file: File) -> Iterator[Candidate | Bad]:
    for number, line in each_line(file.text):
        try:
            yield candidate(number, _parsed(line), file)
        except Unusable as error:
            yield Bad(number, str(error))


def _parsed(line: str) -> Any:
    try:
        return json.loads(line.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise Unusable("it is no JSON") from None


def candidate(line: int, entry: Any, file: File) -> Candidate:
    """One fact out of named values, whatever they were written in."""
    if isinstance(entry, str):
        entry = {"content": entry}
    if not isinstance(entry, Mapping):
        raise Unusable("it is no object with a content")
    given = entry.get("metadata") or {}
    if not isinstance(given, Mapping):
        raise Unusable("its metadata are no object")
    start, until = _about(entry, file)
    content = sentence(entry)
    person = entry.get("person")
    return Candidate(
        line=line,
        content=content,
        name=str(entry.get("id") or ""),
        category=one_of(entry["category"], Category, "category") if entry.get("category") else None,
        person=person.strip() if isinstance(person, str) and person.strip() else None,
        scope=one_of(entry["scope"], Scope, "scope") if entry.get("scope") else Scope.SHARED,
        tags=words(entry.get("tags")),
        metadata=metadata({**given, **{name: each for name, each in entry.items() if name not in KNOWN}}),
        about_from=start,
        about_until=until,
        said_at=lenient(entry.get("created_at"), file.zone),
    )


def _about(entry: Mapping[str, Any], file: File) -> Any:
    """`about` is a day, a moment, or an object with from and until; or there are two columns."""
    about = entry.get("about")
    if isinstance(about, Mapping):
        start, until = about.get("from"), about.get("until")
    elif about:
        start = until = about
    else:
        start, until = entry.get("about_from"), entry.get("about_until")
    found = moment(start, file.zone), moment(until, file.zone, is_end=True)
    if found[0] and found[1] and found[0] > found[1]:
        raise Unusable("the time it is about ends before it begins")
    return found
