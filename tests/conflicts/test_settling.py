"""Settling a pair: one answer, by an agent within its authority or by a person above all tiers."""

from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import pytest
from django.utils import timezone

from conflicts import services, tasks
from conflicts.choices import Answer, State
from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import Category, Origin, Outcome, Reason, Scope, Status, Tier, Verb, VerdictGiven
from memories.errors import Conflict, InvalidInput, NotFound
from memories.models import Memory, MemoryEvent, Product
from memories.services import editing, history, resolving
from tests import factories
from tests.conflicts.conftest import LIT, OFF, Opens, sides
from tests.conftest import Clock
from tests.factories import fact

BROKEN = "The lamp is broken."
VERIFIED, RETIRED, DISPUTED, CONFLICTING = Status.VERIFIED, Status.RETIRED, Status.DISPUTED, Status.CONFLICTING


@pytest.mark.parametrize(
    ("reason", "answer", "expected"),
    [
        (Reason.DISAGREEMENT, Answer.OLDER, (VERIFIED, RETIRED)),
        (Reason.DISAGREEMENT, Answer.NEWER, (RETIRED, VERIFIED)),
        (Reason.DISAGREEMENT, Answer.NEITHER, (RETIRED, RETIRED)),
        (Reason.AUTHORITY, Answer.OLDER, (VERIFIED, RETIRED)),
        (Reason.AUTHORITY, Answer.NEWER, (RETIRED, VERIFIED)),
        (Reason.AUTHORITY, Answer.NEITHER, (RETIRED, RETIRED)),
        (Reason.UNSURE, Answer.OLDER, (VERIFIED, RETIRED)),
        (Reason.UNSURE, Answer.NEWER, (RETIRED, VERIFIED)),
        (Reason.UNSURE, Answer.BOTH, (VERIFIED, VERIFIED)),
    ],
)
def test_an_answer_settles_a_pair_whatever_opened_it(
    *, opened: Opens, curator: Actor, reason: Reason, answer: Answer, expected: tuple[Status, Status]
) -> None:
    pair = opened(reason)
    settled = services.settle(by=curator, pair_id=pair.pk, answer=answer, why="I asked.")
    pair.refresh_from_db()
    assert (settled.outcome, sides(pair)) == (Outcome.SETTLED, expected)
    assert (pair.state, pair.answer, pair.why) == (State.SETTLED, answer, "I asked.")
    assert (pair.settled_by_id, pair.settled_by_name) == (curator.user_id, "curator")
    assert pair.settled_at is not None


def test_the_history_of_both_sides_says_who_and_why(opened: Opens, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER, why="I asked.")
    for side, status in ((pair.older, RETIRED), (pair.newer, VERIFIED)):
        last = history.of(side)[-1]
        assert (last.verb, last.by_type, last.by_name, last.why) == (Verb.SETTLE, "person", "curator", "I asked.")
        assert (last.from_, last.to) == (DISPUTED, status)


def test_an_unverified_side_that_is_found_true_is_verified(opened: Opens, curator: Actor) -> None:
    pair = opened(Reason.UNSURE, confirmed=False)
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    assert sides(pair) == (VERIFIED, RETIRED)


def test_both_leaves_a_suggestion_as_it_was(opened: Opens, curator: Actor) -> None:
    pair = opened(Reason.UNSURE, confirmed=False)
    moves = MemoryEvent.objects.count()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.BOTH)
    assert (sides(pair), MemoryEvent.objects.count()) == ((Status.UNVERIFIED, Status.UNVERIFIED), moves)


def test_a_suggestion_is_confirmed_by_finding_that_they_disagree(opened: Opens, a1: Actor) -> None:
    pair = opened(Reason.UNSURE)
    answer = resolving.resolve(by=a1, newer_id=pair.newer_id, older_id=pair.older_id, verdict=VerdictGiven.CONTRADICTS)
    pair.refresh_from_db()
    assert (answer.conflict, pair.reason, sides(pair)) == (pair.pk, Reason.DISAGREEMENT, (DISPUTED, DISPUTED))


# --- authority


@pytest.mark.parametrize("answer", [Answer.OLDER, Answer.NEITHER])
def test_an_agents_act_must_weigh_as_much_as_what_it_retires(opened: Opens, a2: Actor, answer: Answer) -> None:
    pair = opened()
    moves = MemoryEvent.objects.count()
    refused = services.settle(by=a2, pair_id=pair.pk, answer=answer, tier=Tier.TEAM)
    pair.refresh_from_db()
    assert (refused.outcome, refused.retired, pair.state) == (Outcome.REFUSED, (), State.OPEN)
    assert MemoryEvent.objects.count() == moves


def test_a_refused_correction_stores_nothing(opened: Opens, a2: Actor) -> None:
    pair = opened()
    refused = services.settle(by=a2, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN, tier=Tier.INFORMAL)
    assert (refused.outcome, Memory.objects.count(), Pair.objects.get().state) == (Outcome.REFUSED, 2, State.OPEN)


def test_an_agent_may_find_the_established_one_true(opened: Opens, a2: Actor) -> None:
    pair = opened(Reason.AUTHORITY)
    assert services.settle(by=a2, pair_id=pair.pk, answer=Answer.OLDER).outcome == Outcome.SETTLED
    assert sides(pair) == (VERIFIED, RETIRED)


def test_an_agent_may_not_retire_the_established_one(opened: Opens, a2: Actor) -> None:
    pair = opened(Reason.AUTHORITY)
    assert services.settle(by=a2, pair_id=pair.pk, answer=Answer.NEWER).outcome == Outcome.REFUSED
    assert sides(pair) == (VERIFIED, CONFLICTING)


@pytest.mark.parametrize("tier", Tier)
def test_a_person_stands_above_tiers(opened: Opens, curator: Actor, tier: Tier) -> None:
    pair = opened(Reason.AUTHORITY)
    assert services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER, tier=tier).outcome == Outcome.SETTLED


def test_a_source_and_cognition_are_bound_too(opened: Opens, lighthouse: Product) -> None:
    pair = opened(Reason.AUTHORITY)
    for by in (factories.source(lighthouse), factories.cognition(lighthouse)):
        assert services.settle(by=by, pair_id=pair.pk, answer=Answer.NEWER).outcome == Outcome.REFUSED


# --- a third fact


def test_settling_one_pair_settles_only_those_two(opened: Opens, a2: Actor, curator: Actor) -> None:
    """ "If a third fact later disagrees with one of them, it opens its own separate pair."\""""
    first = opened()
    third = fact(a2, BROKEN)
    second = resolving.resolve(
        by=a2, newer_id=third.pk, older_id=first.older_id, verdict=VerdictGiven.CONTRADICTS
    ).conflict
    settled = services.settle(by=curator, pair_id=first.pk, answer=Answer.OLDER)
    assert (settled.remaining, sides(first)) == ([second], (DISPUTED, RETIRED))
    ended = services.settle(by=curator, pair_id=str(second), answer=Answer.OLDER)
    first.refresh_from_db()
    third.refresh_from_db()
    assert (ended.remaining, first.older.status, third.status) == ([], VERIFIED, RETIRED)


def test_a_winner_of_an_authority_pair_stays_current_meanwhile(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened(Reason.AUTHORITY)
    other = fact(a1, BROKEN)
    resolving.resolve(by=a1, newer_id=other.pk, older_id=pair.older_id, verdict=VerdictGiven.REPLACES)
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    assert (len(settled.remaining), sides(pair)) == (1, (VERIFIED, RETIRED))


def test_a_suggestion_holds_no_winner_back(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    fact(a1, BROKEN).conflicts.open_against(pair.older, reason=Reason.UNSURE)
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    assert (settled.remaining, sides(pair)) == ([], (VERIFIED, RETIRED))


# --- the correction


def test_a_correction_is_a_new_verified_fact_linked_by_the_pair_alone(opened: Opens, curator: Actor) -> None:
    pair = opened(category=Category.TERM)
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN, why="Look!")
    correction = settled.correction
    assert correction is not None
    pair.refresh_from_db()
    assert (pair.correction, sides(pair)) == (correction, (RETIRED, RETIRED))
    told = (correction.content, correction.status, correction.category, correction.origin, correction.author_id)
    assert told == (BROKEN, VERIFIED, Category.TERM, Origin.PERSON, curator.user_id)
    assert (correction.replaces.count(), pair.older.replaced_by, pair.newer.duplicate_of) == (0, None, None)
    assert [(move.verb, move.why) for move in history.of(correction)] == [(Verb.ADD, "Look!")]


@pytest.mark.parametrize(("older", "newer"), [(Tier.POLICY, Tier.TEAM), (Tier.INFORMAL, Tier.TEAM)])
def test_a_correction_gets_the_higher_of_the_two_tiers(a1: Actor, curator: Actor, older: Tier, newer: Tier) -> None:
    first, second = fact(a1, LIT, tier=older), fact(a1, OFF, tier=newer)
    pair = resolving.resolve(by=a1, newer_id=second.pk, older_id=first.pk, verdict=VerdictGiven.CONTRADICTS).conflict
    settled = services.settle(by=curator, pair_id=str(pair), answer=Answer.CORRECTION, correction=BROKEN)
    assert settled.correction is not None
    assert settled.correction.tier == (older if older == Tier.POLICY else Tier.TEAM)


def test_a_light_act_lays_down_no_heavy_correction(a1: Actor, a2: Actor) -> None:
    """Also when the heavy side was taken out meanwhile, so that nothing heavy would be retired."""
    older, newer = fact(a1, LIT, tier=Tier.POLICY), fact(a2, OFF, tier=Tier.INFORMAL)
    verdict = VerdictGiven.REPLACES
    pair_id = resolving.resolve(by=a2, newer_id=newer.pk, older_id=older.pk, verdict=verdict).conflict
    assert pair_id
    editing.retire(by=a1, memory_id=older.pk, tier=Tier.POLICY)
    settle = partial(services.settle, by=a2, pair_id=pair_id, answer=Answer.CORRECTION, correction="The lamp glows.")
    assert settle(tier=Tier.INFORMAL).outcome == Outcome.REFUSED
    assert Memory.objects.count() == 2
    assert settle(tier=Tier.POLICY).outcome == Outcome.SETTLED


def test_a_correction_of_a_private_pair_is_private(opened: Opens, a1: Actor) -> None:
    pair = opened(scope=Scope.PRIVATE)
    settled = services.settle(by=a1, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    assert settled.correction is not None
    assert (settled.correction.scope, settled.correction.owner_id) == (Scope.PRIVATE, a1.agent_id)


def test_a_correction_that_is_live_already_is_verified_and_used(opened: Opens, a2: Actor, curator: Actor) -> None:
    pair, known = opened(), fact(a2, BROKEN, confirmed=False)
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction="the LAMP is broken.")
    known.refresh_from_db()
    assert (settled.correction, known.status, Memory.objects.count()) == (known, VERIFIED, 3)


def test_a_correction_that_stands_in_another_pair_is_refused_and_nothing_happens(opened: Opens, curator: Actor) -> None:
    pair = opened()
    opened(older=BROKEN, newer="The lamp is whole.")
    with pytest.raises(Conflict, match="another unsettled pair"):
        services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    assert sides(pair) == (DISPUTED, DISPUTED)


def test_only_a_person_corrects_by_what_a_person_retired(opened: Opens, a2: Actor, curator: Actor) -> None:
    pair, false = opened(), fact(a2, BROKEN)
    editing.retire(by=curator, memory_id=false.pk)
    with pytest.raises(Conflict, match="found false before") as refused:
        services.settle(by=a2, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    assert (refused.value.current, sides(pair)) == (false, (DISPUTED, DISPUTED))
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=BROKEN)
    assert settled.correction is not None
    assert settled.correction.status == VERIFIED


@pytest.mark.parametrize("said", [LIT, "the LAMP  is off."])
def test_a_correction_says_something_else_than_both(opened: Opens, curator: Actor, said: str) -> None:
    pair = opened()
    with pytest.raises(InvalidInput) as refused:
        services.settle(by=curator, pair_id=pair.pk, answer=Answer.CORRECTION, correction=said)
    assert set(refused.value.fields) == {"correction"}


# --- not now


def test_what_is_put_off_comes_back_by_itself(opened: Opens, curator: Actor, clock: Clock) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NOT_NOW)
    clock.pass_(days=6, hours=23)
    assert services.wake_put_off() == 0
    clock.pass_(hours=2)
    tasks.wake_put_off()
    pair.refresh_from_db()
    assert (pair.state, pair.put_off_until, sides(pair)) == (State.OPEN, None, (DISPUTED, DISPUTED))
    assert services.wake_put_off() == 0


def test_what_is_put_off_may_be_settled_meanwhile(opened: Opens, curator: Actor, clock: Clock) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NOT_NOW, until=timezone.now() + timedelta(days=1))
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    clock.pass_(days=2)
    assert (services.wake_put_off(), sides(pair)) == (0, (VERIFIED, RETIRED))


def test_a_date_lies_in_the_future_and_goes_with_not_now(opened: Opens, curator: Actor) -> None:
    pair = opened()
    for answer, until in ((Answer.NOT_NOW, timezone.now()), (Answer.OLDER, datetime(2099, 1, 1, tzinfo=UTC))):
        with pytest.raises(InvalidInput) as refused:
            services.settle(by=curator, pair_id=pair.pk, answer=answer, until=until)
        assert set(refused.value.fields) == {"until"}


# --- who may, and what is in the way


def test_a_pair_of_anothers_private_facts_is_not_there(opened: Opens, a2: Actor, b1: Actor, curator: Actor) -> None:
    pair = opened(scope=Scope.PRIVATE)
    for by, id_ in ((a2, pair.pk), (b1, pair.pk), (curator, pair.pk), (curator, UUID(int=1)), (curator, "x")):
        with pytest.raises(NotFound):
            services.settle(by=by, pair_id=id_, answer=Answer.OLDER)
    assert sides(pair) == (DISPUTED, DISPUTED)


def test_a_side_that_was_taken_out_meanwhile_stays_as_it_is(opened: Opens, a1: Actor, curator: Actor) -> None:
    pair = opened()
    editing.retire(by=a1, memory_id=pair.newer_id, why="Wrong.")
    with pytest.raises(Conflict, match="taken out"):
        services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    settled = services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    assert (settled.retired, sides(pair)) == ([], (VERIFIED, RETIRED))
    assert history.of(pair.newer)[-1].why == "Wrong."


def test_a_settled_pair_is_not_settled_again(opened: Opens, curator: Actor) -> None:
    pair = opened()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.OLDER)
    for answer in (Answer.NEWER, Answer.OLDER, Answer.NOT_NOW):
        with pytest.raises(Conflict, match="settled already") as refused:
            services.settle(by=curator, pair_id=pair.pk, answer=answer)
        assert refused.value.current == pair
