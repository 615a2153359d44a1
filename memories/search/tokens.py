"""One run of characters that belong together: the terms it is indexed by, and the ways to ask for it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b

from memories.search import scripts
from memories.search.identifiers import PATTERN, Identifier, identifier
from memories.search.languages import guessed, languages_of, stems

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
#: A longer run of characters without spaces is more than one word, and is asked for in parts. Korean
#: puts spaces between its words, but not all writers do.
PAIRS_IN_A_WORD, SYLLABLES_IN_A_WORD = 4, 8
#: So many parts of one identifier are asked for; one with more is a blob, whose words have no stems.
MOST_PARTS = 16


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

    @property
    def is_identifier(self) -> bool:
        """Written as one, of digits and of something else: `ZX-4471-B`, `v2.4.1`, `10.0.0.12`, `iphone15`."""
        whole = self.ways[0].terms[0]
        return len(self.ways[0].terms) == 1 and any(map(str.isdigit, whole)) and not whole.isdigit()


@dataclass(frozen=True, slots=True)
class Token:
    """What stands between two spaces or signs in one script, and how that script is read."""

    kind: str
    written: str


#: The terms of one place in a text.
Step = tuple[str, ...]

_TOKEN = re.compile(
    f"(?P<han>[{scripts.class_of(scripts.HAN, scripts.KANA)}]+)"
    f"|(?P<hangul>[{scripts.class_of(scripts.HANGUL)}]+)"
    f"|(?P<spaceless>[{scripts.class_of(scripts.SPACELESS)}]+)"
    f"|(?P<word>{PATTERN})"
)
_IS_HAN = re.compile(f"[{scripts.class_of(scripts.HAN)}]")


def tokens(plain: str) -> list[Token]:
    """The tokens of a text in its normal form."""
    return [Token(str(found.lastgroup), found.group()) for found in _TOKEN.finditer(plain)]


def latin_of(found: Sequence[Token]) -> tuple[str, ...]:
    """The languages that the Latin words among these tokens may be in."""
    return guessed([token.written for token in found if token.kind == "word"])


def steps(token: Token, latin: tuple[str, ...]) -> tuple[Step, ...]:
    """The index terms of a token: for each word or character in it, the terms that find it."""
    if len(token.written) > MOST_CACHED_CHARACTERS:
        return _read_steps(token, latin)
    return _cached_steps(token, latin)


@lru_cache(maxsize=50_000)
def _cached_steps(token: Token, latin: tuple[str, ...]) -> tuple[Step, ...]:
    return _read_steps(token, latin)


def _read_steps(token: Token, latin: tuple[str, ...]) -> tuple[Step, ...]:
    if token.kind == "word":
        parts = _parts(token.written)
        return (*(_index_terms(part, latin) for part in parts), *([_joined(parts)] if len(parts) > 1 else []))
    return _steps_of_run(token, scripts.clusters(token.written))


def _steps_of_run(token: Token, units: list[str]) -> tuple[Step, ...]:
    """At each character: the pair that begins there; the character, where it can be a word; a Korean word whole."""
    pairs = [*scripts.pairs(units), *([""] if len(units) > 1 else [])]
    found = []
    for number, (unit, pair) in enumerate(zip(units, pairs, strict=True)):
        is_korean_start = token.kind == "hangul" and number == 0
        alone = unit if is_korean_start or _IS_HAN.match(unit) else ""
        found.append(_once([pair, alone, bounded(token.written) if is_korean_start else ""]))
    return tuple(found)


def query_words_of(token: Token, latin: tuple[str, ...]) -> list[QueryWord]:
    """The words that a query asks for by this token."""
    if token.kind == "word":
        read = [
            tuple(replace(way, terms=way.terms[:MOST_PARTS]) for way in _ways(p, latin)) for p in _parts(token.written)
        ]
        return [QueryWord(ways) for ways in read if ways]
    paired = tuple(scripts.pairs(scripts.clusters(token.written)))
    if token.kind == "hangul" and len(paired) < SYLLABLES_IN_A_WORD:
        return [QueryWord((Way((bounded(token.written),)), Way(paired, STEM, LEAST_PAIRS)))]
    groups = [paired[start : start + PAIRS_IN_A_WORD] for start in range(0, len(paired), PAIRS_IN_A_WORD)]
    return [QueryWord((Way(group, least=LEAST_PAIRS),)) for group in groups]


def _parts(written: str) -> list[str]:
    """An apostrophe parts words (`d'équipe`, `Ankara'daki`), but not the groups of a number."""
    if "'" not in written or written[0].isdigit():
        return [written]
    parts = [part.lstrip("-/\\:?&=%+~_").rstrip("-./\\@:?&=%~_") for part in written.split("'")]
    return [part for part in parts if part]


def _joined(parts: Sequence[str]) -> Step:
    """`obrien` and `dont` find what is written with an apostrophe."""
    return _once([bounded(scripts.folded("".join(parts)))])


def _index_terms(part: str, latin: tuple[str, ...]) -> Step:
    found = identifier(part)
    pieces = found.pieces if found and len(found.pieces) <= MOST_PARTS else ()
    inflected = [stem for piece in pieces for stem in _stems(piece, latin)]
    return _once([*(term for way in _ways(part, latin) for term in way.terms), *inflected])


def _ways(part: str, latin: tuple[str, ...]) -> tuple[Way, ...]:
    found = identifier(part)
    ways = _ways_of_identifier(found) if found else _ways_of_word(part, latin)
    return tuple(way for way in ways if way.terms)


def _ways_of_word(word: str, latin: tuple[str, ...]) -> list[Way]:
    inflected = _stems(word, latin)
    worths = [STEM, *[OTHER_STEM] * len(inflected)]
    plain = Way(_once([bounded(scripts.folded(word))]))
    return [plain, *(Way((stem,), worth) for stem, worth in zip(inflected, worths, strict=False))]


def _ways_of_identifier(found: Identifier) -> list[Way]:
    least = LEAST_PIECES_OF_A_CODE if any(map(str.isdigit, found.whole)) else LEAST_PIECES
    parts = ((found.segments, SEGMENTS), (found.pieces, PIECES))
    return [
        Way(_once([bounded(found.whole)])),
        *(Way(_once([bounded(form)]), SAME) for form in found.same),
        *(Way(_once(map(bounded, names)), worth, least) for names, worth in parts),
    ]


def _stems(word: str, latin: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of a word that is all letters; those of a blob are nobody's."""
    if len(word) > MOST_TERM_CHARACTERS or (word.isascii() and not word.isalpha()):
        return ()
    lowered = scripts.small(word)
    return stems(lowered, languages_of(lowered, latin))


def bounded(term: str) -> str:
    """The term, cut if it is long, still told from others."""
    if len(term) <= MOST_TERM_CHARACTERS:
        return term
    digest = blake2b(term.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{term[: MOST_TERM_CHARACTERS - len(digest) - 1]}…{digest}"


def _once(found: Iterable[str]) -> Step:
    """Each term once; a word of nothing but optional marks leaves none."""
    return tuple(dict.fromkeys(term for term in found if term))
