"""A connection: what it reads, with which credentials, when, and how it went."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.choices import Tier
from memories.models import Product
from memories.models.guards import NoDeletes
from memories.models.ids import new_id
from memories.querysets import products_of
from memories.scheduling import Schedule
from sources.choices import SourceState, SourceType
from sources.decisions import InForce, tier_in_force

WEEK_IN_MINUTES = 7 * 24 * 60


class SourceQuerySet(models.QuerySet["Source"]):
    def visible_to(self, by: object) -> "SourceQuerySet":
        """Those of the actor's product."""
        return self.filter(product_id=by.product_id)  # type: ignore[attr-defined]  # an Actor

    def shown_to(self, user: object) -> "SourceQuerySet":
        return self.filter(products_of(user))


class Source(models.Model):
    """A connection. Its tier is what its statements weigh; changing it changes nothing that is stored.

    `values` may be shown; `sealed` holds the credentials, encrypted (secrets.py). `claim` names the process that reads
    it until `claimed_until`. `sweep` counts the listings of all items, `sweeps` says which one each prefix is in.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="sources")
    type = models.CharField(max_length=16, choices=SourceType)
    name = models.CharField(max_length=200)
    tier = models.CharField(
        max_length=10, choices=Tier, blank=True, default="",
        help_text="What its statements weigh. Empty: the product's default for this type, else the type's own.",
    )  # fmt: skip
    values = models.JSONField(default=dict, blank=True)
    sealed = models.BinaryField(default=b"", blank=True)
    cursor = models.JSONField(default=dict, blank=True)
    sweep = models.PositiveIntegerField(default=0)
    sweeps = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=SourceState, default=SourceState.ACTIVE)
    reason = models.TextField(blank=True, help_text="Why it is paused, or why it failed last.")
    every_minutes = models.PositiveIntegerField(
        "every (minutes)", null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(WEEK_IN_MINUTES)],
        help_text="How often it is read. Empty, with no times below: only when somebody says so.",
    )  # fmt: skip
    times = ArrayField(
        models.TimeField(), default=list, blank=True, size=24, verbose_name="at these times",
        help_text="Times of day in the product's time zone, such as 06:00, 18:00. They go before the interval.",
    )  # fmt: skip
    quiet_from = models.TimeField(null=True, blank=True, help_text="No run begins from this time of day …")
    quiet_until = models.TimeField(null=True, blank=True, help_text="… until this one. It may run over midnight.")
    next_due_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text="Failed runs in a row.")
    claim = models.UUIDField(null=True, editable=False)
    claimed_until = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = SourceQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(name="source_due", fields=["next_due_at"], condition=Q(state=SourceState.ACTIVE))]
        constraints = [
            models.UniqueConstraint(name="one_source_per_name_and_product", fields=["product", "name"]),
            models.CheckConstraint(
                name="source_claim_has_an_end",
                condition=Q(claim__isnull=True, claimed_until__isnull=True)
                | Q(claim__isnull=False, claimed_until__isnull=False),
            ),
        ]
        triggers = [NoDeletes(), pgtrigger.ReadOnly(name="source_stays_in_its_product", fields=["product", "type"])]

    def __str__(self) -> str:
        return self.name

    @property
    def schedule(self) -> Schedule:
        return Schedule(
            timedelta(minutes=self.every_minutes) if self.every_minutes else None,
            tuple(self.times),
            self.quiet_from,
            self.quiet_until,
        )

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.product.zone)

    @property
    def jitter(self) -> float:
        """Its own share between 0 and 1, the same for good."""
        return self.id.int % 1000 / 1000

    @property
    def in_force(self) -> InForce:
        """What an item that is read now would weigh, and who says so. listing.py has fetched the default ahead."""
        of_product = getattr(self, "default_of_product", "") or ""
        if not self.tier and not hasattr(self, "default_of_product"):
            defaults = AuthorityDefault.objects.filter(product_id=self.product_id, type=self.type)
            of_product = defaults.values_list("tier", flat=True).first() or ""
        return tier_in_force(SourceType(self.type), own=self.tier, of_product=of_product)


class AuthorityDefault(models.Model):
    """What the sources of one type weigh in a product, unless one says otherwise itself."""

    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="authority_defaults")
    type = models.CharField(max_length=16, choices=SourceType)
    tier = models.CharField(max_length=10, choices=Tier)

    class Meta:
        ordering = ["type"]
        constraints = [
            models.UniqueConstraint(name="one_default_tier_per_product_and_type", fields=["product", "type"])
        ]

    def __str__(self) -> str:
        return f"{self.get_type_display()}: {self.get_tier_display()}"
