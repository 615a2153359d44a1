"""When recall speaks: whether something found answers what was asked. Pure; the floors stand here and nowhere else."""

from collections.abc import Collection, Mapping

#: A memory this close in meaning is about the prompt, whatever its words.
CLOSE = 0.42
#: One that shares telling words may be further off.
NEAR = 0.22
#: How much of what a passage of the prompt asks for a memory must hold by words, as a share of its rarity.
SHARED = 0.34
#: Words alone do only when they hold nearly all: an identifier, a name.
HELD = 0.7


def is_relevant(similarity: float, shared: float) -> bool:
    """Whether a memory is worth a prompt's room: `similarity` is the cosine of the two (-1 to 1, 0 where unknown),
    `shared` the part of the prompt's telling words that the memory holds (0 to 1).

    Silence is the default: an agent that is told nothing searches; one that is told what is beside the point believes.
    """
    return similarity >= CLOSE or (similarity >= NEAR and shared >= SHARED) or shared >= HELD


def shared(asked: Mapping[tuple[str, ...], float], held: Collection[str]) -> float:
    """The part of the asked words that a text holds, rare ones counting more. `asked` maps the terms of a word, each of
    which stands for it, to its rarity."""
    total = sum(asked.values())
    found = sum(rarity for terms, rarity in asked.items() if any(term in held for term in terms))
    return found / total if total > 0 else 0.0
