"""Which pairs a caller asks for."""

from collections.abc import Mapping
from typing import Any

from conflicts.managers import NEEDS_CLARIFICATION, ConflictQuerySet
from conflicts.models import Conflict
from memories.actors import Actor


def narrowed(by: Actor, wanted: Mapping[str, Any]) -> ConflictQuerySet:
    """The pairs the actor may see, narrowed by `state`, `persona`, `reason` and `needs_clarification` where given."""
    rows: ConflictQuerySet = Conflict.objects.visible_to(by).filter(state=wanted["state"])
    if "persona" in wanted:
        rows = rows.filter(persona=wanted["persona"])
    if "reason" in wanted:
        rows = rows.filter(reason=wanted["reason"])
    if "needs_clarification" in wanted:
        rows = rows.filter(NEEDS_CLARIFICATION if wanted["needs_clarification"] else ~NEEDS_CLARIFICATION)
    return rows
