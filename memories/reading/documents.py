"""A document as its blocks: front matter and HTML comments left out, transcripts read turn by turn."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memories.reading.chat import turns
from memories.reading.markdown import Block, Piece

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?:(?!---|\.\.\.)[^\n]*\n){0,500}(?:---|\.\.\.)[ \t]*(?:\r?\n|$)")


@dataclass(frozen=True, slots=True)
class Document:
    """`visible` is the raw text with what nobody sees blanked: every other character keeps its place."""

    visible: str
    blocks: list[Block]


def document(raw: str) -> Document:
    visible = _without_comments(raw)
    return Document(visible, list(_blocks(raw, visible)))


def _blocks(raw: str, visible: str) -> Iterator[Block]:
    """Parsed from the raw text, because code keeps its comments."""
    front = _FRONT_MATTER.match(raw)
    for turn in turns(visible, front.end() if front else 0):
        for block in Piece(raw, turn.start, turn.end).blocks():
            yield replace(block, speaker=turn.speaker, said=turn.date) if turn.speaker else block


def _without_comments(raw: str) -> str:
    parts, position = [], 0
    while (start := raw.find("<!--", position)) >= 0 and (end := raw.find("-->", start + 4)) >= 0:
        if start and raw[start - 1] == "`":  # a comment that is spoken about
            parts.append(raw[position : start + 4])
            position = start + 4
        else:
            parts += [raw[position:start], re.sub(r"[^\r\n]", " ", raw[start : end + 3])]
            position = end + 3
    return "".join([*parts, raw[position:]])
