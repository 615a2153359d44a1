"""Every filter of lists and search, each against rows that it must take and rows that it must leave."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.actors import Actor
from memories.choices import Category, Kind, Scope, Status, Tier
from memories.filters import Filters, narrowed
from memories.models import Memory
from memories.provenance import Provenance
from memories.services import editing, lifecycle, recall
from tests.factories import fact, write
from tests.stubs import StubReader


def day(number: int) -> datetime:
    return datetime(2026, 7, number, tzinfo=UTC)


def names(rows: Iterable[Memory]) -> set[str]:
    """The first words of the memories: each test names its rows so."""
    return {memory.content.partition(" ")[0] for memory in rows}


def kept(by: Actor, **filters: Any) -> set[str]:
    return names(narrowed(by, Filters(**filters)))


# --- labels -------------------------------------------------------------------------------------------


def test_without_filters_everything_current_is_kept(a1: Actor) -> None:
    fact(a1, "One is here.")
    fact(a1, "Two is here.", confirmed=False, scope=Scope.PRIVATE, tier=Tier.INFORMAL)
    assert kept(a1) == {"One", "Two"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tier": ["policy"]}, {"Law"}),
        ({"tier": ["policy", "team"]}, {"Law", "Habit"}),
        ({"tier": ["informal"]}, set()),
        ({"category": ["term"]}, {"Habit"}),
        ({"category": ["term", "persona"]}, {"Habit", "Ivo"}),
        ({"kind": ["Fact"]}, {"Law", "Habit", "Ivo"}),
        ({"kind": ["Raw"]}, {"Text"}),
        ({"kind": ["Raw", "Schema"]}, {"Text"}),
        ({"person": "ivo"}, {"Ivo"}),
        ({"person": "Iv"}, set()),
        ({"tier": ["team"], "category": ["term"], "kind": ["Fact"]}, {"Habit"}),
        ({"tier": ["policy"], "category": ["term"]}, set()),
    ],
)
def test_labels_narrow(a1: Actor, stub_reader: StubReader, filters: dict[str, Any], expected: set[str]) -> None:
    fact(a1, "Law is law.", tier=Tier.POLICY)
    fact(a1, "Habit is a term.", tier=Tier.TEAM, category=Category.TERM)
    fact(a1, "Ivo likes tea.", category=Category.PERSONA, person="Ivo")
    stub_reader.error = RuntimeError("no statements today")
    write(a1, "Text without statements.")
    assert kept(a1, **filters) == expected


@pytest.mark.parametrize(
    ("tag", "mode", "expected"),
    [
        (["ops"], "any", {"Ops", "Both"}),
        (["ops"], "all", {"Ops", "Both"}),
        (["ops", "net"], "any", {"Ops", "Both", "Net"}),
        (["ops", "net"], "all", {"Both"}),
        (["o"], "any", {"Letter"}),
        (["OPS"], "any", set()),
        (["ops,net"], "any", set()),
        ([], "any", {"Ops", "Both", "Net", "Letter", "Bare"}),
    ],
)
def test_tags_are_whole_words(a1: Actor, tag: list[str], mode: str, expected: set[str]) -> None:
    """Case 17."""
    rows = {"Ops": ("ops",), "Both": ("ops", "net"), "Net": ("net",), "Letter": ("o",), "Bare": ()}
    for name, tags in rows.items():
        fact(a1, f"{name} is tagged.", tags=tags)
    assert kept(a1, tag=tag, tag_mode=mode) == expected


# --- status -------------------------------------------------------------------------------------------


@pytest.fixture
def of_each_status(a1: Actor, curator: Actor) -> Actor:
    """One memory of each status, each named for its own."""
    fact(a1, "Unverified it is.", confirmed=False)
    fact(a1, "Verified it is.")
    lifecycle.dispute(fact(a1, "Disputed it is."), by=a1)
    editing.retire(by=curator, memory_id=fact(a1, "Retired it is.").pk)
    editing.retire(by=curator, memory_id=fact(a1, "Conflicting it is.", tags=("older",)).pk)
    fact(a1, "Conflicting it is.", tags=("newer",))
    editing.revise(by=a1, memory_id=fact(a1, "Superseded it is.").pk, content="Newest it is.", confirmed=True)
    return a1


@pytest.mark.parametrize("status", Status)
def test_a_status_may_be_asked_for(of_each_status: Actor, status: Status) -> None:
    expected = {status.label} | {Status.VERIFIED: {"Newest"}, Status.RETIRED: {"Conflicting"}}.get(status, set())
    assert kept(of_each_status, status=[status]) == expected


def test_several_statuses_may_be_asked_for(of_each_status: Actor) -> None:
    assert kept(of_each_status, status=["unverified", "disputed"]) == {"Unverified", "Disputed"}


def test_only_current_ones_are_kept_unless_asked(of_each_status: Actor) -> None:
    assert kept(of_each_status) == {"Unverified", "Verified", "Newest"}


def test_history_keeps_everything(of_each_status: Actor) -> None:
    assert narrowed(of_each_status, Filters(history=True)).count() == 8
    assert kept(of_each_status, history=True, status=["superseded"]) == {"Superseded"}
    assert kept(of_each_status, history=True, tag=["older"]) == {"Conflicting"}


def test_search_never_finds_what_is_not_current(of_each_status: Actor) -> None:
    for q in ("Disputed it is", "Retired it is", "Conflicting it is", "Superseded it is"):
        hits = recall.search(by=of_each_status, q=q).hits
        assert names(hit.memory for hit in hits) == {"Unverified", "Verified", "Newest"}


# --- who and where from ---------------------------------------------------------------------------------


def test_whose_they_are(a1: Actor, a2: Actor, curator: Actor) -> None:
    fact(a1, "First is a1's.")
    fact(a2, "Second is a2's.")
    fact(curator, "Third is the curator's.")
    assert kept(a1, agent="a1") == kept(curator, agent=str(a1.agent_id)) == {"First"}
    assert kept(a1, agent="a2") == {"Second"}
    assert kept(a1, agent="a") == kept(a1, agent=str(UUID(int=1))) == set()


def test_where_they_come_from(a1: Actor, a2: Actor) -> None:
    handbook = Provenance(source_id=UUID(int=7), source_name="handbook", item_key="page-9")
    fact(a1, "First is written down.", provenance=handbook)
    fact(a1, "Second is written down.", provenance=Provenance(source_id=UUID(int=8), source_name="wiki"))
    fact(a1, "Third is hearsay.")
    assert kept(a1, source="handbook") == kept(a1, source=str(UUID(int=7))) == {"First"}
    fact(a2, "Third is hearsay.", provenance=handbook)  # further evidence of what is known
    assert kept(a1, source="handbook") == {"First", "Third"}
    assert kept(a1, source="page-9") == kept(a1, source="hand") == set()


# --- times --------------------------------------------------------------------------------------------

ABOUT = {
    "Point": (day(12), day(12)),
    "Range": (day(10), day(14)),
    "Since": (day(12), None),
    "Until": (None, day(12)),
    "Timeless": (None, None),
}


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        (None, None, set(ABOUT)),
        (12, None, {"Point", "Range", "Since", "Until"}),
        (13, None, {"Range", "Since"}),
        (15, None, {"Since"}),
        (None, 12, {"Point", "Range", "Since", "Until"}),
        (None, 11, {"Range", "Until"}),
        (None, 9, {"Until"}),
        (11, 11, {"Range", "Until"}),
        (12, 12, {"Point", "Range", "Since", "Until"}),
        (13, 20, {"Range", "Since"}),
    ],
)
def test_the_times_they_are_about_overlap(a1: Actor, after: int | None, before: int | None, expected: set[str]) -> None:
    for name, about in ABOUT.items():
        fact(a1, f"{name} in time.", about=about)
    bounds = {"about_after": day(after) if after else None, "about_before": day(before) if before else None}
    assert kept(a1, **bounds) == expected


def test_when_they_were_recorded_both_ends_included(a1: Actor) -> None:
    memory = fact(a1, "First is recorded.")
    memory.refresh_from_db()
    moment = memory.recorded_at
    tick = timedelta(microseconds=1)
    assert kept(a1, recorded_after=moment) == kept(a1, recorded_before=moment) == {"First"}
    assert kept(a1, recorded_after=moment, recorded_before=moment) == {"First"}
    assert kept(a1, recorded_after=moment + tick) == kept(a1, recorded_before=moment - tick) == set()


@pytest.mark.django_db(transaction=True)
def test_as_of_says_what_was_held_true_then(a1: Actor, curator: Actor) -> None:
    """The clock of the database counts: each act in a transaction of its own."""
    moments = [timezone.now()]
    first = fact(a1, "One is true.")
    moments.append(timezone.now())
    second = editing.revise(by=a1, memory_id=first.pk, content="Two is true.", confirmed=True).fact
    moments.append(timezone.now())
    editing.retire(by=curator, memory_id=second.pk)
    moments.append(timezone.now())
    editing.restore(by=curator, memory_id=second.pk)
    lifecycle.dispute(fact(a1, "Three is true."), by=a1)
    moments.append(timezone.now())
    assert [kept(a1, as_of=moment) for moment in moments] == [set(), {"One"}, {"Two"}, set(), {"Two"}]
    assert kept(a1, as_of=moments[3], status=["retired", "superseded"]) == {"One", "Two"}
    assert names(hit.memory for hit in recall.search(by=a1, q="true", filters=Filters(as_of=moments[1])).hits) == {
        "One"
    }


@pytest.mark.django_db(transaction=True)
def test_as_of_leaves_out_raw_texts_of_which_a_statement_had_lost_currency(
    a1: Actor, curator: Actor, stub_reader: StubReader
) -> None:
    statement = write(a1, "One is true. Two is true.").statements.order_by("position")[0].memory
    before = timezone.now()
    editing.retire(by=curator, memory_id=statement.pk)
    after = timezone.now()
    editing.restore(by=curator, memory_id=statement.pk)
    fact(a1, "Two is true.", tier=Tier.POLICY)  # a stronger copy of the other one loses nothing
    moments = [before, after, timezone.now()]
    kinds = [set(narrowed(a1, Filters(as_of=each)).values_list("kind", flat=True)) for each in moments]
    assert kinds == [{Kind.RAW, Kind.FACT}, {Kind.FACT}, {Kind.RAW, Kind.FACT}]
