"""Whether a sentence that a model wrote says no more than its passage: the check that every such sentence passes.

A model may leave out, shorten and put in a name for a pronoun. It may not add, translate or turn around: each word that
means something stands in the passage or what is known of it, most of them in the passage itself, and a "not" neither
comes nor goes. What a text tells a model to do can so only ever become a statement of that text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memories.reading import lexicon
from memories.reading.pairs import LIGHT
from memories.reading.tokens import COMMON, tokens

_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_SPACELESS}]+|(?:(?![{_SPACELESS}])[^\W_])+")
_IS_SPACELESS = re.compile(rf"[{_SPACELESS}]")
#: Verbs that a statement needs and its passage leaves out ("Ann: lead" → "Ann is the lead"). Every other word that is
#: not in the passage is refused, however short: "cat" is no "dog".
_JOINING = frozenset(
    """is are was were be been being has have had do does did named called hat haben war waren wird werden wurde sein a
    à ont était sont être ha tiene era fue son""".split()  # noqa: SIM905  # a table
)
_SHORTEST_STEM = 4
#: So much of a statement comes from its own passage; the rest may be what a pronoun stands for.
_OWN = 0.5


def is_faithful(statement: str, passage: str, around: Sequence[str]) -> bool:
    """`around` is what is known besides: headings, the speaker, the passages before."""
    said = _words(passage)
    known = said.union(*map(_words, around)) if around else said
    telling = list(_telling(statement))
    if not telling or any(not _is_in(word, known) for word in telling):
        return False
    own = sum(_is_in(word, said) for word in telling)
    return own >= _OWN * len(telling) and _keeps_negation(statement, passage)


def _words(text: str) -> set[str]:
    found: set[str] = set()
    for piece in _PIECE.findall(text.casefold()):
        found |= {piece, lexicon.stem(piece)} if not _IS_SPACELESS.match(piece) else _pairs(piece)
    return found


def _pairs(piece: str) -> set[str]:
    return {*piece, *(one + other for one, other in pairwise(piece))}


def _telling(statement: str) -> Iterator[str]:
    """Its words that mean something, or pairs of characters where a script has no spaces."""
    for piece in _PIECE.findall(statement):
        word = piece.casefold()
        if _IS_SPACELESS.match(piece):
            yield from (one + other for one, other in pairwise(piece)) if len(piece) > 1 else [piece]
        elif word not in LIGHT and word not in COMMON and word not in _JOINING:
            yield word


def _is_in(word: str, known: set[str]) -> bool:
    """In the same or another form: "report" for "reports", "Kanals" for "Kanal"."""
    if word in known or lexicon.stem(word) in known:
        return True
    if not word.isalpha() or len(word) <= _SHORTEST_STEM or _IS_SPACELESS.match(word):
        return False
    beginning = word[: max(_SHORTEST_STEM, len(word) - 3)]
    return any(each.startswith(beginning) and abs(len(each) - len(word)) <= 3 for each in known)


def _keeps_negation(statement: str, passage: str) -> bool:
    """What is denied in the passage is not asserted, and nothing is denied that the passage does not deny."""
    denied = list(_denied(passage))
    if any(token.kind == "negation" for token in tokens(statement)):
        return bool(denied)
    asserted = _words(statement)
    return not any(word and _is_in(word, asserted) for word in denied)


def _denied(passage: str) -> Iterator[str]:
    """The first telling word after each "not"; empty where none follows."""
    waiting = False
    for token in tokens(passage):
        if token.kind == "negation":
            waiting = True
        elif waiting and token.key not in COMMON and token.text.casefold() not in LIGHT:
            yield token.text.casefold()
            waiting = False
    if waiting:
        yield ""
