"""The offline reader: rules only, no model to call."""

import re

from memories.choices import Category, Kind
from memories.reading.base import Comparison, Context, Statement, Verdict
from memories.reading.normal import same_statement

_SENTENCE = re.compile(r"[^\n.!?]*[^\n]*?(?:[.!?](?=\s|$)|$)", re.MULTILINE)


class PlainReader:
    def read(self, text: str, context: Context) -> list[Statement]:  # noqa: ARG002  # dates come next
        return [
            Statement(
                part.strip(),
                start := match.start() + len(part) - len(part.lstrip()),
                start + len(part.strip()),
                Kind.FACT,
                Category.FACT,
            )
            for match in _SENTENCE.finditer(text)
            if any(letter.isalnum() for letter in (part := match.group()))
        ]

    def compare(self, newer: str, older: str) -> Comparison:
        if same_statement(newer, older):
            return Comparison(Verdict.SAME, certain=True)
        return Comparison(Verdict.UNRELATED, certain=False)

    def kind(self, text: str) -> Kind:  # noqa: ARG002  # rules come next
        return Kind.FACT

    def category(self, text: str) -> Category:  # noqa: ARG002  # rules come next
        return Category.FACT
