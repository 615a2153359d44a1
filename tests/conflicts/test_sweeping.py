"""Cognition's steps about pairs: a contradiction that nobody noticed is suggested, and what was put off comes back."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from conflicts import services
from conflicts.choices import Answer, State
from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Reason, Scope, Status, Trigger
from memories.cognition import runner
from memories.models import CognitionRun, Product
from tests import factories

pytestmark = pytest.mark.django_db

OLD, NEW = "The gateway listens on port 8443.", "The gateway listens on port 9443."


def ran(product: Product, step: str) -> CognitionRun:
    rows = runner.run(product, trigger=Trigger.PERSON, only=[step])
    assert rows
    assert rows[0].error == ""
    return rows[0]


def test_two_facts_that_disagree_are_suggested_once_and_stay_current(
    a1: Actor, a2: Actor, curator: Actor, lighthouse: Product
) -> None:
    old, new = factories.fact(a1, OLD), factories.fact(a2, NEW)
    assert ran(lighthouse, "sweep").proposed == 1
    pair = Conflict.objects.get()
    assert (pair.older_id, pair.newer_id, pair.reason) == (old.pk, new.pk, Reason.UNSURE)
    for each in (old, new):
        each.refresh_from_db()
        assert each.status == Status.VERIFIED
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.BOTH)
    assert ran(lighthouse, "sweep").proposed == 0


def test_other_times_other_pools_and_other_words_are_no_contradiction(
    a1: Actor, a2: Actor, b1: Actor, lighthouse: Product
) -> None:
    march, may = (datetime(2026, month, 3, tzinfo=UTC) for month in (3, 5))
    factories.fact(a1, OLD, about=(march, march))
    factories.fact(a2, NEW, about=(may, may))
    factories.fact(a1, "The lamp listens on port 1.", scope=Scope.PRIVATE)
    factories.fact(a1, "The lamp listens on port 2.")
    factories.fact(b1, "The lamp listens on port 3.")
    factories.fact(a1, "Valve V-1603 is open.")
    factories.fact(a1, "Valve V-1605 is closed.")
    row = ran(lighthouse, "sweep")
    assert (row.proposed, Conflict.objects.count()) == (0, 0)


def test_what_one_text_says_is_not_held_against_itself(a1: Actor, lighthouse: Product) -> None:
    factories.write(a1, f"In the old hall: {OLD} In the new hall: {NEW}")
    Conflict.objects.all()
    before = Conflict.objects.count()
    ran(lighthouse, "sweep")
    assert Conflict.objects.count() == before


def test_what_was_put_off_comes_back_on_its_date(a1: Actor, curator: Actor, lighthouse: Product) -> None:
    factories.fact(a1, OLD)
    factories.fact(a1, NEW)
    ran(lighthouse, "sweep")
    pair = Conflict.objects.get()
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NOT_NOW)
    assert ran(lighthouse, "wake").written == 0
    Conflict.objects.filter(pk=pair.pk).update(put_off_until=timezone.now() - timedelta(seconds=1))
    assert ran(lighthouse, "wake").written == 1
    pair.refresh_from_db()
    assert pair.state == State.OPEN
