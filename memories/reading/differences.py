"""Where two texts part, value by value: what an agent is shown beside a similar fact."""

from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest

from memories.reading.base import Difference, DifferenceKind
from memories.reading.tokens import COMMON, Token, TokenKind

#: More pairs than this tell that the texts are simply about different things.
MOST_PAIRS = 5
_ORDER: tuple[TokenKind, ...] = ("number", "date", "name")


def differences(newer: list[Token], older: list[Token]) -> tuple[Difference, ...]:
    """Numbers first, then dates, names, negation, words; `this` from the newer text, `other` from the older."""
    only_newer, only_older = _only(newer, older), _only(older, newer)
    found: list[Difference] = []
    for kind in _ORDER:
        found += _pairs(kind, _of(kind, only_newer), _of(kind, only_older))
    found += _negation(newer, older)
    found += _pairs("word", _of("word", only_newer), _of("word", only_older))
    return tuple(found)


def _only(these: list[Token], others: list[Token]) -> list[Token]:
    """What these say and the others do not, as often as they say it more often."""
    left = Counter(token.key for token in others)
    only = []
    for token in these:
        left[token.key] -= 1
        if left[token.key] < 0:
            only.append(token)
    return only


def _of(kind: TokenKind, tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.kind == kind and (kind != "word" or token.key not in COMMON)]


def _pairs(kind: DifferenceKind, these: list[Token], others: list[Token]) -> list[Difference]:
    """Paired in order; a value that has no partner stands alone."""
    return [
        Difference(_what(kind, this, other), this.text if this else None, other.text if other else None)
        for this, other in list(zip_longest(these, others))[:MOST_PAIRS]
    ]


def _what(kind: DifferenceKind, this: Token | None, other: Token | None) -> DifferenceKind:
    """5 MB and 5 GB differ in the unit."""
    if this and other and this.unit != other.unit and this.key.split()[0] == other.key.split()[0]:
        return "unit"
    return kind


def _negation(newer: list[Token], older: list[Token]) -> list[Difference]:
    this, other = _of("negation", newer), _of("negation", older)
    if bool(this) == bool(other):
        return []
    return [Difference("negation", this[0].text if this else None, other[0].text if other else None)]
