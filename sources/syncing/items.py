"""What one change does: the item is read again, its memories stay in step, and its row says so."""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from memories import screening
from memories.choices import LIVE, Outcome, Status, WriteState
from memories.models import Memory, Write
from memories.provenance import Provenance
from memories.services import intake, statements, withdrawing
from memories.services.drafts import Label
from sources.choices import ItemState, ProblemKind
from sources.connectors.base import Gone, Item, Skipped, Unread
from sources.decisions import is_older_revision
from sources.models import SourceItem
from sources.services import OLDER_REVISION, SETTLED, finish, warm
from sources.syncing import claims
from sources.syncing.claims import Pass

REMOVED = "Removed at source."
RETURNED = "It is back at the source."
#: Rows in these states keep their memories in recall.
KEPT = (ItemState.PRESENT, ItemState.UNREAD)

Rows = dict[str, SourceItem]


def rows_of(held: Pass, keys: Iterable[str]) -> Rows:
    found = SourceItem.objects.filter(source=held.source, key__in=set(keys)).select_related("raw__write")
    return {row.key: row for row in found}


def versions(held: Pass, keys: Collection[str]) -> Mapping[str, str]:
    """The versions that connectors compare by. What is not in recall has none, so that it is fetched again."""
    keys = [each for each in keys if screening.storable(each)[1] == 0]
    rows = SourceItem.objects.filter(source=held.source, key__in=keys, state=ItemState.PRESENT).exclude(version="")
    return dict(rows.values_list("key", "version"))


def read(held: Pass, item: Item, rows: Rows) -> None:
    """An item as it reads now: new, changed, moved, back again, or the same."""
    row = _row_for(held, item, rows)
    if row and is_older_revision(item.revised_at, row.revised_at):
        held.problem(ProblemKind.SKIPPED, item.key, OLDER_REVISION)
        return
    if item.left_out:
        held.problem(ProblemKind.CUT, item.key, item.left_out)
    digest = sha256(item.text.encode("utf-8", "surrogatepass")).digest()
    row = row or SourceItem(source=held.source, product=held.source.product, key=item.key)
    was_gone = row.state not in KEPT and row.raw is not None
    if was_gone:
        _reinstate(held, row)
    if row.raw and bytes(row.digest) == digest:
        _note(row, item)
        row.save()
        _read_to_the_end(held, row, "unchanged")
    else:
        _remember(held, row, item, digest)
    held.counts["restored"] += was_gone


def unchanged(held: Pass, keys: Collection[str]) -> int:
    """Those that read as before: nothing is written but that they were met."""
    rows = SourceItem.objects.filter(source=held.source, key__in=keys, state__in=KEPT)
    count = rows.update(seen=held.source.sweep, state=ItemState.PRESENT, reason="")
    held.counts["unchanged"] += count
    return count


def gone(held: Pass, change: Gone, rows: Rows) -> None:
    row = rows.get(change.key)
    if row and row.state in KEPT:
        remove(held, row)


def remove(held: Pass, row: SourceItem, *, state: ItemState = ItemState.GONE, why: str = REMOVED) -> None:
    """Its memories are retired, unless something else holds them up."""
    if row.raw:
        held.counts["retired"] += withdrawing.withdraw_text(by=held.by, raw=row.raw, why=why).statements
    SourceItem.objects.filter(pk=row.pk).update(state=state, reason="", version="")
    held.counts["removed"] += 1


def unread(held: Pass, change: Unread, rows: Rows) -> None:
    """What is known of it stays."""
    held.problem(ProblemKind.FAILED, change.key, change.reason)
    row = rows.get(change.key)
    if row and row.state in KEPT:
        SourceItem.objects.filter(pk=row.pk).update(state=ItemState.UNREAD, reason=change.reason[:1000], version="")


def skipped(held: Pass, change: Skipped, rows: Rows) -> None:
    held.problem(ProblemKind.SKIPPED, change.key, change.reason)
    row = rows.get(change.key)
    if row and row.state in KEPT:
        remove(held, row, state=ItemState.SKIPPED, why=f"Not read from the source any more: {change.reason}.")


def finish_left(held: Pass) -> None:
    """Read to the end what an earlier run stored and could not read: its process died, or the reading failed."""
    left = SourceItem.objects.filter(source=held.source, state__in=KEPT, raw__isnull=False)
    left = left.exclude(raw__write__state__in=SETTLED).select_related("raw__write")
    for row in left.iterator(chunk_size=100):
        _read_to_the_end(held, row, "")


def _row_for(held: Pass, item: Item, rows: Rows) -> SourceItem | None:
    """Its row: by its key, by the key it had, or the row of a removed item that reads the same."""
    row = rows.get(item.key)
    if row:
        return row
    row = rows.get(item.formerly) if item.formerly else _removed_twin(held, item)
    if row:
        rows.pop(row.key, None)
        row.key = item.key
        rows[item.key] = row
        held.counts["moved"] += 1
    return row


def _removed_twin(held: Pass, item: Item) -> SourceItem | None:
    """A moved item, told as a removed one and a new one that reads the same. An empty text is nobody's twin."""
    if not item.text.strip():
        return None
    digest = sha256(item.text.encode("utf-8", "surrogatepass")).digest()
    twins = SourceItem.objects.filter(source=held.source, state=ItemState.GONE, digest=digest)
    return twins.select_related("raw__write").order_by("-read_at").first()


def _reinstate(held: Pass, row: SourceItem) -> None:
    if row.raw:
        back = withdrawing.reinstate_text(by=held.by, raw=row.raw, why=RETURNED)
        held.counts["brought_back"] += back.statements


def _note(row: SourceItem, item: Item) -> None:
    """What the row says of an item that could be read."""
    row.title, row.url, row.version = item.title[:1000], item.url, item.version
    row.revised_at = item.revised_at or row.revised_at
    row.state, row.reason = ItemState.PRESENT, ""


def _remember(held: Pass, row: SourceItem, item: Item, digest: bytes) -> None:
    """Store the text and the row in one transaction, so that a stop at any point doubles nothing; then read it."""
    before, is_new = row.raw, row.raw is None
    provenance = Provenance(
        source_id=held.source.pk, source_name=held.source.name, item_key=item.key, item_url=item.url,
        run_id=held.run.pk,
    )  # fmt: skip
    with transaction.atomic():
        write = intake.receive(held.by, item.text, Label(tier=held.to.tier), provenance=provenance, follows=before)
        _note(row, item)
        row.raw, row.digest, row.read_at, row.seen = write.raw, digest, timezone.now(), held.source.sweep
        row.save()
    _read_to_the_end(held, row, "new" if is_new else "changed", before=before)


def _read_to_the_end(held: Pass, row: SourceItem, counted_as: str, *, before: Memory | None = None) -> None:
    """Have the item's text read, if it is not yet, and count what came of it."""
    write = Write.objects.select_related("raw").get(raw=row.raw_id)
    if write.state in SETTLED:
        _count(held, counted_as)
        return
    follows = before or write.follows
    live = _live_of(follows)
    with claims.reading(held, write.raw.content):
        if write.state == WriteState.RECEIVED and write.attempts == 0:
            warm()
            statements.read_write(write.pk)
            write.refresh_from_db()
        if write.state != WriteState.DONE:
            write = finish(write, held.to)
    if write.state != WriteState.DONE:
        held.problem(ProblemKind.FAILED, row.key, write.reason or "its reading is not finished")
        return
    _count(held, counted_as)
    _count_statements(held, write, live)


def _count(held: Pass, column: str) -> None:
    """What an earlier run has counted already is no news of this one."""
    if column:
        held.counts[column] += 1


def _live_of(raw: Memory | None) -> list[Memory]:
    if raw is None:
        return []
    said = Memory.objects.filter(pk__in=withdrawing.said_in([raw.pk]), status__in=LIVE)
    return list(said.statements_only().only("pk"))


def _count_statements(held: Pass, write: Write, were_live: Collection[Memory]) -> None:
    outcomes = list(write.statements.values_list("outcome", flat=True))
    held.counts["added"] += sum(each not in (Outcome.KNOWN, Outcome.UNCHANGED) for each in outcomes)
    now = Memory.objects.filter(pk__in=[each.pk for each in were_live]).values_list("status", flat=True)
    fates = list(now) if were_live else []
    held.counts["superseded"] += sum(each == Status.SUPERSEDED for each in fates)
    held.counts["retired"] += sum(each == Status.RETIRED for each in fates)
