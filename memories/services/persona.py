"""Personas: the current traits of each person, as far as a caller may see them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from memories.actors import Actor
from memories.choices import Category
from memories.models import Memory
from memories.querysets import MemoryQuerySet

#: Traits of a person whom the fact doesn't name.
UNNAMED = ""
#: As many traits as one answer holds; the newest ones.
MOST_TRAITS = 1_000
#: So many people of a product are looked for in a prompt.
MOST_PEOPLE = 5_000
#: Who the agent works for, where a fact doesn't know the name.
THE_USER = ("user", "the user")

_WORD = re.compile(r"\w+")
#: One step of the index for each name, however many traits it has.
_PEOPLE = """
WITH RECURSIVE one AS (
    (SELECT person FROM memories_memory WHERE product_id = %(product)s AND person IS NOT NULL ORDER BY person LIMIT 1)
    UNION ALL
    SELECT (SELECT m.person FROM memories_memory m
            WHERE m.product_id = %(product)s AND m.person IS NOT NULL AND m.person > one.person
            ORDER BY m.person LIMIT 1)
    FROM one WHERE one.person IS NOT NULL
)
SELECT person FROM one WHERE person <> '' LIMIT %(most)s
"""


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


def traits_for(prompt: str, *, by: Actor, most: int, with_user: bool) -> list[UUID]:
    """The newest traits that the caller may see of the people whom a prompt names, and of the user where wanted or
    where anybody is named."""
    people = _people(by.product_id)
    involved = named_in(prompt, people)
    if with_user or involved:
        involved += [each for each in people if each.casefold() in THE_USER]
    if not involved:
        return []
    rows = Memory.objects.visible_to(by).current().statements_only()
    rows = rows.filter(category=Category.PERSONA, person__in=involved).order_by("person", "-id")
    return list(rows.values_list("pk", flat=True)[:most])


def named_in(prompt: str, people: Iterable[str]) -> list[str]:
    """Who is named by the whole name or its first part, as a word of its own and written like the name."""
    words = set(_WORD.findall(prompt))
    known = ((person, _WORD.search(person)) for person in people if person.casefold() not in THE_USER)
    return [person for person, first in known if first and first[0] in words and _is_named(person, prompt)]


def _is_named(person: str, prompt: str) -> bool:
    names = {person.strip(), person.strip().partition(" ")[0]}
    names = {each for each in names if each.casefold() not in THE_USER}
    return any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", prompt) for each in names)


def _people(product_id: UUID) -> list[str]:
    """All names that traits of a product have, whoever may see them: only to be looked for."""
    with connection.cursor() as cursor:
        cursor.execute(_PEOPLE, {"product": product_id, "most": MOST_PEOPLE})
        return [name for (name,) in cursor.fetchall()]
