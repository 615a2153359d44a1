"""Where a memory came from: one row per occurrence, kept for ever."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from memories.models.memory import Memory
from memories.models.product import Agent, Product
from memories.models.write import Write


class Evidence(models.Model):
    """One occurrence of a statement: the passage of a raw text, or the saving of a single fact.

    A raw record has one row about itself: the statements read from it inherit its provenance. What cognition
    concluded has one row for each memory that it rests on.
    Where it came from (source, item, run) is plain columns: `sources` finds its memories by them.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="evidence")
    raw = models.ForeignKey(
        Memory, null=True, on_delete=models.PROTECT, related_name="passages", db_index=False
    )  # fmt: skip  # the index in order serves
    #: The memory that this one was concluded from; with `counters`, one that speaks against it.
    rests_on = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="concluded", db_index=False)
    counters = models.BooleanField(default=False)
    write = models.ForeignKey(Write, null=True, on_delete=models.PROTECT, related_name="evidence")
    agent = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="+")
    start = models.PositiveIntegerField(null=True, help_text="First character of the passage in the raw text.")
    end = models.PositiveIntegerField(null=True, help_text="One past its last character.")
    excerpt = models.TextField()
    source_id = models.UUIDField(null=True)
    source_name = models.CharField(max_length=200, blank=True)
    item_key = models.TextField(blank=True)
    item_url = models.TextField(blank=True)
    run_id = models.UUIDField(null=True)
    session = models.TextField(blank=True)
    message = models.TextField(blank=True)
    speaker = models.TextField(blank=True)
    said_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "evidence"
        indexes = [
            models.Index(name="evidence_of_memory", fields=["memory", "id"]),
            models.Index(
                name="evidence_of_source_item", fields=["source_id", "item_key"], condition=Q(source_id__isnull=False)
            ),
            models.Index(
                name="evidence_of_session", fields=["product", "session", "message"], condition=~Q(session="")
            ),
            models.Index(name="evidence_of_raw_in_order", fields=["raw", "id"], condition=Q(raw__isnull=False)),
            models.Index(
                name="evidence_of_texts_in_order",
                fields=["product", "session", "raw"],
                condition=~Q(session="") & Q(memory=F("raw")),
            ),
            models.Index(
                name="evidence_concluded_from", fields=["rests_on", "memory"], condition=Q(rests_on__isnull=False)
            ),
            models.Index(
                name="evidence_of_source_name", fields=["product", "source_name"], condition=~Q(source_name="")
            ),
            models.Index(name="evidence_of_speaker", fields=["product", "speaker"], condition=~Q(speaker="")),
        ]
        constraints = [
            models.CheckConstraint(
                name="evidence_span_runs_forward",
                condition=Q(start__isnull=True, end__isnull=True)
                | Q(start__isnull=False, end__isnull=False, start__lte=F("end")),
            )
        ]
        triggers = [
            pgtrigger.ReadOnly(name="evidence_stays_written"),
            NoDeletes(),
            SameProduct("memory", "raw", "write", "agent", "rests_on"),
        ]

    def __str__(self) -> str:
        return self.excerpt[:80]
