"""The port through which `memories` opens a pair, without an import upward."""

from typing import TYPE_CHECKING

from django.db import models

from conflicts.choices import State
from memories.choices import Category, Reason

if TYPE_CHECKING:
    from conflicts.models import Conflict
    from memories.models import Memory

    _Base = models.Manager["Conflict"]
else:
    _Base = models.Manager


class ConflictManager(_Base):
    """Reached as `newer.conflicts`, so the newer side is filled in. A manager, because a queryset would not know it."""

    instance: "Memory"

    def open_against(self, older: "Memory", *, reason: Reason) -> "Conflict":
        """Open the pair, or return the unsettled one that these two memories already stand in.

        Must run in the caller's transaction: the pair and the statuses it explains stand or fall together.
        """
        newer = self.instance
        persona = older.category == Category.PERSONA and newer.category == Category.PERSONA
        self.model.objects.bulk_create(
            [self.model(product_id=newer.product_id, older=older, newer=newer, reason=reason, persona=persona)],
            ignore_conflicts=True,
        )
        return self.model.objects.get(
            models.Q(older=older, newer=newer) | models.Q(older=newer, newer=older), ~models.Q(state=State.SETTLED)
        )
