"""The filters of lists. Their names make addresses that can be read and kept: `?status=disputed&tier=policy`."""

from datetime import datetime, time, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, TextChoices
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter, MultipleDropdownFilter, RangeDateFilter, TextFilter
from unfold.utils import parse_date_str

from memories.admin.base import products_where
from memories.choices import CURRENT, LIVE, Category, Kind, Origin, Role, Status, Tier, WriteState
from memories.models import Agent, Evidence, Memory, MemoryEvent, Mention, Product
from memories.reading.entities import name_key

Lookups = list[tuple[str, str]]


class ChoicesFilter(MultipleDropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """Any of some labels."""

    labels: ClassVar[type[TextChoices]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [(value, str(label)) for value, label in self.labels.choices]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(**{f"{self.parameter_name}__in": self.value()}) if self.value() else queryset


class StatusFilter(ChoicesFilter):
    """Without a choice: what is current, as everywhere else; in a pair or on a desk, what is held back too."""

    title, parameter_name, labels = "status", "status", Status

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        held_back = request.GET.get(PairFilter.parameter_name) in PairFilter.STANDING
        unsaid = LIVE if held_back or request.GET.get("desk") in ("mine", "any") else CURRENT
        return queryset.filter(status__in=self.value() or unsaid)


class KindFilter(ChoicesFilter):
    title, parameter_name, labels = "kind", "kind", Kind

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        """Raw texts have a page of their own."""
        return [choice for choice in super().lookups(request, model_admin) if choice[0] != Kind.RAW]


class CategoryFilter(ChoicesFilter):
    title, parameter_name, labels = "category", "category", Category


class TierFilter(ChoicesFilter):
    title, parameter_name, labels = "tier", "tier", Tier


class OriginFilter(ChoicesFilter):
    title, parameter_name, labels = "kind of writer", "origin", Origin


class StateFilter(ChoicesFilter):
    title, parameter_name, labels = "state", "state", WriteState


class WalledFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """One row among those of the person's products; a foreign id finds nothing."""

    column: ClassVar[str]

    def has_output(self) -> bool:
        """Django drops a filter that offers nothing, and would show everything to whoever asks by address."""
        return bool(self.lookup_choices or self.value())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        try:
            return queryset.filter(**{self.column: UUID(self.value())}) if self.value() else queryset
        except ValueError:
            return queryset.none()


class ProductFilter(WalledFilter):
    title, parameter_name, column = "product", "product", "product"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        """Of no use to a person of one product."""
        rows = Product.objects.filter(pk__in=products_where(request, model_admin.least_role))
        found = [(str(pk), name) for pk, name in rows.values_list("pk", "name")]
        return found if len(found) > 1 else []


class AgentFilter(WalledFilter):
    title, parameter_name, column = "agent", "agent", "agent"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        rows = Agent.objects.filter(product__in=products_where(request, Role.CURATOR))
        return [(str(pk), name) for pk, name in rows.values_list("pk", "name")]


class SourceFilter(WalledFilter):
    """By the plain columns of evidence. Which sources there are, the relation says: `sources` stands above us."""

    title, parameter_name, column = "source", "source", "source_id"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        rows = Product.objects.filter(pk__in=products_where(request, Role.CURATOR), sources__isnull=False)
        return [(str(pk), name) for pk, name in rows.values_list("sources__pk", "sources__name")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        return queryset.filter(pk__in=super().queryset(request, Evidence.objects.all()).values("memory"))


class TagFilter(TextFilter):  # type: ignore[misc]  # unfold is not typed
    title, parameter_name = "tag", "tag"

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(tags__contains=[self.value()]) if self.value() else queryset


class PairFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """Whether it stands in a pair. `conflicts` stands above us, so its relation and states are plain words here."""

    title, parameter_name = "conflict", "pair"
    STANDING: ClassVar[dict[str, tuple[str, ...]]] = {"open": ("open",), "unsettled": ("open", "put_off")}
    NONE: ClassVar[str] = "none"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [("open", "In an open pair"), ("unsettled", "In an open pair or one put off"), (self.NONE, "In none")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        chosen = self.value()
        if chosen not in {*self.STANDING, self.NONE}:
            return queryset
        states = self.STANDING.get(chosen, self.STANDING["unsettled"])
        newer = Memory.objects.filter(conflicts__state__in=states).order_by().values("pk")
        older = Memory.objects.filter(conflicts_as_older__state__in=states).order_by().values("pk")
        stands = Q(pk__in=newer) | Q(pk__in=older)
        return queryset.exclude(stands) if chosen == self.NONE else queryset.filter(stands)


class HowFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """How the search box searches: what it finds is decided there (admin/searching.py)."""

    title, parameter_name = "search", "how"
    WORDS: ClassVar[str] = "words"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [(self.WORDS, "By words alone")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset


class StaleFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """Neither recorded, nor said again, nor touched by anybody for so many days."""

    title, parameter_name = "not confirmed for", "stale"
    DAYS: ClassVar[tuple[int, ...]] = (30, 90, 180, 365)

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [(str(days), f"{days} days") for days in self.DAYS]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in map(str, self.DAYS):
            return queryset
        since = timezone.now() - timedelta(days=int(self.value()))
        said = Evidence.objects.filter(memory=OuterRef("pk"), created_at__gte=since)
        moved = MemoryEvent.objects.filter(pgh_obj=OuterRef("pk"), pgh_created_at__gte=since)
        return queryset.filter(~Exists(said), ~Exists(moved), recorded_at__lt=since)


class EntityFilter(TextFilter):  # type: ignore[misc]  # unfold is not typed
    """What names one thing of the graph, in any spelling that is the same name."""

    title, parameter_name = "names", "entity"

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        named = Mention.objects.filter(entity__key=name_key(self.value().replace("\0", "")))
        return queryset.filter(pk__in=named.filter(product__in=products_where(request, Role.CURATOR)).values("memory"))


class OfRawFilter(TextFilter):  # type: ignore[misc]  # unfold is not typed
    """The statements read from one raw text; its page links here. Shown only while it narrows."""

    title, parameter_name = "id of the raw text", "raw"

    def has_output(self) -> bool:
        return bool(self.value())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        try:
            return queryset.filter(raw=self.value()) if self.value() else queryset
        except (ValidationError, ValueError):
            return queryset.none()


#: How the days of a column are called.
DAYS = {
    "recorded_at": "day recorded",
    "about_from": "time it is about",
    "created_at": "day received",
    "pgh_created_at": "day",
}


class DaysFilter(RangeDateFilter):  # type: ignore[misc]  # unfold is not typed
    """From the first day's beginning to the last day's end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = DAYS[self.field_path]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(self.within(self._moment("from", time.min), self._moment("to", time.max)))

    def within(self, start: datetime | None, end: datetime | None) -> Q:
        wanted = Q(**{f"{self.field_path}__gte": start}) if start else Q()
        return wanted & (Q(**{f"{self.field_path}__lte": end}) if end else Q())

    def _moment(self, side: str, at: time) -> datetime | None:
        day = parse_date_str(self.used_parameters.get(f"{self.field_path}_{side}"))
        return timezone.make_aware(datetime.combine(day, at)) if day else None


class AboutFilter(DaysFilter):
    """The times overlap; a bound that is open reaches as far as one likes (as in memories/filters.py)."""

    def within(self, start: datetime | None, end: datetime | None) -> Q:
        after = Q(about_until__gte=start) | Q(about_until__isnull=True, about_from__isnull=False) if start else Q()
        before = Q(about_from__lte=end) | Q(about_from__isnull=True, about_until__isnull=False) if end else Q()
        return after & before
