"""From what is known of each candidate to one score with its parts. Pure; the numbers stand at the top.

They were chosen on the development questions of four public sets (docs/search.md).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from uuid import UUID

from memories.choices import Kind
from memories.search.candidates import Beside, Candidate, Nearness
from memories.search.ranking import Contribution
from memories.search.scripts import folded

#: The two arms, each against the best that any candidate has.
MEANING, WORDS = 0.5, 0.25
#: A best cosine below this doesn't count as the best there could be: all are far.
LEAST_BEST_COSINE = 0.4
#: For holding all of the query's words, with the power that makes half of them little. Larger than MEANING: what
#: holds the whole of a rare identifier stands above whatever only sounds alike.
COVERAGE, COVERAGE_POWER = 0.4, 3
#: The same for a code, version, path or address, by its part of the query.
IDENTIFIER = 0.6
#: What stands before and after lends some of its own score.
WORDS_BEFORE, WORDS_AFTER = 0.15, 0.02
MEANING_BEFORE, MEANING_AFTER = 0.06, 0.14
#: Said by someone whom the query names, or about them.
PERSON = 0.3
#: Of the best score in the same session.
SESSION = 0.4
#: About, said or recorded in a period that the query names.
TIME_ABOUT, TIME_SAID = 0.3, 0.2
#: A question is seldom the answer; nor, as often, what a machine said.
QUESTION, MACHINE = 0.06, 0.25
NOTHING_BESIDE = Beside()
#: What says the same as a better hit counts so much, so that it doesn't fill the page.
AGAIN = 0.25

Period = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Hints:
    """What a query says besides its words: whom it names, and which periods."""

    people: frozenset[str] = frozenset()
    periods: Sequence[Period] = ()


def fuse(candidates: Sequence[Candidate], beside: Mapping[UUID, Beside], hints: Hints) -> dict[UUID, Contribution]:
    """The parts of each candidate's score.

    Scores and not ranks are added: that keeps how much better a hit is. Cosines and words are each measured
    against the best of all, so that neither arm outweighs the other by its unit.
    """
    scale = _Scale.of(each.near for each in candidates)
    fused = {each.id: _own(each, beside.get(each.id, NOTHING_BESIDE), hints, scale) for each in candidates}
    best: dict[str, float] = defaultdict(float)
    for each in candidates:
        best[each.session] = max(best[each.session], fused[each.id].score)
    return {
        each.id: _with_session(fused[each.id], SESSION * best[each.session]) if each.session else fused[each.id]
        for each in candidates
    }


def once(ordered: Iterable[tuple[Candidate, Contribution]]) -> dict[UUID, Contribution]:
    """Of the same message, and of a fact and its raw text, the best counts; the others count a quarter."""
    seen: set[object] = set()
    kept = {}
    for candidate, contribution in ordered:
        names = _names(candidate)
        kept[candidate.id] = scaled(contribution, AGAIN) if seen & names else contribution
        seen |= names if not _is_statement_of_a_document(candidate) else {("raw", candidate.text)}
    return kept


def _names(candidate: Candidate) -> set[object]:
    """By what a candidate is known as said before: its message, or for a raw text its statements."""
    if candidate.session:
        return {("message", candidate.text)}
    return {("raw", candidate.id)} if candidate.is_raw else set()


def _is_statement_of_a_document(candidate: Candidate) -> bool:
    return not candidate.session and not candidate.is_raw


@dataclass(frozen=True, slots=True)
class _Scale:
    """The best of each arm, which its scores are measured against."""

    meaning: float
    words: float

    @classmethod
    def of(cls, found: Iterable[Nearness]) -> "_Scale":
        scores = [(near.meaning or 0.0, near.words) for near in found]
        cosines, words = [score for score, _ in scores], [score for _, score in scores]
        return cls(max([LEAST_BEST_COSINE, *cosines]), max(words, default=0.0) or 1.0)

    def meaning_of(self, near: Nearness | None) -> float:
        return max(near.meaning or 0.0, 0.0) / self.meaning if near else 0.0

    def words_of(self, near: Nearness | None) -> float:
        return near.words / self.words if near else 0.0


def _own(candidate: Candidate, beside: Beside, hints: Hints, scale: _Scale) -> Contribution:
    near = candidate.near
    worth = _worth(candidate)
    words = WORDS * scale.words_of(near) + COVERAGE * near.coverage**COVERAGE_POWER + IDENTIFIER * near.identifiers
    neighbours = (
        WORDS_BEFORE * scale.words_of(beside.before) + WORDS_AFTER * scale.words_of(beside.after)
        + MEANING_BEFORE * scale.meaning_of(beside.before) + MEANING_AFTER * scale.meaning_of(beside.after)
    )  # fmt: skip
    meaning, words = worth * MEANING * scale.meaning_of(near), worth * words
    person = PERSON if _is_by_or_about(candidate, hints.people) else 0.0
    time = _time(candidate, hints.periods)
    score = meaning + words + neighbours + person + time
    return Contribution(score, meaning, words, neighbours, person, time=time)


def quick(candidate: Candidate) -> float:
    """Its own meaning and words, to choose by whom it is worth to look around."""
    return MEANING * max(candidate.near.meaning or 0.0, 0.0) + WORDS * candidate.near.words


def _worth(candidate: Candidate) -> float:
    is_raw_question = candidate.is_question and candidate.kind == Kind.RAW
    return (1.0 - MACHINE * candidate.is_of_a_machine) * (1.0 - QUESTION * is_raw_question)


def _is_by_or_about(candidate: Candidate, people: frozenset[str]) -> bool:
    """Of several people named, each speaks in some answer: a name alone tells nothing then."""
    if len(people) != 1:
        return False
    return folded(candidate.speaker) in people or (candidate.person is not None and folded(candidate.person) in people)


def _time(candidate: Candidate, periods: Sequence[Period]) -> float:
    return max((_in(candidate, *period) for period in periods), default=0.0)


def _in(candidate: Candidate, first: datetime, last: datetime) -> float:
    if candidate.about_from or candidate.about_until:
        start, end = candidate.about_from or candidate.about_until, candidate.about_until or candidate.about_from
        return TIME_ABOUT if start and end and start <= last and end >= first else 0.0
    said = candidate.said_at or candidate.recorded_at
    return TIME_SAID if first <= said <= last else 0.0


def _with_session(contribution: Contribution, session: float) -> Contribution:
    return replace(contribution, session=session, score=contribution.score + session)


def scaled(contribution: Contribution, by: float) -> Contribution:
    """Every part of it, and so the whole."""
    return Contribution(*(getattr(contribution, field.name) * by for field in fields(contribution)))
