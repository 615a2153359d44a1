"""Answers kept for 24 hours under the caller's Idempotency-Key."""

from django.db import models
from django.db.models.functions import Now

from memories.models.product import Agent


class IdempotentAnswer(models.Model):
    """The first answer to a request; a repeat with the same key and body gets it again."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32, help_text="SHA-256 of the method, the path and the body.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Null while the first request is being answered.")
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(name="idempotent_answer_by_age", fields=["created_at"])]
        constraints = [models.UniqueConstraint(name="one_answer_per_agent_and_key", fields=["agent", "key"])]

    def __str__(self) -> str:
        return self.key
