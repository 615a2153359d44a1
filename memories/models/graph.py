"""The knowledge graph: names, where they stand, and how they relate, each with the memories that prove it.

Everything here is derived from memories, so rows may go and come again. What a caller may see is decided by the
memories alone (memories/graph.py): an entity that is mentioned only in private ones is not there for anybody else.
"""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memories.choices import EntityType
from memories.models.guards import SameProduct
from memories.models.ids import new_id
from memories.models.memory import Memory
from memories.models.product import Product


class Entity(models.Model):
    """One thing that has a name. Names that are equal in their normal form are one; look-alikes never are."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    key = models.TextField(help_text="The normal form of its name.")
    name = models.TextField()
    type = models.CharField(max_length=12, choices=EntityType, default=EntityType.OTHER)
    terms = ArrayField(models.TextField(), help_text="The words that it is found by.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["key"]
        verbose_name_plural = "entities"
        indexes = [GinIndex(name="entity_terms", fields=["terms"])]
        constraints = [models.UniqueConstraint(name="one_entity_per_name_and_product", fields=["product", "key"])]
        triggers = [pgtrigger.ReadOnly(name="entity_keeps_its_name", fields=["product", "key"])]

    def __str__(self) -> str:
        return self.name


class Mention(models.Model):
    """One memory names one entity, in these words."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="mentions")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")
    words = models.TextField()

    class Meta:
        indexes = [models.Index(name="mention_of_entity", fields=["entity", "memory"])]
        constraints = [models.UniqueConstraint(name="one_mention_per_memory_and_entity", fields=["memory", "entity"])]
        triggers = [SameProduct("memory", "entity")]

    def __str__(self) -> str:
        return self.words


class Relation(models.Model):
    """Two entities stand so to each other, as far as some memory says so."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    subject = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="relations")
    relation = models.CharField(max_length=64, help_text="A plain verb, such as owns or works_with.")
    object = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="relations_as_object")

    class Meta:
        indexes = [models.Index(name="relation_of_object", fields=["object"])]
        constraints = [
            models.UniqueConstraint(name="one_relation_per_triple", fields=["subject", "relation", "object"]),
            models.CheckConstraint(name="relation_joins_two", condition=~Q(subject=F("object"))),
        ]
        triggers = [SameProduct("subject", "object")]

    def __str__(self) -> str:
        return f"{self.subject} {self.relation} {self.object}"


class RelationEvidence(models.Model):
    """One memory says so, in these words."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    relation = models.ForeignKey(Relation, on_delete=models.CASCADE, related_name="evidence")
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="relations")
    words = models.TextField()

    class Meta:
        verbose_name_plural = "relation evidence"
        indexes = [models.Index(name="relation_evidence_of_memory", fields=["memory"])]
        constraints = [
            models.UniqueConstraint(name="one_evidence_per_relation_and_memory", fields=["relation", "memory"])
        ]
        triggers = [SameProduct("relation", "memory")]

    def __str__(self) -> str:
        return self.words
