"""What a statement names, and how the things it names stand to each other. Pure."""

import re
import unicodedata
from dataclasses import dataclass

from memories.choices import EntityType
from memories.reading import names

_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_CODE = re.compile(r"[\d_/\\@.:#]")


@dataclass(frozen=True, slots=True)
class Named:
    """A name as it stands in a statement, and what it seems to be."""

    text: str
    type: EntityType

    @property
    def key(self) -> str:
        return name_key(self.text)


@dataclass(frozen=True, slots=True)
class Related:
    """What a statement says of two of its names. `words` are the statement's own."""

    subject: Named
    relation: str
    object: Named
    words: str


@dataclass(frozen=True, slots=True)
class Found:
    names: tuple[Named, ...] = ()
    relations: tuple[Related, ...] = ()


def name_key(name: str) -> str:
    """Equal for two spellings of one name: width, case, white space and a possessive ending make no other thing.

    Nothing else is dropped: V-1603 and V-1605, or use-001 and use-002, are different things.
    """
    normal = " ".join(unicodedata.normalize("NFKC", name).split())
    return unicodedata.normalize("NFC", _POSSESSIVE.sub("", normal).casefold())


def found(text: str, *, person: str | None = None) -> Found:
    """The names of a statement, each once, and its relations. `person`: whom a trait is about."""
    named = [Named(each, _type_of(each)) for each in names.names(text)]
    if person:
        named.insert(0, Named(person, EntityType.PERSON))
    return Found(tuple({each.key: each for each in reversed(named)}.values())[::-1])


def _type_of(name: str) -> EntityType:
    return EntityType.CODE if _CODE.search(name) else EntityType.OTHER
