"""Personas: the current traits of each person, as far as a caller may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from memories.choices import Category
from memories.models import Memory
from memories.querysets import MemoryQuerySet

#: Traits of a person whom the fact doesn't name.
UNNAMED = ""
#: As many traits as one answer holds; the newest ones.
MOST_TRAITS = 1_000


@dataclass(frozen=True, slots=True)
class Persona:
    """One person and what is held true of them, newest first. The name is empty where the facts don't say whom."""

    person: str
    traits: Sequence[Memory]


def personas(rows: MemoryQuerySet) -> list[Persona]:
    """Traits by person, out of rows that are visible already. Names that differ in case alone are one person's."""
    traits = rows.current().filter(category=Category.PERSONA).statements_only().order_by("-id").for_show()[:MOST_TRAITS]
    names: dict[str, str] = {}
    found: dict[str, list[Memory]] = {}
    for trait in traits:
        name = (trait.person or UNNAMED).strip()
        names.setdefault(name.casefold(), name)
        found.setdefault(name.casefold(), []).append(trait)
    return [Persona(names[folded], found[folded]) for folded in sorted(found)]
