"""Receipts: one row per submission of text, with its state."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.choices import Outcome, WriteState
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from memories.models.memory import Memory
from memories.models.product import Agent, Product
from memories.querysets import WriteQuerySet

#: Which state may follow which. A claim that is lost goes back to received; a failed write may be retried.
STATES = [
    (WriteState.RECEIVED, WriteState.READING),
    (WriteState.RECEIVED, WriteState.CANCELLED),
    (WriteState.READING, WriteState.DONE),
    (WriteState.READING, WriteState.FAILED),
    (WriteState.READING, WriteState.RECEIVED),
    (WriteState.FAILED, WriteState.RECEIVED),
]


class Write(models.Model):
    """One submission of text. The raw record is committed with it: that is the receipt.

    `claim` names the reader that holds it until `claimed_until`; whoever finishes must still hold it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="writes")
    agent = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="writes")
    raw = models.OneToOneField(Memory, on_delete=models.PROTECT, related_name="write")
    #: The raw text of the same item that this one takes the place of: what it said and this one doesn't is withdrawn.
    follows = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="followed_by")
    confirmed = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=WriteState, default=WriteState.RECEIVED)
    reason = models.TextField(blank=True)
    #: What people should know of its reading: a model that failed, a budget that is spent. Never words of the text.
    note = models.TextField(blank=True, db_default="")
    masked = models.JSONField(default=list)
    replaced_characters = models.PositiveIntegerField(default=0)
    #: So many statements were left out and masked, because they had been erased from the product.
    left_out = models.PositiveIntegerField(default=0)
    #: The IdempotentAnswer whose request brought it, and which text of that request it was: a request that is done
    #: again because its process died finds what it stored already. No link: answers are forgotten after a day.
    request = models.BigIntegerField(null=True, editable=False)
    request_place = models.PositiveSmallIntegerField(default=0, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True)
    claimed_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    objects = WriteQuerySet.as_manager()
    #: Loaded by services/receipts.py for the outward shape.
    shown_statements: "list[WriteStatement]"

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(name="write_newest_first", fields=["product", "-id"]),
            models.Index(
                name="write_unfinished",
                fields=["claimed_until", "id"],
                condition=Q(state__in=[WriteState.RECEIVED, WriteState.READING]),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="write_reading_is_claimed", condition=~Q(state=WriteState.READING) | Q(claim__isnull=False)
            ),
            models.UniqueConstraint(name="one_write_per_request_and_place", fields=["request", "request_place"]),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="receipt_stays_written",
                fields=[
                    "product",
                    "agent",
                    "raw",
                    "follows",
                    "confirmed",
                    "masked",
                    "replaced_characters",
                    "request",
                    "request_place",
                    "created_at",
                ],
            ),
            pgtrigger.FSM(
                name="legal_states_only", field="state", transitions=[(str(old), str(new)) for old, new in STATES]
            ),
            NoDeletes(),
            SameProduct("agent", "raw", "follows"),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"


class WriteStatement(models.Model):
    """What became of one statement of a write. `position` counts the statements in the text's order,
    so that a repeated reading goes on where the last one stopped."""

    write = models.ForeignKey(Write, on_delete=models.PROTECT, related_name="statements")
    position = models.PositiveIntegerField()
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=12, choices=Outcome)
    against = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="+")
    #: [{"memory": id, "similarity": 0.87, "differs": [{what, this, other}]}]
    similar = models.JSONField(default=list)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(name="one_row_per_write_and_position", fields=["write", "position"])]
        triggers = [
            pgtrigger.ReadOnly(name="outcome_stays_written"),
            NoDeletes(),
            SameProduct("memory", "against", through="write"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.outcome}"
