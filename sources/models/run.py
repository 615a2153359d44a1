"""One pass over a source, and what went wrong with single items."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.choices import Trigger
from memories.models import Product
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from sources.choices import ProblemKind, RunState
from sources.models.source import Source


class SyncRun(models.Model):
    """Counts as they stand while it runs; once finished it is never changed again.

    Items: seen = new + changed + unchanged + failed + skipped; moved and restored ones are among the first three.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="runs")
    trigger = models.CharField(max_length=8, choices=Trigger)
    by = models.CharField(max_length=150, blank=True, help_text="Who asked for it.")
    state = models.CharField(max_length=8, choices=RunState, default=RunState.RUNNING)
    started_at = models.DateTimeField(db_default=Now())
    beat_at = models.DateTimeField(db_default=Now(), help_text="When it last said that it lives.")
    finished_at = models.DateTimeField(null=True)
    now_at = models.TextField(blank=True, help_text="The item it is reading.")
    seen = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    moved = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)
    restored = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    added = models.PositiveIntegerField(default=0, help_text="Memories that came of it.")
    superseded = models.PositiveIntegerField(default=0)
    retired = models.PositiveIntegerField(default=0)
    brought_back = models.PositiveIntegerField(default=0)
    problems_left_out = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(name="run_newest_first", fields=["source", "-id"])]
        constraints = [
            models.UniqueConstraint(
                name="one_running_run_per_source", fields=["source"], condition=Q(state=RunState.RUNNING)
            ),
            models.CheckConstraint(
                name="run_is_over_when_finished",
                condition=Q(state=RunState.RUNNING, finished_at__isnull=True)
                | (~Q(state=RunState.RUNNING) & Q(finished_at__isnull=False)),
            ),
        ]
        triggers = [
            NoDeletes(),
            SameProduct("source"),
            pgtrigger.ReadOnly(
                name="run_stays_as_started", fields=["product", "source", "trigger", "by", "started_at"]
            ),
            pgtrigger.Protect(
                name="finished_run_stays",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state=RunState.RUNNING),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_trigger_display()}, {self.get_state_display().lower()}"


class SyncProblem(models.Model):
    """What one item of a run suffered, and why: failed, skipped on purpose, or cut at the size limit."""

    run = models.ForeignKey(SyncRun, on_delete=models.PROTECT, related_name="problems")
    kind = models.CharField(max_length=8, choices=ProblemKind)
    key = models.TextField()
    reason = models.TextField()

    class Meta:
        ordering = ["id"]
        triggers = [NoDeletes(), pgtrigger.ReadOnly(name="problem_stays_as_met")]

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}"
