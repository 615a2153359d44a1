"""Connections that memories are read from, and the documents in them."""

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from memories.choices import Tier
from memories.models import Memory, Product
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from sources.choices import SourceType


class Source(models.Model):
    """A connection. Its tier is what its statements weigh; changing it changes nothing that is stored."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="sources")
    type = models.CharField(max_length=16, choices=SourceType)
    name = models.CharField(max_length=200)
    tier = models.CharField(max_length=10, choices=Tier, default=Tier.TEAM)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(name="one_source_per_name_and_product", fields=["product", "name"])]
        triggers = [NoDeletes(), pgtrigger.ReadOnly(name="source_stays_in_its_product", fields=["product", "type"])]

    def __str__(self) -> str:
        return self.name


class SourceItem(models.Model):
    """One document, issue or task, as it was last read: unchanged content writes nothing."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="items")
    key = models.TextField(help_text="The item's name outside: a path, an issue number, a file id.")
    digest = models.BinaryField(max_length=32, help_text="SHA-256 of the content that was read.")
    raw = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="+")
    revised_at = models.DateTimeField(null=True, help_text="When the source says that this revision was made.")
    read_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(name="one_item_per_source_and_key", fields=["source", "key"])]
        triggers = [NoDeletes(), SameProduct("source", "raw")]

    def __str__(self) -> str:
        return self.key
