"""When recall speaks: whether something found answers what was asked. Pure; the floors stand here and nowhere else.

What they give was measured (docs/recall.md).
"""

from collections.abc import Collection, Mapping
from math import log10

#: In a pool of so many rows a memory this close in meaning is about the prompt, whatever its words; in one of ten
#: times as many it must be closer by so much, for the best of many is close by chance.
CLOSE, CLOSE_ROWS, CLOSER = 0.34, 200, 0.04
#: One that shares telling words may be further off.
NEAR = 0.25
#: How much of what a passage of the prompt asks for a memory must hold by words, as a share of its rarity.
SHARED = 0.4
#: Words alone do where they are codes, versions, paths or addresses and half of the passage.
IDENTIFIED = 0.5
#: Other words do too, two at least, when a memory holds nearly all: a long text is near to nothing in meaning.
HELD, HELD_WORDS = 0.7, 2


def is_relevant(meaning: float | None, shared: float, identifiers: float, *, words: int, rows: int) -> bool:
    """Whether a memory is worth a prompt's room.

    `meaning` is the cosine of the two (None where one has no vector), `shared` the part of the prompt's telling words
    that the memory holds and `identifiers` the part that its codes are (0 to 1); `words` how many of
    them were asked, `rows` the size of the pool.
    Silence is the default: an agent that is told nothing searches; one that is told what is beside the point believes.
    """
    if identifiers >= IDENTIFIED or (holds(shared) and (words >= HELD_WORDS or meaning is None)):
        return True
    return meaning is not None and (meaning >= close(rows) or (meaning >= NEAR and shared >= SHARED))


def close(rows: int) -> float:
    """The cosine that is enough by itself in a pool of so many rows."""
    return CLOSE + CLOSER * max(0.0, log10(max(rows, 1) / CLOSE_ROWS))


def holds(shared: float) -> bool:
    """Whether words alone are enough."""
    return shared >= HELD


def shared(asked: Mapping[tuple[str, ...], float], held: Collection[str]) -> float:
    """The part of the asked words that a text holds, rare ones counting more. `asked` maps the terms of a word, each of
    which stands for it, to its rarity."""
    total = sum(asked.values())
    found = sum(rarity for terms, rarity in asked.items() if any(term in held for term in terms))
    return found / total if total > 0 else 0.0
