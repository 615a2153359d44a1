"""What no certain rule decides: one exchanged word, a clash of values, and at last the judge's likelihoods.

Certain is only what the judge holds for very likely and nothing speaks against: no guess, plan, condition, other
environment, other period, other subject or look-alike name. Everything else that disagrees is for a person.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from memories.reading import judge, lexicon, pairs
from memories.reading.base import Comparison, Difference, Verdict
from memories.reading.measures import in_one_measure

#: Longer texts are no single statements.
MOST_CHARACTERS = 600
#: The confidence of a verdict by rule.
SURE = 0.99
#: From which likelihood a verdict may be acted upon.
CERTAIN_FROM = {Verdict.SAME: 0.45, Verdict.REPLACES: 0.5, Verdict.CONTRADICTS: 0.5}
#: What keeps a likely verdict from being certain.
_VETOES = {
    Verdict.SAME: ("numbers differ", "one number more", "names differ", "negation differs", "opposites",
                   "of one class"),
    Verdict.REPLACES: ("hedged", "place differs", "look-alike names", "head differs", "condition differs", "far",
                       "older changed"),
    Verdict.CONTRADICTS: ("hedged", "older hedged", "place differs", "look-alike names", "head differs",
                          "condition differs", "years differ", "far"),
}  # fmt: skip
_BY = re.compile(r"\bby\b")
_QUESTION = re.compile(r"[?？؟]\s*$")
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_LONGEST_SWAP, _FEWEST_EQUAL = 3, 2
_LISTING = frozenset(["and", "or", "und", "et", "y"])
_ARTICLES = frozenset(["a", "an", "the"])
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_CLASH_SHARE, _CLASH_LONGER = 0.5, 1.6
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def weighed(newer: str, older: str, differs: tuple[Difference, ...], similarity: float | None) -> Comparison:
    reason = reason_of(differs, older)
    swap = _swap(newer, older)
    verdict = swap.verdict() if swap else None
    if verdict is not None and swap is not None:
        return Comparison(verdict, False, differs, f"{swap.older} → {swap.newer}", _SWAP_CONFIDENCE)
    told = pairs.signs(newer, older, similarity)
    likely = judge.likelihoods(told)
    best = max(likely, key=lambda each: (likely[each], each))
    if best in (Verdict.NEAR, Verdict.SAME) and (clash := _clash(newer, older)):
        return Comparison(Verdict.CONTRADICTS, False, differs, clash, _SWAP_CONFIDENCE)
    if best == Verdict.SAME and swap and similarity is None:
        best = Verdict.NEAR  # one word is another, and nobody knows it for a synonym
    disputed = likely[Verdict.REPLACES] + likely[Verdict.CONTRADICTS]
    if best in (Verdict.REPLACES, Verdict.CONTRADICTS) and disputed < _disputed_from(told):
        best = Verdict.NEAR
    certain = _is_certain(best, likely[best], told, newer, older) and not _is_another_thing(differs, newer, best)
    return Comparison(best, certain, differs, reason, likely[best])


_SWAP_CONFIDENCE, _DISPUTED_FROM, _DISPUTED_FROM_ELSEWHERE = 0.6, 0.45, 0.68


def _disputed_from(told: dict[str, float]) -> float:
    """A negation beside other words on both sides denies something else."""
    is_elsewhere = told["only newer words"] and told["only older words"] and not told["strongly changed"]
    return _DISPUTED_FROM_ELSEWHERE if told["negation differs"] and is_elsewhere else _DISPUTED_FROM


def _is_certain(verdict: Verdict, likelihood: float, told: dict[str, float], newer: str, older: str) -> bool:
    if verdict not in CERTAIN_FROM or likelihood < CERTAIN_FROM[verdict]:
        return False
    if _QUESTION.search(newer) or _QUESTION.search(older):
        return False
    if any(told[sign] for sign in _VETOES[verdict]):
        return False
    match verdict:
        case Verdict.SAME:  # who manages whom?
            return pairs.names_in_order(newer) == pairs.names_in_order(older) or bool(_BY.search(newer + older))
        case Verdict.REPLACES:  # "plays chess", "no longer plays handball"
            is_elsewhere = told["negation differs"] and told["only newer words"] and told["only older words"]
            return bool(told["strongly changed"] or told["pending"]) and not is_elsewhere
        case _:  # "documentation-only pull requests" are some of all
            return pairs.head(newer) in _contents(older)


def _is_another_thing(differs: tuple[Difference, ...], newer: str, verdict: Verdict) -> bool:
    """Room 7 is on floor 1, room 8 on floor 2: a number that begins a statement says which one it is about.

    Where two values differ and nobody says that anything changed, the two may speak of different things as well.
    """
    values = [each for each in differs if each.what in _VALUES and each.this and each.other]
    if verdict == Verdict.CONTRADICTS and len(values) > 1:
        return True
    begins = _WORD.findall(newer)[:_FIRST_WORDS]
    return verdict != Verdict.SAME and any(
        this == each.this and before not in pairs.LIGHT
        for each in values
        for before, this in zip(map(str.lower, begins), begins[1:], strict=False)
    )


_VALUES, _FIRST_WORDS = frozenset(["number", "date", "name"]), 4


def reason_of(differs: tuple[Difference, ...], older: str) -> str:
    """The first difference in words, under the word that stands before the value in the older text."""
    for each in differs:
        if each.what == "negation":
            return "negation"
        if each.this and each.other:
            before = _WORD.findall(older[: max(0, older.find(each.other))])
            named = [word for word in before if lexicon.stem(word) and word.lower() not in pairs.LIGHT]
            return f"{named[-1].lower() if named else each.what}: {each.other} → {each.this}"
    return ""


@dataclass(frozen=True, slots=True)
class _Swap:
    """The one place where two sentences of the same build part."""

    newer: str
    older: str
    #: The word that follows: "dining" and "living" are nothing to each other, their rooms are.
    after: str = ""
    before: str = ""
    #: Where sentences begin stands who does it.
    is_first: bool = False

    def _is_label(self) -> bool:
        """Room 7, 12 July: the number says which one, and another one is another thing."""
        is_last = not self.after or self.after in pairs.LIGHT
        return self.after in pairs.MONTHS or (is_last and self.before not in pairs.LIGHT)

    def verdict(self) -> Verdict | None:
        """None where the words alone don't tell; then the whole pair is judged."""
        if _is_number(self.newer) and _is_number(self.older):
            return Verdict.NEAR if self._is_label() else Verdict.CONTRADICTS
        if {self.after, self.before} & _LISTING:
            return None
        if self.is_first and _is_person(self.newer) and _is_person(self.older):
            return Verdict.NEAR
        bond = _bond(self.newer, self.older) or _bond(f"{self.newer} {self.after}", f"{self.older} {self.after}")
        if bond == "same":
            return Verdict.SAME
        return Verdict.CONTRADICTS if bond in ("opposite", "class") else None


def _is_person(phrase: str) -> bool:
    """Another person does something else: that excludes nothing."""
    return phrase.rsplit(maxsplit=1)[-1] in _PERSONS


_PERSONS = frozenset("man woman men women boy girl boys girls mother father brother sister he she his her him".split())  # noqa: SIM905  # a table


def _is_number(phrase: str) -> bool:
    return phrase.replace(".", "").isdigit() or bool(_ORDINAL.fullmatch(phrase))


def _bond(one: str, other: str) -> str | None:
    """Between phrases: as a whole, else between their last words, if nothing else in them tells anything."""
    found = lexicon.bond(lexicon.stem(one), lexicon.stem(other))
    if found is None and " " in one + other:
        heads = [phrase.split() for phrase in (one, other)]
        one, other = (" ".join(word for word in words if word not in pairs.LIGHT) for words in heads)
        found = lexicon.bond(lexicon.stem(one), lexicon.stem(other)) if one and other else None
    return found


def _swap(newer: str, older: str) -> _Swap | None:
    new, old = (
        tuple(word for word in _WORD.findall(in_one_measure(text).lower()) if word not in _ARTICLES)
        for text in (newer, older)
    )
    parts = [part for part in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if part[0] != "equal"]
    if len(parts) != 1 or parts[0][0] != "replace":
        return None
    _, start, end, other_start, other_end = parts[0]
    equal = [word for word in old[:start] + old[end:] if word not in pairs.LIGHT]
    if max(end - start, other_end - other_start) > _LONGEST_SWAP or not equal or len(old) - end + start < _FEWEST_EQUAL:
        return None
    after = old[end : end + 1]
    return _Swap(
        " ".join(new[other_start:other_end]),
        " ".join(old[start:end]),
        " ".join(after),
        " ".join(old[:start][-1:]),
        not start,
    )


@lru_cache(maxsize=2048)
def _contents(text: str) -> frozenset[str]:
    return pairs.contents(text)


def _clash(newer: str, older: str) -> str:
    """A value of the shorter statement that the longer one has otherwise, or denies: another year or nationality."""
    short, long = sorted((newer, older), key=len)
    words, others = _contents(short), _contents(long)
    loose, free = words - others, others - words
    shared = len(words) - len(loose)
    if len(others) < _CLASH_LONGER * len(words) or shared < _FEWEST_EQUAL or shared < _CLASH_SHARE * len(words):
        return ""
    if not loose and pairs.is_negated(short) != pairs.is_negated(long):
        return "negation"
    for word in sorted(loose):
        for other in sorted(free):
            if lexicon.bond(word, other) in ("opposite", "class") or _are_years(word, other):
                return f"{other} / {word}"
    return _number_clash(short, long)


def _number_clash(short: str, long: str) -> str:
    ours, theirs = pairs.numbers(short), pairs.numbers(long)
    return f"{min(theirs)} / {min(ours)}" if ours and theirs and not ours & theirs else ""


def _are_years(one: str, other: str) -> bool:
    return bool(_YEAR.fullmatch(one) and _YEAR.fullmatch(other))
