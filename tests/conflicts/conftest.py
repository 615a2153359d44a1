"""Pairs to settle: one for each reason."""

from collections.abc import Callable

import pytest

from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Reason, Tier, VerdictGiven
from memories.services import lifecycle, resolving
from tests.factories import fact

LIT, OFF = "The lamp is lit.", "The lamp is off."
Opens = Callable[..., Conflict]


def sides(pair: Conflict) -> tuple[str, str]:
    """How the older and the newer side stand now."""
    older, newer = Conflict.objects.values_list("older__status", "newer__status").get(pk=pair.pk)
    return older, newer


@pytest.fixture
def opened(a1: Actor) -> Opens:
    """Open a pair of two facts, for a reason, by an agent."""

    def open_pair(
        reason: Reason = Reason.DISAGREEMENT, *, older: str = LIT, newer: str = OFF, **more: object
    ) -> Conflict:
        tier = {"tier": Tier.POLICY} if reason == Reason.AUTHORITY else {}
        first, second = fact(a1, older, **{**more, **tier}), fact(a1, newer, **more)
        if reason == Reason.UNSURE:
            lifecycle.suggest(second, older=first)
        else:
            resolving.resolve(by=a1, newer_id=second.pk, older_id=first.pk, verdict=VerdictGiven.CONTRADICTS)
        pair: Conflict = second.conflicts.get()
        assert pair.reason == reason
        return pair

    return open_pair
