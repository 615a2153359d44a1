"""Words and rarities to one number, authority's nudge, and the last order. Pure functions; tables first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import log
from uuid import UUID

from memories.choices import Tier
from memories.search.words import QueryWord, Way

#: How many candidates an arm hands over. Fewer are all there were.
CANDIDATES = 100
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
    return in_order({each: nudged(why, tiers[each]) for each, why in contributions.items()}, recorded)


def in_order(
    contributions: Mapping[UUID, Contribution], recorded: Mapping[UUID, datetime]
) -> list[tuple[UUID, Contribution]]:
    return sorted(contributions.items(), key=lambda hit: (-hit[1].score, -recorded[hit[0]].timestamp(), hit[0]))


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


def identifiers_score(words: Sequence[QueryWord], held: Mapping[str, float], counts: Counts) -> float:
    """How much of the query the codes, versions, paths and addresses are that a text holds whole, from 0 to 1."""
    possible = sum(_rarity(word, counts) for word in words)
    whole = sum(_rarity(word, counts) for word in words if word.is_identifier and word.ways[0].terms[0] in held)
    return whole / possible if possible else 0.0


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
