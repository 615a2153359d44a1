"""The desk itself: what a person keeps beside the memories. None of it is content, and none of it changes a memory."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memories.models.ids import new_id
from memories.models.memory import Memory
from memories.zones import validate_zone


class SavedView(models.Model):
    """A list as one person wants to see it again: a name for its filters. Nobody else sees it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views")
    #: The list, as `app_model`.
    page = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    #: The part of the address behind the question mark.
    query = models.CharField(max_length=2_000, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(name="one_view_per_name_person_and_page", fields=["person", "page", "name"])
        ]

    def __str__(self) -> str:
        return self.name


class Assignment(models.Model):
    """A fact or a pair lying on a colleague's desk. Rows end and are never rewritten, so an act can be taken back.

    A pair is named by its plain id: `conflicts` stands above us.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    memory = models.ForeignKey(Memory, null=True, on_delete=models.CASCADE, related_name="assignments")
    pair = models.UUIDField(null=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    note = models.CharField(max_length=300, blank=True)
    #: The act that put it there, and the one that took it away.
    act = models.UUIDField()
    ended_by_act = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["act"]),
            models.Index(fields=["person"], condition=Q(ended_by_act=None), name="memories_on_whose_desk"),
        ]
        constraints = [
            models.CheckConstraint(
                name="assignment_is_of_one_thing",
                condition=Q(memory__isnull=True, pair__isnull=False) | Q(memory__isnull=False, pair__isnull=True),
            ),
            models.UniqueConstraint(
                name="a_fact_lies_on_one_desk", fields=["memory"], condition=Q(ended_by_act__isnull=True)
            ),
            models.UniqueConstraint(
                name="a_pair_lies_on_one_desk", fields=["pair"], condition=Q(ended_by_act__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id or self.pair} on {self.person}'s desk"


class Preference(models.Model):
    """How a person reads the desk."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="preference"
    )
    #: An IANA name, in which times are shown and days of filters begin; empty is the server's.
    zone = models.CharField(max_length=64, blank=True, validators=[validate_zone])

    def __str__(self) -> str:
        return f"How {self.person} reads"
