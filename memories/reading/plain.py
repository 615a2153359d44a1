"""The offline reader: rules only, no model to call. Any text in, statements out, in linear time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memories.choices import Category, Kind
from memories.reading import compare, dates, kinds, labels
from memories.reading.base import MAX_STATEMENT_LENGTH, Comparison, Context, Statement, Vector
from memories.reading.clauses import clauses
from memories.reading.documents import document
from memories.reading.inline import cleaned, is_bare_link, marks_length
from memories.reading.markdown import Block
from memories.reading.names import names
from memories.reading.references import Discourse, is_fragment, topic_of
from memories.reading.sentences import fitting, sentences
from memories.reading.statements import is_statement, opener_length
from memories.reading.syntax import Parsed, parsed


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence worth reading: its cleaned text, and its place in the raw text."""

    text: str
    start: int
    end: int
    context: Context
    block: Block


class PlainReader:
    def read(self, text: str, context: Context) -> list[Statement]:
        read = document(text)
        found = [each for block in read.blocks for each in _of_block(read.visible, text, block, context)]
        trees = parsed([each.text if isinstance(each, _Sentence) else "" for each in found])
        discourse = Discourse()
        statements: list[Statement] = []
        for each, tree in zip(found, trees, strict=True):
            if isinstance(each, Statement):
                statements.append(each)
                continue
            topic = topic_of([*read.title, *each.block.headings])
            discourse.turn_to(topic, each.context.speaker)
            if tree is None:
                statements.append(statement_of(each.text, each.start, each.end, each.context))
                continue
            statements += _said_in(each, discourse.resolved(tree), text, topic)
        return statements

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


def _said_in(sentence: _Sentence, tree: Parsed, raw: str, topic: str | None) -> Iterator[Statement]:
    """A sentence is one statement or, where its grammar shows it, several."""
    found = clauses(tree)
    if len(found) == 1:
        text = tree.passage(range(len(tree.words))) if tree.is_changed else sentence.text
        if topic and is_fragment(tree) and topic.lower() not in text.lower():
            text = f"{topic}: {text}"
        yield statement_of(text, sentence.start, sentence.end, sentence.context)
        return
    at = raw.find(sentence.text, sentence.start, sentence.end)
    for clause in found:
        if is_statement(clause.text):
            start, end = (at + clause.start, at + clause.end) if at >= 0 else (sentence.start, sentence.end)
            yield statement_of(clause.text, start, end, sentence.context)


def _of_block(visible: str, raw: str, block: Block, context: Context) -> Iterator[Statement | _Sentence]:
    context = as_said(block, context)
    if block.shape == "code":
        yield from _code(raw, block)
    elif block.text is not None and len(block.text) <= MAX_STATEMENT_LENGTH:
        if is_statement(block.text):
            yield statement_of(block.text, block.start, block.end, context)
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


def _sentences(visible: str, block: Block, context: Context) -> Iterator[_Sentence]:
    passage = visible[block.start : block.end]
    for start, end in sentences(passage):
        sentence = passage[start:end]
        skipped = marks_length(sentence)
        skipped += opener_length(sentence[skipped:])
        text = cleaned(sentence[skipped:])
        if is_statement(text) and not is_bare_link(sentence):
            yield _Sentence(text, block.start + start + skipped, block.start + end, context, block)


def statement_of(text: str, start: int, end: int, context: Context) -> Statement:
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


def as_said(block: Block, context: Context) -> Context:
    """A turn of a transcript has its own speaker, and its own day when it bears a date."""
    if block.speaker is None:
        return context
    said: datetime | None = dates.about(block.said or "", context)[0]
    return replace(context, speaker=block.speaker, reference_time=said or context.reference_time)
