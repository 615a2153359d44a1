"""A run of cognition: every step that is switched on, one after the other, each in a row of its own.

A step that fails stops nothing else. What the budget stops goes on in the next run.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone
from django.utils.module_loading import import_string

from memories.choices import StepState, Trigger
from memories.cognition import claims
from memories.cognition.base import Budget, Since, Step, StepFailed, StepReport
from memories.cognition.claims import ClaimLost, Held
from memories.errors import InvalidInput, NeuronzError
from memories.models import CognitionRun, Product

logger = logging.getLogger(__name__)

STOPPED = "It was told to stop; the next run goes on where it was."


def all_steps() -> list[Step]:
    """In the order in which they run."""
    return [import_string(path) for path in settings.COGNITION_STEPS]


def run(product: Product, *, trigger: Trigger, by: str = "", only: Sequence[str] = ()) -> Sequence[CognitionRun] | None:
    """Run the steps now, in this process. None if another process is at it, or it is switched off for the clock.

    `only` names steps, also such as are switched off: then a person wants them.
    """
    steps = _chosen(only)
    held = claims.begin(product, trigger=trigger, by=by)
    if held is None:
        return None
    done: list[CognitionRun] = []
    try:
        left = _left_today(held)
        for step in steps:
            if only or step.name not in held.settings.steps_off:
                row = _one(held, step, left)
                left = replace(left, tokens=left.tokens - row.tokens, tokens_used=0)
                done.append(row)
    except ClaimLost:
        logger.warning("Cognition of product %s was taken over by another process.", product.pk)
        return done
    finally:
        claims.release(held)
    return done


def _chosen(only: Sequence[str]) -> list[Step]:
    steps = all_steps()
    unknown = set(only) - {each.name for each in steps}
    if unknown:
        raise InvalidInput.of("step", f"There is no such step; there are {', '.join(each.name for each in steps)}.")
    return [each for each in steps if not only or each.name in only]


def _one(held: Held, step: Step, budget: Budget) -> CognitionRun:
    """One step, whatever happens in it."""
    since = _since(held.product, step)
    row = claims.start(held, step.name)
    budget.run, began = row, monotonic()
    report, state, error = StepReport(cursor=since.cursor, is_whole=False), StepState.FAILED, ""
    try:
        if budget.is_spent:
            state = StepState.PARTLY
        else:
            report = step.run(held.product, since, budget)
            state = StepState.DONE if report.is_whole else StepState.PARTLY
    except ClaimLost:
        raise  # whoever took over has closed this row
    except Exception as failure:  # noqa: BLE001  # whatever a step meets: the others go on
        logger.warning("The step %s of cognition failed: %s", step.name, type(failure).__name__)
        error = _sentence(failure)
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
    except BaseException:
        state, error = StepState.PARTLY, STOPPED
        raise
    finally:
        claims.end(
            row, report, state=state, seconds=monotonic() - began, tokens=budget.tokens_used, error=error
        )  # fmt: skip
    return row


def _sentence(failure: Exception) -> str:
    """For people, and without content: what a library says may repeat a memory."""
    if isinstance(failure, StepFailed | NeuronzError):
        return failure.sentence
    return f"It met something that it does not know ({type(failure).__name__}); nothing else was stopped by it."


def _since(product: Product, step: Step) -> Since:
    """The last whole run, and the last note: of the run that was stopped, if that was later."""
    rows = CognitionRun.objects.filter(product=product, step=step.name).order_by("-id")
    whole = rows.filter(state=StepState.DONE).values_list("started_at", flat=True).first()
    noted: Any = rows.exclude(state=StepState.RUNNING).exclude(cursor={}).values_list("cursor", flat=True).first()
    return Since(whole, noted or {})


def _left_today(held: Held) -> Budget:
    """What a run by the clock may still use today; a person who says "now" has a day's worth of time for it."""
    today = timezone.now().astimezone(held.settings.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    used = _used_since(held.product, today)
    seconds = held.settings.seconds_per_day - (used["seconds"] if held.trigger == Trigger.SCHEDULE else 0)
    tokens = max(held.settings.tokens_per_day - used["tokens"], 0)
    return Budget(until=monotonic() + seconds, tokens=tokens, alive=held.alive)


def _used_since(product: Product, since: datetime) -> dict[str, Any]:
    rows = CognitionRun.objects.filter(product=product, started_at__gte=since)
    used = rows.aggregate(seconds=Sum("seconds"), tokens=Sum("tokens"))
    return {name: number or 0 for name, number in used.items()}
