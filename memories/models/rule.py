"""Rules that agents must follow. An agent or a person proposes; only a person decides."""

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.choices import RULE_MOVES, RuleStatus
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from memories.models.product import Agent, Product


class Rule(models.Model):  # type: ignore[django-manager-missing]  # pghistory makes the model behind `events`
    """One rule of a product. `key` is that of a statement: equal keys say the same."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="rules")
    text = models.TextField()
    key = models.BinaryField(max_length=32)
    why = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=RuleStatus, default=RuleStatus.PROPOSED)
    agent = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="rules")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(name="rule_by_status", fields=["product", "status", "-id"])]
        constraints = [
            models.UniqueConstraint(
                name="one_rule_per_text", fields=["product", "key"], condition=~Q(status=RuleStatus.RETIRED)
            ),
            models.CheckConstraint(
                name="rule_is_decided_by_a_person",
                condition=Q(status=RuleStatus.PROPOSED) | Q(decided_by__isnull=False, decided_at__isnull=False),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="proposal_stays", fields=["product", "agent", "author", "created_at"]),
            pgtrigger.FSM(
                name="legal_rule_moves_only",
                field="status",
                transitions=[(str(old), str(new)) for old, new in RULE_MOVES],
            ),
            pgtrigger.Protect(
                name="rules_begin_as_proposals",
                operation=pgtrigger.Insert,
                condition=~pgtrigger.Q(new__status=RuleStatus.PROPOSED),
            ),
            NoDeletes(),
            SameProduct("agent"),
        ]

    def __str__(self) -> str:
        return self.text if len(self.text) <= 80 else f"{self.text[:79]}…"


class RuleEvent(
    pghistory.create_event_model(  # type: ignore[misc]  # the base class is made at run time
        Rule,
        pghistory.InsertEvent("proposed"),
        pghistory.UpdateEvent("changed"),
        fields=["text", "why", "status"],
        obj_field=pghistory.ObjForeignKey(related_name="events", on_delete=models.PROTECT),
        context_field=pghistory.ContextJSONField(),
        context_id_field=None,
        append_only=True,
        model_name="RuleEvent",
        app_label="memories",
        meta={"verbose_name": "change of a rule", "verbose_name_plural": "audit log of rules"},
    )
):
    """What a rule said and how it stood, after each change. Written by triggers alone."""

    def __str__(self) -> str:
        return f"{self.pgh_label} {self.status}"
