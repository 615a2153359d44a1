"""Schemas: patterns over many facts, each with its evidence, its support and what speaks against it."""

from memories.choices import Kind
from memories.cognition import habits, observing, patterns
from memories.cognition.base import Budget, Since, Step, StepReport
from memories.cognition.patterns import Pattern
from memories.cognition.reading import Changes
from memories.cognition.renewing import renew
from memories.models import Product
from memories.services.concluding import Finding

NAME = "schemas"
#: As many memories as a pattern names for its evidence.
MOST_GROUNDS = 50


def induce(product: Product, since: Since, budget: Budget) -> StepReport:
    """Everything is looked at again once anything has changed: a pattern is a matter of the whole."""
    changes = Changes(product, since, budget)
    moved = sum(len(batch) for batch in changes)
    if not moved or not changes.is_whole:
        return StepReport(read=moved, is_whole=changes.is_whole, cursor=changes.cursor)
    said = list(observing.statements(product))
    found = [*patterns.conventions(said), *habits.habits(said)]
    written, skipped, is_whole = renew(product, NAME, [_finding(each) for each in found], budget)
    cursor = changes.cursor if is_whole else since.cursor
    return StepReport(read=len(said), written=written, skipped=skipped, is_whole=is_whole, cursor=cursor)


def _finding(found: Pattern) -> Finding:
    return Finding(
        step=NAME, subject=found.subject, content=found.text, kind=Kind.SCHEMA, grounds=found.grounds[:MOST_GROUNDS],
        counters=found.counters[:MOST_GROUNDS], support=found.support,
    )  # fmt: skip


STEP = Step(
    NAME,
    "Find patterns",
    "Finds what most things of a sort do alike and on which days things happen, from three independent facts on. "
    "Exceptions are named. A pattern is written anew or goes when its facts change.",
    induce,
)
