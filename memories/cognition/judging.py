"""Whether two wordings say the same. The plain judge knows it for certain only where nothing but form differs.

Another judge (a language model) is named by the setting COGNITION_JUDGE. What it answers is checked before anything is
done: nonsense fails the step, and changes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from memories.cognition.base import Budget, StepFailed
from memories.reader import judging, reader
from memories.reading import Verdict
from memories.reading.tokens import tokens

#: Words that carry nothing in a comparison of wordings.
_EMPTY = frozenset(["a", "an", "the", "currently", "now", "also", "just", "please", "really", "actually", "very"])
_FEWEST_WORDS = 3
#: From which cosine two wordings that the comparison holds for the same are put before a person.
PROPOSED_FROM = 0.86
_NONSENSE = "The judge of wordings gave answers that can't be understood; nothing was changed."


class Sameness(StrEnum):
    SAME = "same"
    PERHAPS = "perhaps"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Judged:
    """`reason` is for people."""

    sameness: Sameness
    confidence: float = 0.0
    reason: str = ""


#: Two wordings, the older one first, and their cosine.
Wordings = tuple[str, str, float]
Judge = Callable[[Sequence[Wordings], Budget], Sequence[Judged]]


def judge(asked: Sequence[Wordings], budget: Budget) -> Sequence[Judged]:
    """One answer for each. Raises StepFailed where the judge answers nonsense."""
    if not asked:
        return []
    answers = import_string(settings.COGNITION_JUDGE)(asked, budget)
    if not isinstance(answers, list | tuple) or len(answers) != len(asked) or not all(map(_is_sound, answers)):
        raise StepFailed(_NONSENSE)
    return answers


def plain(asked: Sequence[Wordings], budget: Budget) -> Sequence[Judged]:
    """Without a language model."""
    return [_judged(*each) for each in asked]


def _is_sound(answer: Any) -> bool:
    """Whatever stands in for the judge may break its promise."""
    if not isinstance(answer, Judged):
        return False
    sameness: Any = answer.sameness
    confidence: Any = answer.confidence
    return isinstance(sameness, Sameness) and isinstance(confidence, int | float) and 0 <= confidence <= 1


def _judged(older: str, newer: str, similarity: float) -> Judged:
    if is_same_but_for_form(older, newer):
        return Judged(Sameness.SAME, 0.99, "The words are the same but for articles, punctuation and spelling.")
    comparison = reader().compare(newer, older, similarity=judging(similarity))
    same = comparison.verdict == Verdict.SAME and comparison.certain
    if not same or similarity < PROPOSED_FROM or _tells_apart(older, newer):
        return Judged(Sameness.OTHER)
    words = [each.this or each.other for each in comparison.differs if each.this or each.other]
    told = f"they differ in {', '.join(f'“{word}”' for word in words[:3])}" if words else "no word that counts differs"
    return Judged(Sameness.PERHAPS, round(similarity, 3), f"They seem to say the same; {told}.")


def is_same_but_for_form(one: str, other: str) -> bool:
    """The same words in the same order, whatever the articles, the punctuation and how a date or number is written."""
    words, others = _words(one), _words(other)
    return words == others and len(words) >= _FEWEST_WORDS and one.strip()[-1:] != "?" != other.strip()[-1:]


def _words(text: str) -> list[str]:
    """Dates, numbers and negations by what they mean; all other words as they stand: a plural is another word."""
    return [
        token.key if token.kind in ("date", "number", "negation") else token.text.casefold()
        for token in tokens(text)
        if token.key not in _EMPTY
    ]


def _tells_apart(one: str, other: str) -> bool:
    """A number, date or name that only one of them has, or a negation."""
    told = [{(each.kind, each.key) for each in tokens(text) if each.kind != "word"} for text in (one, other)]
    return told[0] != told[1]
