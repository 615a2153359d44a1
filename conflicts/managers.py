"""Pairs: who may see them, and the port through which `memories` opens one without an import upward."""

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q

from conflicts.choices import State
from memories.actors import Actor
from memories.choices import Category, Reason, Status
from memories.querysets import products_of

if TYPE_CHECKING:
    from conflicts.models import Conflict  # named in strings below: models are built on managers
    from memories.models import Memory


#: What waits for an answer: open, and not merely suggested.
IN_QUESTION = Q(state=State.OPEN) & ~Q(reason=Reason.UNSURE)
#: Refused by authority, and the refused side still waits: maybe the older, where the pair was a suggestion before.
NEEDS_CLARIFICATION = Q(reason=Reason.AUTHORITY) & (
    Q(newer__status=Status.CONFLICTING) | Q(older__status=Status.CONFLICTING)
)


class ConflictQuerySet(models.QuerySet["Conflict"]):
    def visible_to(self, by: Actor) -> Self:
        """Pairs of shared memories and, for an agent, of its own private ones. Both sides share one pool."""
        return self.filter(product_id=by.product_id).filter(
            Q(newer__owner__isnull=True) | Q(newer__owner_id=by.agent_id)
        )

    def shown_to(self, user: Any) -> Self:
        """ "Pairs of private memories are in no admin page, count or badge."\""""
        return self.filter(products_of(user), newer__owner__isnull=True)

    def unsettled(self) -> Self:
        return self.exclude(state=State.SETTLED)

    def in_badge(self) -> Self:
        """What the badge beside Facts counts: in question, and not about persona traits."""
        return self.filter(IN_QUESTION, persona=False)

    def with_side(self, memory: "Memory") -> Self:
        return self.filter(Q(older=memory) | Q(newer=memory))


_Base = models.Manager.from_queryset(ConflictQuerySet)


class ConflictManager(_Base):  # type: ignore[type-arg]  # what from_queryset makes can't be subscripted
    """Reached as `newer.conflicts`, so the newer side is filled in. A manager, because a queryset would not know it."""

    instance: "Memory"

    def open_against(self, older: "Memory", *, reason: Reason) -> "Conflict":
        """Open the pair. Two memories stand in one unsettled pair at most: a suggestion becomes the firmer reason.

        Must run in the caller's transaction: the pair and the statuses it explains stand or fall together.
        """
        newer = self.instance
        persona = older.category == Category.PERSONA and newer.category == Category.PERSONA
        self.model.objects.bulk_create(
            [self.model(product_id=newer.product_id, older=older, newer=newer, reason=reason, persona=persona)],
            ignore_conflicts=True,
        )
        pair: Conflict = self.unsettled_between(newer, older)
        if pair.reason == Reason.UNSURE and reason != Reason.UNSURE:
            self.model.objects.filter(pk=pair.pk).update(reason=reason, state=State.OPEN, put_off_until=None)
            pair.refresh_from_db()
        return pair

    def unsettled_between(self, one: "Memory", other: "Memory") -> Any:
        """The pair of these two, in either order, or None."""
        either = Q(older=one, newer=other) | Q(older=other, newer=one)
        return self.model.objects.filter(either).exclude(state=State.SETTLED).first()
