"""What a step found on the whole, brought together with what it had written before."""

from collections.abc import Sequence

from memories.choices import CURRENT
from memories.cognition.base import Budget
from memories.models import Conclusion, Product
from memories.services import concluding
from memories.services.concluding import Finding, Made

WHY = "What it rested on has changed, and no longer shows it."


def renew(product: Product, step: str, found: Sequence[Finding], budget: Budget) -> tuple[int, int, bool]:
    """Write what is new, replace what has changed, withdraw what is found no more. Says how much, and whether all."""
    written = skipped = 0
    for finding in found:
        if budget.is_spent:
            return written, skipped, False
        made = concluding.conclude(product, finding).made
        written += made in (Made.ADDED, Made.REPLACED)
        skipped += made in (Made.LEFT, Made.MISSED)
    rows = Conclusion.objects.filter(product=product, step=step, memory__status__in=CURRENT)
    for gone in rows.exclude(subject__in={each.subject for each in found}).select_related("memory"):
        written += concluding.withdraw(product, gone.memory, why=WHY)
    return written, skipped, True
