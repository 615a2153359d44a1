"""Fusion: each signal counts for what it says and no more, and the parts of a score add up."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.choices import Kind, Tier
from memories.search import fusion, people
from memories.search.candidates import Beside, Candidate, Nearness
from memories.search.fusion import Hints
from memories.search.ranking import Contribution, in_order

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ONE, TWO, THREE = (UUID(int=number) for number in (1, 2, 3))
PLAIN = Candidate(
    ONE, Nearness(), Kind.FACT, Tier.OFFICIAL, NOW, person=None, about_from=None, about_until=None, is_question=False,
    session="", speaker="", said_at=None, text=None, place=None,
)  # fmt: skip
NO_HINTS = Hints()
parts = st.floats(0.0, 1.0)
nearnesses = st.builds(Nearness, st.none() | st.floats(-1, 1), st.floats(0, 1.9), parts, parts)


def candidate(
    id_: UUID, meaning: float | None = None, words: float = 0.0, coverage: float = 0.0, **more: Any
) -> Candidate:
    return replace(PLAIN, id=id_, near=Nearness(meaning, words, coverage), **more)


def order(
    found: Sequence[Candidate], beside: Mapping[UUID, Beside] | None = None, hints: Hints = NO_HINTS
) -> list[UUID]:
    fused = fusion.fuse(found, beside or {}, hints)
    return [id_ for id_, _ in in_order(fused, dict.fromkeys(fused, NOW))]


def test_a_hit_of_both_arms_beats_a_hit_of_one() -> None:
    assert order([candidate(TWO, 0.6), candidate(ONE, 0.6, 0.5), candidate(THREE, 0.1, 0.5)])[0] == ONE


def test_a_hit_by_words_alone_can_win() -> None:
    assert order([candidate(ONE, 0.7), candidate(TWO, 0.5), candidate(THREE, None, 1.2, 1.0)])[0] == THREE


def test_a_hit_by_meaning_alone_can_win() -> None:
    assert order([candidate(ONE, 0.7), candidate(TWO, 0.3, 0.2, 0.2), candidate(THREE, 0.1, 0.2, 0.2)])[0] == ONE


@pytest.mark.parametrize("closeness", [None, 0.1, 0.99], ids=["embedder off", "farther", "closer"])
def test_an_exact_identifier_beats_forty_vague_neighbours(closeness: float | None) -> None:
    vague = [candidate(UUID(int=100 + number), closeness, tier=Tier.POLICY) for number in range(40)]
    exact = replace(candidate(ONE, 0.2), near=Nearness(0.2, 1.0, 1.0, 1.0))
    assert order([*vague, exact])[0] == ONE


def test_the_best_of_far_ones_is_no_full_hit() -> None:
    far = fusion.fuse([candidate(ONE, 0.1)], {}, NO_HINTS)[ONE]
    near = fusion.fuse([candidate(ONE, 0.7)], {}, NO_HINTS)[ONE]
    assert far.meaning < 0.3 * near.meaning


@given(st.lists(nearnesses, max_size=8), st.lists(nearnesses, min_size=8, max_size=8))
def test_the_parts_of_every_score_add_up(own: list[Nearness], others: list[Nearness]) -> None:
    found = [
        replace(PLAIN, id=UUID(int=number), near=near, session="s" * (number % 2), speaker="Ana")
        for number, near in enumerate(own)
    ]
    beside = {each.id: Beside(other, None) for each, other in zip(found, others, strict=False)}
    fused = fusion.fuse(found, beside, Hints(frozenset({"ana"}), [(NOW, NOW)]))
    assert set(fused) == {each.id for each in found}
    for why in fused.values():
        named = [getattr(why, field.name) for field in fields(why) if field.name != "score"]
        assert why.score == pytest.approx(sum(named))
        assert min(named) >= 0.0


def test_nothing_found_is_nothing_fused() -> None:
    assert fusion.fuse([], {}, NO_HINTS) == {}


# --- what stands beside


def test_what_stands_before_or_after_a_good_hit_is_lifted_by_it() -> None:
    found = [candidate(ONE, 0.3), candidate(TWO, 0.3), candidate(THREE, 0.8)]
    for beside in (Beside(before=Nearness(0.8, 1.0)), Beside(after=Nearness(0.8, 1.0))):
        assert order(found, {TWO: beside})[:2] == [THREE, TWO]


def test_a_session_that_holds_a_good_hit_lifts_its_messages() -> None:
    found = [candidate(ONE, 0.3, session="a"), candidate(TWO, 0.3, session="b"), candidate(THREE, 0.8, session="b")]
    assert order(found) == [THREE, TWO, ONE]


# --- who and when


@pytest.mark.parametrize("more", [{"speaker": "Ana"}, {"person": "ana"}])
def test_what_a_named_person_said_or_what_is_about_them_is_lifted(more: dict[str, Any]) -> None:
    found = [candidate(ONE, 0.5), candidate(TWO, 0.4, **more)]
    assert order(found, hints=Hints(frozenset({"ana"}))) == [TWO, ONE]
    assert order(found, hints=Hints(frozenset({"ana", "ben"}))) == [ONE, TWO]
    assert order(found) == [ONE, TWO]


@pytest.mark.parametrize("more", [
    {"about_from": NOW, "about_until": NOW + timedelta(hours=1)}, {"about_from": NOW}, {"said_at": NOW},
])  # fmt: skip
def test_a_period_prefers_what_is_about_it_or_from_it(more: dict[str, Any]) -> None:
    long_ago = NOW - timedelta(days=400)
    found = [candidate(ONE, 0.5, recorded_at=long_ago), candidate(TWO, 0.4, recorded_at=long_ago, **more)]
    period = (NOW - timedelta(hours=1), NOW + timedelta(hours=2))
    assert order(found, hints=Hints(periods=[period])) == [TWO, ONE]
    assert order(found, hints=Hints(periods=[(NOW + timedelta(days=9), NOW + timedelta(days=10))])) == [ONE, TWO]


def test_a_question_and_a_machine_are_believed_less() -> None:
    found = [
        candidate(ONE, 0.5, kind=Kind.RAW, is_question=True), candidate(TWO, 0.5, speaker="assistant"),
        candidate(THREE, 0.5, speaker="user"),
    ]  # fmt: skip
    assert order(found) == [THREE, ONE, TWO]


# --- once


def said(id_: UUID, score: float, **more: Any) -> tuple[Candidate, Contribution]:
    return candidate(id_, **more), Contribution(score, meaning=score)


def test_of_one_message_the_best_counts() -> None:
    hits = [
        said(ONE, 0.9, session="s", text=ONE),
        said(TWO, 0.8, session="s", text=ONE),
        said(THREE, 0.7, session="s", text=THREE),
    ]
    kept = fusion.once(hits)
    assert [kept[id_].score for id_ in (ONE, TWO, THREE)] == pytest.approx([0.9, 0.2, 0.7])


def test_the_raw_text_of_a_fact_above_it_counts_little_and_other_facts_of_it_count() -> None:
    hits = [said(ONE, 0.9, text=THREE), said(TWO, 0.8, text=THREE), said(THREE, 0.7, text=THREE)]
    kept = fusion.once(hits)
    assert [kept[id_].score for id_ in (ONE, TWO, THREE)] == pytest.approx([0.9, 0.8, 0.175])


def test_memories_without_a_text_are_all_told_apart() -> None:
    hits = [said(ONE, 0.9), said(TWO, 0.8)]
    assert fusion.once(hits) == {ONE: hits[0][1], TWO: hits[1][1]}


# --- names in a query


@pytest.mark.parametrize(
    ("query", "speakers", "rest"),
    [
        ("What did Ana Lima say about the harbor?", {"ana lima"}, "What did say about the harbor?"),
        ("What is Ana's favourite boat?", {"ana lima"}, "What is favourite boat?"),
        ("Who is Ana?", {"ana lima"}, "Who is Ana?"),
        ("an analysis of the banana trade", set(), "an analysis of the banana trade"),
        ("what did ana say about it", set(), "what did ana say about it"),
        ("陈伟对码头说了什么？", set(), "陈伟对码头说了什么？"),
    ],
)
def test_the_name_of_a_speaker_is_heard_and_left_out_of_the_meaning(query: str, speakers: set[str], rest: str) -> None:
    found = people.named_of(query, ["Ana Lima", "Ben Ito"])
    assert (set(found.speakers), found.rest) == (speakers, rest)
