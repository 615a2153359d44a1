"""A pass over a source. One bad item never stops it, and it goes on from the last page whose changes were stored."""

import logging
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import DatabaseError, OperationalError, transaction
from django.utils import timezone

from memories.choices import Trigger
from memories.errors import NeuronzError
from memories.scheduling import next_due, wait_after
from sources import secrets
from sources.choices import ProblemKind, RunState, SourceState
from sources.connectors.base import Change, Connection, Connector, ConnectorError, Gone, Item, Page, Skipped, Unchanged
from sources.connectors.registry import connector_of
from sources.models import Source, SyncRun
from sources.syncing import claims, items, sweeps
from sources.syncing.claims import ClaimLost, Pass

logger = logging.getLogger(__name__)

STOPPED = "It was told to stop; the next run goes on where it was."
#: A pass that was told to stop is due again so soon.
SOON = timedelta(seconds=30)
#: An index of the database holds no longer key.
LONGEST_KEY = 2_000

#: Told after every page, for whoever watches.
Watch = Callable[[Pass], None]


def sync(source_id: UUID, *, trigger: Trigger, by: str = "", watch: Watch | None = None) -> SyncRun | None:
    """Read a source now, in this process. None if another process is at it, or it is paused."""
    held = claims.begin(source_id, trigger=trigger, by=by)
    if held is None:
        return None
    try:
        _pass(held, watch)
    except ClaimLost:
        logger.warning("Source %s was taken over by another process.", source_id)
        held.run.refresh_from_db()
    return held.run


def connector_for(source: Source, versions: Any) -> tuple[Connector, Mapping[str, str]]:
    """The source's connector, and the secrets it was given: no text of it leaves here with one of them."""
    try:
        opened = secrets.unseal(bytes(source.sealed))
    except secrets.Sealed as error:
        raise ConnectorError(error.sentence, permanent=True) from None
    return connector_of(source.type)(Connection(source.values, opened, versions)), opened


def _pass(held: Pass, watch: Watch | None) -> None:
    hidden: Mapping[str, str] = {}
    try:
        connector, hidden = connector_for(held.source, lambda keys: items.versions(held, keys))
        items.finish_left(held)
        with closing(connector.pages(held.source.cursor)) as pages:  # type: ignore[type-var]  # a generator, by contract
            for page in pages:
                _page(held, page)
                if watch:
                    watch(held)
    except ConnectorError as error:
        _failed(held, secrets.redact(error.sentence, hidden), permanent=error.permanent, asked=error.retry_after)
    except (ClaimLost, DatabaseError):
        raise
    except Exception as error:  # noqa: BLE001  # whatever a client library raises: the other sources go on
        logger.warning("Source %s failed: %s", held.source.pk, type(error).__name__)
        _failed(held, f"Its connector failed in a way it does not know ({type(error).__name__}).")
    except BaseException:
        columns = {"next_due_at": timezone.now() + SOON} if held.source.next_due_at else {}
        claims.finish(held, state=RunState.STOPPED, error=STOPPED, source=columns)
        raise
    else:
        due = _next_due(held.source)
        kept = {"failures": 0, "reason": "", "next_due_at": due}
        if held.run.trigger != Trigger.SCHEDULE:
            kept |= {"state": SourceState.ACTIVE} if held.source.failures else {}
        claims.finish(held, state=RunState.DONE, source=kept)


def _page(held: Pass, page: Page) -> None:
    """Every change in its own short transactions; the cursor only once all of them are stored."""
    if page.begins is not None:
        sweeps.begin(held, page.begins)
    rows = items.rows_of(held, _keys(page))
    met: list[str] = []
    for change in page.changes:
        if isinstance(change, Unchanged):
            continue
        _one(held, change, rows)
        if not isinstance(change, Gone):
            met.append(change.key)
    same = [change.key for change in page.changes if isinstance(change, Unchanged)]
    if same:
        items.unchanged(held, same)
    sweeps.met(held, met)
    held.counts["seen"] += len(met) + len(same)
    if page.ends is not None:
        for row in sweeps.end(held, page.ends):
            held.now_at = row.key
            items.remove(held, row)
            claims.beat(held)
    source = held.source
    source.cursor = dict(page.cursor)
    claims.keep(held, cursor=source.cursor, sweep=source.sweep, sweeps=source.sweeps)
    claims.beat(held)


def _keys(page: Page) -> set[str]:
    keys = {change.key for change in page.changes if not isinstance(change, Unchanged)}
    return keys | {change.formerly for change in page.changes if isinstance(change, Item) and change.formerly}


def _one(held: Pass, change: Change, rows: items.Rows) -> None:
    held.now_at = change.key
    claims.beat(held)
    if len(change.key.encode()) > LONGEST_KEY:
        _item_failed(held, f"{change.key[:500]}…", "its name is too long to be kept")
        return
    try:
        if isinstance(change, Item):
            items.read(held, change, rows)
        elif isinstance(change, Gone):
            items.gone(held, change, rows)
        elif isinstance(change, Skipped):
            items.skipped(held, change, rows)
        elif not isinstance(change, Unchanged):
            items.unread(held, change, rows)
    except NeuronzError as error:
        _item_failed(held, change.key, error.sentence)
    except (ClaimLost, OperationalError):
        raise
    except Exception as error:  # noqa: BLE001  # one bad item never stops a run
        logger.warning("An item of source %s failed: %s", held.source.pk, type(error).__name__)
        _item_failed(held, change.key, f"it could not be stored ({type(error).__name__})")


def _item_failed(held: Pass, key: str, reason: str) -> None:
    """Noted, and asked for again by the next run that lists it."""
    with transaction.atomic():
        held.problem(ProblemKind.FAILED, key, reason)


def _next_due(source: Source) -> Any:
    return next_due(source.schedule, after=timezone.now(), zone=source.zone, jitter=source.jitter)


def _failed(held: Pass, sentence: str, *, permanent: bool = False, asked: float | None = None) -> None:
    """A permanent error pauses the source; else it is tried again, later each time."""
    source, failures = held.source, held.source.failures + 1
    columns: dict[str, Any] = {"failures": failures, "reason": sentence}
    if permanent:
        columns |= {"state": SourceState.PAUSED, "next_due_at": None}
    elif (due := _next_due(source)) is not None:
        columns["next_due_at"] = max(timezone.now() + wait_after(failures, asked=asked), _sooner(source, due))
    claims.finish(held, state=RunState.FAILED, error=sentence, source=columns)


def _sooner(source: Source, due: Any) -> Any:
    """One that is read once a day is tried again before tomorrow; one read every minute is not, before its time."""
    every = source.schedule.every
    return min(due, timezone.now() + every) if every and not source.times else timezone.now()
