"""Patterns in what many statements say: what things of a sort share, and on which days something happens. Pure.

Statements come as plain values. A pattern counts independent subjects or days, never the same one twice, and names what
speaks against it. Where chance would do as well, nothing is said.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import comb
from uuid import UUID

from memories.choices import EntityType
from memories.cognition.wording import is_common, root

#: Fewer independent cases are no pattern.
LEAST = 3
#: So much of what could speak for a pattern does.
SHARE = 0.75
#: Chance does as well once in so many sets of dates.
CHANCE = 0.021
#: A pattern that names more exceptions would say nothing but them.
MOST_NAMED = 3
LONGEST_VALUE = 8
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


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


_WORD = re.compile(r"[^\W\d_][\w'’-]*|\d[\w.:/-]*")
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
_DENIALS = re.compile(r"\b(?:not|never|no longer|nobody|none)\b|n['’]t\b", re.IGNORECASE)
_QUESTION = re.compile(r"\?\s*$")
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
    if _DENIALS.search(text) or _QUESTION.search(text) or "\n" in text or text.count(". "):
        return None
    found = _begins_with(text, one.names)
    if found is None:
        return None
    sort, subject, rest = found
    words = [word for word in _WORD.findall(rest) if word.lower() not in _ADVERBS]
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


# --- habits over time


@dataclass(frozen=True, slots=True)
class _Rhythm:
    """A way in which days may be alike, and in how many ways they may differ there."""

    name: str
    of: Callable[[date], int]
    ways: int
    say: Callable[[int], str]


def _ordinal(day: int) -> str:
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"the {day}{ending} of the month"


_RHYTHMS = (
    _Rhythm("weekday", date.weekday, 7, lambda day: f"a {WEEKDAYS[day]}"),
    _Rhythm("day of the month", lambda each: each.day, 30, _ordinal),
)
_TIMES = re.compile(
    r"\b(?:on|in|at|by|since|until|from)?\s*(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b,?"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\S*\d\S*")
_LEAST_WORDS = 2


def habits(said: Iterable[Said]) -> Iterator[Pattern]:
    """What happens again and again on the same sort of day: "Release … was cut: on a Tuesday, 5 of 6 times"."""
    groups: dict[tuple[str, ...], list[Said]] = defaultdict(list)
    for one in said:
        if one.day is not None and not _DENIALS.search(one.text) and not _QUESTION.search(one.text):
            key = _event(one)
            if len(key) >= _LEAST_WORDS:
                groups[key].append(one)
    for key, cases in sorted(groups.items()):
        days = {case.day for case in cases if case.day}
        if len(days) >= LEAST:
            yield from _rhythm(key, cases, days)


def _event(one: Said) -> tuple[str, ...]:
    """What happened, whichever one it was and whenever: the words that are no name, code or time."""
    text = one.text
    for name, kind in one.names:
        if kind in (EntityType.CODE, EntityType.DATE) or _CODE.fullmatch(name.replace(" ", "")):
            text = text.replace(name, " ")
    text = _CODE.sub(" ", _TIMES.sub(" ", text))
    telling = (word for word in _WORD.findall(text) if not is_common(word))
    return tuple(sorted({each for each in map(root, telling) if len(each) > 1}))


def _rhythm(key: tuple[str, ...], cases: Sequence[Said], days: set[date]) -> Iterator[Pattern]:
    for rhythm in _RHYTHMS:
        value, number = max(Counter(map(rhythm.of, days)).items(), key=lambda each: (each[1], -each[0]))
        share = number / len(days)
        if number < LEAST or share < SHARE or _by_chance(number, len(days), rhythm.ways) > CHANCE:
            continue
        grounds = [case for case in cases if case.day and rhythm.of(case.day) == value]
        others = [case for case in cases if case.day and rhythm.of(case.day) != value]
        yield Pattern(
            subject=f"habit:{rhythm.name}:{' '.join(key)}",
            text=f"{_headline(grounds[0])}: on {rhythm.say(value)}, {number} of {len(days)} times {_between(days)}.",
            grounds=tuple(sorted(case.id for case in grounds)),
            counters=tuple(sorted(case.id for case in others)),
            support=number,
        )
        return


def _by_chance(number: int, of: int, ways: int) -> float:
    """How likely at least so many of the days would be alike in some way if nothing were behind it."""
    tail = sum(comb(of, k) * (1 / ways) ** k * (1 - 1 / ways) ** (of - k) for k in range(number, of + 1))
    return min(1.0, ways * tail)


def _headline(one: Said) -> str:
    """The statement up to its time, without the one name or code that only this case has."""
    text = one.text.strip().rstrip(".!")
    cut = re.search(
        r",?\s+(?:on|at|by|in)?\s*(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\d{4}-\d\d-\d\d"
        r"|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[A-Z][a-z]{2,}|[A-Z][a-z]{2,}\s+\d{1,2}(?:st|nd|rd|th)?\b)",
        text,
    )
    text = text[: cut.start()] if cut and cut.start() > 0 else text
    text = re.sub(r"\s*\S*\d\S*", " …", text)
    return re.sub(r"(?:\s…)+", " …", " ".join(text.split())).strip()


def _between(days: set[date]) -> str:
    first, last = min(days), max(days)
    if first.year == last.year:
        return f"in {first.year}"
    return f"from {first.year} to {last.year}"
