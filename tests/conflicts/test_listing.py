"""Which pairs who sees, and what the badge counts."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from conflicts import listing, services
from conflicts.choices import Answer, State
from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import Category, Reason, Scope, Tier, VerdictGiven
from memories.models import Product
from memories.services import resolving
from tests.conflicts.conftest import Opens
from tests.factories import fact


@pytest.fixture
def every(opened: Opens) -> dict[str, Pair]:
    kinds: dict[str, dict[str, Any]] = {
        "disagreement": {}, "authority": {"reason": Reason.AUTHORITY}, "unsure": {"reason": Reason.UNSURE},
        "persona": {"category": Category.PERSONA}, "private": {"scope": Scope.PRIVATE},
    }  # fmt: skip
    return {
        name: opened(**more, older=f"The {name} lamp is lit.", newer=f"The {name} lamp is off.")
        for name, more in kinds.items()
    }


def names(found: Any, every: dict[str, Pair]) -> set[str]:
    ids = set(found.values_list("pk", flat=True))
    return {name for name, pair in every.items() if pair.pk in ids}


def listed(by: Actor, every: dict[str, Pair], **wanted: Any) -> set[str]:
    return names(listing.narrowed(by, {"state": State.OPEN, **wanted}), every)


def test_an_agent_sees_shared_pairs_and_its_own_private_ones(
    every: dict[str, Pair], a1: Actor, a2: Actor, b1: Actor
) -> None:
    assert listed(a1, every) == set(every)
    assert listed(a2, every) == set(every) - {"private"}
    assert listed(b1, every) == set()


def test_a_person_sees_no_private_pair_not_even_a_superuser(
    every: dict[str, Pair], curator: Actor, orchard: Product
) -> None:
    people = get_user_model().objects
    superuser, outsider = people.create_superuser("root"), people.create_user("outsider", is_staff=True)
    shared = set(every) - {"private"}
    assert listed(curator, every) == shared
    assert names(Pair.objects.shown_to(people.get(username="curator")), every) == shared
    assert names(Pair.objects.shown_to(superuser), every) == shared
    assert names(Pair.objects.shown_to(outsider), every) == set()


def test_the_badge_counts_open_pairs_but_no_suggestions_and_no_persona_traits(
    every: dict[str, Pair], curator: Actor
) -> None:
    user = get_user_model().objects.get(username="curator")
    assert names(Pair.objects.shown_to(user).in_badge(), every) == {"disagreement", "authority"}
    services.settle(by=curator, pair_id=every["disagreement"].pk, answer=Answer.NOT_NOW)
    services.settle(by=curator, pair_id=every["authority"].pk, answer=Answer.OLDER)
    assert names(Pair.objects.shown_to(user).in_badge(), every) == set()


@pytest.mark.parametrize(
    ("answer", "state"), [(Answer.NOT_NOW, State.PUT_OFF), (Answer.OLDER, State.SETTLED), (None, State.OPEN)]
)
def test_a_pair_is_listed_under_its_state(
    *, every: dict[str, Pair], curator: Actor, answer: Answer | None, state: State
) -> None:
    if answer:
        services.settle(by=curator, pair_id=every["disagreement"].pk, answer=answer)
    assert [each for each in State if "disagreement" in listed(curator, every, state=each)] == [state]


def test_what_needs_clarification_is_a_refusal_whose_newer_side_still_waits(
    every: dict[str, Pair], curator: Actor
) -> None:
    assert listed(curator, every, needs_clarification=True) == {"authority"}
    assert "authority" not in listed(curator, every, needs_clarification=False)
    services.settle(by=curator, pair_id=every["authority"].pk, answer=Answer.NEITHER)
    assert listed(curator, every, needs_clarification=True, state=State.SETTLED) == set()


def test_a_suggestion_whose_older_side_is_refused_needs_clarification_too(a1: Actor) -> None:
    weak, strong = fact(a1, "The lamp is lit.", tier=Tier.INFORMAL), fact(a1, "The lamp is off.")
    pair = strong.conflicts.open_against(weak, reason=Reason.UNSURE)
    resolving.resolve(by=a1, newer_id=weak.pk, older_id=strong.pk, verdict=VerdictGiven.REPLACES)
    assert list(listing.narrowed(a1, {"state": State.OPEN, "needs_clarification": True})) == [pair]
    assert not listing.narrowed(a1, {"state": State.OPEN, "needs_clarification": False}).exists()


def test_a_pair_counts_once_however_often_it_is_found(every: dict[str, Pair]) -> None:
    pair = every["unsure"]
    for newer, older in ((pair.newer, pair.older), (pair.older, pair.newer)):
        assert newer.conflicts.open_against(older, reason=Reason.UNSURE) == pair
    assert Pair.objects.count() == len(every)
