"""The offline reader: rules only, no model to call."""

import re

from memories.choices import Category, Kind
from memories.reading.base import Comparison, Context, Statement, Verdict
from memories.reading.normal import same_statement

_SENTENCE = re.compile(r"[^\n.!?]*[^\n]*?(?:[.!?](?=\s|$)|$)", re.MULTILINE)


def _statement(match: re.Match[str]) -> Statement:
    text = match.group().strip()
    start = match.start() + match.group().index(text)
    return Statement(text, start, start + len(text), Kind.FACT, Category.FACT)


class PlainReader:
    def read(self, text: str, context: Context) -> list[Statement]:  # noqa: ARG002  # dates come next
        matches = (match for match in _SENTENCE.finditer(text) if any(map(str.isalnum, match.group())))
        return [_statement(match) for match in matches]

    def compare(self, newer: str, older: str) -> Comparison:
        if same_statement(newer, older):
            return Comparison(Verdict.SAME, certain=True)
        return Comparison(Verdict.UNRELATED, certain=False)

    def kind(self, text: str) -> Kind:  # noqa: ARG002  # rules come next
        return Kind.FACT

    def category(self, text: str) -> Category:  # noqa: ARG002  # rules come next
        return Category.FACT
