"""The normal form of every script for the word index.

A text is indexed by whatever a query may ask for: every word plainly (NFKC, case folded, without
accents, one width) and by its stem, identifiers whole and in parts, scripts without spaces by pairs
of characters. Both sides are read by the same functions here, so they always agree. The text itself
is never changed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from memories.search import scripts
from memories.search.identifiers import PATTERN, Identifier, identifier
from memories.search.languages import guessed, is_stop_word, languages_of, stems

#: So much of a query is read, and so many terms of it are looked up.
MOST_QUERY_CHARACTERS = 32_000
MOST_QUERY_TERMS = 64
#: A longer term is cut, and told from others with the same beginning by its hash. In bytes it stays
#: far below PostgreSQL's limit for a lexeme, 2,046.
MOST_TERM_CHARACTERS = 64
#: Longer tokens are blobs: remembering them would fill the memory.
MOST_CACHED_CHARACTERS = 128

#: What holding a word in another way than it was typed is worth.
STEM, OTHER_STEM, SAME, SEGMENTS, PIECES = 0.8, 0.6, 0.95, 0.8, 0.6
#: The part of several terms that must be there before they count. Most sentences of one script share
#: some pair of characters; look-alike codes share most of their pieces.
LEAST_PAIRS, LEAST_PIECES, LEAST_PIECES_OF_A_CODE = 0.5, 0.3, 0.6
#: A longer run of characters without spaces is more than one word, and is asked for in parts.
PAIRS_IN_A_WORD = 4

#: PostgreSQL's own: larger places all become this one.
LAST_PLACE = 16_383
#: Beyond so many times, how often a text holds a term says nothing more (PostgreSQL keeps 256).
MOST_PLACES = 64
#: So many different terms of one text are indexed. A longer text is found by its first words alone,
#: and by the statements that were read from it.
MOST_TERMS = 20_000
#: A tsvector must stay below 1 MiB. The literal is always the longer of the two.
MOST_BYTES = 900_000


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a text may hold a word: these terms, `least` of them at least, worth so much."""

    terms: tuple[str, ...]
    worth: float = 1.0
    least: float = 1.0


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query with the ways to hold it, best first. A text is given the best it has."""

    ways: tuple[Way, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(term for way in self.ways for term in way.terms))


@dataclass(frozen=True, slots=True)
class _Token:
    """A run of characters that belong together, and how they are read."""

    kind: str
    written: str


_TOKEN = re.compile(
    f"(?P<han>[{scripts.class_of(scripts.HAN, scripts.KANA)}]+)"
    f"|(?P<hangul>[{scripts.class_of(scripts.HANGUL)}]+)"
    f"|(?P<spaceless>[{scripts.class_of(scripts.SPACELESS)}]+)"
    f"|(?P<word>{PATTERN})"
)
_IS_HAN = re.compile(f"[{scripts.class_of(scripts.HAN)}]")


def terms(text: str) -> list[str]:
    """The terms of a text for its index: in order, with repeats."""
    return [term for _, term in placed_terms(text)]


def placed_terms(text: str) -> Iterator[tuple[int, str]]:
    """The terms of a text, each with the number of the word it stands for, from 1."""
    tokens = _tokens(text)
    latin = guessed([token.written for token in tokens if token.kind == "word"])
    place = 1
    for token in tokens:
        steps = _steps(token, latin)
        for step, at_once in enumerate(steps):
            for term in at_once:
                yield place + step, term
        place += len(steps)


def query_words(text: str) -> list[QueryWord]:
    """The words of a query, each once. Stop words are left out when anything else remains.

    Of a query with more than 64 terms the most telling words are kept, in their order.
    """
    tokens = _tokens(text[:MOST_QUERY_CHARACTERS])
    latin = guessed([token.written for token in tokens if token.kind == "word"])
    words = list(dict.fromkeys(word for token in tokens for word in _words(token, latin)))
    telling = [word for word in words if not is_stop_word(word.ways[0].terms[0], latin)]
    return _most_telling(telling or words)


def query_terms(text: str) -> list[str]:
    """The terms to look up for a query: each once, at most 64."""
    return list(dict.fromkeys(term for word in query_words(text) for term in word.terms))


def tsvector_text(text: str) -> str:
    """The literal of a text's word index, to be stored by `%s::tsvector`. Always accepted by PostgreSQL.

    Words are taken in order until the limit of terms or of bytes is reached; the rest is left out.
    """
    places: dict[str, list[str]] = {}
    left = MOST_BYTES
    for place, term in placed_terms(text):
        at = places.get(term)
        if at is None:
            left -= len(quoted(term).encode()) + len(":16383 ")
            if len(places) == MOST_TERMS or left < 0:
                break
            places[term] = [str(min(place, LAST_PLACE))]
        elif len(at) < MOST_PLACES:
            left -= len("16383,")
            at.append(str(min(place, LAST_PLACE)))
    return " ".join(f"{quoted(term)}:{','.join(at)}" for term, at in places.items())


def quoted(term: str) -> str:
    """A term as tsvector and tsquery literals write it."""
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def _most_telling(words: Sequence[QueryWord]) -> list[QueryWord]:
    """Identifiers first, then long words, as many as the limit of terms allows."""
    kept, left = set(), MOST_QUERY_TERMS
    for word in sorted(words, key=_tells, reverse=True):
        if len(word.terms) <= left:
            kept.add(word)
            left -= len(word.terms)
    return [word for word in words if word in kept]


def _tells(word: QueryWord) -> tuple[bool, int]:
    whole = word.ways[0].terms[0]
    return any(character.isdigit() or not character.isalnum() for character in whole), len(whole)


def _tokens(text: str) -> list[_Token]:
    plain = scripts.normal(text)
    return [_Token(str(found.lastgroup), found.group()) for found in _TOKEN.finditer(plain)]


def _steps(token: _Token, latin: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if len(token.written) > MOST_CACHED_CHARACTERS:
        return _read_steps(token, latin)
    return _cached_steps(token, latin)


@lru_cache(maxsize=50_000)
def _cached_steps(token: _Token, latin: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return _read_steps(token, latin)


def _read_steps(token: _Token, latin: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The index terms of a token: for each word or character in it, the terms that find it."""
    if token.kind == "word":
        return tuple(_index_terms(part, latin) for part in _parts(token.written)) + _joined(token.written)
    units = scripts.clusters(token.written)
    alone = [(unit,) if _found_alone(token, number, unit) else () for number, unit in enumerate(units)]
    paired = [(pair,) for pair in scripts.pairs(units)] + [()] * (len(units) > 1)
    whole = [(_bounded(token.written),)] if token.kind == "hangul" else [()]
    together = zip(paired, alone, whole + [()] * (len(units) - 1), strict=True)
    return tuple(tuple(dict.fromkeys(pair + one + word)) for pair, one, word in together)


def _found_alone(token: _Token, number: int, unit: str) -> bool:
    """Whether one character is a word to look for: Chinese ones are, and the first of a Korean word."""
    return bool(_IS_HAN.match(unit)) or (token.kind == "hangul" and number == 0)


def _words(token: _Token, latin: tuple[str, ...]) -> list[QueryWord]:
    """The words of a query's token."""
    if token.kind == "word":
        return [QueryWord(_ways(part, latin)) for part in _parts(token.written)]
    paired = tuple(scripts.pairs(scripts.clusters(token.written)))
    groups = [paired[start : start + PAIRS_IN_A_WORD] for start in range(0, len(paired), PAIRS_IN_A_WORD)]
    if token.kind == "hangul":
        return [QueryWord((Way((_bounded(token.written),)), Way(paired, STEM, LEAST_PAIRS)))]
    return [QueryWord((Way(group, least=LEAST_PAIRS),)) for group in groups]


def _parts(written: str) -> list[str]:
    """An apostrophe parts words (`d'équipe`, `Ankara'daki`), but not the groups of a number."""
    return [written] if written[0].isdigit() else written.split("'")


def _joined(written: str) -> tuple[tuple[str, ...], ...]:
    """`obrien` and `dont` find what is written with an apostrophe."""
    return ((_bounded(scripts.folded(written.replace("'", ""))),),) if len(_parts(written)) > 1 else ()


def _index_terms(part: str, latin: tuple[str, ...]) -> tuple[str, ...]:
    ways = _ways(part, latin)
    found = identifier(part)
    inflected = [stem for piece in found.pieces for stem in _stems(piece, latin)] if found else []
    return tuple(dict.fromkeys([term for way in ways for term in way.terms] + inflected))


def _ways(part: str, latin: tuple[str, ...]) -> tuple[Way, ...]:
    found = identifier(part)
    return _ways_of_identifier(found) if found else _ways_of_word(part, latin)


def _ways_of_word(word: str, latin: tuple[str, ...]) -> tuple[Way, ...]:
    worths = (STEM, *[OTHER_STEM] * MOST_QUERY_TERMS)
    inflected = [Way((_bounded(stem),), worth) for stem, worth in zip(_stems(word, latin), worths, strict=False)]
    return (Way((_bounded(scripts.folded(word)),)), *inflected)


def _ways_of_identifier(found: Identifier) -> tuple[Way, ...]:
    least = LEAST_PIECES_OF_A_CODE if any(map(str.isdigit, found.whole)) else LEAST_PIECES
    parts = ((found.segments, SEGMENTS), (found.pieces, PIECES))
    return (
        Way((_bounded(found.whole),)),
        *(Way((_bounded(form),), SAME) for form in found.same),
        *(Way(tuple(map(_bounded, terms)), worth, least) for terms, worth in parts if terms),
    )


def _stems(word: str, latin: tuple[str, ...]) -> tuple[str, ...]:
    if len(word) > MOST_TERM_CHARACTERS:
        return ()
    lowered = scripts.small(word)
    return stems(lowered, languages_of(lowered, latin)) if word.isalpha() or not word.isascii() else ()


def _bounded(term: str) -> str:
    if len(term) <= MOST_TERM_CHARACTERS:
        return term
    digest = blake2b(term.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{term[: MOST_TERM_CHARACTERS - len(digest) - 1]}…{digest}"
