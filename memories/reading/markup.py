"""A block of HTML inside a document as its own pieces: headings, list items, cells and paragraphs by their tags."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HIDDEN = r"<(?P<hidden>script|style|svg|template)\b.*?(?:</(?P=hidden)\s*>|\Z)"
_BORDER = (
    r"<(?P<close>/?)(?P<name>h[1-6]|li|p|div|tr|td|th|dt|dd|br|hr|ul|ol|dl|table|thead|tbody|section|article|main"
    r"|header|footer|nav|aside|blockquote|pre|body|html|head|title)(?:\s[^<>]{0,1000})?/?>"
)
_MARK = re.compile(f"{_HIDDEN}|{_BORDER}", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(r"h[1-6]$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fragment:
    """What stands between two borders. `level` is that of a heading, 0 for everything else."""

    start: int
    end: int
    level: int = 0
    is_item: bool = False


def fragments(source: str) -> Iterator[Fragment]:
    """Everything readable between the borders, in order; scripts and styles are not."""
    position = level = 0
    is_item = False
    for match in _MARK.finditer(source):
        yield from _fragment(source, position, match.start(), level, is_item=is_item)
        position = match.end()
        if match["hidden"]:
            continue
        name, opens = match["name"].lower(), not match["close"]
        level = int(name[1]) if opens and _HEADING.match(name) else 0
        is_item = opens and name in {"li", "td", "dd"}
    yield from _fragment(source, position, len(source), level, is_item=is_item)


def _fragment(source: str, start: int, end: int, level: int, *, is_item: bool) -> Iterator[Fragment]:
    text = source[start:end]
    if any(map(str.isalnum, text)):
        left = len(text) - len(text.lstrip())
        yield Fragment(start + left, start + len(text.rstrip()), level, is_item)
