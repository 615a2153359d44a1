"""The wall and who stands inside it: products, people's memberships, agents and their keys."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.choices import Permission, Role, SecretPolicy
from memories.models.guards import Agree, NoDeletes
from memories.models.ids import new_id
from memories.zones import validate_zone


class Product(models.Model):
    """One pool of memories. Two products never see each other."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=64, unique=True, help_text="Short name in commands and addresses.")
    name = models.CharField(max_length=200)
    zone = models.CharField(
        "time zone", max_length=64, default="UTC", validators=[validate_zone],
        help_text="Where a plain date such as 2026-07-12 begins and ends, for example Europe/Berlin.",
    )  # fmt: skip
    fact_neighbor_floor = models.FloatField(
        "similar facts from", default=0.80, validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="Facts at least this close (cosine similarity, 0 to 1) are listed as similar when one is saved.",
    )  # fmt: skip
    secrets = models.CharField(
        "credentials in content", max_length=8, choices=SecretPolicy, default=SecretPolicy.MASK,
        help_text="What happens when a text contains tokens, keys or passwords.",
    )  # fmt: skip
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["slug"]
        triggers = [NoDeletes()]
        constraints = [
            models.CheckConstraint(
                name="product_floor_is_a_similarity",
                condition=Q(fact_neighbor_floor__gte=0, fact_neighbor_floor__lte=1),
            )
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person sees only the products they belong to."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role, default=Role.CURATOR)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_membership_per_person_and_product", fields=["user", "product"])
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.product} as {self.role}"


class Agent(models.Model):
    """A program that remembers and recalls, in one product."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="agents")
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["name"]
        triggers = [NoDeletes(), pgtrigger.ReadOnly(name="agent_stays_in_its_product", fields=["product"])]
        constraints = [models.UniqueConstraint(name="one_agent_per_name_and_product", fields=["product", "name"])]

    def __str__(self) -> str:
        return self.name


def all_permissions() -> list[str]:
    return [Permission.READ.value, Permission.WRITE.value]


class AgentKey(models.Model):
    """A credential. The secret is shown once; here lies only its SHA-256, found by the public prefix."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="keys")
    prefix = models.CharField(max_length=12, unique=True, editable=False)
    digest = models.BinaryField(max_length=32)
    permissions = ArrayField(models.CharField(max_length=8, choices=Permission), default=all_permissions)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.CharField(max_length=150, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.CharField(max_length=150, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    rotated_from = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="rotated_to"
    )

    class Meta:
        ordering = ["-created_at"]
        triggers = [
            NoDeletes(),
            pgtrigger.ReadOnly(
                name="key_stays_as_issued", fields=["agent", "prefix", "digest", "permissions", "rotated_from"]
            ),
            Agree(
                "a_key_follows_one_of_the_same_agent",
                "NEW.agent_id",
                "SELECT agent_id FROM memories_agentkey WHERE id = NEW.rotated_from_id",
                unless="NEW.rotated_from_id IS NULL",
            ),
        ]
        constraints = [
            models.CheckConstraint(name="key_prefix_is_12_hex_digits", condition=Q(prefix__regex=r"^[0-9a-f]{12}$"))
        ]

    def __str__(self) -> str:
        return f"nz_{self.prefix}_…"
