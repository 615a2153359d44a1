"""One document, issue or task of a source."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.models import Memory, Product
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from sources.choices import ItemState
from sources.models.source import Source


class SourceItem(models.Model):
    """An item, as it was last read: unchanged content writes nothing.

    `raw` is the text that was read from it last, also when the item is gone since. `seen` is the sweep that met it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="items")
    key = models.TextField(help_text="The item's name outside: a path, an issue number, a file id.")
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)
    version = models.TextField(blank=True, help_text="What tells that it need not be fetched again.")
    state = models.CharField(max_length=8, choices=ItemState, default=ItemState.PRESENT)
    reason = models.TextField(blank=True)
    seen = models.PositiveIntegerField(default=0)
    digest = models.BinaryField(max_length=32, default=b"", help_text="SHA-256 of the content that was read.")
    raw = models.ForeignKey(Memory, null=True, on_delete=models.PROTECT, related_name="+")
    revised_at = models.DateTimeField(null=True, help_text="When the source says that this revision was made.")
    read_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(name="item_by_digest", fields=["source", "digest"], condition=Q(state=ItemState.GONE)),
            models.Index(name="item_by_state", fields=["source", "state", "seen"]),
        ]
        constraints = [models.UniqueConstraint(name="one_item_per_source_and_key", fields=["source", "key"])]
        triggers = [NoDeletes(), SameProduct("source", "raw")]

    def __str__(self) -> str:
        return self.title or self.key
