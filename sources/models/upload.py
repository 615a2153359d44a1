"""A file that a person brings in by hand: kept until it is read, then only what became of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.choices import Tier
from memories.models import Product
from memories.models.ids import new_id
from sources.choices import UploadState


class Upload(models.Model):
    """`text` waits here for the person's word and for a worker, and is gone as soon as it is read or discarded."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="uploads")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=16)
    tier = models.CharField(max_length=10, choices=Tier)
    text = models.TextField(blank=True)
    state = models.CharField(max_length=9, choices=UploadState, default=UploadState.WAITING)
    #: How many lines the preview counted, and how many were dealt with since.
    lines = models.PositiveIntegerField(default=0)
    seen = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    #: Lines that failed, with their reason: the first of them.
    failures = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    moved_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="upload_keeps_no_text_when_over",
                condition=Q(state__in=[UploadState.WAITING, UploadState.READING]) | Q(text=""),
            )
        ]

    def __str__(self) -> str:
        return self.name
