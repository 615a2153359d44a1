"""The one table of statements, and its history. What was written stays as written."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pghistory
import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Now
from pgvector.django import SparseVectorField

from memories.choices import CURRENT, LIVE, NOT_CURRENT, Category, Kind, Origin, Scope, Status, Tier
from memories.decisions import BIRTHS, MOVES
from memories.models.guards import NoDeletes, SameProduct
from memories.models.ids import new_id
from memories.models.product import Agent, Product
from memories.querysets import MemoryQuerySet

if TYPE_CHECKING:
    from memories.models.evidence import Evidence

#: The only columns that may change after the insert; every other one is fixed by a trigger.
FREE = ["status", "replaced_by", "duplicate_of", "words", "weights"]


class Memory(models.Model):  # type: ignore[django-manager-missing]  # pghistory makes the model behind `events`
    """One stored statement, or (kind Raw) the verbatim text of one write.

    `owner` is the agent of a private memory and null for shared ones: product and owner name the pool.
    `key` is the SHA-256 of the statement's normal form: equal keys say the same.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="memories")
    owner = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="private_memories")
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.SHARED)
    content = models.TextField()
    key = models.BinaryField(max_length=32)
    kind = models.CharField(max_length=10, choices=Kind)
    category = models.CharField(max_length=12, choices=Category, default=Category.FACT)
    person = models.CharField(max_length=200, null=True, help_text="Whom a persona trait is about.")  # noqa: DJ001  # null and "" differ in the API
    tier = models.CharField(max_length=10, choices=Tier, default=Tier.OFFICIAL)
    status = models.CharField(max_length=12, choices=Status)
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    about_from = models.DateTimeField(null=True)
    about_until = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField(db_default=Now())
    origin = models.CharField(max_length=10, choices=Origin)
    agent = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="memories")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="memories")
    raw = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="statements")
    replaced_by = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="replaces")
    duplicate_of = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="duplicates")
    #: When its text was erased (services/erasure.py): what is left is an empty row that holds links and history.
    erased_at = models.DateTimeField(null=True, editable=False)
    #: The word index: terms of every script with their positions (memories/search/words.py).
    words = SearchVectorField(null=True)
    #: How much each of these terms weighs (memories/search/weights.py).
    weights = SparseVectorField(null=True)

    objects = MemoryQuerySet.as_manager()
    #: The context of the last move, where services/recording.py asked for it.
    last: "dict[str, str] | None"
    #: What `for_show()` brings along: what it replaced, its unsettled pairs, and the size of each of its vectors.
    older_ids: "list[UUID]"
    pairs_as_newer: "list[UUID]"
    pairs_as_older: "list[UUID]"
    vector_sizes: "list[dict[str, Any]]"

    class Meta:
        verbose_name = "fact"
        ordering = ["-id"]
        indexes = [
            models.Index(name="memory_newest_first", fields=["product", "-id"]),
            models.Index(name="memory_by_key", fields=["product", "key"]),
            models.Index(name="memory_statements_of_raw", fields=["raw"], condition=Q(raw__isnull=False)),
            models.Index(name="memory_not_current", fields=["product"], condition=Q(status__in=NOT_CURRENT)),
            models.Index(name="memory_of_cognition", fields=["product", "kind"], condition=Q(origin=Origin.COGNITION)),
            models.Index(name="memory_not_weighed", fields=["id"], condition=Q(weights__isnull=True)),
            models.Index(name="memory_by_person", fields=["product", "person"], condition=Q(person__isnull=False)),
            # No list of what is to be indexed yet: each search would read through all of it.
            GinIndex(name="memory_words", fields=["words"], fastupdate=False),
            GinIndex(name="memory_tags", fields=["tags"], fastupdate=False),
        ]
        constraints = [
            models.UniqueConstraint(
                name="one_live_memory_per_statement_and_pool",
                fields=["product", "owner", "key", "about_from", "about_until"],
                nulls_distinct=False,
                condition=~Q(kind=Kind.RAW) & Q(status__in=LIVE),
            ),
            models.CheckConstraint(
                name="memory_superseded_names_its_successor",
                condition=Q(status=Status.SUPERSEDED, replaced_by__isnull=False)
                | (~Q(status=Status.SUPERSEDED) & Q(replaced_by__isnull=True)),
            ),
            models.CheckConstraint(
                name="memory_never_replaces_itself", condition=Q(replaced_by__isnull=True) | ~Q(replaced_by=F("id"))
            ),
            models.CheckConstraint(
                name="memory_duplicate_is_retired",
                condition=Q(duplicate_of__isnull=True)
                | (Q(status=Status.RETIRED) & ~Q(duplicate_of=F("id")))
                # Two wordings of one thing, made one by cognition: what stays is successor and says the same.
                | Q(status=Status.SUPERSEDED, duplicate_of=F("replaced_by")),
            ),
            models.CheckConstraint(
                name="memory_private_has_an_owner",
                condition=Q(scope=Scope.PRIVATE, owner__isnull=False) | Q(scope=Scope.SHARED, owner__isnull=True),
            ),
            models.CheckConstraint(
                name="memory_private_is_its_writers",
                condition=Q(owner__isnull=True) | Q(origin=Origin.AGENT, agent=F("owner")),
            ),
            models.CheckConstraint(
                name="memory_of_agent_names_the_agent",
                condition=Q(origin=Origin.AGENT, agent__isnull=False)
                | (~Q(origin=Origin.AGENT) & Q(agent__isnull=True)),
            ),
            models.CheckConstraint(
                name="memory_has_content_unless_raw",
                condition=Q(kind=Kind.RAW) | ~Q(content="") | Q(erased_at__isnull=False),
            ),
            models.CheckConstraint(
                name="memory_erased_is_empty_for_good",
                condition=Q(erased_at__isnull=True)
                | Q(content="", person__isnull=True, status__in=[Status.SUPERSEDED, Status.RETIRED]),
            ),
            models.CheckConstraint(
                name="memory_about_runs_forward",
                condition=Q(about_from__isnull=True)
                | Q(about_until__isnull=True)
                | Q(about_from__lte=F("about_until")),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="written_stays_written", exclude=FREE),
            pgtrigger.FSM(
                name="legal_moves_only", field="status", transitions=sorted((str(a), str(b)) for a, b in MOVES)
            ),
            pgtrigger.Protect(
                name="legal_births_only", operation=pgtrigger.Insert, condition=~pgtrigger.Q(new__status__in=BIRTHS)
            ),
            pgtrigger.Protect(
                name="successor_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__status=Status.SUPERSEDED, new__status=Status.SUPERSEDED)
                & pgtrigger.Q(old__replaced_by__df=pgtrigger.F("new__replaced_by")),
            ),
            NoDeletes(),
            SameProduct("agent", "owner", pool=("raw", "replaced_by", "duplicate_of")),
        ]

    def __str__(self) -> str:
        return self.content if len(self.content) <= 80 else f"{self.content[:79]}…"

    @property
    def is_current(self) -> bool:
        return self.status in CURRENT

    def first_evidence(self) -> "Evidence | None":
        """Where it came from first. Fetched ahead by `for_show()`."""
        if hasattr(self, "earliest_evidence"):
            return next(iter(self.earliest_evidence), None)
        return self.evidence.order_by("id").first()


class MemoryEvent(
    pghistory.create_event_model(  # type: ignore[misc]  # the base class is made at run time
        Memory,
        pghistory.InsertEvent("added"),
        pghistory.UpdateEvent(
            "moved", condition=pgtrigger.AnyChange("status", "replaced_by", "duplicate_of", "erased_at")
        ),
        fields=["status", "replaced_by", "duplicate_of"],
        obj_field=pghistory.ObjForeignKey(related_name="events", on_delete=models.PROTECT),
        context_field=pghistory.ContextJSONField(),
        context_id_field=None,
        append_only=True,
        model_name="MemoryEvent",
        app_label="memories",
        # Not in a Meta below: it would replace the one that carries the append-only trigger.
        meta={
            "verbose_name": "move of a fact",
            "verbose_name_plural": "audit log",
            "indexes": [
                models.Index(name="memory_event_in_order", fields=["pgh_obj", "pgh_id"]),
                # What people did, among the many more rows that agents and sources leave.
                models.Index(
                    KeyTransform("user", "pgh_context"),
                    F("pgh_id").desc(),
                    name="memory_event_of_people",
                    condition=Q(pgh_context__type=Origin.PERSON.value),
                ),
            ],
        },
    )
):
    """One move of one memory: from which status to which, when, by whom and why. Written by triggers alone."""

    def __str__(self) -> str:
        return f"{self.pgh_label} {self.status}"
