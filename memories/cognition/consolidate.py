"""Near-identical facts: what differs in nothing but form becomes one; where that is not sure, people are asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from memories.choices import Category
from memories.cognition.base import Budget, Since, Step, StepReport
from memories.cognition.judging import PROPOSED_FROM, Sameness, judge
from memories.cognition.neighbours import Neighbours, Pair
from memories.cognition.reading import Changes
from memories.models import Product
from memories.services import concluding, proposals

#: The same words always lie closer, whatever the model.
FLOOR = 0.8


@dataclass(slots=True)
class _Counts:
    read: int = 0
    written: int = 0
    proposed: int = 0
    skipped: int = 0


def consolidate(product: Product, since: Since, budget: Budget) -> StepReport:
    proposals.forget_gone(product)
    near = Neighbours(product, floor=min(FLOOR, PROPOSED_FROM))
    changes, counts = Changes(product, since, budget), _Counts()
    for batch in changes:
        rows = [row for row in batch.values() if row]
        counts.read += len(rows)
        asked = [pair for pair in near.pairs(rows) if _may_be_one(pair)]
        _act(product, asked, budget, counts)
    return StepReport(
        counts.read, counts.written, counts.proposed, counts.skipped, changes.is_whole, changes.cursor
    )  # fmt: skip


def _may_be_one(pair: Pair) -> bool:
    """About the same time and the same person: else the same words say two things. A rule to follow is no fact."""
    older, newer = pair.older, pair.newer
    same_time = (older.about_from, older.about_until) == (newer.about_from, newer.about_until)
    is_rule = Category.INSTRUCTION in (older.category, newer.category) and older.category != newer.category
    return same_time and older.person == newer.person and not is_rule


def _act(product: Product, asked: Sequence[Pair], budget: Budget, counts: _Counts) -> None:
    """All answers are known and sound before the first of them is acted upon."""
    answers = judge([(pair.older.content, pair.newer.content, pair.similarity) for pair in asked], budget)
    by = concluding.actor_of(product)
    for pair, answer in zip(asked, answers, strict=True):
        if answer.sameness == Sameness.SAME:
            done = proposals.merge_certain(
                product, pair.older, pair.newer, by=by, reason=answer.reason, run=budget.run
            )  # fmt: skip
            counts.written += done
            counts.skipped += not done
        elif answer.sameness == Sameness.PERHAPS:
            counts.proposed += proposals.propose_merge(
                product, pair.older, pair.newer, reason=answer.reason, confidence=answer.confidence, run=budget.run
            )  # fmt: skip


STEP = Step(
    "consolidate",
    "Make one of what says the same",
    "Finds facts that say the same in other words. What differs only in form becomes one fact, with the evidence of "
    "both; where it is not sure, it asks you under Proposals. Both can be undone.",
    consolidate,
)
