"""Cognition: when it runs, what each step did, what it concluded from what, and what it asks people to decide."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least, Now

from memories.choices import ProposalKind, ProposalState, StepState, Trigger
from memories.models.graph import Entity
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from memories.models.memory import Memory
from memories.models.product import Product
from memories.querysets import OfProducts
from memories.scheduling import Schedule

WEEK_IN_MINUTES = 7 * 24 * 60
DAY_IN_SECONDS = 24 * 60 * 60


class CognitionSettings(models.Model):
    """When cognition runs in a product, and how much it may use. `claim` names the process that runs it now."""

    product = models.OneToOneField(
        Product, primary_key=True, on_delete=models.PROTECT, related_name="cognition", editable=False
    )
    is_on = models.BooleanField(
        "on", default=True, help_text="Off: nothing runs by the clock. What it wrote before stays as it is."
    )
    every_minutes = models.PositiveIntegerField(
        "every (minutes)", default=360, validators=[MinValueValidator(5), MaxValueValidator(WEEK_IN_MINUTES)],
        help_text="How long after one run the next one begins.",
    )  # fmt: skip
    quiet_from = models.TimeField(
        null=True, blank=True, help_text="No run begins from this time of day, in the product's time zone …"
    )
    quiet_until = models.TimeField(null=True, blank=True, help_text="… until this one. It may run over midnight.")
    steps_off = ArrayField(
        models.CharField(max_length=64), default=list, blank=True, verbose_name="steps switched off",
        help_text="These are left out. Everything else runs, steps of later versions too.",
    )  # fmt: skip
    seconds_per_day = models.PositiveIntegerField(
        default=3600, validators=[MaxValueValidator(DAY_IN_SECONDS)],
        help_text="So long it may work in a day, all steps together. What is left over is done the next day.",
    )  # fmt: skip
    tokens_per_day = models.PositiveIntegerField(
        default=200_000, help_text="So many tokens of a language model it may use in a day, if one is configured."
    )
    next_due_at = models.DateTimeField(null=True, editable=False)
    claim = models.UUIDField(null=True, editable=False)
    claimed_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "cognition settings"
        indexes = [models.Index(name="cognition_due", fields=["next_due_at"], condition=Q(is_on=True))]
        constraints = [
            models.CheckConstraint(
                name="cognition_claim_has_an_end",
                condition=Q(claim__isnull=True, claimed_until__isnull=True)
                | Q(claim__isnull=False, claimed_until__isnull=False),
            )
        ]
        triggers = [NoDeletes()]

    def __str__(self) -> str:
        return f"Cognition of {self.product}"

    @property
    def schedule(self) -> Schedule:
        return Schedule(timedelta(minutes=self.every_minutes), (), self.quiet_from, self.quiet_until)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.product.zone)


class CognitionRun(models.Model):
    """One step of one run. Steps that belong together share `pass_id`. Once ended, a row is never changed again.

    `cursor` is the step's own note of how far it is; the next run of the step begins with it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="cognition_runs")
    pass_id = models.UUIDField(db_index=True)
    trigger = models.CharField(max_length=8, choices=Trigger)
    by = models.CharField(max_length=150, blank=True, help_text="Who asked for it.")
    step = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=StepState, default=StepState.RUNNING)
    started_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    read = models.PositiveIntegerField(default=0, help_text="Memories that it looked at.")
    written = models.PositiveIntegerField(default=0, help_text="Memories that it wrote, replaced or withdrew.")
    proposed = models.PositiveIntegerField(default=0, help_text="What it put before people.")
    skipped = models.PositiveIntegerField(default=0, help_text="What it left alone although it looked like something.")
    seconds = models.FloatField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    cursor = models.JSONField(default=dict)
    error = models.TextField(blank=True)

    objects = OfProducts.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = "step of cognition"
        verbose_name_plural = "steps of cognition"
        indexes = [models.Index(name="cognition_run_newest_first", fields=["product", "step", "-id"])]
        constraints = [
            models.UniqueConstraint(
                name="one_running_step_per_product", fields=["product"], condition=Q(state=StepState.RUNNING)
            ),
            models.CheckConstraint(
                name="cognition_run_is_over_when_ended",
                condition=Q(state=StepState.RUNNING, ended_at__isnull=True)
                | (~Q(state=StepState.RUNNING) & Q(ended_at__isnull=False)),
            ),
        ]
        triggers = [
            NoDeletes(),
            pgtrigger.ReadOnly(
                name="cognition_run_stays_as_started",
                fields=["product", "pass_id", "trigger", "by", "step", "started_at"],
            ),
            pgtrigger.Protect(
                name="ended_step_stays",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state=StepState.RUNNING),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step}, {self.get_state_display().lower()}"


class Conclusion(models.Model):
    """What a memory of cognition is about, and out of what it was made: the memory itself never changes.

    `subject` is the step's own name for what it is about, such as `entity:…`; one at a time is live. `digest` tells
    whether what it rests on is still the same. `support` and `against` count independent memories, where they count.
    """

    memory = models.OneToOneField(Memory, primary_key=True, on_delete=models.PROTECT, related_name="conclusion")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    step = models.CharField(max_length=64)
    subject = models.TextField()
    digest = models.BinaryField(max_length=32)
    support = models.PositiveIntegerField(null=True)
    against = models.PositiveIntegerField(null=True)
    refreshed_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(name="conclusion_by_subject", fields=["product", "step", "subject"])]
        triggers = [
            SameProduct("memory"),
            pgtrigger.ReadOnly(name="conclusion_keeps_its_subject", fields=["memory", "product", "step", "subject"]),
        ]

    def __str__(self) -> str:
        return f"{self.step}: {self.subject}"


class Proposal(models.Model):
    """Something that cognition would do and is not sure of. A person decides; what was rejected is not asked again.

    The two sides are memories or entities. `older` is the side that would stay, unless the person says otherwise.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="proposals")
    kind = models.CharField(max_length=16, choices=ProposalKind)
    memory = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="proposals")
    other_memory = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="proposals_as_other")
    entity = models.ForeignKey(Entity, null=True, on_delete=models.CASCADE, related_name="proposals")
    other_entity = models.ForeignKey(Entity, null=True, on_delete=models.CASCADE, related_name="proposals_as_other")
    reason = models.TextField(help_text="Why it is proposed, in words.")
    confidence = models.FloatField(default=0.5)
    state = models.CharField(max_length=8, choices=ProposalState, default=ProposalState.OPEN)
    run = models.ForeignKey(CognitionRun, null=True, on_delete=models.PROTECT, related_name="proposals")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    decided_by_name = models.CharField(max_length=150, blank=True)
    decided_at = models.DateTimeField(null=True)
    why = models.TextField(blank=True)
    opened_at = models.DateTimeField(db_default=Now())

    objects = OfProducts.as_manager()

    class Meta:
        ordering = ["-confidence", "-id"]
        indexes = [models.Index(name="proposal_open", fields=["product"], condition=Q(state=ProposalState.OPEN))]
        constraints = [
            models.UniqueConstraint(
                Least("memory", "other_memory"), Greatest("memory", "other_memory"), name="one_proposal_for_two_facts",
                condition=Q(memory__isnull=False, state__in=[ProposalState.OPEN, ProposalState.REJECTED]),
            ),
            models.UniqueConstraint(
                Least("entity", "other_entity"), Greatest("entity", "other_entity"), name="one_proposal_for_two_names",
                condition=Q(entity__isnull=False, state__in=[ProposalState.OPEN, ProposalState.REJECTED]),
            ),
            models.CheckConstraint(
                name="proposal_has_two_sides_of_a_sort",
                condition=(
                    Q(kind=ProposalKind.MERGE_FACTS, memory__isnull=False, other_memory__isnull=False)
                    & Q(entity__isnull=True, other_entity__isnull=True)
                    & ~Q(memory=F("other_memory"))
                )
                | (
                    Q(kind=ProposalKind.MERGE_ENTITIES, entity__isnull=False, other_entity__isnull=False)
                    & Q(memory__isnull=True, other_memory__isnull=True)
                    & ~Q(entity=F("other_entity"))
                ),
            ),
            models.CheckConstraint(
                name="proposal_decided_says_when",
                condition=Q(state=ProposalState.OPEN) | Q(decided_at__isnull=False),
            ),
        ]  # fmt: skip
        triggers = [SameProduct("memory", "other_memory", "entity", "other_entity", "run")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.reason}"[:120]
