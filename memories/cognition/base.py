"""What a step of cognition is, what it is given, and what it says afterwards.

A step is found by its dotted path in the setting COGNITION_STEPS, and runs in that order. It reads shared current
memories alone (reading.py), writes through services, and holds no transaction while it thinks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any

from memories.models import CognitionRun, Product


@dataclass(slots=True)
class Budget:
    """What is left to be used. A step looks at `is_spent` between its units of work, and ends early once it is.

    `until` is a reading of the monotonic clock. `alive` renews the claim, and raises when another process took over.
    """

    until: float
    tokens: int = 0
    alive: Callable[[], None] = lambda: None
    tokens_used: int = 0
    #: The row in which this step is told; what it proposes points at it.
    run: CognitionRun | None = None

    @property
    def is_spent(self) -> bool:
        self.alive()
        return monotonic() >= self.until

    @property
    def tokens_left(self) -> int:
        return max(self.tokens - self.tokens_used, 0)

    def use_tokens(self, number: int) -> None:
        """Of a language model. Whoever asks one looks at `tokens_left` before."""
        self.tokens_used += number


@dataclass(frozen=True, slots=True)
class Since:
    """Where the step is: when its last whole run began, and what it noted for the next, also when it was stopped."""

    at: datetime | None = None
    cursor: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step did. `is_whole`: it came to its end; else the next run goes on from `cursor`."""

    read: int = 0
    written: int = 0
    proposed: int = 0
    skipped: int = 0
    is_whole: bool = True
    cursor: Mapping[str, Any] = field(default_factory=dict)


#: `run(product, since, budget)`.
Run = Callable[[Product, Since, Budget], StepReport]


@dataclass(frozen=True, slots=True)
class Step:
    """One sort of work. `explains` is what people read beside the switch that turns it off."""

    name: str
    title: str
    explains: str
    run: Run


class StepFailed(Exception):
    """A step can't go on. The sentence is shown to people, so it repeats no content."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
