"""Who may see which rows: the one gate. Rows for a caller come from `visible_to` and from nowhere else."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch, Q
from django.db.models.functions import JSONObject

from memories.actors import Actor
from memories.choices import CURRENT, LIVE, NOT_CURRENT, Kind, Origin, Scope, WriteState

if TYPE_CHECKING:
    from memories.models import Memory, Write  # noqa: F401  # named in strings below: models are built on querysets

UNFINISHED = (WriteState.RECEIVED, WriteState.READING)


def products_of(user: Any) -> Q:
    """The products whose admin pages a person may open: all for superusers, else their memberships; none for nobody."""
    if not user.is_authenticated:
        return Q(pk__in=[])
    return Q() if user.is_superuser else Q(product__memberships__user=user)


class OfProducts(models.QuerySet[Any]):
    """Rows that a person sees with the products they belong to."""

    def shown_to(self, user: Any) -> Self:
        return self.filter(products_of(user))


class MemoryQuerySet(models.QuerySet["Memory"]):
    def visible_to(self, by: Actor) -> Self:
        """Shared memories of the actor's product and, for an agent, its own private ones."""
        return self.filter(product_id=by.product_id).filter(Q(owner__isnull=True) | Q(owner_id=by.agent_id))

    def shown_to(self, user: Any) -> Self:
        """What a person sees in the admin: shared memories of their products. Superusers never see private ones."""
        return self.filter(products_of(user), owner__isnull=True)

    def current(self) -> Self:
        return self.filter(status__in=CURRENT)

    def live(self) -> Self:
        return self.filter(status__in=LIVE)

    def statements_only(self) -> Self:
        return self.exclude(kind=Kind.RAW)

    def recallable(self, product_id: Any) -> Self:
        """Current, and, for a raw text, not saying anything that has lost its currency.

        "A raw text is searched beside its statements while none of them has lost currency", other than
        because another memory says the same: that one carries the evidence too, and counts instead.

        What was lost is looked for from its own side, in this product alone: an index leads to the few
        memories that are not current, and each row is then looked up among their raw texts.

        What cognition concluded leaves with the first memory that it rests on, until the next run has looked again.
        """
        from memories.models import Evidence  # noqa: PLC0415  # models are built on querysets

        fallen = Evidence.objects.filter(
            product_id=product_id, rests_on__product_id=product_id, rests_on__status__in=NOT_CURRENT, counters=False
        )
        lost = (
            Evidence.objects.filter(memory__product_id=product_id, memory__status__in=NOT_CURRENT, raw__isnull=False)
            .filter(memory__duplicate_of__isnull=True, memory__erased_at__isnull=True)
            .filter(Q(memory__replaced_by__isnull=True) | ~Q(memory__replaced_by__key=F("memory__key")))
        )
        rests = ~Q(origin=Origin.COGNITION) | ~Q(pk__in=fallen.values("memory_id"))
        return self.current().filter(~Q(kind=Kind.RAW) | ~Q(pk__in=lost.values("raw_id"))).filter(rests)

    def for_show(self) -> Self:
        """Rows with all that their outward shape needs, in a fixed number of queries."""
        from memories.models import Embedding, Evidence  # noqa: PLC0415  # models are built on querysets

        first = Evidence.objects.order_by("memory_id", "id").distinct("memory_id")
        here = OuterRef("pk")
        pairs: Any = self.model._meta.get_field("conflicts").related_model  # conflicts.Conflict, which stands above us
        unsettled = pairs.objects.unsettled()
        vectors = Embedding.objects.filter(memory=here).order_by("pk")
        return (
            self.select_related("agent")
            .defer("words", "weights")
            .prefetch_related(Prefetch("evidence", queryset=first, to_attr="earliest_evidence"))
            .annotate(
                older_ids=ArraySubquery(self.model._default_manager.filter(replaced_by=here).values("pk")),
                pairs_as_newer=ArraySubquery(unsettled.filter(newer=here).values("pk")),
                pairs_as_older=ArraySubquery(unsettled.filter(older=here).values("pk")),
                vector_sizes=ArraySubquery(vectors.values_list(JSONObject(model="model", size="dimensions"))),
            )
        )

    def live_twin(
        self, product_id: UUID, owner_id: UUID | None, key: bytes, start: datetime | None, until: datetime | None
    ) -> "Memory | None":
        """The one live statement of a pool that says the same about the same time."""
        pool = self.in_pool(product_id, owner_id).live().statements_only()
        return pool.filter(key=key, about_from=start, about_until=until).first()

    def in_pool(self, product_id: Any, owner_id: Any) -> Self:
        """One pool: the shared one of a product, or one agent's private one."""
        return self.filter(product_id=product_id, owner_id=owner_id)


class WriteQuerySet(models.QuerySet["Write"]):
    def visible_to(self, by: Actor) -> Self:
        """An agent's own writes; a person sees those of the shared scope in their product."""
        mine = self.filter(product_id=by.product_id)
        return mine.filter(agent_id=by.agent_id) if by.type == Origin.AGENT else mine.filter(raw__scope=Scope.SHARED)

    def shown_to(self, user: Any) -> Self:
        return self.filter(products_of(user), raw__owner__isnull=True)

    def unfinished(self) -> Self:
        return self.filter(state__in=UNFINISHED)

    def in_turn(self) -> Self:
        """Without the messages of a session that come after one still unfinished: a session is read in its order."""
        from memories.models import CapturedMessage  # noqa: PLC0415  # models are built on querysets

        before = CapturedMessage.objects.filter(
            agent=OuterRef("captured__agent"),
            session=OuterRef("captured__session"),
            pk__lt=OuterRef("captured__pk"),
            write__state__in=UNFINISHED,
        )
        return self.filter(~Exists(before))
