"""Vectors, each with the model that made it, so that two models can live side by side during a change."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from memories.models.guards import SameProduct
from memories.models.ids import new_id
from memories.models.memory import Memory
from memories.models.product import Product


class Embedding(models.Model):
    """The vector of one memory in one model's space; without a vector it is a try that failed and will be repeated.

    Stored in half precision: half the space, and no measurable loss in ranking.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="embeddings")
    model = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField(null=True)
    vector = HalfVectorField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(name="embedding_by_pool", fields=["product", "model"])]
        constraints = [
            models.UniqueConstraint(name="one_vector_per_memory_and_model", fields=["memory", "model"]),
            models.CheckConstraint(
                name="embedding_vector_has_its_dimensions",
                condition=Q(vector__isnull=True, dimensions__isnull=True)
                | Q(
                    vector__isnull=False,
                    dimensions__isnull=False,  # or the comparison is unknown, which a check lets through
                    dimensions=models.Func("vector", function="vector_dims", output_field=models.IntegerField()),
                ),
            ),
        ]
        triggers = [SameProduct("memory")]

    def __str__(self) -> str:
        return f"{self.model} ({self.dimensions})"
