"""Words and rarities to one number, authority's nudge, and the last order. Pure functions; tables first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import log
from uuid import UUID

from memories.choices import Tier
from memories.search.words import QueryWord

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


@dataclass(frozen=True, slots=True)
class _Part:
    """One word of a query: its part of all that is rare in it, and its ways by the places of their terms."""

    part: float
    ways: tuple[tuple[tuple[int, ...], float, float], ...]
    identifier: int | None

    def weight(self, weights: Sequence[float]) -> tuple[float, float]:
        """The best that a text has of it by weight, and by mere presence."""
        weighed = present = 0.0
        for places, worth, least in self.ways:
            held = [weights[place] for place in places if weights[place] > 0]
            share = len(held) / len(places)
            if held and share >= least:
                weighed, present = max(weighed, worth * sum(held) / len(places)), max(present, worth * share)
        return weighed, present


class Scorer:
    """What texts make of one query, prepared once. It is given the weights of `terms` in a text, in their order."""

    def __init__(self, words: Sequence[QueryWord], counts: Counts) -> None:
        self.terms: Sequence[str] = tuple(dict.fromkeys(term for word in words for term in word.terms))
        places = {term: place for place, term in enumerate(self.terms)}
        rarities = [_rarity(word, counts) for word in words]
        possible = sum(rarities) or 1.0
        self._parts = [
            _Part(
                rare / possible,
                tuple((tuple(places[term] for term in way.terms), way.worth, way.least) for way in word.ways),
                places[word.ways[0].terms[0]] if word.is_identifier else None,
            )
            for word, rare in zip(words, rarities, strict=True)
        ]

    def score(self, weights: Sequence[float]) -> tuple[float, float, float]:
        """BM25 as a part of what the query could reach; how much of the query the text covers, from 0 to 1, rare words
        counting more; and how much of it the codes, versions, paths and addresses are that the text holds whole."""
        words = coverage = identifiers = 0.0
        for part in self._parts:
            weighed, present = part.weight(weights)
            words += part.part * weighed
            coverage += part.part * present
            if part.identifier is not None and weights[part.identifier] > 0:
                identifiers += part.part
        return words, coverage, identifiers


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
