"""A document as its blocks: front matter and HTML comments left out, transcripts read turn by turn."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memories.reading.chat import turns
from memories.reading.jsonl import Messages, messages
from memories.reading.markdown import Block, Piece

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(?:(?!---|\.\.\.)[^\n]*\n){0,500}(?:---|\.\.\.)[ \t]*(?:\r?\n|$)")


@dataclass(frozen=True, slots=True)
class Document:
    """`visible` is the raw text with what nobody sees blanked: every other character keeps its place."""

    visible: str
    blocks: list[Block]
    #: A first line that stands for all below, without a mark: "INC-7, 3 May". At most one.
    title: tuple[str, ...] = ()


def document(raw: str) -> Document:
    if told := messages(raw):
        return Document(told.visible, list(_of_messages(told)))
    visible = _without_comments(raw)
    return Document(visible, list(_blocks(raw, visible)), _title(visible))


_TITLE = re.compile(r"\s*(?P<line>[^\s#>|*`\[<-][^\n]{2,80})\r?\n(?:\s*\r?\n)?\s*\S")
_NAMED = re.compile(
    r"(?:(?:the )?changelog of (?:the )?|re: |subject: )?(?P<name>[^,:;()–—|/]{3,50}?)(?=\s*(?:[,:;(–—|/]|\s-\s|$))",
    re.IGNORECASE,
)


def _title(visible: str) -> tuple[str, ...]:
    match = _TITLE.match(visible)
    if not match or match["line"].rstrip().endswith((".", "!", "?", ":", ";", ",", "。")):
        return ()
    name = _NAMED.match(match["line"].strip())
    return (name["name"].strip(),) if name and any(map(str.isupper, name["name"])) else ()


def _blocks(raw: str, visible: str) -> Iterator[Block]:
    """Parsed from the raw text, because code keeps its comments."""
    front = _FRONT_MATTER.match(raw)
    for turn in turns(visible, front.end() if front else 0):
        for block in Piece(raw, turn.start, turn.end).blocks():
            yield replace(block, speaker=turn.speaker, said=turn.date) if turn.speaker else block


def _of_messages(told: Messages) -> Iterator[Block]:
    for turn in told.turns:
        for block in Piece(told.visible, turn.start, turn.end).blocks():
            yield replace(block, speaker=turn.speaker, said=turn.date)


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
