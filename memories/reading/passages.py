"""A text as numbered passages for a reader that asks a model: each with its place, its headings and who says it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memories.reading.base import Context
from memories.reading.documents import document
from memories.reading.inline import cleaned, is_bare_link, marks_length
from memories.reading.plain import as_said
from memories.reading.sentences import sentences

#: So much of a text is asked about at once. Small enough for a small model's window, with its answer.
CHARACTERS, PASSAGES = 4_000, 60
#: So many passages before a part are shown with it, so that "it" can be told.
BEFORE = 3


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item or table row, cleaned; `start` and `end` count the characters of the raw text."""

    text: str
    start: int
    end: int
    context: Context
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What is asked about in one go, and what stands before it."""

    passages: tuple[Passage, ...]
    before: tuple[Passage, ...] = ()

    @property
    def start(self) -> int:
        return self.passages[0].start

    @property
    def end(self) -> int:
        return self.passages[-1].end


def passages(raw: str, context: Context) -> Iterator[Passage]:
    """Everything but code, which is kept as one and not looked into."""
    read = document(raw)
    for block in read.blocks:
        said = as_said(block, context)
        headings = (*read.title, *block.headings)
        if block.shape == "code":
            continue
        if block.text is not None:
            if any(map(str.isalnum, block.text)):
                yield Passage(block.text, block.start, block.end, said, headings)
            continue
        source = read.visible[block.start : block.end]
        for start, end in sentences(source):
            skipped = marks_length(source[start:end])
            text = cleaned(source[start + skipped : end])
            if any(map(str.isalnum, text)) and not is_bare_link(source[start:end]):
                yield Passage(text, block.start + start + skipped, block.start + end, said, headings)


def parts(found: Sequence[Passage]) -> Iterator[Part]:
    """Neighbours together, up to the bounds."""
    first = size = 0
    for place, passage in enumerate(found):
        if place > first and (size + len(passage.text) > CHARACTERS or place - first >= PASSAGES):
            yield _part(found, first, place)
            first, size = place, 0
        size += len(passage.text)
    if first < len(found):
        yield _part(found, first, len(found))


def _part(found: Sequence[Passage], first: int, last: int) -> Part:
    return Part(tuple(found[first:last]), tuple(found[max(0, first - BEFORE) : first]))
