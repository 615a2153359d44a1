"""No duplicates (product.md §4): what saying the same again does, in full."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memories.actors import Actor, acting
from memories.choices import Outcome, Reason, Scope, Status, Tier, Verb
from memories.models import Evidence, Memory
from memories.services import editing, history, lifecycle
from tests import factories
from tests.factories import add, fact

LAMP, OFF = "The lamp is lit.", "The lamp is off."
FIRST, LATER = datetime(2026, 7, 12, tzinfo=UTC), datetime(2026, 7, 13, tzinfo=UTC)


def rows(content: str = LAMP) -> list[Memory]:
    return list(Memory.objects.filter(content=content).order_by("id"))


def test_the_same_again_is_known_and_kept_as_further_evidence(a1: Actor, a2: Actor) -> None:
    first = add(a1, LAMP)
    again = add(a2, LAMP)
    assert (first.outcome, again.outcome) == (Outcome.ADDED, Outcome.KNOWN)
    assert again.fact == first.fact
    assert again.fact.status == Status.VERIFIED
    assert list(Evidence.objects.order_by("id").values_list("memory_id", "agent_id")) == [
        (first.fact.pk, a1.agent_id),
        (first.fact.pk, a2.agent_id),
    ]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("The lamp is lit.", "the LAMP is lit."),
        ("The lamp is lit.", "  The   lamp\tis\nlit. "),
        ("Café Zoë opens.", "Cafe\u0301 Zoe\u0308 opens."),
        ("Die Straße ist gesperrt.", "Die STRASSE ist gesperrt."),
    ],
)
def test_the_same_is_equal_after_nfc_case_folding_and_white_space(a1: Actor, first: str, again: str) -> None:
    kept = fact(a1, first)
    repeated = add(a1, again)
    assert (repeated.outcome, repeated.fact) == (Outcome.KNOWN, kept)
    assert Evidence.objects.filter(memory=kept).latest("id").excerpt == again


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("The port is 25.", "The port is 2⁵."),  # NFKC would make them one
        ("The lamp is lit.", "The lamp is lit"),
        ("The lamp is lit.", "The lamp is not lit."),
        ("The port is 8443.", "The port is 9443."),
    ],
)
def test_what_differs_in_a_character_is_not_the_same(a1: Actor, first: str, other: str) -> None:
    fact(a1, first)
    assert add(a1, other).outcome == Outcome.ADDED
    assert Memory.objects.current().count() == 2


def test_a_repeat_at_a_higher_tier_supersedes_the_weaker_copy(a1: Actor) -> None:
    weak = fact(a1, LAMP, tier=Tier.TEAM)
    strong = add(a1, LAMP, tier=Tier.OFFICIAL)
    weak.refresh_from_db()
    assert strong.outcome == Outcome.SUPERSEDED
    assert (weak.status, weak.replaced_by) == (Status.SUPERSEDED, strong.fact)
    assert (strong.fact.status, strong.fact.tier) == (Status.VERIFIED, Tier.OFFICIAL)
    assert Evidence.objects.filter(memory=strong.fact).count() == 2  # its own, and the weaker copy's


@pytest.mark.parametrize("tier", [Tier.OFFICIAL, Tier.TEAM, Tier.INFORMAL])
def test_a_repeat_at_the_same_or_a_lower_tier_is_known(a1: Actor, tier: Tier) -> None:
    kept = fact(a1, LAMP)
    again = add(a1, LAMP, tier=tier)
    assert (again.outcome, again.fact, again.fact.tier) == (Outcome.KNOWN, kept, Tier.OFFICIAL)


@pytest.mark.parametrize(("confirmed", "status"), [(True, Status.VERIFIED), (False, Status.UNVERIFIED)])
def test_a_confirmed_repeat_verifies_an_unverified_one(a1: Actor, a2: Actor, confirmed: bool, status: Status) -> None:
    fact(a1, LAMP, confirmed=False)
    again = add(a2, LAMP, confirmed=confirmed)
    again.fact.refresh_from_db()
    assert (again.outcome, again.fact.status) == (Outcome.KNOWN, status)


def test_the_history_says_who_confirmed_it(a1: Actor, a2: Actor) -> None:
    memory = fact(a1, LAMP, confirmed=False)
    fact(a2, LAMP)
    moves = [(each.by_name, each.verb, each.from_, each.to) for each in history.of(memory)]
    assert moves == [("a1", Verb.ADD, None, Status.UNVERIFIED), ("a2", Verb.VERIFY, Status.UNVERIFIED, Status.VERIFIED)]


def test_a_b_a_makes_three_versions_of_the_world(a1: Actor) -> None:
    first = fact(a1, LAMP)
    second = editing.revise(by=a1, memory_id=first.pk, content=OFF, confirmed=True).fact
    third = editing.revise(by=a1, memory_id=second.pk, content=LAMP, confirmed=True).fact
    assert len({first.pk, second.pk, third.pk}) == 3
    assert list(Memory.objects.current()) == [third]
    assert [each.content for each in history.of(third) if each.verb == Verb.ADD] == [LAMP, OFF, LAMP]


def test_repeating_a_superseded_one_is_a_new_memory(a1: Actor) -> None:
    first = fact(a1, LAMP)
    editing.revise(by=a1, memory_id=first.pk, content=OFF)
    again = add(a1, LAMP)
    assert (again.outcome, again.fact.status) == (Outcome.ADDED, Status.VERIFIED)
    assert again.fact != first


def test_repeating_one_that_a_person_retired_is_stored_conflicting_with_a_pair(a1: Actor, curator: Actor) -> None:
    first = fact(a1, LAMP)
    editing.retire(by=curator, memory_id=first.pk, why="It was never lit.")
    again = add(a1, LAMP)
    first.refresh_from_db()
    assert (again.outcome, again.fact.status) == (Outcome.REFUSED, Status.CONFLICTING)
    assert (first.status, again.fact.replaced_by) == (Status.RETIRED, None)
    pair = again.fact.conflicts.get()
    assert (pair.older, pair.reason, pair.state) == (first, Reason.AUTHORITY, "open")
    assert again.conflict == pair.pk


def test_repeating_it_once_more_is_known_and_opens_no_second_pair(a1: Actor, curator: Actor) -> None:
    editing.retire(by=curator, memory_id=fact(a1, LAMP).pk)
    stored = fact(a1, LAMP)
    again = add(a1, LAMP)
    assert (again.outcome, again.fact, again.fact.status) == (Outcome.KNOWN, stored, Status.CONFLICTING)
    assert stored.conflicts.count() == 1


def test_repeating_one_that_a_settlement_found_false_is_stored_conflicting(a1: Actor, curator: Actor) -> None:
    first = fact(a1, LAMP)
    lifecycle.dispute(first, by=a1)
    with acting(a1, Verb.SETTLE):  # as the owner of a private pair may
        Memory.objects.filter(pk=first.pk).update(status=Status.RETIRED)
    assert add(a1, LAMP).fact.status == Status.CONFLICTING


def test_repeating_one_that_an_agent_retired_is_a_new_memory(a1: Actor) -> None:
    editing.retire(by=a1, memory_id=fact(a1, LAMP).pk)
    again = add(a1, LAMP)
    assert (again.outcome, again.fact.status) == (Outcome.ADDED, Status.VERIFIED)
    assert len(rows()) == 2


def test_the_last_judgement_counts(a1: Actor, curator: Actor) -> None:
    """Retired by a person, restored by that person, then retired by the agent: nobody holds it to be false."""
    first = fact(a1, LAMP)
    editing.retire(by=curator, memory_id=first.pk)
    editing.restore(by=curator, memory_id=first.pk)
    editing.retire(by=a1, memory_id=first.pk)
    assert add(a1, LAMP).outcome == Outcome.ADDED


@pytest.mark.parametrize("verb", ["dispute", "refuse"])
def test_repeating_one_that_stands_in_a_pair_is_known_and_leaves_it_there(a1: Actor, curator: Actor, verb: str) -> None:
    memory = fact(a1, LAMP, tier=Tier.TEAM)
    if verb == "dispute":
        lifecycle.dispute(memory, by=a1)
    else:
        editing.retire(by=curator, memory_id=memory.pk)
        memory = fact(a1, LAMP, tier=Tier.TEAM)
    before = memory.status
    again = add(a1, LAMP, tier=Tier.POLICY, confirmed=True)
    again.fact.refresh_from_db()
    assert (again.outcome, again.fact, again.fact.status) == (Outcome.KNOWN, memory, before)


ABOUTS: list[Any] = [(None, None), (FIRST, None), (None, FIRST), (FIRST, LATER), (LATER, LATER)]


@pytest.mark.parametrize("about", ABOUTS)
def test_the_same_about_time_is_the_same_statement(a1: Actor, about: Any) -> None:
    assert fact(a1, LAMP, about=about) == fact(a1, LAMP, about=about)


def test_another_about_time_is_another_statement(a1: Actor) -> None:
    outcomes = [add(a1, LAMP, about=about).outcome for about in ABOUTS]
    assert outcomes == [Outcome.ADDED] * len(ABOUTS)


def test_each_pool_knows_its_own_statements_alone(a1: Actor, a2: Actor, b1: Actor) -> None:
    added = [
        add(a1, LAMP),
        add(a1, LAMP, scope=Scope.PRIVATE),
        add(a2, LAMP, scope=Scope.PRIVATE),
        add(b1, LAMP),
        add(b1, LAMP, scope=Scope.PRIVATE),
    ]
    assert [each.outcome for each in added] == [Outcome.ADDED] * 5
    assert add(a1, LAMP, scope=Scope.PRIVATE).fact == added[1].fact
    assert add(a2, LAMP).fact == added[0].fact


@pytest.mark.usefixtures("stub_reader")
def test_a_raw_text_and_the_one_statement_in_it_read_the_same(a1: Actor) -> None:
    """In its normal form, so that even their keys are equal."""
    text = "the lamp is lit."
    written = factories.write(a1, text)
    assert add(a1, text).outcome == Outcome.KNOWN
    assert factories.write(a1, text).raw != written.raw
    assert sorted(each.kind for each in rows(text)) == ["Fact", "Raw", "Raw"]
    assert {bytes(each.key) for each in rows(text)} == {bytes(written.raw.key)}
