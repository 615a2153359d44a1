"""What a statement names, and how the things it names stand to each other. Pure.

A name that stands in several statements is typed by all of them together (cognition/upkeep.py); here each says what
it seems to be from this one statement.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from memories.choices import EntityType
from memories.reading import dates, name_scripts, names, relations, vocabulary
from memories.reading.base import Context
from memories.reading.name_words import COMMON_STARTERS, NO_NAME
from memories.reading.names import Name, NameKind
from memories.reading.relations import Relation

_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_CODE = re.compile(r"[\d_/\\@.:#]")
_LEAD = re.compile(r"^(?:the|a|an|this|our|its|their|my|his|her)\s(?!user\b)", re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"(?<![\w/.@-])(?=[\w-]*-)(?!(?:no|non|in|on|multi|e)-)(?:[A-Za-z][a-z0-9]*-)*(?:api|svc|service|db|gateway|worker|queue|server|proxy|cluster|bot|app"
    r"|web|ui|cron|cache|store|router|scheduler|frontend|backend|pg|k8s|redis|kafka)(?:-[a-z0-9]+)*(?![\w/-])"
)
#: Units, and words that say what sort of thing is named and not which.
_NO_THING = frozenset(
    word
    for line in (
        "kb mb gb tb kib mib gib ms hz khz mhz ghz km kg cm mm am pm utc eur usd gbp api http https url id ok qr ui ux",
        "service server queue cluster database gateway pipeline portal dashboard team squad crew group department",
    )
    for word in line.split()
)
#: Every noun has a capital there.
_GERMAN_NOUN = re.compile(r"(?:[Dd]er|[Dd]ie|[Dd]as|[Ee]ine?|[Dd]en|[Dd]em) ")
#: "Valve V-1603" is V-1603, where "Skylark 4.7.0" is a Skylark.
_THING_AND_CODE = re.compile(r"[A-Z]?[a-z]+ (?P<code>(?!v\d)[A-Za-z]+[-_]?\d[\w-]*)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
#: Any will do: only days that a statement names in full are taken.
_REFERENCE = Context(datetime(2000, 1, 1, tzinfo=UTC))
#: Verbs tell more than the model does of these: it takes a first name it has never seen for a place or a company.
_UNSURE = frozenset([EntityType.OTHER, EntityType.PLACE, EntityType.ORGANISATION, EntityType.PRODUCT, EntityType.TERM])
_PREPOSITION = re.compile(r"\s(?:of|in|for|to|on|at|from|with|by|about|into|und|von)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A name as it stands in a statement, and what it seems to be. `whole`: its full form, where that differs."""

    text: str
    type: EntityType
    whole: str = ""

    @property
    def name(self) -> str:
        return self.whole or self.text

    @property
    def key(self) -> str:
        return name_key(self.name)


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
    return found_all([(text, person)])[0]


def found_all(asked: Sequence[tuple[str, str | None]]) -> list[Found]:
    """The same for many statements, each with the person it is about: one run of the model instead of many."""
    texts = [text for text, _ in asked]
    typed, said = names.found_all(texts), relations.found_all(texts)
    return [_found(*each, seen, told) for each, seen, told in zip(asked, typed, said, strict=True)]


def _found(text: str, person: str | None, seen: Iterable[Name], said: Iterable[Relation]) -> Found:
    named = {each.key: each for each in reversed([*_persons(person), *_typed(text, seen)]) if each.key}
    made: list[Related] = []
    for one in said:
        known = vocabulary.relation_of(one.verb)
        subject, thing = _end(one.subject, named), _end(one.object, named)
        if known is None:
            continue
        relation, is_reversed = known
        for end, seems in (
            (thing if is_reversed else subject, vocabulary.subject_type(one.verb, relation)),
            (subject if is_reversed else thing, vocabulary.object_type(relation)),
        ):
            if end and seems and end.type in _UNSURE and _may_be(end, seems):
                named[end.key] = replace(named[end.key], type=seems)
        if subject and thing and subject.key != thing.key:
            ends = (thing, subject) if is_reversed else (subject, thing)
            made.append(Related(ends[0], relation, ends[1], one.evidence))
    typed = [replace(each, subject=named[each.subject.key], object=named[each.object.key]) for each in made]
    return Found(tuple(named.values())[::-1], tuple(dict.fromkeys(typed)))


def _persons(person: str | None) -> list[Named]:
    return [Named(person, EntityType.PERSON)] if person and person.strip() else []


def _typed(text: str, seen: Iterable[Name]) -> Iterator[Named]:
    """What is written as a name: by identifiers and other scripts first, then as the reader of names sees it."""
    for match in _IDENTIFIER.finditer(text):
        yield Named(match.group(), EntityType.SERVICE)
    for name, kind in name_scripts.found(text):
        yield Named(name, kind)
    taken: set[str] = set()
    for each in seen:
        taken |= set(each.text.split())
        if each.kind == NameKind.DATE:
            yield from _day(each.text)
        elif (name := _bare(each.text)) and _names_something(name):
            whole = each.whole if each.whole != each.text else ""
            if code := _THING_AND_CODE.fullmatch(name):
                yield Named(code["code"], EntityType.CODE)
                continue
            yield Named(name, EntityType.PERSON if name[0] == "@" else EntityType(str(each.kind)), whole)
    for light in names.names(text):
        if _names_something(light) and taken.isdisjoint(light.split()):
            yield Named(light, EntityType.CODE if _CODE.search(light) else EntityType.OTHER)


def _bare(name: str) -> str:
    """Without an article, a quote, and the word that only begins a sentence."""
    name = _LEAD.sub("", name.strip("`\"'“”„ "))
    first, _, rest = name.partition(" ")
    return rest if rest[:1].isupper() and first.lower() in COMMON_STARTERS else name


def _names_something(name: str) -> bool:
    is_word = (
        len(name) > 1 and not _GERMAN_NOUN.match(name) and name.lower() not in NO_NAME and name.lower() not in _NO_THING
    )
    return is_word and (any(map(str.isalpha, name)) or name[0] == "#")


def _day(text: str) -> Iterator[Named]:
    """A day or month that is named in full, by its date. "Sundays" and "tomorrow" name none for good."""
    if not _YEAR.search(text):
        return
    for span in dates.spans(text, _REFERENCE):
        if span.first and span.last and span.first.year > _REFERENCE.reference_time.year:
            first, last = span.first.date().isoformat(), span.last.date().isoformat()
            if first == last:
                yield Named(text, EntityType.DATE, first)
            elif first.endswith("-01") and (span.last + timedelta(days=1)).day == 1 and first[:7] == last[:7]:
                yield Named(text, EntityType.DATE, first[:7])


def _end(phrase: str, named: dict[str, Named]) -> Named | None:
    """The name that a noun phrase comes down to: "the new colleague Ana Lima" is Ana Lima, "friend of Ana" is not."""
    phrase = phrase.rstrip(".")
    for words in (phrase, _bare(phrase)):
        if (exact := named.get(name_key(words))) is not None:
            return exact
    close = [
        each
        for each in named.values()
        if phrase.endswith(f" {each.text}") and not _PREPOSITION.search(phrase[: -len(each.text)])
    ]
    return max(close, key=lambda each: len(each.text)) if close else None


def _may_be(named: Named, seems: EntityType) -> bool:
    """A person's name is a word or three with capitals, and no figures in it."""
    if seems != EntityType.PERSON:
        return named.type == EntityType.OTHER
    words = named.name.split()
    return len(words) <= names.MOST_WORDS_OF_A_PERSON and all(
        word[:1].isupper() and word.replace("-", "").replace("’", "").isalpha() and not word.isupper() for word in words
    )
