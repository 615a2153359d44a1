"""What was erased does not come back: known by its keyed hash in every text that is read, and blotted out there."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F

from memories.models import Memory, Write
from memories.reading import Statement
from memories.services.drafts import key_of
from memories.services.erasing import digests
from memories.services.erasing.eraser import guards_lifted
from memories.services.erasing.memories import blot_out

NOT_MASKED = (
    "It repeats something that was erased, and the passage can't be masked; take it out and send the text again."
)


def blot_out_erased(write: Write, chunk: Sequence[Statement], found: Sequence[Statement]) -> bool:
    """Whether these statements hold one that was erased. Then all of the text's are blotted out and counted on the
    receipt, and the text must be read again.

    Asked chunk by chunk, as the text is read: what a reader said before it failed is stored all the same.
    """
    if not _erased(write, chunk):
        return False
    key = bytes(write.raw.key)
    _blot_out(write, _erased(write, found))
    if bytes(write.raw.key) == key:
        raise ValueError(NOT_MASKED)  # shows on the receipt; read again, it would say the same for ever
    return True


def _erased(write: Write, statements: Sequence[Statement]) -> list[Statement]:
    keys = {key_of(each.text) for each in statements}
    erased = digests.among(keys, product_id=write.product_id, owner_id=write.raw.owner_id)
    return [each for each in statements if key_of(each.text) in erased] if erased else []


def _blot_out(write: Write, gone: Sequence[Statement]) -> None:
    with transaction.atomic(), guards_lifted():
        Write.objects.filter(pk=write.pk).update(left_out=F("left_out") + len(gone))
        raw = Memory.objects.select_for_update(of=("self",), no_key=True).get(pk=write.raw_id)
        blot_out(raw, [(each.start, each.end) for each in gone])
    write.raw.refresh_from_db(fields=["content", "key"])
