"""Search: by meaning and by words, fused; identifiers found whole; every script; any string is safe."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from memories import embeddings
from memories.actors import Actor
from memories.choices import Kind, Tier
from memories.errors import InvalidInput
from memories.filters import Filters
from memories.search import planning, rarity, reranking
from memories.search.planning import Plan
from memories.services import recall
from memories.services.recall import Hit
from tests.factories import fact, write
from tests.stubs import BrokenEmbedder, StubReader, TableEmbedder


def contents(by: Actor, q: str, **more: Any) -> list[str]:
    return [hit.memory.content for hit in recall.search(by=by, q=q, **more).hits]


def first(by: Actor, q: str, **more: Any) -> Hit:
    return recall.search(by=by, q=q, **more).hits[0]


# --- case 7: an exact identifier beats a vague neighbour ----------------------------------------------

ZX = "ZX-4471-B was signed off by the night shift."
#: Rates the forty sentences closer to the query than the one that holds the identifier.
MISLED = TableEmbedder("misled", 64, {"ZX-4471-B was": (1.0, 0.0), "heating": (0.0, 1.0), "ZX-4471-B": (0.3, 1.0)})
EMBEDDERS = {"working": None, "off": BrokenEmbedder(), "misled": MISLED}


@pytest.fixture
def tickets(a1: Actor, request: pytest.FixtureRequest) -> Iterator[Actor]:
    embedder = EMBEDDERS[request.param]
    with embeddings.override(embedder) if embedder else nullcontext():
        for number in range(1, 41):
            fact(a1, f"The support crew closed a ticket about heating in room {number}.")
        fact(a1, ZX)
        yield a1


@pytest.mark.parametrize("tickets", EMBEDDERS, indirect=True)
def test_an_exact_identifier_beats_a_vague_neighbour(tickets: Actor) -> None:
    for q in ("ZX-4471-B", "zx-4471-b", "ZX 4471 B"):
        hits = recall.search(by=tickets, q=q, limit=5).hits
        assert (q, hits[0].memory.content) == (q, ZX)
        assert hits[0].why.words > 0
        assert all(hit.why.words == 0 for hit in hits[1:])


@pytest.mark.parametrize("tickets", ["misled"], indirect=True)
def test_the_stub_does_rate_the_others_closer(tickets: Actor) -> None:
    hits = recall.search(by=tickets, q="ZX-4471-B", limit=100).hits
    assert min(hit.why.meaning for hit in hits[1:]) > hits[0].why.meaning


# --- case 9: words without spaces ---------------------------------------------------------------------

SENTENCES = {
    "前台抽屉": "仓库钥匙放在前台抽屉里。",
    "周四": "会议改到周四下午。",
    "引き出し": "倉庫の鍵は受付の引き出しにあります。",
    "กาแฟ": "ลูกค้าชอบกาแฟเย็น",
    "strasse": "Der Schlüssel liegt in der Straße 5.",
}


@pytest.fixture
def many_scripts(a1: Actor) -> Actor:
    with embeddings.override(BrokenEmbedder()):
        for sentence in SENTENCES.values():
            fact(a1, sentence)
    return a1


@pytest.mark.parametrize("q", SENTENCES)
def test_every_script_is_searchable_by_words(many_scripts: Actor, q: str) -> None:
    with embeddings.override(BrokenEmbedder()):
        found = contents(many_scripts, q)
    assert found[0] == SENTENCES[q]
    assert len(found) < len(SENTENCES)


# --- the two arms -------------------------------------------------------------------------------------


def test_what_shares_no_word_is_found_by_meaning(a1: Actor) -> None:
    with embeddings.override(TableEmbedder("meaning", 64, {"ferry": (1.0, 0.1), "ship": (1.0, 0.0)})):
        fact(a1, "The ferry leaves at nine.")
        fact(a1, "The door is shut.")
        hit = first(a1, "ship")
    assert (hit.memory.content, hit.why.words) == ("The ferry leaves at nine.", 0)
    assert hit.why.meaning > 0


def test_what_has_no_vector_is_found_by_words(a1: Actor) -> None:
    with embeddings.override(BrokenEmbedder()):
        fact(a1, "The ferry leaves at nine.")
    fact(a1, "The door is shut.")
    hit = first(a1, "ferry")
    assert (hit.memory.content, hit.why.meaning) == ("The ferry leaves at nine.", 0)
    assert hit.why.words > 0


def test_the_parts_of_a_score_add_up(a1: Actor) -> None:
    fact(a1, "The ferry leaves at nine.")
    fact(a1, "The ferry is white.", tier=Tier.POLICY)
    for hit in recall.search(by=a1, q="white ferry").hits:
        assert hit.score == pytest.approx(hit.why.meaning + hit.why.words + hit.why.tier)
        assert hit.score == hit.why.score


def test_a_tier_decides_between_near_ties_and_nothing_else(a1: Actor) -> None:
    with embeddings.override(BrokenEmbedder()):
        fact(a1, "The blue ferry leaves at nine.", tier=Tier.POLICY)
        fact(a1, "The red ferry leaves at nine.", tier=Tier.INFORMAL)
        assert contents(a1, "ferry nine")[0] == "The blue ferry leaves at nine."
        assert contents(a1, "red ferry nine")[0] == "The red ferry leaves at nine."


def test_a_pool_with_its_own_index_is_searched_as_an_exact_one_is(a1: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        fact(a1, f"Ferry {number} leaves at {number}.", tags=("even",) if number % 2 == 0 else ())
    exact = contents(a1, "ferry five", filters=Filters(tag=("even",)))
    monkeypatch.setattr(planning, "plan", lambda *_: Plan(30_000, has_index=True))
    assert contents(a1, "ferry five", filters=Filters(tag=("even",))) == exact
    assert len(exact) == 6


# --- a second look -------------------------------------------------------------------------------------


class LongestFirst:
    """Stands in for a cross-encoder."""

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> list[int]:
        return [len(text) for _, text in pairs]


class Broken:
    def predict(self, *_: Any, **__: Any) -> list[int]:
        raise RuntimeError("no memory left")


@pytest.mark.parametrize(("model", "is_reordered"), [(LongestFirst(), True), (Broken(), False), (None, False)])
def test_a_reranker_orders_the_best_again_where_one_is_configured_and_asked(
    a1: Actor, settings: Settings, monkeypatch: pytest.MonkeyPatch, model: Any, is_reordered: bool
) -> None:
    settings.RERANKER = "a folder" if model else ""
    monkeypatch.setattr(reranking, "_model", lambda: model)
    fact(a1, "A white ferry.")
    fact(a1, "The ferry that leaves at nine is painted over and over.")
    plain = contents(a1, "white ferry")
    assert plain[0] == "A white ferry."
    assert contents(a1, "white ferry", rerank=True) == (plain[::-1] if is_reordered else plain)
    assert contents(a1, "white ferry", rerank=True, limit=1) == (plain[1:] if is_reordered else plain[:1])


# --- raw texts, limits, filters -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "kinds"), [("include", {Kind.RAW, Kind.FACT}), ("only", {Kind.RAW}), ("none", {Kind.FACT})]
)
def test_raw_texts_are_searched_beside_their_statements(
    a1: Actor, stub_reader: StubReader, raw: str, kinds: set[Kind]
) -> None:
    write(a1, "The ferry leaves at nine. The ferry has two decks.")
    assert {hit.memory.kind for hit in recall.search(by=a1, q="ferry", raw=raw).hits} == kinds


def test_as_many_hits_as_are_wanted_best_first(a1: Actor) -> None:
    for number in range(12):
        fact(a1, f"Ferry {number} leaves at nine.")
    assert len(contents(a1, "ferry")) == 10
    hits = recall.search(by=a1, q="ferry", limit=3).hits
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len(hits) == 3


def test_filters_narrow_before_anything_is_scored(a1: Actor) -> None:
    fact(a1, "The ferry leaves at nine.", tags=("ops",))
    fact(a1, "The ferry is white.")
    assert contents(a1, "white ferry", filters=Filters(tag=("ops",))) == ["The ferry leaves at nine."]


def test_a_search_over_nothing_finds_nothing(a1: Actor) -> None:
    assert contents(a1, "ferry") == []


# --- any string is safe -------------------------------------------------------------------------------


@pytest.mark.parametrize("q", ["", "   ", "\n\t", "\0"])
def test_an_empty_query_is_refused(a1: Actor, q: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        recall.search(by=a1, q=q)
    assert set(refused.value.fields) == {"q"}


@pytest.mark.parametrize(
    "q",
    [
        "...", "'", "\\", "' | !'", "a & b | !(c)", ":*", "<->", "%", "ferry\0ferry", "\ud800 ferry", "☃ 🗝", "\u202e",
        "100000 years ago", "十万年前", "SELECT 1; --", "x" * 40_000, "ferry " * 7_000, "what? " + "-" * 500,
        "a'b\\c:*",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_down", [False, True])
def test_any_string_is_safe(a1: Actor, q: str, is_down: bool) -> None:
    fact(a1, "The ferry leaves at nine.")
    with embeddings.override(BrokenEmbedder()) if is_down else nullcontext():
        assert len(contents(a1, q)) <= 1


# --- what it costs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 30])
def test_a_search_takes_a_fixed_number_of_queries(
    a1: Actor, stub_reader: StubReader, monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries, count: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(rarity, "SHORTLY", 600.0)
    write(a1, " ".join(f"Ferry {number} leaves at nine." for number in range(count)))
    contents(a1, "ferry")  # the plan and the counts are remembered
    with django_assert_num_queries(5):
        contents(a1, "ferry")
