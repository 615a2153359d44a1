"""A verdict on two facts, as services act on it: authority, evidence, order, and two agents at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import cast

import pytest
from django.db import connection

from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import Category, Outcome, Reason, Scope, Status, Tier, VerdictGiven
from memories.errors import Conflict, InvalidInput, NotFound
from memories.models import Evidence, Memory, Product
from memories.services import editing, resolving
from memories.services.resolving import Resolved
from tests import factories
from tests.conflicts.conftest import LIT, OFF
from tests.factories import fact

DUPLICATE, REPLACES, CONTRADICTS = VerdictGiven.DUPLICATE, VerdictGiven.REPLACES, VerdictGiven.CONTRADICTS
HEAVIER = [(Tier.POLICY, Tier.OFFICIAL), (Tier.OFFICIAL, Tier.TEAM), (Tier.TEAM, Tier.INFORMAL)]


def say(by: Actor, newer: Memory, verdict: VerdictGiven, older: Memory, tier: Tier | None = None) -> Resolved:
    answer = resolving.resolve(by=by, newer_id=newer.pk, older_id=older.pk, verdict=verdict, tier=tier)
    for side in (newer, older):
        side.refresh_from_db()
    return answer


@pytest.mark.parametrize("tier", Tier)
@pytest.mark.parametrize("verdict", [REPLACES, CONTRADICTS])
def test_the_same_tier_displaces(a1: Actor, verdict: VerdictGiven, tier: Tier) -> None:
    older, newer = fact(a1, LIT, tier=tier), fact(a1, OFF, tier=tier)
    assert say(a1, newer, verdict, older).outcome in (Outcome.REPLACED, Outcome.DISPUTED)


@pytest.mark.parametrize(("high", "low"), HEAVIER)
@pytest.mark.parametrize("verdict", [REPLACES, CONTRADICTS])
def test_a_higher_tier_displaces(a1: Actor, verdict: VerdictGiven, high: Tier, low: Tier) -> None:
    older, newer = fact(a1, LIT, tier=low), fact(a1, OFF, tier=high)
    assert say(a1, newer, verdict, older).outcome in (Outcome.REPLACED, Outcome.DISPUTED)


@pytest.mark.parametrize(("high", "low"), HEAVIER)
@pytest.mark.parametrize("verdict", [REPLACES, CONTRADICTS])
def test_a_lower_tier_is_refused_and_waits_for_clarification(
    *, a1: Actor, verdict: VerdictGiven, high: Tier, low: Tier
) -> None:
    older, newer = fact(a1, LIT, tier=high), fact(a1, OFF, tier=low)
    refused = say(a1, newer, verdict, older, Tier.POLICY)
    assert (refused.outcome, older.status, newer.status) == (Outcome.REFUSED, Status.VERIFIED, Status.CONFLICTING)
    pair = Pair.objects.get()
    assert (pair.pk, pair.reason, pair.older, pair.newer) == (refused.conflict, Reason.AUTHORITY, older, newer)


@pytest.mark.parametrize("verdict", [REPLACES, CONTRADICTS])
def test_people_are_above_tiers(a1: Actor, curator: Actor, verdict: VerdictGiven) -> None:
    older, newer = fact(a1, LIT, tier=Tier.POLICY), fact(a1, OFF, tier=Tier.INFORMAL)
    assert say(curator, newer, verdict, older).outcome in (Outcome.REPLACED, Outcome.DISPUTED)


def test_dropping_a_duplicate_is_an_act_too(a1: Actor, curator: Actor) -> None:
    older, newer = fact(a1, LIT), fact(a1, OFF, tier=Tier.POLICY)
    assert (say(a1, newer, DUPLICATE, older).outcome, newer.status) == (Outcome.REFUSED, Status.VERIFIED)
    assert Evidence.objects.filter(memory=older).count() == 1
    assert say(a1, newer, DUPLICATE, older, Tier.POLICY).outcome == Outcome.DROPPED


def test_a_duplicate_leaves_all_its_evidence_to_the_kept_one(a1: Actor, a2: Actor) -> None:
    older, newer = fact(a1, LIT), fact(a1, OFF)
    fact(a2, OFF)
    say(a1, newer, DUPLICATE, older)
    assert (newer.status, newer.duplicate_of) == (Status.RETIRED, older)
    kept = Evidence.objects.filter(memory=older).order_by("excerpt", "id").values_list("excerpt", "agent__name")
    assert list(kept) == [(LIT, "a1"), (OFF, "a1"), (OFF, "a2")]
    assert Evidence.objects.filter(memory=newer).count() == 2


def test_a_raw_text_follows_its_words_to_a_fact_about_another_time(a1: Actor) -> None:
    raw = factories.write(a1, LIT).raw
    older = Memory.objects.statements_only().get()
    newer = fact(a1, LIT, about=(datetime(2026, 7, 12, tzinfo=UTC), None))
    say(a1, newer, REPLACES, older)
    assert raw in Memory.objects.recallable(a1.product_id)
    say(a1, fact(a1, OFF), CONTRADICTS, newer)
    assert raw not in Memory.objects.recallable(a1.product_id)


def test_the_one_recorded_first_is_the_older_side_whichever_is_named_first(a1: Actor) -> None:
    first, second = fact(a1, LIT), fact(a1, OFF)
    say(a1, first, CONTRADICTS, second)
    pair = Pair.objects.get()
    assert (pair.older, pair.newer) == (first, second)


def test_disputed_sides_may_be_disputed_again_in_a_pair_of_their_own(a1: Actor) -> None:
    first, second, third = fact(a1, LIT), fact(a1, OFF), fact(a1, "The lamp is broken.")
    say(a1, second, CONTRADICTS, first)
    say(a1, third, CONTRADICTS, first)
    say(a1, third, CONTRADICTS, second)
    assert Pair.objects.count() == 3
    assert {each.status for each in Memory.objects.all()} == {Status.DISPUTED}


@pytest.mark.parametrize("verdict", [DUPLICATE, REPLACES])
def test_a_disputed_side_is_neither_dropped_nor_replaced(a1: Actor, verdict: VerdictGiven) -> None:
    first, second, third = fact(a1, LIT), fact(a1, OFF), fact(a1, "The lamp is broken.")
    say(a1, second, CONTRADICTS, first)
    for newer, older in ((third, first), (first, third)):
        with pytest.raises(Conflict) as refused:
            say(a1, newer, verdict, older)
        assert refused.value.current == first
    assert Pair.objects.count() == 1


def test_traits_of_persons_open_a_persona_pair(a1: Actor) -> None:
    traits = [fact(a1, each, category=Category.PERSONA) for each in ("Ivo likes tea.", "Ivo hates tea.")]
    say(a1, traits[1], CONTRADICTS, traits[0])
    assert Pair.objects.get().persona is True


def test_a_trait_against_a_plain_fact_is_no_persona_pair(a1: Actor) -> None:
    trait, plain = fact(a1, "Ivo likes tea.", category=Category.PERSONA), fact(a1, "Ivo hates tea.")
    say(a1, plain, CONTRADICTS, trait)
    assert Pair.objects.get().persona is False


def test_raw_texts_are_never_resolved(a1: Actor) -> None:
    raw, other = factories.write(a1, LIT).raw, fact(a1, OFF)
    for newer, older in ((raw, other), (other, raw)):
        with pytest.raises(Conflict):
            say(a1, newer, DUPLICATE, older)


def test_a_restored_duplicate_may_be_judged_anew(a1: Actor) -> None:
    older, newer = fact(a1, LIT), fact(a1, OFF)
    say(a1, newer, DUPLICATE, older)
    editing.restore(by=a1, memory_id=newer.pk)
    assert say(a1, newer, REPLACES, older).outcome == Outcome.REPLACED
    assert newer.duplicate_of is None


def test_the_same_verdict_from_another_agent_gets_the_same_answer(a1: Actor, a2: Actor) -> None:
    older, newer = fact(a1, LIT), fact(a1, OFF)
    first, again = say(a1, newer, CONTRADICTS, older), say(a2, newer, CONTRADICTS, older)
    assert (first.outcome, first.conflict) == (again.outcome, again.conflict)


def test_what_was_refused_once_may_be_refused_under_another_verdict_alike(a1: Actor) -> None:
    older, newer = fact(a1, LIT, tier=Tier.POLICY), fact(a1, OFF)
    first = say(a1, newer, REPLACES, older)
    again = say(a1, newer, CONTRADICTS, older)
    assert (again.outcome, again.conflict) == (Outcome.REFUSED, first.conflict)


def test_a_refused_contradiction_gets_the_same_answer_again_whichever_is_named_first(a1: Actor) -> None:
    first, second = fact(a1, LIT), fact(a1, OFF, tier=Tier.TEAM)
    refused = say(a1, first, CONTRADICTS, second)
    again = say(a1, first, CONTRADICTS, second)
    assert (refused.outcome, second.status) == (Outcome.REFUSED, Status.CONFLICTING)
    assert (again.outcome, again.conflict) == (refused.outcome, refused.conflict)


def test_an_act_takes_no_stronger_fact_out_by_naming_it_the_newer(a1: Actor, curator: Actor) -> None:
    weak, strong = fact(a1, LIT, tier=Tier.INFORMAL), fact(a1, OFF, tier=Tier.POLICY)
    refused = say(a1, strong, CONTRADICTS, weak, Tier.INFORMAL)
    assert (refused.outcome, refused.conflict) == (Outcome.REFUSED, None)
    assert (weak.status, strong.status, Pair.objects.count()) == (Status.VERIFIED, Status.VERIFIED, 0)
    assert say(curator, strong, CONTRADICTS, weak, Tier.INFORMAL).outcome == Outcome.DISPUTED


@pytest.mark.parametrize("weak", [Tier.OFFICIAL, Tier.POLICY])
@pytest.mark.parametrize("verdict", [REPLACES, CONTRADICTS])
def test_a_refused_act_holds_no_stronger_fact_back(a1: Actor, verdict: VerdictGiven, weak: Tier) -> None:
    older, strong = fact(a1, LIT, tier=weak), fact(a1, OFF, tier=Tier.POLICY)
    refused = say(a1, strong, verdict, older, Tier.INFORMAL)
    assert (refused.outcome, refused.conflict) == (Outcome.REFUSED, None)
    assert (older.status, strong.status, Pair.objects.count()) == (Status.VERIFIED, Status.VERIFIED, 0)


def test_naming_the_weak_fact_the_newer_takes_no_stronger_one_out(a1: Actor) -> None:
    weak, strong = fact(a1, LIT, tier=Tier.INFORMAL), fact(a1, OFF, tier=Tier.POLICY)
    assert say(a1, weak, CONTRADICTS, strong).outcome == Outcome.REFUSED
    assert (weak.status, strong.status) == (Status.VERIFIED, Status.VERIFIED)


@pytest.mark.parametrize("verdict", VerdictGiven)
def test_facts_of_two_scopes_of_others_or_of_another_product_are_never_resolved(
    *, a1: Actor, a2: Actor, b1: Actor, verdict: VerdictGiven
) -> None:
    mine = fact(a1, LIT)
    hidden = [fact(a2, OFF, scope=Scope.PRIVATE), fact(b1, OFF)]
    for other in hidden:
        with pytest.raises(NotFound):
            say(a1, mine, verdict, other)
    with pytest.raises(InvalidInput):
        say(a1, mine, verdict, fact(a1, OFF, scope=Scope.PRIVATE))
    assert {each.status for each in Memory.objects.all()} == {Status.VERIFIED}


@pytest.mark.django_db(transaction=True)
def test_of_two_agents_replacing_one_fact_at_once_exactly_one_wins(lighthouse: Product) -> None:
    agents = [factories.agent(lighthouse, f"agent {number}") for number in range(2)]
    older = fact(agents[0], LIT)
    newer = [fact(by, f"The lamp is {state}.") for by, state in zip(agents, ("off", "broken"), strict=True)]
    barrier = threading.Barrier(2)

    def act(by: Actor, mine: Memory) -> Outcome | Memory:
        barrier.wait()
        try:
            return resolving.resolve(by=by, newer_id=mine.pk, older_id=older.pk, verdict=REPLACES).outcome
        except Conflict as refused:
            return cast("Memory", refused.current)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        ends = list(threads.map(act, agents, newer))
    older.refresh_from_db()
    assert ends.count(Outcome.REPLACED) == 1
    assert older.replaced_by == newer[ends.index(Outcome.REPLACED)]
    loser = next(each for each in ends if isinstance(each, Memory))
    assert loser in (older, older.replaced_by)
