"""The word index, kept up: rows without weights get theirs, and the terms of large pools are counted again."""

from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from memories.models import Evidence, Memory, TermCounts
from memories.search import rarity
from memories.search.indexing import index

BATCH = 200


def index_waiting(most: int = 20_000) -> int:
    """Index the rows that have no weights yet, those of an older version, and return how many."""
    done = 0
    first = Evidence.objects.filter(memory=OuterRef("pk")).order_by("id").values("speaker")[:1]
    rows = Memory.objects.filter(weights__isnull=True).annotate(speaker=Subquery(first)).order_by("-pk")[:most]
    waiting = rows.values_list("pk", "key", "content", "speaker")
    for pk, key, content, speaker in waiting.iterator(BATCH):
        _index(pk, bytes(key), content, speaker or "")
        done += 1
    return done


def recount() -> int:
    """Count the terms of every large pool that has changed much, and return how many pools."""
    pools = 0
    for (product_id, owner_id), counts in rarity.drifted():
        TermCounts.objects.update_or_create(
            product_id=product_id, owner_id=owner_id,
            defaults={"rows": counts.rows, "counts": dict(counts.held), "counted_at": timezone.now()},
        )  # fmt: skip
        pools += 1
    return pools


def _index(pk: UUID, key: bytes, content: str, speaker: str) -> None:
    """By its key: what was erased meanwhile is not indexed again."""
    indexed = index(content, said_by=speaker)
    Memory.objects.filter(pk=pk, key=key).update(words=indexed.words, weights=indexed.weights)
