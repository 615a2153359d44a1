"""What a pass would do now, found without writing anything: neither rows nor the place reached."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic

from memories import screening
from sources import secrets
from sources.connectors.base import Change, ConnectorError, Gone, Item, Page, Skipped, Unchanged
from sources.decisions import is_older_revision
from sources.models import Source, SourceItem
from sources.syncing.engine import connector_for
from sources.syncing.items import KEPT

#: A person waits for it.
MOST_SECONDS = 20.0
MOST_ITEMS = 5_000
LISTED = 200


@dataclass(slots=True)
class Preview:
    """Counts of what would happen, and the first items of each sort. `stopped_early`: there is more to look at."""

    counts: Counter[str] = field(default_factory=Counter)
    listed: list[tuple[str, str, str]] = field(default_factory=list)
    stopped_early: bool = False
    error: str = ""

    def note(self, fate: str, key: str, reason: str = "") -> None:
        self.counts[fate] += 1
        if fate != "unchanged" and len(self.listed) < LISTED:
            self.listed.append((fate, key, reason))


def preview(source: Source) -> Preview:
    """Ask the outside system as a run would. Items are fetched, and nothing of them is kept."""
    found, began = Preview(), monotonic()
    known = SourceItem.objects.filter(source=source)
    met: set[str] = set()
    hidden: dict[str, str] = {}

    def versions(keys: Sequence[str]) -> dict[str, str]:
        keys = [each for each in keys if screening.storable(each)[1] == 0]
        rows = known.filter(key__in=keys, state="present").exclude(version="")
        return dict(rows.values_list("key", "version"))

    try:
        connector, opened = connector_for(source, versions)
        hidden |= opened
        with closing(connector.pages(source.cursor)) as pages:  # type: ignore[type-var]  # a generator, by contract
            for page in pages:
                _page(found, page, source, met)
                found.stopped_early = monotonic() - began > MOST_SECONDS or len(met) > MOST_ITEMS
                if found.stopped_early:
                    break
    except ConnectorError as error:
        found.error = secrets.redact(error.sentence, hidden)
    except Exception as error:  # noqa: BLE001  # whatever a client library raises
        found.error = f"Its connector failed in a way it does not know ({type(error).__name__})."
    return found


def _page(found: Preview, page: Page, source: Source, met: set[str]) -> None:
    keys = {change.key for change in page.changes}
    formerly = {change.formerly for change in page.changes if isinstance(change, Item) and change.formerly}
    rows = {row.key: row for row in SourceItem.objects.filter(source=source, key__in=keys | formerly).defer("raw")}
    for change in page.changes:
        _one(found, change, rows)
    met |= (keys - {change.key for change in page.changes if isinstance(change, Gone)}) | formerly
    if page.ends is not None:
        kept = SourceItem.objects.filter(source=source, key__startswith=page.ends, state__in=KEPT)
        for key in kept.values_list("key", flat=True).iterator():
            if key not in met:
                found.note("removed", key)


def _one(found: Preview, change: Change, rows: dict[str, SourceItem]) -> None:
    row = rows.get(change.key)
    if isinstance(change, Item):
        found.note(*_of_item(change, row or rows.get(change.formerly)))
    elif isinstance(change, Unchanged):
        found.note("unchanged", change.key)
    elif isinstance(change, Gone):
        if row and row.state in KEPT:
            found.note("removed", change.key)
    else:
        found.note("skipped" if isinstance(change, Skipped) else "failed", change.key, change.reason)


def _of_item(item: Item, row: SourceItem | None) -> tuple[str, str, str]:
    if row is None or not row.digest:
        return "new", item.key, item.left_out
    if is_older_revision(item.revised_at, row.revised_at):
        return "skipped", item.key, "older revision"
    if row.state not in KEPT:
        return "restored", item.key, item.left_out
    is_same = bytes(row.digest) == sha256(item.text.encode("utf-8", "surrogatepass")).digest()
    moved = f"was {row.key}" if row.key != item.key else ""
    return "unchanged" if is_same and not moved else "moved" if moved else "changed", item.key, moved or item.left_out
