"""How many memories of a pool hold each term, counted now and then by a task."""

from django.db import models
from django.db.models.functions import Now

from memories.models.guards import SameProduct
from memories.models.ids import new_id
from memories.models.product import Agent, Product


class TermCounts(models.Model):
    """The common terms of one pool. Without an owner it is the shared pool: what one may not see, one does not count.

    Terms that few rows hold are left out: a term that is missing is rare.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    owner = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="+")
    rows = models.PositiveIntegerField()
    counts = models.JSONField(default=dict)
    counted_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "term counts"
        constraints = [
            models.UniqueConstraint(
                name="one_count_of_terms_per_pool", fields=["product", "owner"], nulls_distinct=False
            )
        ]
        triggers = [SameProduct("owner")]

    def __str__(self) -> str:
        return f"{len(self.counts)} terms of {self.rows} rows"
