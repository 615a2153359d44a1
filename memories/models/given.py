"""What recall gave in a session, so that it does not say it again."""

from django.db import models
from django.db.models.functions import Now

from memories.limits import NAME_CHARACTERS
from memories.models.product import Agent


class Given(models.Model):
    """One memory or rule as it stood when a session got it. It has some days to live (services/giving.py)."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    session = models.CharField(max_length=NAME_CHARACTERS)
    item = models.UUIDField()
    state = models.CharField(max_length=64, help_text="Status, and of a rule its text's key: given again when changed.")
    given_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(name="given_by_age", fields=["given_at"])]
        constraints = [
            models.UniqueConstraint(name="given_once_per_session", fields=["agent", "session", "item"]),
        ]

    def __str__(self) -> str:
        return f"{self.session}: {self.item}"
