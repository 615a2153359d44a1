"""Memory files in Markdown: CLAUDE.md, AGENTS.md, MEMORY.md and the files an index of that name leads to.

Each file is a text that is read for statements. Front matter becomes metadata, its type and tags become tags. Lines
that only lead to another file of the same import (`- [Title](title.md) – hook`, `@docs/style.md`) are not read.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from sources.kinds.base import Bad, Candidate, File, Unusable, metadata, words

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<inside>(?:(?!---)[^\n]*\n){0,500}?)---[ \t]*(?:\r?\n|\Z)")
_PAIR = re.compile(r"(?P<name>[A-Za-z][\w.-]*)[ \t]*:[ \t]*(?P<value>.*?)[ \t\r]*")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>.*?)[ \t\r]*")
_INDEX_LINE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?\[[^\]\n]*\]\((?P<to>[^)\s]+\.(?:md|markdown|mdc))\)[^\n]*")
_IMPORT_LINE = re.compile(r"@(?P<to>[\w./~-]+)[ \t\r]*")


def read(file: File) -> Iterator[Candidate | Bad]:
    try:
        front = _front_matter(file.text)
        tags = words([*_listed(front.get("tags")), *_listed(front.get("type"))])
        said = metadata({name: value for name, value in front.items() if name != "tags"})
    except Unusable as error:
        yield Bad(1, f"front matter: {error}")
        return
    if file.text.strip():
        yield Candidate(1, _without_pointers(file), is_text=True, tags=tags, metadata=said)


def _front_matter(text: str) -> dict[str, Any]:
    """`name: value` and lists, as these files have them; anything deeper in YAML stays the words it is written in."""
    found = _FRONT.match(text)
    told: dict[str, Any] = {}
    last = ""
    for line in found["inside"].split("\n") if found else ():
        if pair := _PAIR.fullmatch(line):
            last = pair["name"]
            told[last] = _value(pair["value"])
        elif last and (item := _ITEM.fullmatch(line)):
            told[last] = [*_listed(told[last]), _bare(item["value"])]
    return told


def _value(written: str) -> Any:
    if written.startswith("[") and written.endswith("]"):
        return [_bare(each) for each in written[1:-1].split(",") if each.strip()]
    return _bare(written)


def _bare(written: str) -> str:
    return written.strip().strip("\"'")


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []


def _without_pointers(file: File) -> str:
    """Blanked, so that every other line keeps its place."""
    folder = PurePosixPath(file.key).parent
    return "\n".join("" if _leads_on(line, folder, file.siblings) else line for line in file.text.split("\n"))


def _leads_on(line: str, folder: PurePosixPath, siblings: frozenset[str]) -> bool:
    found = _INDEX_LINE.fullmatch(line) or _IMPORT_LINE.fullmatch(line)
    return found is not None and _plain(folder / found["to"]) in siblings


def _plain(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    return "/".join(parts)
