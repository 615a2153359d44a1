"""What a product spent on a language model, by the day."""

from django.db import models

from memories.models.ids import new_id
from memories.models.product import Product


class ModelUse(models.Model):
    """Tokens of one product on one day (UTC), those set aside for answers still awaited among them."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    day = models.DateField()
    tokens = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["-day"]
        constraints = [
            models.UniqueConstraint(name="one_count_of_tokens_per_product_and_day", fields=["product", "day"]),
            models.CheckConstraint(name="tokens_are_never_less_than_none", condition=models.Q(tokens__gte=0)),
        ]

    def __str__(self) -> str:
        return f"{self.tokens} tokens on {self.day}"
