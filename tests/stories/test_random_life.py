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


@pytest.mark.django_db
def test_the_promises_hold_after_every_step_of_a_random_life(settings: Settings) -> None:
    settings.READER = "tests.stories.life.WordReader"
    run_state_machine_as_test(
        Life,
        settings=hypothesis.settings(
            max_examples=LIVES, stateful_step_count=STEPS, deadline=None, database=None,
            derandomize="LIVES" not in os.environ, suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
