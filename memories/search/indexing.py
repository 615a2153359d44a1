"""What a memory is found by: the terms of its text, and how much each of them weighs.

The weights are BM25 without the rarity, which belongs to the pool and to the moment of asking. They are a
sparse vector with one dimension a term: its inner product with the rarities of a query's terms is the BM25
score, and PostgreSQL computes it where the rows are.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from pgvector import SparseVector

from memories.search.words import placed_terms, quoted

#: The most that pgvector allows. A memory and a query share a dimension by chance once in some million times.
DIMENSIONS = 1_000_000_000
#: BM25's own constants: how soon a term said again adds nothing, and how much length counts against a text.
SATURATION, LENGTH = 0.9, 0.4
#: The length in words that neither helps nor harms: that of a spoken sentence or two. A constant and not a pool's
#: mean, so that a stored weight stays right while the pool grows; measured, that costs nothing.
USUAL_LENGTH = 24
#: So many words are weighed as a text of their own. Whole messages of a thousand words drown in their length,
#: and what they are about stands at their beginning.
HEAD = 80
#: What stands behind the head weighs as in the whole text, and at least so much: a code is found anywhere.
LEAST_WEIGHT = 0.05
#: So many different terms of one text are indexed (pgvector keeps 16,000). A longer text is found by its first
#: words alone, and by the statements that were read from it.
MOST_TERMS = 15_000
#: A tsvector must stay below 1 MiB. The literal is always the longer of the two.
MOST_BYTES = 900_000
#: Who says these is nobody: the sides of a chat with a machine.
ROLES = frozenset({"user", "assistant", "system", "tool", "human", "ai"})


@dataclass(frozen=True, slots=True)
class Index:
    """`words` is the literal of a tsvector without places, to be stored by `%s::tsvector`."""

    words: str
    weights: SparseVector


def index(text: str, *, said_by: str = "") -> Index:
    """The index of a text. Whoever said it counts as one of its words. PostgreSQL always accepts it.

    Words are taken in order until the limit of terms or of bytes is reached; the rest is left out.
    """
    speaker = "" if said_by.casefold() in ROLES else said_by
    head = Counter(term for _, term in placed_terms(speaker))
    whole: Counter[str] = Counter(head)
    left, length = MOST_BYTES, 0
    for place, term in placed_terms(text):
        if term not in whole:
            left -= len(quoted(term).encode()) + 1
            if len(whole) == MOST_TERMS or left < 0:
                break
        length = place
        whole[term] += 1
        if place <= HEAD:
            head[term] += 1
    weighed = {term: _weight(count, length) for term, count in whole.items()}
    weighed |= {term: _weight(count, min(length, HEAD)) for term, count in head.items()}
    return Index(" ".join(map(quoted, whole)), sparse(weighed))


def sparse(weighed: Mapping[str, float]) -> SparseVector:
    """Terms with a number each, as a vector. Of two that share a dimension the larger counts."""
    places: dict[int, float] = {}
    for term, weight in weighed.items():
        place = _dimension(term)
        places[place] = max(round(weight, 4), places.get(place, 0.0))
    return SparseVector(places, DIMENSIONS)


def _dimension(term: str) -> int:
    return int.from_bytes(blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "big") % DIMENSIONS


def _weight(count: int, length: int) -> float:
    against = SATURATION * (1 - LENGTH + LENGTH * length / USUAL_LENGTH)
    return max(count * (SATURATION + 1) / (count + against), LEAST_WEIGHT)
