"""The offline reader: rules only, no model to call. Any text in, statements out, in linear time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from memories.choices import Category, Kind
from memories.reading import compare, dates, kinds, labels
from memories.reading.base import MAX_STATEMENT_LENGTH, Comparison, Context, Statement, Vector
from memories.reading.documents import document
from memories.reading.inline import cleaned, is_bare_link, marks_length
from memories.reading.markdown import Block
from memories.reading.names import names
from memories.reading.sentences import fitting, sentences
from memories.reading.statements import is_statement, opener_length


class PlainReader:
    def read(self, text: str, context: Context) -> list[Statement]:
        read = document(text)
        return [statement for block in read.blocks for statement in _of_block(read.visible, text, block, context)]

    def compare(self, newer: str, older: str, *, similarity: float | None = None) -> Comparison:
        return compare.compare(newer, older, similarity)

    def labelled(self, statement: Statement, vector: Vector | None) -> Statement:
        return statement if statement.is_code else labels.labelled(statement, vector)

    def kind(self, text: str, vector: Vector | None = None) -> Kind:
        return labels.kind(text, vector)

    def category(self, text: str, vector: Vector | None = None) -> Category:
        return labels.category(text, vector)

    def person(self, text: str) -> str | None:
        return labels.person(text, labels.category(text))


def _of_block(visible: str, raw: str, block: Block, context: Context) -> Iterator[Statement]:
    context = _as_said(block, context)
    if block.shape == "code":
        yield from _code(raw, block)
    elif block.text is not None and len(block.text) <= MAX_STATEMENT_LENGTH:
        if is_statement(block.text):
            yield _statement(block.text, block.start, block.end, context)
    else:
        yield from _sentences(visible, block, context)


def _code(raw: str, block: Block) -> Iterator[Statement]:
    """One statement for all of it: half a script says nothing. Its words are not looked into."""
    text = block.text or ""
    if not any(map(str.isalnum, text)):
        return
    if len(text) <= MAX_STATEMENT_LENGTH:
        yield Statement(text, block.start, block.end, Kind.FACT, Category.OTHER, is_code=True)
        return
    for start, end in fitting(raw, block.start, block.end):
        yield Statement(raw[start:end], start, end, Kind.FACT, Category.OTHER, is_code=True)


def _sentences(visible: str, block: Block, context: Context) -> Iterator[Statement]:
    passage = visible[block.start : block.end]
    for start, end in sentences(passage):
        sentence = passage[start:end]
        skipped = marks_length(sentence)
        skipped += opener_length(sentence[skipped:])
        text = cleaned(sentence[skipped:])
        if is_statement(text) and not is_bare_link(sentence):
            yield _statement(text, block.start + start + skipped, block.start + end, context)


def _statement(text: str, start: int, end: int, context: Context) -> Statement:
    about_from, about_until = dates.about(text, context)
    kind, category = labels.both(text)
    person = labels.person(text, category, context.speaker)
    if category == Category.PERSONA and person is None:
        category = kinds.category(text)
    return Statement(
        text=text,
        start=start,
        end=end,
        kind=kind,
        category=category,
        about_from=about_from,
        about_until=about_until,
        person=person,
        names=names(text),
    )


def _as_said(block: Block, context: Context) -> Context:
    """A turn of a transcript has its own speaker, and its own day when it bears a date."""
    if block.speaker is None:
        return context
    said: datetime | None = dates.about(block.said or "", context)[0]
    return replace(context, speaker=block.speaker, reference_time=said or context.reference_time)
