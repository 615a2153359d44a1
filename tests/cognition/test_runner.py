"""A run over the steps: each in its row, none stopping another, within a budget, one at a time, on shared memories."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories.actors import Actor
from memories.choices import Scope, StepState, Trigger
from memories.cognition import claims, runner
from memories.cognition.base import Budget, Since, Step, StepFailed, StepReport
from memories.cognition.reading import Changes
from memories.models import CognitionRun, CognitionSettings, Product
from memories.services import editing
from tests import factories

pytestmark = pytest.mark.django_db

#: What the steps below have read.
seen: list[str] = []


def read(product: Product, since: Since, budget: Budget) -> StepReport:
    changes = Changes(product, since, budget)
    rows = [row for batch in changes for row in batch.values() if row]
    seen.extend(row.content for row in rows)
    return StepReport(read=len(rows), is_whole=changes.is_whole, cursor=changes.cursor)


def fail(product: Product, since: Since, budget: Budget) -> StepReport:
    raise ValueError("The vault word is marigold.")


def give_up(product: Product, since: Since, budget: Budget) -> StepReport:
    raise StepFailed("The judge answers nonsense.")


def use_it_up(product: Product, since: Since, budget: Budget) -> StepReport:
    budget.until = 0
    budget.use_tokens(7)
    return StepReport(read=1, is_whole=False, cursor={"move": 12})


READ, FAIL, GIVE_UP, USE = (
    Step(name, name, "For tests.", run)
    for name, run in (("read", read), ("fail", fail), ("give_up", give_up), ("use", use_it_up))
)


@pytest.fixture(autouse=True)
def _steps(settings: Settings) -> None:
    seen.clear()
    settings.COGNITION_STEPS = [f"tests.cognition.test_runner.{name}" for name in ("FAIL", "GIVE_UP", "READ")]


def ran(product: Product, **how: Any) -> dict[str, CognitionRun]:
    rows = runner.run(product, trigger=how.pop("trigger", Trigger.PERSON), **how)
    assert rows is not None
    return {row.step: row for row in rows}


def test_a_failing_step_stops_nothing_else_and_says_why_without_content(lighthouse: Product, a1: Actor) -> None:
    factories.fact(a1, "The lamp is red.")
    rows = ran(lighthouse, by="ada")
    assert {name: row.state for name, row in rows.items()} == {"fail": "failed", "give_up": "failed", "read": "done"}
    assert "ValueError" in rows["fail"].error
    assert "marigold" not in rows["fail"].error
    assert rows["give_up"].error == "The judge answers nonsense."
    assert (rows["read"].read, rows["read"].by) == (1, "ada")
    assert len({row.pass_id for row in rows.values()}) == 1


def test_only_shared_current_memories_of_the_product_are_read(
    lighthouse: Product, a1: Actor, a2: Actor, b1: Actor
) -> None:
    factories.fact(a1, "The lamp is red.")
    for by in (a1, a2):
        factories.fact(by, f"{by.name} keeps a secret.", scope=Scope.PRIVATE)
    factories.fact(b1, "Beyond the wall.")
    gone = factories.fact(a1, "The gate is open.")
    editing.retire(by=a1, memory_id=gone.pk)
    factories.write(a1, "A raw text about the quay.")
    ran(lighthouse)
    assert "The lamp is red." in seen
    assert not {each for each in seen if "secret" in each or "wall" in each or "gate" in each}


def test_steps_switched_off_run_only_when_they_are_asked_for(lighthouse: Product) -> None:
    claims.settings_of(lighthouse)
    CognitionSettings.objects.filter(pk=lighthouse.pk).update(steps_off=["fail", "give_up"])
    assert list(ran(lighthouse)) == ["read"]
    assert list(ran(lighthouse, only=["fail"])) == ["fail"]


def test_one_run_at_a_time_and_a_dead_one_is_taken_over(lighthouse: Product) -> None:
    held = claims.begin(lighthouse, trigger=Trigger.PERSON)
    assert held
    left = claims.start(held, "read")
    assert runner.run(lighthouse, trigger=Trigger.PERSON) is None
    CognitionSettings.objects.filter(pk=lighthouse.pk).update(claimed_until=timezone.now() - timedelta(seconds=1))
    assert ran(lighthouse)["read"].state == StepState.DONE
    left.refresh_from_db()
    assert (left.state, left.error) == (StepState.DIED, claims.DIED)


def test_whoever_was_taken_over_writes_nothing_more(lighthouse: Product) -> None:
    held = claims.begin(lighthouse, trigger=Trigger.PERSON)
    assert held
    CognitionSettings.objects.filter(pk=lighthouse.pk).update(claimed_until=timezone.now() - timedelta(seconds=1))
    assert claims.begin(lighthouse, trigger=Trigger.PERSON)
    held.beat = 0
    with pytest.raises(claims.ClaimLost):
        held.alive()


def test_the_budget_stops_cleanly_and_the_next_run_goes_on(lighthouse: Product, a1: Actor, settings: Settings) -> None:
    settings.COGNITION_STEPS = [f"tests.cognition.test_runner.{name}" for name in ("USE", "READ")]
    factories.fact(a1, "The lamp is red.")
    rows = ran(lighthouse)
    assert {name: row.state for name, row in rows.items()} == {"use": "partly", "read": "partly"}
    assert rows["use"].cursor == {"move": 12}
    assert rows["use"].tokens == 7
    assert not seen
    assert ran(lighthouse, only=["read"])["read"].state == StepState.DONE
    assert seen == ["The lamp is red."]


def test_by_the_clock_a_day_has_so_many_seconds(lighthouse: Product) -> None:
    claims.settings_of(lighthouse)
    CognitionSettings.objects.filter(pk=lighthouse.pk).update(seconds_per_day=0)
    assert {row.state for row in ran(lighthouse, trigger=Trigger.SCHEDULE).values()} == {"partly"}


def test_what_is_due_is_handed_out_once_and_not_in_quiet_hours_or_when_off(lighthouse: Product) -> None:
    assert lighthouse.pk not in claims.take_due()
    rows = CognitionSettings.objects.filter(pk=lighthouse.pk)
    assert rows.get().next_due_at
    past = timezone.now() - timedelta(minutes=1)
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    quiet = {"quiet_from": (hour - timedelta(hours=1)).time(), "quiet_until": (hour + timedelta(hours=2)).time()}
    rows.update(next_due_at=past, **quiet)
    assert claims.take_due() == []
    rows.update(quiet_from=None, quiet_until=None, is_on=False)
    assert claims.take_due() == []
    rows.update(is_on=True)
    assert claims.take_due() == [lighthouse.pk]
    assert claims.take_due() == []
    assert runner.run(lighthouse, trigger=Trigger.SCHEDULE)
    due = rows.get().next_due_at
    assert due
    assert due > timezone.now() + timedelta(hours=5)
