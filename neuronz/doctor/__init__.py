"""`manage.py doctor`: looks at everything this server needs, and says of each finding what to do.

A check is a function that yields findings; one that can't look (its part is away) is itself a finding.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    #: Works, and somebody should look at it.
    WARNING = "warning"
    #: Something doesn't work, or soon won't.
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    #: What was looked at, in a word or two.
    part: str
    sentence: str
    #: What to do; empty where all is well.
    remedy: str = ""


Check = Callable[[], Iterator[Finding]]


def ok(part: str, sentence: str) -> Finding:
    return Finding(Level.OK, part, sentence)


def warning(part: str, sentence: str, remedy: str) -> Finding:
    return Finding(Level.WARNING, part, sentence, remedy)


def problem(part: str, sentence: str, remedy: str) -> Finding:
    return Finding(Level.PROBLEM, part, sentence, remedy)


def examine(checks: dict[str, Check]) -> Iterator[Finding]:
    """Every check, whatever the others met."""
    for part, check in checks.items():
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001  # whatever a part raises, the others are looked at too
            yield problem(part, f"Could not be looked at: {type(error).__name__}.", "Mend the problems above first.")
