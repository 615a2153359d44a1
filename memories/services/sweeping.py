"""Putting a pair before people that cognition found: both sides as they still are, in one short transaction."""

from django.db import transaction

from memories.models import Memory, Product
from memories.services import access, lifecycle, recording
from memories.services.concluding import actor_of


def suggest(product: Product, newer: Memory, *, older: Memory) -> bool:
    """Whether the pair was opened: not when a side has moved meanwhile, or the two stand in one already."""
    with transaction.atomic():
        access.lock_pool(product.pk, None)
        held = access.locked_memories(actor_of(product), [newer.pk, older.pk])
        stands = len(held) == 2 and all(each.is_current for each in held)
        if not stands or not all(recording.still_says(each) for each in (newer, older)):
            return False
        if lifecycle.unsettled_pair(newer, older):
            return False
        lifecycle.suggest(newer, older=older)
        return True
