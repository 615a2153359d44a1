"""The normal form of every script for the word index.

A text is indexed by whatever a query may ask for: every word plainly (NFKC, case folded, without
accents, one width) and by its stem, identifiers whole and in parts, scripts without spaces by pairs
of characters. Both sides are read by the same functions (tokens.py), so they always agree. The text
itself is never changed.
"""

from collections.abc import Iterator, Sequence

from memories.search.languages import is_stop_word
from memories.search.scripts import normal
from memories.search.tokens import QueryWord, Way, latin_of, query_words_of, steps, tokens

__all__ = ["QueryWord", "Way", "placed_terms", "query_terms", "query_words", "quoted", "terms"]

#: So much of a query is read, and so many terms of it are looked up.
MOST_QUERY_CHARACTERS = 32_000
MOST_QUERY_TERMS = 64


def terms(text: str) -> list[str]:
    """The terms of a text for its index: in order, with repeats."""
    return [term for _, term in placed_terms(text)]


def placed_terms(text: str) -> Iterator[tuple[int, str]]:
    """The terms of a text, each with the number of the word it stands for, from 1."""
    found = tokens(normal(text))
    latin = latin_of(found)
    place = 0
    for token in found:
        for step in steps(token, latin):
            place += 1
            for term in step:
                yield place, term


def query_words(text: str) -> list[QueryWord]:
    """The words of a query, each once. Stop words are left out when anything else remains.

    Of a query with more than 64 terms the most telling words are kept, in their order. Only its first
    32,000 characters are read.
    """
    found = tokens(normal(text[:MOST_QUERY_CHARACTERS])[:MOST_QUERY_CHARACTERS])
    latin = latin_of(found)
    words = list(dict.fromkeys(word for token in found for word in query_words_of(token, latin)))
    telling = [word for word in words if not is_stop_word(word.ways[0].terms[0], latin)]
    return _most_telling(telling or words)


def query_terms(text: str) -> list[str]:
    """The terms to look up for a query: each once, at most 64."""
    return list(dict.fromkeys(term for word in query_words(text) for term in word.terms))


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
    return any(character.isdigit() for character in whole), len(whole)


def quoted(term: str) -> str:
    """A term as the literals of tsvector and tsquery write it."""
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
