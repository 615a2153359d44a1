"""What is left of an erasure: a receipt without the text, and keyed hashes that keep the text from coming back."""

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from memories.models.product import Agent, Product


class ErasureReceipt(models.Model):
    """Who erased how much, when and why. Of a large erasure, several bear the same `act`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="erasures")
    act = models.UUIDField()
    at = models.DateTimeField(db_default=Now())
    by = models.CharField(max_length=150, help_text="The person, or the user of this machine who ran the command.")
    chosen_by = models.CharField(
        max_length=20, help_text="How it was chosen: by memory, filter, person, agent, product."
    )
    reason = models.TextField(blank=True)
    counts = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        triggers = [pgtrigger.ReadOnly(name="erasure_stays_as_told"), NoDeletes()]

    def __str__(self) -> str:
        return str(self.id)


class ErasedStatement(models.Model):
    """One statement that is not to be stored again: an HMAC of its key, useless without the server's secret.

    With an owner it is kept out of that agent's private pool alone; without one, out of the whole product.
    """

    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    owner = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="+")
    digest = models.BinaryField(max_length=32)
    receipt = models.ForeignKey(ErasureReceipt, on_delete=models.PROTECT, related_name="statements")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="one_row_per_erased_statement", fields=["digest", "product", "owner"], nulls_distinct=False
            )
        ]
        triggers = [
            pgtrigger.ReadOnly(name="erased_stays_erased"),
            NoDeletes(),
            SameProduct("owner", "receipt"),
        ]

    def __str__(self) -> str:
        return bytes(self.digest).hex()[:12]
