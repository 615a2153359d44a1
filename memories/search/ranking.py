"""From the scores of each arm to one order. Pure functions over ids; tables first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import log
from uuid import UUID

from memories.choices import Tier
from memories.search.words import QueryWord, Way

#: How much each arm counts. Words count a little more than meaning, so that a memory that holds
#: the whole of a rare identifier beats any neighbour that shares none of its words.
WEIGHTS: Mapping[str, float] = {"meaning": 0.45, "words": 0.55}
#: These arms say how good a hit is in itself, from 0 to 1. The others only say which hit is
#: better, so their scores are spread over the pool of candidates.
ABSOLUTE = frozenset({"words"})
#: How many candidates an arm hands over. Fewer are all there were.
CANDIDATES = 100
#: The least and the best cosine that the spread of a few candidates reaches to, whatever they hold: where all are
#: close, or all far, a small difference must not look like a large one.
SPREAD = {"meaning": (0.1, 0.5)}
#: How far a tier lifts a hit: enough to decide between near ties, too little for anything else.
TIER_LIFT: Mapping[str, float] = {Tier.POLICY: 0.03, Tier.OFFICIAL: 0.02, Tier.TEAM: 0.01, Tier.INFORMAL: 0.0}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of `rows` memories hold a term. What is not in it is held by few."""

    rows: int = 0
    held: Mapping[str, int] = field(default_factory=dict)

    def of(self, term: str) -> int:
        return self.held.get(term, 0)

    def rarity(self, term: str) -> float:
        """BM25's inverse document frequency, which stays above zero for a term that all texts hold."""
        held = min(self.of(term), self.rows)
        return log(1.0 + (self.rows - held + 0.5) / (held + 0.5))


@dataclass(frozen=True, slots=True)
class Contribution:
    """What each part gave to the score. They add up to it. `hit.why` shows them by these names."""

    score: float = 0.0
    meaning: float = 0.0
    words: float = 0.0
    neighbours: float = 0.0
    person: float = 0.0
    session: float = 0.0
    time: float = 0.0
    graph: float = 0.0
    tier: float = 0.0


def fuse(arms: Mapping[str, Mapping[UUID, float]], weights: Mapping[str, float] = WEIGHTS) -> dict[UUID, Contribution]:
    """The weighted sum of what the arms say about each candidate of any of them.

    Scores and not ranks are added: that keeps how much better a hit is. A score that is missing
    counts as nothing: of a full hundred candidates, the last one has no more.
    """
    scaled = {arm: _scaled(arm, scores) for arm, scores in arms.items()}
    candidates = {candidate for scores in arms.values() for candidate in scores}
    fused = {}
    for candidate in candidates:
        parts = {arm: weights[arm] * scores.get(candidate, 0.0) for arm, scores in scaled.items()}
        fused[candidate] = Contribution(score=sum(parts.values()), **parts)
    return fused


def _scaled(arm: str, scores: Mapping[UUID, float]) -> dict[UUID, float]:
    if arm in ABSOLUTE or not scores:
        return {candidate: min(max(score, 0.0), 1.0) for candidate, score in scores.items()}
    least, most = min(scores.values()), max(scores.values())
    if arm in SPREAD and len(scores) < CANDIDATES:
        least, most = min(least, SPREAD[arm][0]), max(most, SPREAD[arm][1])
    if most == least:
        return dict.fromkeys(scores, 1.0)
    return {candidate: (score - least) / (most - least) for candidate, score in scores.items()}


def nudge(score: float, tier: str) -> float:
    """The score lifted by authority: at most 3 %, so it reorders only what was already close."""
    return score * (1.0 + TIER_LIFT[tier])


def nudged(contribution: Contribution, tier: str) -> Contribution:
    lifted = nudge(contribution.score, tier)
    return replace(contribution, score=lifted, tier=lifted - contribution.score)


def ranked(
    contributions: Mapping[UUID, Contribution], tiers: Mapping[UUID, str], recorded: Mapping[UUID, datetime]
) -> list[tuple[UUID, Contribution]]:
    """Best first, authority counted in; of equal ones the newer first, then by id to be stable."""
    lifted = [(each, nudged(contribution, tiers[each])) for each, contribution in contributions.items()]
    return sorted(lifted, key=lambda hit: (-hit[1].score, -recorded[hit[0]].timestamp(), hit[0]))


def words_score(words: Sequence[QueryWord], held: Mapping[str, float], counts: Counts) -> float:
    """How well a text holds a query: the weights of its terms times their rarity, as a part of all that is rare in it.

    With the weights of the index that is BM25 divided by the same for every text of one query; with 1.0 for
    each term that is held it says how much of the query is covered, from 0 to 1.
    """
    rarities = [_rarity(word, counts) for word in words]
    possible = sum(rarities)
    if not possible:
        return 0.0
    return sum(rare * _match(word, held) for word, rare in zip(words, rarities, strict=True)) / possible


def rough(words: Sequence[QueryWord], counts: Counts) -> dict[str, float]:
    """A number for each term whose sum over a text's terms comes near to its score, to choose candidates by."""
    weighed: dict[str, float] = {}
    for word in words:
        rare = _rarity(word, counts)
        for way in word.ways:
            for term in way.terms:
                weighed[term] = max(weighed.get(term, 0.0), rare * way.worth / len(way.terms))
    return weighed


def _rarity(word: QueryWord, counts: Counts) -> float:
    """The rarity of the word in the first of its ways that the pool knows; a strange word is as rare as can be."""
    for way in word.ways:
        if any(counts.of(term) for term in way.terms):
            return sum(counts.rarity(term) for term in way.terms) / len(way.terms)
    return counts.rarity(word.ways[0].terms[0])


def _match(word: QueryWord, held: Mapping[str, float]) -> float:
    return max(way.worth * _share(way, held) for way in word.ways)


def _share(way: Way, held: Mapping[str, float]) -> float:
    weights = [held.get(term, 0.0) for term in way.terms]
    share = sum(weight > 0 for weight in weights) / len(weights)
    return sum(weights) / len(weights) if share >= way.least else 0.0
