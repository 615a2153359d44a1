"""A pair of memories that disagree, and how it was settled."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least, Now

from conflicts.choices import Answer, State
from conflicts.managers import ConflictManager
from memories.choices import Reason
from memories.models import Memory, Product
from memories.models.guards import Agree, NoDeletes, SameProduct
from memories.models.ids import new_id


class Conflict(models.Model):
    """One pair. A third disagreeing fact opens its own."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="conflicts")
    older = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="conflicts_as_older")
    newer = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="conflicts")
    reason = models.CharField(max_length=14, choices=Reason)
    persona = models.BooleanField(default=False, help_text="Both sides are persona traits.")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    put_off_until = models.DateTimeField(null=True)
    answer = models.CharField(max_length=10, choices=Answer, blank=True)
    correction = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="corrects")
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    settled_by_name = models.CharField(max_length=150, blank=True)
    settled_at = models.DateTimeField(null=True)
    why = models.TextField(blank=True)
    opened_at = models.DateTimeField(db_default=Now())

    objects = ConflictManager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(name="conflict_unsettled", fields=["product", "state"], condition=~Q(state=State.SETTLED)),
            models.Index(name="conflict_by_older", fields=["older"]),
        ]
        constraints = [
            models.UniqueConstraint(
                Least("older", "newer"),
                Greatest("older", "newer"),
                name="one_unsettled_pair_for_two_memories",
                condition=~Q(state=State.SETTLED),
            ),
            models.CheckConstraint(name="conflict_has_two_sides", condition=~Q(older=F("newer"))),
            models.CheckConstraint(
                name="conflict_settled_says_how_and_when",
                condition=~Q(state=State.SETTLED) | (~Q(answer="") & Q(settled_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="conflict_put_off_has_a_date", condition=~Q(state=State.PUT_OFF) | Q(put_off_until__isnull=False)
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="pair_stays_as_opened", fields=["product", "older", "newer", "persona", "opened_at"]
            ),
            # A suggestion may be confirmed; nothing else changes why a pair was opened.
            pgtrigger.FSM(
                name="only_a_suggestion_grows_firm",
                field="reason",
                transitions=[
                    (str(Reason.UNSURE), str(Reason.DISAGREEMENT)),
                    (str(Reason.UNSURE), str(Reason.AUTHORITY)),
                ],
            ),
            NoDeletes(),
            Agree(
                "sides_share_one_pool",
                "SELECT owner_id FROM memories_memory WHERE id = NEW.older_id",
                "SELECT owner_id FROM memories_memory WHERE id = NEW.newer_id",
            ),
            SameProduct("older", "newer", "correction"),
        ]

    def __str__(self) -> str:
        return f"{self.older} / {self.newer}"
