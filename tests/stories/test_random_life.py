"""Agents, a person and a source at random: whatever they do, the promises of product.md hold after every step.

`LIVES=500 pytest tests/stories/test_random_life.py` looks further, and at other lives each time.
"""

import os

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.stateful import run_state_machine_as_test
from pytest_django import Settings

from tests.stories.life import Life

LIVES = int(os.environ.get("LIVES", "25"))
STEPS = 25
#: What must have been done at least once, or the lives were too dull to prove anything.
DONE = {
    "say: added", "say: known", "say: superseded", "submit: done", "resolve contradicts: disputed",
    "resolve contradicts: refused", "resolve replaces: replaced", "edit: edited", "edit: refused", "respell: edited",
    "retire: retired", "retire: refused", "restore: restored", "verify: confirmed", "settle older: settled",
    "settle newer: settled", "settle neither: settled", "settle correction: settled", "settle both: settled",
    "settle not_now: put_off", "undo: undone",
}  # fmt: skip


@pytest.mark.django_db
def test_the_promises_hold_after_every_step_of_a_random_life(settings: Settings) -> None:
    settings.READER = "tests.stories.life.WordReader"
    Life.tally.clear()
    run_state_machine_as_test(
        Life,
        settings=hypothesis.settings(
            max_examples=LIVES, stateful_step_count=STEPS, deadline=None, database=None,
            derandomize="LIVES" not in os.environ, suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
    assert set(Life.tally) >= DONE
