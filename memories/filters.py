"""The filters of lists and search: typed values, and how they narrow rows that are visible already."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, Subquery

from memories.actors import Actor
from memories.choices import CURRENT, NOT_CURRENT, Scope
from memories.models import Evidence, Memory, MemoryEvent
from memories.querysets import MemoryQuerySet


@dataclass(frozen=True, slots=True)
class Filters:
    """What a caller narrows by. Times are instants, both ends inclusive; empty means no narrowing."""

    scope: str = "all"
    kind: Sequence[str] = ()
    category: Sequence[str] = ()
    tier: Sequence[str] = ()
    status: Sequence[str] = ()
    tag: Sequence[str] = ()
    tag_mode: str = "any"
    source: str = ""
    agent: str = ""
    person: str = ""
    recorded_after: datetime | None = None
    recorded_before: datetime | None = None
    about_after: datetime | None = None
    about_before: datetime | None = None
    as_of: datetime | None = None
    history: bool = False


NO_FILTERS = Filters()


def narrowed(by: Actor, filters: Filters) -> MemoryQuerySet:
    """The rows the actor may see, narrowed. Without `status`, `as_of` or `history`: what recall may show.

    What was erased is in no list: it has an id and links, and nothing to show.
    """
    rows = _of_time(Memory.objects.visible_to(by).filter(erased_at__isnull=True), filters, by)
    if filters.scope == Scope.SHARED:
        rows = rows.filter(owner__isnull=True)
    elif filters.scope == Scope.PRIVATE:
        rows = rows.filter(owner__isnull=False)
    for column in ("kind", "category", "tier"):
        wanted = getattr(filters, column)
        rows = rows.filter(**{f"{column}__in": wanted}) if wanted else rows
    if filters.tag:
        rows = rows.filter(**{f"tags__{'contains' if filters.tag_mode == 'all' else 'overlap'}": list(filters.tag)})
    return rows.filter(_from_whom(filters, by), _recorded(filters), _about(filters))


def _of_time(rows: MemoryQuerySet, filters: Filters, by: Actor) -> MemoryQuerySet:
    if filters.history:
        return rows.filter(status__in=filters.status) if filters.status else rows
    if filters.as_of:
        rows = rows.alias(then=_last_moves(filters.as_of, "status")).filter(then__in=filters.status or CURRENT)
        return rows if filters.status else rows.exclude(_said_what_was_lost(filters.as_of))
    return rows.filter(status__in=filters.status) if filters.status else rows.recallable(by.product_id)


def _last_moves(moment: datetime, column: str, *, of: str = "pk") -> Subquery:
    """ "What did we hold true on that date": the last move up to then decides."""
    moves = MemoryEvent.objects.filter(pgh_obj=OuterRef(of), pgh_created_at__lte=moment)
    return Subquery(moves.order_by("-pgh_id").values(column)[:1])


def _said_what_was_lost(moment: datetime) -> Exists:
    """What `recallable` asks of raw texts today, asked of that date."""
    last = partial(_last_moves, moment, of="memory_id")
    passages = Evidence.objects.filter(raw_id=OuterRef("pk")).alias(
        then=last("status"), duplicate_of=last("duplicate_of"), successor_key=last("replaced_by__key")
    )
    lost = passages.filter(then__in=NOT_CURRENT, duplicate_of__isnull=True, memory__erased_at__isnull=True)
    return Exists(lost.filter(Q(successor_key__isnull=True) | ~Q(successor_key=F("memory__key"))))


def _from_whom(filters: Filters, by: Actor) -> Q:
    wanted = Q()
    if filters.source:
        matches = Q(source_name=filters.source) | _if_id("source_id", filters.source)
        wanted &= Q(pk__in=Evidence.objects.filter(matches, product_id=by.product_id).values("memory_id"))
    if filters.agent:
        wanted &= Q(agent__name=filters.agent) | _if_id("agent_id", filters.agent)
    if filters.person:
        wanted &= Q(person__iexact=filters.person)
    return wanted


def _if_id(column: str, value: str) -> Q:
    try:
        return Q(**{column: UUID(value)})
    except ValueError:
        return Q(pk__in=[])


def _recorded(filters: Filters) -> Q:
    wanted = Q()
    if filters.recorded_after:
        wanted &= Q(recorded_at__gte=filters.recorded_after)
    if filters.recorded_before:
        wanted &= Q(recorded_at__lte=filters.recorded_before)
    return wanted


def _about(filters: Filters) -> Q:
    """The times overlap; a bound that is open reaches as far as one likes."""
    wanted = Q()
    if filters.about_after:
        wanted &= Q(about_until__gte=filters.about_after) | Q(about_until__isnull=True, about_from__isnull=False)
    if filters.about_before:
        wanted &= Q(about_from__lte=filters.about_before) | Q(about_from__isnull=True, about_until__isnull=False)
    return wanted
