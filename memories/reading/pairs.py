"""What can be seen of two statements side by side, as numbers a judge can weigh. Deterministic, a few dozen signs."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from memories.reading import lexicon
from memories.reading.measures import in_one_measure
from memories.reading.phrases import words

_WORD = re.compile(r"[A-Za-zÀ-ÿ][\w'’.&/-]*\w|[A-Za-zÀ-ÿ]|\d[\d.,:/-]*\d|\d|[%€$]|[\u3040-\u30ff\u3400-\u9fff]")
_NAME = re.compile(r"[A-ZÀ-Þ][\w.-]*|[a-z]+[._/-][a-z._/-]*\w|\w*\d\w*[A-Za-z]\w*|[A-Za-z]+[-_]?\d[\w.-]*")
#: Words that tell nothing by themselves.
LIGHT = frozenset(
    """a an the this that these those it its he she they we you i his her their our my your of in on at to for from by
    with as and or but if so than then is are was were be been being am has have had do does did will would can could
    may might shall should must there here when while where who which what how into out up down over under after before
    about per each both all any some also just very more most too still only yes user s re ve ll d m t no not never n't
    now currently already yet longer any anymore since get got""".split()  # noqa: SIM905  # a table
)
_NEGATED = words(r"""
not, no, never, none, nobody, nothing, neither, nor, without, cannot, lacks?, unable, impossible, \w+n['’]t, nowhere,
nicht, keine?[nmrs]?, nie, pas, jamais, aucune?, nunca, ni, sin
""")
_CHANGED = words(r"""
now, no longer, any ?more, rose, fell, moved, switched, changed, renamed, replaced, migrated, upgraded, raised,
lowered, increased,
decreased, reduced, extended, shortened, postponed, correction, sorry, typo, instead of, used to, was, took over,
appointed, promoted, dropped, cancelled, canceled, quit, gave up, left, banned, ended, finished, closed, done, healed,
scaled, joined, grown, climbed, revised, added, new, newest, lately, just, recently, today, as of, since, renewed,
bought, signed, so far, already, still, has been, have been, went up, went down, stopped, jetzt, nicht mehr,
désormais, ahora
""")
_STRONG_CHANGE = words(r"""
now, no longer, any ?more, rose, fell, switched, renamed, replaced, migrated, upgraded, lowered, raised, correction,
typo,
instead of, used to, took over, has moved, moved, was extended, dropped, cancelled, gave up, quit, has grown, climbed,
revised, scaled, changed, banned, behind
""")
_PENDING = words(r"""
plans? to, planned, going to, expect, expects, not yet, not .{1,20} yet, still, until, open, interim, optional,
temporarily,
next, opposes?, running, considering
""")
_HEDGED = words(r"""
thinks?, believes?, reckons?, guesses, according to, proposed, suggests?, recommends?, wish list, possible, might, may,
maybe, perhaps, thinking about, wants?, would like, our own, hopes?, should, usually, plan to, considering, is it,
whether
""")
_EXCLUSIVE = words(r"""
only, sole, solely, alone, every, all, always, never, no, none, nobody, nowhere, exactly, whatever, insists, each, any,
prefers?, free to, even without, besides, maximum, as large as, owns?, best, oldest, largest
""")
_CONDITION = words(r"if, when, in case, unless, for \w+ orders?, who have, more than, fewer than, on (?:short|long)\S*")
_PLACES = tuple(
    tuple(group.split())
    for group in (
        "staging production prod test ci sandbox dev development rig",
        "windows macos linux android ios",
        "monday tuesday wednesday thursday friday saturday sunday weekdays weekend",
        "january february march april may june july august september october november december",
        "winter summer spring autumn rain dry",
        "morning evening noon night lunch",
        "gross net",
        "mother father aunt uncle brother sister son daughter",
    )
)
MONTHS = frozenset(_PLACES[3])
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\bQ[1-4]\b")

SIGNS = (
    "jaccard", "newer in older", "older in newer", "template", "cosine", "cosine unknown", "same names", "names differ",
    "one name more", "look-alike names", "numbers differ", "one number more", "same numbers", "negation differs",
    "both negated", "opposites", "of one class", "changed", "strongly changed", "older changed", "pending", "hedged",
    "older hedged", "exclusive", "condition", "condition differs", "place differs", "years differ", "subject shared",
    "head differs", "names old value", "from to", "only newer words", "only older words", "longer", "one word swapped",
    "two words swapped", "negation and near", "number and template", "changed and shared", "opposites and near",
    "names and template", "swapped order", "dense", "numbers and near", "exclusive and near", "far", "hedged and near",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Side:
    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    names: frozenset[str]
    numbers: frozenset[str]
    is_negated: bool
    starts_with_name: bool


def signs(newer: str, older: str, similarity: float | None = None) -> dict[str, float]:
    """The signs of a pair by name; those that are absent are 0."""
    new, old = _side(newer), _side(older)
    loose_new, loose_old = _loose(new, old)
    shared = len(set(new.stems)) - len(loose_new)
    most = max(len(set(new.stems)), len(set(old.stems)), 1)
    told: dict[str, float] = {
        "jaccard": shared / max(1, shared + len(loose_new) + len(loose_old)),
        "newer in older": shared / max(1, len(set(new.stems))),
        "older in newer": (len(set(old.stems)) - len(loose_old)) / max(1, len(set(old.stems))),
        "template": SequenceMatcher(None, new.words, old.words, autojunk=False).ratio(),
        "cosine": similarity if similarity is not None else 0.0,
        "cosine unknown": float(similarity is None),
        "only newer words": min(len(loose_new), 8) / 8,
        "only older words": min(len(loose_old), 8) / 8,
        "longer": (len(new.words) - len(old.words)) / max(len(new.words), len(old.words), 1),
        "one word swapped": float(len(loose_new) == len(loose_old) == 1),
        "two words swapped": float(len(loose_new) == len(loose_old) == 2),
        "dense": shared / most,
        "swapped order": float(not loose_new and not loose_old and new.stems != old.stems),
    }
    told |= _values(new, old) | _wording(newer, older, new, old) | _bonds(loose_new, loose_old)
    told |= _where(new, old)
    near = told["older in newer"] if similarity is None else max(told["older in newer"], similarity)
    told |= {
        "negation and near": told["negation differs"] * near,
        "number and template": told["numbers differ"] * told["template"],
        "numbers and near": told["numbers differ"] * near,
        "changed and shared": told["strongly changed"] * near,
        "opposites and near": told["opposites"] * near,
        "names and template": told["names differ"] * told["template"],
        "exclusive and near": told["exclusive"] * near,
        "hedged and near": told["hedged"] * near,
        "far": float(near < 0.35),
    }
    return told


def contents(text: str) -> frozenset[str]:
    """The stems of the telling words of a statement."""
    return frozenset(_side(text).stems)


def head(text: str) -> str:
    """The first telling word: most often the subject's."""
    return next(iter(_side(text).stems), "")


def numbers(text: str) -> frozenset[str]:
    return _side(text).numbers


def names_in_order(text: str) -> list[str]:
    side = _side(text)
    return [stem for stem in side.stems if stem in side.names or (side.starts_with_name and stem == side.stems[0])]


def is_negated(text: str) -> bool:
    return _side(text).is_negated


@lru_cache(maxsize=4096)
def _side(text: str) -> _Side:
    measured = in_one_measure(text)
    found = _WORD.findall(measured)
    lowered = tuple(word.lower() for word in found)
    content = tuple(lexicon.stem(word.removesuffix("'s").removesuffix("’s")) for word in lowered if word not in LIGHT)
    names = frozenset(
        lexicon.stem(word.removesuffix("'s").removesuffix("’s"))
        for place, word in enumerate(found)
        if _NAME.fullmatch(word) and word.lower() not in LIGHT and (place or any(map(str.isdigit, word)))
    )
    numbers = frozenset(word for word in found if word[0].isdigit())
    begins = bool(found) and found[0][0].isupper() and lowered[0] not in LIGHT
    return _Side(measured, lowered, content, names - numbers, numbers, bool(_NEGATED.search(text)), begins)


def _loose(new: _Side, old: _Side) -> tuple[set[str], set[str]]:
    """What stands on one side alone, words of one meaning taken for the same."""
    only_new, only_old = set(new.stems) - set(old.stems), set(old.stems) - set(new.stems)
    for one in sorted(only_new):
        for other in sorted(only_old):
            if lexicon.bond(one, other) == "same":
                only_new.discard(one)
                only_old.discard(other)
                break
    return only_new, only_old


def _values(new: _Side, old: _Side) -> dict[str, float]:
    more, fewer = new.names - old.names - set(old.stems), old.names - new.names - set(new.stems)
    numbers_new, numbers_old = new.numbers - old.numbers, old.numbers - new.numbers
    return {
        "same names": min(len(new.names & old.names), 3) / 3,
        "names differ": float(bool(more and fewer)),
        "one name more": float(bool(more) != bool(fewer)),
        "look-alike names": float(any(_alike(one, other) for one in more for other in fewer)),
        "numbers differ": float(bool(numbers_new and numbers_old)),
        "one number more": float(bool(numbers_new) != bool(numbers_old)),
        "same numbers": float(bool(new.numbers & old.numbers)),
        "years differ": float(bool(_differ(set(_YEAR.findall(new.text)), set(_YEAR.findall(old.text))))),
    }


def _differ(one: set[str], other: set[str]) -> bool:
    return bool(one - other and other - one)


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other).ratio() > 0.7


def _wording(newer: str, older: str, new: _Side, old: _Side) -> dict[str, float]:
    head_new, head_old = next(iter(new.stems), ""), next(iter(old.stems), "")
    return {
        "negation differs": float(new.is_negated != old.is_negated),
        "both negated": float(new.is_negated and old.is_negated),
        "changed": float(bool(_CHANGED.search(newer))),
        "strongly changed": float(bool(_STRONG_CHANGE.search(newer)) and not _STRONG_CHANGE.search(older)),
        "older changed": float(bool(_STRONG_CHANGE.search(older))),
        "pending": float(bool(_PENDING.search(older))),
        "hedged": float(bool(_HEDGED.search(newer))),
        "older hedged": float(bool(_HEDGED.search(older))),
        "exclusive": float(bool(_EXCLUSIVE.search(newer)) or bool(_EXCLUSIVE.search(older))),
        "condition": float(bool(_CONDITION.search(newer))),
        "condition differs": float(bool(_CONDITION.search(newer)) != bool(_CONDITION.search(older))),
        "subject shared": float(head_old in new.stems or head_new in old.stems),
        "head differs": float(bool(head_new) and head_new not in old.stems and head_old not in new.stems),
        "from to": float(" from " in f" {newer} " and " to " in f" {newer} "),
        "names old value": float(bool(old.numbers and old.numbers <= new.numbers and new.numbers > old.numbers)
                                 or bool(old.names and old.names <= new.names and new.names > old.names)),
    }  # fmt: skip


def _bonds(loose_new: set[str], loose_old: set[str]) -> dict[str, float]:
    found = {lexicon.bond(one, other) for one in loose_new for other in loose_old}
    return {"opposites": float("opposite" in found), "of one class": float("class" in found)}


def _where(new: _Side, old: _Side) -> dict[str, float]:
    """Whether the two speak of another environment, season, day or kin."""
    for group in _PLACES:
        one, other = set(group) & set(new.words), set(group) & set(old.words)
        if _differ(one, other):
            return {"place differs": 1.0}
    return {"place differs": 0.0}
