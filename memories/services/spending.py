"""The budget of a language model: so many tokens per product and day, set aside before a request and settled after it.

Setting aside is one conditional update, so ten readers together never spend more than the budget.
"""

from datetime import UTC, date
from uuid import UUID

from django.conf import settings
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from memories.models import ModelUse


class Budget:
    """What one reading may spend, and what it has to say of itself. Made for one text of one product."""

    def __init__(self, product_id: UUID) -> None:
        self.product_id = product_id
        self.day = today()
        self.notes: list[str] = []

    def take(self, tokens: int) -> bool:
        limit = settings.MODEL_TOKENS_PER_DAY
        if tokens > limit:
            return False
        ModelUse.objects.bulk_create([ModelUse(product_id=self.product_id, day=self.day)], ignore_conflicts=True)
        return bool(self._row().filter(tokens__lte=limit - tokens).update(tokens=F("tokens") + tokens))

    def settle(self, taken: int, used: int) -> None:
        self._row().update(tokens=Greatest(F("tokens") + used - taken, Value(0)))

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def _row(self) -> "QuerySet[ModelUse]":
        return ModelUse.objects.filter(product_id=self.product_id, day=self.day)


def today() -> date:
    return timezone.now().astimezone(UTC).date()
