"""The normal form of every script for the word index. (First version; scripts and stems follow.)"""

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass

WORD = re.compile(r"[#.]?\w+(?:[-./@:']\w+)*")


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a text may hold a word of the query: all these terms, worth so much."""

    terms: tuple[str, ...]
    worth: float


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query with the ways to hold it, best first. A text is given the best it has."""

    ways: tuple[Way, ...]


def terms(text: str) -> list[str]:
    """The terms of a text for its index: in order, with repeats."""
    folded = unicodedata.normalize("NFKC", text.replace("\0", " ")).casefold()
    found = []
    for word in WORD.findall(folded):
        found.append(word)
        found.extend(part for part in re.findall(r"\w+", word) if part != word)
    return [term[:64] for term in found]


def query_words(text: str) -> list[QueryWord]:
    """The words of a query."""
    return [QueryWord((Way((term,), 1.0),)) for term in dict.fromkeys(terms(text[:32_000]))][:64]


def query_terms(text: str) -> list[str]:
    """The terms to look up for a query: each once, at most 64."""
    return list(dict.fromkeys(term for word in query_words(text) for way in word.ways for term in way.terms))


def tsvector_text(text: str) -> str:
    """The literal of a text's word index, for `%s::tsvector`."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, term in enumerate(terms(text)[:10_000], start=1):
        places[term].append(place)
    return " ".join(f"{_quoted(term)}:{','.join(map(str, at))}" for term, at in places.items())


def _quoted(term: str) -> str:
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
