"""One pass over a source at a time: claimed by compare and set, and free again by itself when its holder dies."""

from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.actors import Actor
from memories.choices import Origin, Trigger
from memories.services.living import LONG, kept_alive
from sources.choices import ProblemKind, RunState, SourceState, SourceType
from sources.models import Source, SyncProblem, SyncRun
from sources.uploaders import Uploader

#: How long a pass may be silent. It renews its claim between items, and while it reads a long one.
CLAIM = timedelta(minutes=3)
#: It says that it lives this often, and shows how far it is.
BEAT_SECONDS = 2.0
#: So many problems of a run are kept one by one; the rest is counted.
MOST_PROBLEMS = 200
DIED = "The process that ran it ended without a word; the next run goes on where it was."


class ClaimLost(Exception):
    """Another process has taken over: whatever was about to be stored must not be."""


@dataclass(slots=True)
class Pass:
    """One pass over a source, while this process holds it."""

    source: Source
    run: SyncRun
    token: UUID
    to: Uploader
    counts: Counter[str] = field(default_factory=Counter)
    now_at: str = ""
    problems: int = 0
    beat: float = field(default_factory=monotonic)

    @property
    def by(self) -> Actor:
        return self.to.by

    def problem(self, kind: ProblemKind, key: str, reason: str) -> None:
        """Note what happened to one item. The run's own row keeps the first ones only."""
        if kind != ProblemKind.CUT:
            self.counts[kind.value] += 1
        self.problems += 1
        if self.problems <= MOST_PROBLEMS:
            SyncProblem.objects.create(run=self.run, kind=kind, key=key, reason=reason[:1000])
        else:
            self.counts["problems_left_out"] += 1


def begin(source_id: UUID, *, trigger: Trigger, by: str = "") -> Pass | None:
    """Take a source that nobody holds, or whose holder has died. None if somebody has it, or it is paused.

    A person, or a command, may run a paused source: that is how they see whether it works again.
    """
    now, token = timezone.now(), uuid4()
    is_free = Q(claim__isnull=True) | Q(claimed_until__lt=now)
    wanted = Q() if trigger != Trigger.SCHEDULE else Q(state=SourceState.ACTIVE)
    with transaction.atomic():
        taken = (
            Source.objects.filter(is_free, wanted, pk=source_id)
            .exclude(type=SourceType.UPLOAD)
            .update(claim=token, claimed_until=now + CLAIM)
        )
        if not taken:
            return None
        SyncRun.objects.filter(source=source_id, state=RunState.RUNNING).update(
            state=RunState.STOPPED, finished_at=now, now_at="", error=DIED
        )
        source = Source.objects.select_related("product").get(pk=source_id)
        run = SyncRun.objects.create(
            product=source.product, source=source, trigger=trigger, by=by, started_at=now, beat_at=now
        )
    actor = Actor(type=Origin.SOURCE, name=source.name, product_id=source.product_id, source_id=source.pk)
    return Pass(source, run, token, Uploader(actor, source.product, source.in_force.tier))


def beat(held: Pass, *, at_once: bool = False) -> None:
    """Say that this pass lives and how far it is, every now and then. Raises ClaimLost when it was taken over."""
    if not at_once and monotonic() - held.beat < BEAT_SECONDS:
        return
    held.beat = monotonic()
    keep(held)
    _row(held).update(beat_at=timezone.now(), now_at=held.now_at[:500], **_counted(held))


def keep(held: Pass, **columns: Any) -> None:
    """Store what a page has led to, and hold the source longer. In a transaction nobody takes over meanwhile."""
    if not _held(held).update(claimed_until=timezone.now() + CLAIM, **columns):
        raise ClaimLost


def reading(held: Pass, text: str) -> AbstractContextManager[None]:
    """The claim is renewed while a long text is read, or waited for; and the page shows which one it is."""
    if len(text) < LONG:
        return nullcontext()
    return kept_alive(lambda: _renewed(held), claim=CLAIM)


def _renewed(held: Pass) -> bool:
    now = timezone.now()
    _row(held).update(beat_at=now, now_at=held.now_at[:500])
    return bool(_held(held).update(claimed_until=now + CLAIM))


def finish(held: Pass, *, state: RunState, error: str = "", source: Mapping[str, Any]) -> None:
    """Close the run and free the source, with what it is to remember of this run."""
    with transaction.atomic():
        if not _held(held).update(claim=None, claimed_until=None, **source):
            raise ClaimLost
        now = timezone.now()
        _row(held).update(state=state, finished_at=now, beat_at=now, now_at="", error=error, **_counted(held))
    held.run.refresh_from_db()


def is_held(source: Source, *, now: datetime) -> bool:
    return source.claimed_until is not None and source.claimed_until >= now


def _held(held: Pass) -> "QuerySet[Source]":
    return Source.objects.filter(pk=held.source.pk, claim=held.token)


def _row(held: Pass) -> "QuerySet[SyncRun]":
    return SyncRun.objects.filter(pk=held.run.pk, state=RunState.RUNNING)


def _counted(held: Pass) -> dict[str, int]:
    return dict(held.counts)
