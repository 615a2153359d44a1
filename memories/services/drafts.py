"""Statements on their way in: checked, screened and indexed before any transaction begins."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from pgvector import SparseVector

from memories import limits, screening
from memories.actors import Actor
from memories.choices import Category, Kind, Origin, Scope, SecretPolicy, Tier
from memories.embeddings import Vector
from memories.errors import InvalidInput, TooLarge
from memories.models import Product
from memories.reading import Statement, entities, statement_key
from memories.reading.entities import Found
from memories.search.indexing import index


@dataclass(frozen=True, slots=True)
class About:
    """The time a statement is about; both bounds inclusive, either may be open."""

    start: datetime | None = None
    until: datetime | None = None


NO_TIME = About()
NOTHING_FOUND = Found()


@dataclass(frozen=True, slots=True)
class Label:
    """What a writer may say about a statement besides its words. The same for all statements of one text."""

    tier: Tier = Tier.OFFICIAL
    scope: Scope = Scope.SHARED
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    about: About = NO_TIME


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything a memory will hold, except its status and its writer."""

    content: str
    key: bytes
    kind: Kind
    category: Category
    person: str | None
    label: Label
    words: str
    weights: SparseVector | None
    vector: Vector | None = None
    #: What it names, for the graph.
    found: Found = NOTHING_FOUND


def draft(
    content: str,
    *,
    kind: Kind,
    category: Category,
    label: Label,
    person: str | None = None,
    vector: Vector | None = None,
    said_by: str = "",
    found: Found | None = None,
) -> Draft:
    """`found`: what it names, where that was read together with others."""
    indexed = index(content, said_by=said_by)
    if found is None:
        found = NOTHING_FOUND if kind == Kind.RAW else entities.found(content, person=person)
    return Draft(
        content, key_of(content), kind, category, person, label, indexed.words, indexed.weights, vector, found
    )  # fmt: skip


def of_statement(
    statement: Statement, *, label: Label, vector: Vector | None, said_by: str = "", found: Found | None = None
) -> Draft:
    """A statement's own time goes before the time its writer gave for the whole text."""
    has_own_time = statement.about_from or statement.about_until
    about = About(statement.about_from, statement.about_until) if has_own_time else label.about
    own = Label(label.tier, label.scope, label.tags, label.metadata, about)
    return draft(
        statement.text,
        kind=statement.kind,
        category=statement.category,
        label=own,
        person=statement.person,
        vector=vector,
        said_by=said_by,
        found=found,
    )


def found_in(statements: Sequence[Statement]) -> list[Found]:
    """What each of them names: many at once are read much faster than one by one. A block of code names nothing."""
    prose = [(each.text, each.person) for each in statements if not each.is_code]
    read = iter(entities.found_all(prose))
    return [NOTHING_FOUND if each.is_code else next(read) for each in statements]


def key_of(content: str) -> bytes:
    """Equal for texts that say the same: SHA-256 of NFC, case-folded, space-collapsed text."""
    return sha256(statement_key(content).encode()).digest()


def check_label(by: Actor, label: Label) -> None:
    """Private scope is an agent's own; a product's wall is never named by a writer."""
    if label.scope == Scope.PRIVATE and by.type != Origin.AGENT:
        raise InvalidInput.of("scope", "Only an agent can write privately; use scope shared.")


def check_fact(content: str, *, field_name: str = "content") -> None:
    """One fact: words in it, nothing that cannot be stored, within the limit."""
    if len(content) > limits.FACT_CHARACTERS:
        raise TooLarge(
            f"A fact has at most {limits.FACT_CHARACTERS:,} characters, this one {len(content):,}; "
            "send longer text as a text (POST memories/, memory_add).",
            limits.FACT_CHARACTERS,
            field=field_name,
        )
    if screening.storable(content)[1]:
        raise InvalidInput.of(field_name, "The content holds NUL bytes or broken characters; send plain UTF-8 text.")
    if not has_words(content):
        raise InvalidInput.of(field_name, "A fact needs at least one letter or digit.")


def has_words(content: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" for character in content)


@dataclass(frozen=True, slots=True)
class Screened:
    """A text as it may be stored, and what was masked in it."""

    text: str
    masked: Sequence[dict[str, Any]] = ()


def screen(text: str, *, product: Product, field_name: str) -> Screened:
    """Mask credentials, or refuse the text: the product's choice. Runs before anything is stored."""
    result = screening.mask(text)
    if not result.masks:
        return Screened(text)
    if product.secrets == SecretPolicy.REFUSE:
        kinds = ", ".join(sorted({kind for kind, _, _ in result.masks}))
        raise InvalidInput.of(
            field_name, f"This product refuses credentials, and the text holds some ({kinds}); take them out."
        )
    return Screened(result.text, [{"kind": kind, "start": start, "end": end} for kind, start, end in result.masks])
