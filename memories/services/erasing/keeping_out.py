"""What was erased does not come back: known by its keyed hash in every text that is read, and blotted out there."""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import F

from memories.models import Memory, Write
from memories.reading import Statement
from memories.services.drafts import key_of
from memories.services.erasing import digests
from memories.services.erasing.eraser import guards_lifted
from memories.services.erasing.memories import blot_out

#: A text without its erased statements may read otherwise; then it is looked at again.
MOST_ROUNDS = 3


def without_erased(write: Write, read: Callable[[], Sequence[Statement]]) -> Sequence[Statement]:
    """Read a text; where it says something that was erased, blot that out, count it on the receipt, and read again."""
    for _ in range(MOST_ROUNDS):
        found = read()
        erased = digests.among(
            {key_of(each.text) for each in found}, product_id=write.product_id, owner_id=write.raw.owner_id
        )
        gone = [each for each in found if key_of(each.text) in erased] if erased else []
        if not gone:
            return found
        _blot_out(write, gone)
    return [each for each in read() if key_of(each.text) not in erased]


def _blot_out(write: Write, gone: Sequence[Statement]) -> None:
    with transaction.atomic(), guards_lifted():
        Write.objects.filter(pk=write.pk).update(left_out=F("left_out") + len(gone))
        raw = Memory.objects.select_for_update(of=("self",), no_key=True).get(pk=write.raw_id)
        blot_out(raw, [(each.start, each.end) for each in gone])
    write.raw.refresh_from_db(fields=["content", "key"])
