"""Releases with their notes. Their list tells no time of change: it is read whole when its first page differs."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from memories import limits
from sources.connectors.base import Change, Item, Unchanged
from sources.connectors.github.docs import CUT, cut
from sources.connectors.github.parts import At, State, Step, moment
from sources.connectors.github.talks import is_due

PREFIX: Final = "release:"
PAGE: Final = 50


class Releases:
    def __init__(self, at: At) -> None:
        self._at = at

    def steps(self, state: State) -> Iterator[Step]:
        url = f"{self._at.repository.path}/releases"
        # An old release may be edited without a trace on the first page; a day later all are compared.
        etag = "" if is_due(state, self._at.now) else state.get("etag", "")
        first = self._at.api.get(url, etag=etag, per_page=100)
        if first.is_unchanged:
            return
        yield Step([], {}, begins=PREFIX)
        found = self._all(first)
        while batch := list(islice(found, PAGE)):
            yield Step(self._changes(batch), {})
        yield Step([], {"etag": first.etag, "swept": self._at.now.isoformat()}, ends=PREFIX)

    def _all(self, answer: Any) -> Iterator[Mapping[str, Any]]:
        while True:
            yield from (each for each in answer.json if not each["draft"])
            if not answer.next_url:
                return
            answer = self._at.api.get(answer.next_url)

    def _changes(self, batch: list[Mapping[str, Any]]) -> list[Change]:
        known = self._at.versions([_key(each) for each in batch])
        return [Unchanged(_key(each)) if known.get(_key(each)) == _version(each) else _read(each) for each in batch]


def _read(found: Mapping[str, Any]) -> Item:
    name, tag = found.get("name") or found["tag_name"], found["tag_name"]
    day = moment(found["published_at"] or found["created_at"])
    kind = "Prerelease" if found["prerelease"] else "Release"
    named = "" if name == tag else f" “{name}”"
    on = f" on {day.day} {day:%B %Y}" if day else ""
    text = f"# {name}\n\n{kind} {tag}{named} was published{on}.\n\n{found.get('body') or ''}\n"
    return Item(
        key=_key(found), title=name, text=cut(text), url=found["html_url"], version=_version(found),
        revised_at=moment(found.get("updated_at")), left_out=CUT if len(text.encode()) > limits.TEXT_BYTES else "",
    )  # fmt: skip


def _key(found: Mapping[str, Any]) -> str:
    return f"{PREFIX}{found['id']}"


def _version(found: Mapping[str, Any]) -> str:
    said = (found["tag_name"], found.get("name"), found.get("body"), found["prerelease"], found["published_at"])
    return hashlib.sha256(repr(said).encode()).hexdigest()[:32]
