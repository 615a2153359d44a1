"""Aims that are stated again and again: goals, plans, obligations. Pure.

One remark is no intention. What counts is on how many occasions somebody said so: another author, or the same one in
other words in another text on another day. A text said again is no new occasion.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from memories.cognition.wording import is_common, root

LEAST = 3
#: Words that two statements of one aim share, of all that they have.
ALIKE = 0.6
_FEWEST_WORDS = 2
_MOST_WORDS = 14
#: Of a word that stands in more aims than this, nothing can be told.
_MOST_SHARING = 200
#: So much of what is said of an aim may be against it.
_MOST_AGAINST = 0.2


@dataclass(frozen=True, slots=True)
class Occasion:
    """Where an aim was stated: by whom, in which text (none for a single fact), on which day."""

    author: str
    text: UUID | None
    day: date


@dataclass(frozen=True, slots=True)
class Remark:
    """A statement, and every occasion on which it was made."""

    id: UUID
    text: str
    occasions: Sequence[Occasion]


@dataclass(frozen=True, slots=True)
class Aim:
    """What is aimed at, in the words of one who said so, and how often it was said by how many."""

    words: str
    key: str
    grounds: tuple[UUID, ...]
    counters: tuple[UUID, ...]
    support: int
    authors: int


@dataclass(frozen=True, slots=True)
class _Read:
    remark: Remark
    stems: frozenset[str]
    holder: str
    is_against: bool


_OUGHT = (
    r"must|should|shall|ought to|ha(?:s|ve) to|need(?:s)? to|needs? (?:to )?be(?:ing)?|is to be|are to be"
    r"|^(?:please )?(?:always|never)|(?<=\bwe )(?:always|never)"
    r"|remember to|don['’]t forget to|do not forget to|make sure|be sure to|is required to|are required to"
    r"|is important to"
)
_WANTED = (
    r"plans? to|planned to|planning to|intends? to|aims? to|wants? to|wishes to|would like to|hopes? to|hoping to"
    r"|is going to|are going to|promised to|agreed to|committed to|decided to"
    r"|(?:(?:goal|aim|plan|objective|priority) (?:is|remains)(?: still)? to)"
)
_CUE = re.compile(rf"\b(?:{_OUGHT}|{_WANTED})\b", re.IGNORECASE)
_OTHER_CUE = re.compile(
    r"\b(?:muss|müssen|soll|sollen|sollte|immer|niemals|wollen|doit|doivent|il faut|toujours|jamais|debe|deben|hay que"
    r"|tiene que|siempre)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(?:(?:before|after|when|whenever|on|for) [^,]{3,50}, )?(?:please )?(?:always |never |do not |don['’]t )?"
    r"(?:add|archive|ask|avoid|back|bump|call|check|clean|close|commit|confirm|copy|deploy|document|ensure|file|freeze|include|inform|keep"
    r"|label|lock|log|merge|notify|open|pin|post|publish|put|record|release|remove|rename|reply|report|restart|review|rotate|run|save"
    r"|schedule|send|sign|squash|store|tag|tell|test|translate|turn|update|use|validate|verify|warn|write) ",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:not|never|no longer|no need|nobody|without|instead of|avoid|stop|refrain)\b|n['’]t\b(?! forget)",
    re.IGNORECASE,
)
_NO_NEED = re.compile(
    r"n['’]t (?:need|have)|not (?:need|have)|no need|no longer|not necessary|optional|unnecessary", re.IGNORECASE
)
#: Cheering somebody on asks nothing of anybody.
_CHEER = re.compile(r"\b(?:you|your|you['’]\w+)\b|\bkeep (?:on )?\w+ing\b|\bnever give up\b|!\s*$", re.IGNORECASE)
_QUESTION = re.compile(r"\?\s*$")
_WORD = re.compile(r"[^\W\d_][\w'’-]*|\d[\w.:-]*")
#: Words that say that something is aimed at, and not what.
_SAYING = """
always never must should shall ought need needs have has had want wants plan plans planned planning intend aim hope
hopes going remember forget make sure important goal objective priority would like please every each any all we us our
team everybody everyone before after when whenever again also first then get gets be been being do done does decided
agreed promised
"""
_SHADES = frozenset(map(root, _SAYING.split()))
_HOLDER = re.compile(r"^(?P<name>[A-ZÀ-Þ][\w’'-]+(?:\s[A-ZÀ-Þ][\w’'-]+)?)\s")
_NOBODY = "we the a an this that these those every each all our everybody everyone nobody before after when"
_NO_HOLDER = frozenset(_NOBODY.split())


def aims(remarks: Iterable[Remark]) -> Iterator[Aim]:
    """Every aim that was stated on enough occasions, the same way each time it is asked."""
    read = [one for one in map(_read, sorted(remarks, key=lambda each: each.id)) if one]
    for group in _groups(read):
        yield from _aim(group)


def may_be(text: str) -> bool:
    """Whether it states an aim at all."""
    return _read(Remark(UUID(int=0), text, ())) is not None


def _read(remark: Remark) -> _Read | None:
    text = remark.text.strip()
    if _QUESTION.search(text) or _CHEER.search(text) or "\n" in text:
        return None
    wants = re.search(rf"\b(?:{_WANTED})\b", text, re.IGNORECASE)
    is_aim = bool(_CUE.search(text) or _OTHER_CUE.search(text) or _IMPERATIVE.match(text) or _NO_NEED.search(text))
    if not is_aim:
        return None
    found = _HOLDER.match(text)
    holder = found["name"].split("'")[0].casefold() if found and wants else ""
    holder = "" if holder.split(" ")[0] in _NO_HOLDER else holder
    words = [root(word) for word in _WORD.findall(text) if not is_common(word)]
    stems = frozenset(each for each in words if each not in _SHADES and len(each) > 1)
    stems -= frozenset(root(part) for part in holder.split())
    if not _FEWEST_WORDS <= len(stems) <= _MOST_WORDS:
        return None
    return _Read(remark, stems, holder, bool(_NO_NEED.search(text)) or _is_denied(text))


def _is_denied(text: str) -> bool:
    return len(_DENIAL.findall(text)) % 2 == 1


def _groups(read: Sequence[_Read]) -> list[list[_Read]]:
    """Statements of one aim: each is compared with those that share one of its two rarest words."""
    standing = Counter(word for one in read for word in one.stems)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    parent = list(range(len(read)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for place, one in enumerate(read):
        rare = sorted(one.stems, key=lambda word: (standing[word], word))
        for word in rare:
            known = places[one.holder, word]
            for other in known[-_MOST_SHARING:]:
                if root(other) != root(place) and _alike(one.stems, read[other].stems):
                    parent[root(place)] = root(other)
            known.append(place)
    groups: dict[int, list[_Read]] = defaultdict(list)
    for place, one in enumerate(read):
        groups[root(place)].append(one)
    return [group for _, group in sorted(groups.items())]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    within = shared == min(len(one), len(other)) > _FEWEST_WORDS
    return shared >= _FEWEST_WORDS and (within or shared >= ALIKE * len(one | other))


def _aim(group: Sequence[_Read]) -> Iterator[Aim]:
    """One way of it has to prevail: "never deploy on Fridays" beside "deploy on Fridays" is no aim at all."""
    sides = [[one for one in group if one.is_against is side] for side in (False, True)]
    sides.sort(key=lambda side: -len(side))
    for_, against = sides
    occasions = _occasions(for_)
    support, others = len(occasions), len(_occasions(against))
    if (
        support < LEAST
        or others > _MOST_AGAINST * (support + others)
        or all(_NO_NEED.search(x.remark.text) for x in for_)
    ):
        return
    authors = {author for author, _ in occasions}
    days = {each.day for one in for_ for each in one.remark.occasions}
    if len(authors) < 2 and len(days) < 2:  # one sitting of one author
        return
    core = min(for_, key=lambda one: (-_central(one, for_), len(one.remark.text), one.remark.text))
    yield Aim(
        words=core.remark.text.strip().rstrip(".!"),
        key=" ".join([core.holder, *sorted(core.stems)]).strip(),
        grounds=tuple(sorted({one.remark.id for one in for_})),
        counters=tuple(sorted({one.remark.id for one in against})),
        support=support, authors=len(authors),
    )  # fmt: skip


def _central(one: _Read, group: Sequence[_Read]) -> float:
    """How well it stands for all of them."""
    return round(sum(len(one.stems & other.stems) / len(one.stems | other.stems) for other in group), 6)


def _occasions(group: Sequence[_Read]) -> set[tuple[str, str]]:
    """Who said it in which words; of one text of one author, or of one day of theirs, one remark counts."""
    found: set[tuple[str, str]] = set()
    taken: set[tuple[str, object]] = set()
    for one in group:
        words = " ".join(sorted(_WORD.findall(one.remark.text.casefold())))
        for each in sorted(one.remark.occasions, key=lambda each: (each.day, each.author, str(each.text))):
            place = (each.author, each.text or each.day)
            if (each.author, words) not in found and place not in taken:
                found.add((each.author, words))
                taken.add(place)
    return found
