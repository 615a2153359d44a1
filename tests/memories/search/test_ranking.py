"""Ranking: arms are fused by score, authority only nudges, recency only breaks ties."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.choices import Tier
from memories.search.ranking import (
    TIER_LIFT,
    Contribution,
    Counts,
    Scorer,
    nudge,
    nudged,
    ranked,
)
from memories.search.words import query_terms, query_words, terms

ONE, TWO, THREE = (UUID(int=number) for number in (1, 2, 3))
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MOST_LIFT = 1.03

scores = st.floats(min_value=0.0, max_value=1.0)
tiers = st.sampled_from(list(Tier))


def order(fused: dict[UUID, Contribution], tiers: dict[UUID, Tier] | None = None) -> list[UUID]:
    held = tiers or dict.fromkeys(fused, Tier.OFFICIAL)
    return [candidate for candidate, _ in ranked(fused, held, dict.fromkeys(fused, NOW))]


# --- covering the words of a query


def pool_coverage(query: str, pool: list[str]) -> list[float]:
    held = [set(terms(text)) for text in pool]
    frequencies = {term: sum(term in each for each in held) for term in query_terms(query)}
    counts = Counts(len(pool), frequencies)
    scorer = Scorer(query_words(query), counts)
    return [scorer.score([1.0 if term in each else 0.0 for term in scorer.terms])[1] for each in held]


VAGUE = [f"The support crew closed a ticket about heating in room {number}." for number in range(1, 41)]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    rare, common = pool_coverage("heating gateway", ["The gateway is up.", *VAGUE])[:2]
    assert rare > 0.8
    assert 0 < common < 0.2


def test_an_unknown_word_keeps_every_text_from_full_coverage() -> None:
    assert max(pool_coverage("heating marigold", VAGUE)) < 0.5


def test_an_inflected_word_covers_less_than_the_word_itself() -> None:
    exact, inflected = pool_coverage("tickets", ["Two tickets.", "One ticket."])
    assert exact == pytest.approx(1.0)
    assert 0.5 < inflected < exact


def test_a_query_without_words_is_covered_by_nothing() -> None:
    assert pool_coverage("...", VAGUE) == [0.0] * 40


# --- authority


def test_higher_tiers_lift_more_and_none_lifts_over_three_percent() -> None:
    lifts = [TIER_LIFT[tier] for tier in (Tier.POLICY, Tier.OFFICIAL, Tier.TEAM, Tier.INFORMAL)]
    assert lifts == sorted(lifts, reverse=True)
    assert len(set(lifts)) == 4
    assert min(lifts) == 0.0
    assert max(lifts) <= 0.03


def test_policy_decides_between_equal_hits() -> None:
    fused = {ONE: Contribution(0.5, words=0.5), TWO: Contribution(0.5, words=0.5)}
    assert order(fused, {ONE: Tier.INFORMAL, TWO: Tier.POLICY}) == [TWO, ONE]


@given(scores, scores, tiers, tiers)
def test_authority_never_lifts_a_hit_above_one_that_is_clearly_better(
    better: float, worse: float, its_tier: Tier, other_tier: Tier
) -> None:
    if better > worse * MOST_LIFT:
        assert nudge(better, its_tier) > nudge(worse, other_tier)


@given(st.dictionaries(st.uuids(), st.tuples(scores, tiers)))
def test_authority_hides_nothing_and_explains_itself(pool: dict[UUID, tuple[float, Tier]]) -> None:
    fused = {each: Contribution(score, words=score) for each, (score, _) in pool.items()}
    hits = ranked(fused, {each: tier for each, (_, tier) in pool.items()}, dict.fromkeys(pool, NOW))
    assert {each for each, _ in hits} == set(pool)
    for each, contribution in hits:
        assert contribution.tier == pytest.approx(contribution.score - fused[each].score)


@given(tiers)
def test_what_does_not_answer_the_query_is_not_lifted(tier: Tier) -> None:
    assert nudged(Contribution(), tier) == Contribution()


# --- recency


def test_recency_only_breaks_ties() -> None:
    fused = {ONE: Contribution(0.5), TWO: Contribution(0.5), THREE: Contribution(0.500001)}
    recorded = {ONE: NOW - timedelta(days=400), TWO: NOW, THREE: NOW - timedelta(days=4000)}
    hits = ranked(fused, dict.fromkeys(fused, Tier.TEAM), recorded)
    assert [each for each, _ in hits] == [THREE, TWO, ONE]
