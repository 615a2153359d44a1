"""Patterns in what many statements say: what the things of a sort have in common. Pure.

Statements come as plain values. A pattern counts independent subjects, never the same one twice, and names what speaks
against it. Habits over time are in habits.py.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from memories.choices import EntityType
from memories.cognition.wording import root

#: Fewer independent cases are no pattern.
LEAST = 3
#: So much of what could speak for a pattern does.
SHARE = 0.75
#: A pattern that names more exceptions would say nothing but them.
MOST_NAMED = 3
LONGEST_VALUE = 8


@dataclass(frozen=True, slots=True)
class Said:
    """One statement: its names with their types, and the day it tells of, where it tells of one."""

    id: UUID
    text: str
    names: Sequence[tuple[str, EntityType]] = ()
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """`subject` stays the same while cases come and go; `text` says how many there are."""

    subject: str
    text: str
    grounds: tuple[UUID, ...]
    counters: tuple[UUID, ...] = ()
    support: int = 0
    #: Whether it is about things of one sort, so that the next one of them should do alike.
    is_convention: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """Of one subject: what it does, and with what."""

    subject: str
    value: str
    said: Said


WORD = re.compile(r"[^\W\d_][\w'’-]*|\d[\w.:/-]*")
_PREPOSITION = (
    "to in into on onto with by from at for as of under behind through via over before after during until since"
)
_PREPOSITIONS = frozenset(_PREPOSITION.split())
_AUXILIARY = "is are was were be been have has had must should can may will would shall does do did"
_AUXILIARIES = frozenset(_AUXILIARY.split())
_ARTICLES = frozenset(["a", "an", "the"])
#: What only shades a verb is no part of what is done.
_ADVERB = "also always usually mostly still now currently already only just normally generally"
_ADVERBS = frozenset(_ADVERB.split())
DENIALS = re.compile(r"\b(?:not|never|no longer|nobody|none)\b|n['’]t\b", re.IGNORECASE)
QUESTION = re.compile(r"\?\s*$")
#: Somebody's opinion of a thing, or a mere state, is no habit of its sort.
_STATE = "is are was were has have had said says thinks did does went got"
_IDLE = frozenset(_STATE.split())
_PLURALS = {
    EntityType.PERSON: "People", EntityType.TEAM: "Teams", EntityType.ORGANISATION: "Organisations",
    EntityType.PRODUCT: "Products", EntityType.SERVICE: "Services", EntityType.PLACE: "Places",
    EntityType.DOCUMENT: "Documents",
}  # fmt: skip


def conventions(said: Iterable[Said]) -> Iterator[Pattern]:
    """What most things of a sort do in the same way: "Services log to Loki: 7 of 8, not vault-api"."""
    groups: dict[tuple[str, str], list[_Case]] = defaultdict(list)
    for one in said:
        if (read := _case(one)) is not None:
            sort, verb, case = read
            groups[sort, verb].append(case)
    for (sort, verb), cases in sorted(groups.items()):
        if len({case.subject for case in cases}) >= LEAST:
            yield from _shared(sort, verb, cases)


def _shared(sort: str, verb: str, cases: Sequence[_Case]) -> Iterator[Pattern]:
    """The value that most subjects have. A subject of which two values are said counts against."""
    values: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        values[case.subject].add(case.value)
    usual, _ = max(Counter(v for each in values.values() for v in each).items(), key=lambda each: (each[1], each[0]))
    alike = {subject for subject, each in values.items() if all(_is_same(value, usual) for value in each)}
    if len(alike) < LEAST or len(alike) < SHARE * len(values) or len(values) - len(alike) > MOST_NAMED:
        return
    grounds = [case for case in cases if case.subject in alike]
    others = [case for case in cases if case.subject not in alike]
    names = list(dict.fromkeys(_subject_words(case) for case in others))
    without = f", not {' or '.join(names)}" if names else ""
    words = _value_words(next(case for case in grounds if case.value == usual), verb)
    yield Pattern(
        subject=f"convention:{sort}:{verb}",
        text=f"{sort} {_plural(verb)} {words}: {len(alike)} of {len(values)}{without}.",
        grounds=tuple(sorted(case.said.id for case in grounds)),
        counters=tuple(sorted(case.said.id for case in others)),
        support=len(alike),
        is_convention=sort != _PLURALS[EntityType.PERSON],
    )


def _is_same(value: str, usual: str) -> bool:
    """The same, or the same with something said besides: "loki" and "loki since march"."""
    return value == usual or value.startswith(f"{usual} ")


def _case(one: Said) -> tuple[str, str, _Case] | None:
    """A statement that begins with a name goes on with what that one does."""
    text = one.text.strip()
    if DENIALS.search(text) or QUESTION.search(text) or "\n" in text or text.count(". "):
        return None
    found = _begins_with(text, one.names)
    if found is None:
        return None
    sort, subject, rest = found
    words = [word for word in WORD.findall(rest) if word.lower() not in _ADVERBS]
    at = _end_of_verb(words)
    verb, value = words[:at], [word for word in words[at:] if word.lower() not in _ARTICLES]
    if not verb or not value or len(value) > LONGEST_VALUE:
        return None
    said = " ".join(word.lower() for word in verb)
    if len(verb) == 1 and said in _IDLE:
        return None
    return sort, said, _Case(subject.casefold(), " ".join(root(word) for word in value), one)


def _begins_with(text: str, names: Sequence[tuple[str, EntityType]]) -> tuple[str, str, str] | None:
    """The sort of the name that the statement begins with, the name, and what follows. "Valve V-3" is of the valves."""
    lead = re.match(r"(?:The |the |An? )?", text)
    start = lead.end() if lead else 0
    for name, kind in sorted(names, key=lambda each: -len(each[0])):
        at = text.find(name, start)
        before = text[start:at].strip() if at >= 0 else "…"
        if " " in before or (before and not before.isalpha()):
            continue
        rest = text[at + len(name) :]
        behind = re.match(r"\s+(service|server|team|app|store|office|shop|database|pipeline|repository|branch)\b", rest)
        noun = before or (behind[1] if behind else "")
        rest = rest[behind.end() :] if behind else rest
        if not rest[:1].isspace():
            continue
        sort = f"{_plural_noun(noun.lower()).capitalize()}" if noun else _PLURALS.get(kind, "")
        if sort:
            return sort, name, rest
    return None


def _end_of_verb(words: Sequence[str]) -> int:
    """The verb with its auxiliaries, and its preposition where one follows: "logs to", "must be reviewed by"."""
    at = 0
    while at < len(words) and words[at].lower() in _AUXILIARIES:
        at += 1
    is_alone = at == len(words) or words[at].lower() in _ARTICLES or words[at][0].isdigit()
    at += 0 if is_alone and at else 1
    if at < len(words) and words[at].lower() in _PREPOSITIONS:
        at += 1
    return at


def _subject_words(case: _Case) -> str:
    return next((name for name, _ in case.said.names if name.casefold() == case.subject), case.subject)


def _value_words(case: _Case, verb: str) -> str:
    """As it stands in the statement, behind the verb."""
    last = verb.rsplit(" ", 1)[-1]
    found = re.search(rf"\b{re.escape(last)}\s+(.+?)[.!]?\s*$", case.said.text, re.IGNORECASE)
    return found[1] if found else case.value


def _plural(verb: str) -> str:
    """The form that many things take."""
    first, _, rest = verb.partition(" ")
    irregular = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
    if first in irregular:
        first = irregular[first]
    elif re.search(r"(?:ch|sh|ss|x|zz)es$", first):
        first = first[:-2]
    elif first.endswith("ies") and len(first) > 4:
        first = f"{first[:-3]}y"
    elif first.endswith("s") and not first.endswith(("ss", "us")):
        first = first[:-1]
    return f"{first} {rest}".strip()


def _plural_noun(noun: str) -> str:
    if noun.endswith("s"):
        return noun
    if re.search(r"(?:ch|sh|x)$", noun):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if re.search(r"[^aeiou]y$", noun) else f"{noun}s"
