"""A piece of Markdown or plain text as the blocks it is made of, each with its place in the raw text.

Only the block grammar of markdown-it is used: inside a paragraph it keeps no positions, and we
need them exactly. Plain text is Markdown without marks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memories.reading.dates import ORDINAL_DAY
from memories.reading.inline import PAD, cleaned
from memories.reading.markup import fragments

Shape = Literal["prose", "item", "row", "code"]

#: Without the rule "reference", which rereads the rest of its paragraph for each definition:
#: quadratic. Definitions come through as paragraphs and are dropped as bare links.
_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 40}).enable("table").disable(["inline", "text_join", "reference"])

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_LINE_MARKS = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*")
#: Tags that go deeper than three spaces are code to Markdown.
_INDENTED_HTML = re.compile(
    r"\s*</?(?:h[1-6]|li|p|div|tr|td|th|dt|dd|ul|ol|table|section)\b[^<>]{0,1000}>", re.IGNORECASE
)
#: An indented paragraph is code to Markdown; when it reads like a sentence, people meant prose.
_INDENTED_PROSE = re.compile(r"\s*[^\W\d_][\w'’,]*(?:\s+[\w'’,-]+){3}[^{};=]*[.!?]\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document. `text` is set where the words are not simply those of `raw[start:end]`."""

    shape: Shape
    start: int
    end: int
    text: str | None = None
    headings: tuple[str, ...] = ()
    speaker: str | None = None
    said: str | None = None


class Piece:
    """Reads one span of the raw text. Use once: `list(Piece(raw, start, end).blocks())`."""

    def __init__(self, raw: str, start: int, end: int) -> None:
        self.source = raw[start:end]
        self.lines = [(start + match.start(), match.group()) for match in _LINE.finditer(self.source)]
        self.headings: list[tuple[int, str]] = []
        self.level = 1
        self.header: list[str] = []
        self.row: list[str] = []
        self.row_map = [0, 0]
        self.lists = 0
        self.around = ""
        self.read_to = 0

    def blocks(self) -> Iterator[Block]:
        for token in _MARKDOWN.parse(self.source):
            if token.nesting:
                yield from self._border(token)
            else:
                yield from self._leaf(token)
        yield from self._deeper()

    def _border(self, token: Token) -> Iterator[Block]:
        """What opens or closes: lists are counted, a closed table row is a block."""
        if token.nesting == 1:
            self.around = token.type
        if token.type in {"list_item_open", "list_item_close"}:
            self.lists += token.nesting
        elif token.type == "heading_open":
            self.level = int(token.tag[1])
            self.headings = [heading for heading in self.headings if heading[0] < self.level]
        elif token.type == "tr_open":
            self.row = []
            self.row_map = token.map or [0, 0]
        elif token.type == "thead_close":
            self.header = self.row
        elif token.type == "tr_close" and self.around == "td_open":
            yield self._block("row", *self.row_map, text=self._row_text())

    def _leaf(self, token: Token) -> Iterator[Block]:
        first, last = token.map or (0, 0)
        self.read_to = max(self.read_to, last)
        if token.type == "inline" and self.around in {"th_open", "td_open"}:
            self.row.append(cleaned(token.content))
        elif token.type == "inline" and self.around == "heading_open" and not _is_sentence(token.content):
            self.headings.append((self.level, cleaned(token.content)))
        elif token.type == "inline":
            yield self._block("item" if self.lists else "prose", first, last, content=token.content)
        elif token.type == "html_block":
            yield from self._markup(first, last)
        elif token.type == "code_block" and _INDENTED_PROSE.match(token.content):
            yield self._block("prose", first, last)
        elif token.type == "code_block" and _INDENTED_HTML.match(token.content):
            yield from self._markup(first, last)
        elif token.type in {"fence", "code_block"}:
            yield self._block("code", first, last, text=token.content.strip("\r\n").replace(PAD, ""))

    def _markup(self, first: int, last: int) -> Iterator[Block]:
        """HTML by its tags: a heading is the subject of what stands below it."""
        start = self.lines[first][0]
        source = "".join(line for _, line in self.lines[first:last])
        for piece in fragments(source):
            if piece.level:
                self.headings = [heading for heading in self.headings if heading[0] < piece.level]
                self.headings.append((piece.level, cleaned(source[piece.start : piece.end])))
                continue
            headings = tuple(heading for _, heading in self.headings)
            shape: Shape = "item" if piece.is_item else "prose"
            yield Block(shape, start + piece.start, start + piece.end, None, headings)

    def _row_text(self) -> str:
        """A row says what its header says about it: `Service: billing; Port: 8443`."""
        header = [*self.header, *[""] * len(self.row)]
        cells = zip(header, self.row, strict=False)
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in cells if cell)

    def _block(self, shape: Shape, first: int, last: int, *, content: str = "", text: str | None = None) -> Block:
        """The block on these lines, from its first word on: marks of lists and quotes stand before it."""
        start, line = self.lines[first]
        opening = content.split("\n", 1)[0]
        column = line.rfind(opening) if opening else -1
        if column < 0:
            marks = _LINE_MARKS.match(line)
            column = marks.end() if marks and shape != "code" else 0
        ordinal = ORDINAL_DAY.search(line[: column + 20])
        if ordinal and ordinal.start() < column < ordinal.end():
            column = ordinal.start()
        end_start, end_line = self.lines[last - 1]
        end = end_start + len(end_line.rstrip())
        headings = tuple(heading for _, heading in self.headings)
        return Block(shape, min(start + column, end), end, text, headings)

    def _deeper(self) -> Iterator[Block]:
        """Lines that the parser left out because they are nested too deeply: one block each."""
        for number in range(self.read_to, len(self.lines)):
            if any(map(str.isalnum, self.lines[number][1])):
                yield self._block("item", number, number + 1)


def _is_sentence(heading: str) -> bool:
    """A line of dashes turns the paragraph above into a heading; people meant to draw a line."""
    return "\n" in heading or heading.rstrip().endswith((".", "!", "。"))
