"""The audit log: who did what to which fact or rule, when and why. It is read from history, which is only added to."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import F, Q
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import DropdownFilter, TextFilter

from memories.admin import filters, labels, rules
from memories.admin.base import DrawnAdmin, products_where
from memories.admin.searching import holding
from memories.choices import Kind, Origin, Role, RuleStatus, Status, Verb
from memories.models import Agent, Memory, MemoryEvent, Rule, RuleEvent

BEGINNING = 200


class VerbFilter(filters.ChoicesFilter):
    title, parameter_name, labels = "what was done", "verb", Verb

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(pgh_context__verb__in=self.value()) if self.value() else queryset


class ActorFilter(filters.ChoicesFilter):
    title, parameter_name, labels = "kind of actor", "origin", Origin

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(pgh_context__type__in=self.value()) if self.value() else queryset


class PersonFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """The people of one's products. Whoever has left them is found by what they did, through the other filters."""

    title, parameter_name = "person", "person"

    def lookups(self, request: HttpRequest, model_admin: Any) -> filters.Lookups:
        mine = products_where(request, Role.CURATOR)
        rows = get_user_model().objects.filter(Q(memberships__product__in=mine) | Q(pk=request.user.pk)).distinct()
        return [(str(pk), name) for pk, name in rows.order_by("username").values_list("pk", "username")]

    def has_output(self) -> bool:
        return bool(self.lookup_choices or self.value())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        if not str(self.value()).isdecimal():
            return queryset.none()
        # Both, so that the index over what people did can answer.
        return queryset.filter(pgh_context__type=Origin.PERSON.value, pgh_context__user=int(self.value()))


class AgentFilter(filters.AgentFilter):
    """By the plain id in history."""

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        try:
            agent = Agent.objects.filter(
                pk=UUID(self.value()), product__in=products_where(request, Role.CURATOR)
            ).first()  # fmt: skip
        except ValueError:
            agent = None
        return queryset.filter(pgh_context__agent=str(agent.pk)) if agent else queryset.none()


class TrailProductFilter(filters.ProductFilter):
    column = "pgh_obj__product"


class MemoryFilter(TextFilter):  # type: ignore[misc]  # unfold is not typed
    """All that happened to one memory. Its page links here."""

    title, parameter_name = "id of the fact", "memory"

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        try:
            return queryset.filter(pgh_obj=UUID(self.value()))
        except ValueError:
            return queryset.none()


class TrailAdmin(DrawnAdmin):
    """Rows of history, newest first. Nothing is counted: a page is read from the end of the table."""

    least_role = Role.CURATOR
    ordering = ("-pgh_id",)
    list_display_links = None

    def get_list_display(self, request: HttpRequest) -> list[str]:
        several = len(products_where(request, self.least_role)) > 1
        return [*self.list_display, *(["where"] if several else [])]

    @labels.column("When")
    def at(self, row: Any) -> SafeString | str:
        return labels.when_label(row.pgh_created_at)

    @labels.column("Who")
    def who(self, row: Any) -> SafeString:
        said = row.pgh_context or {}
        if said.get("type") not in Origin:
            return format_html('<span class="desk-quiet">{}</span>', "Outside the services")
        return labels.who_label(said["type"], said.get("name", ""))

    @labels.column("Did what")
    def did(self, row: Any) -> SafeString | str:
        said = row.pgh_context or {}
        verb = said.get("verb", row.pgh_label)
        name = Verb(verb).label if verb in Verb else str(verb).title()
        if not said.get("pair"):
            return name
        page = reverse("admin:conflicts_conflict_change", args=[said["pair"]])
        return format_html('{} <a class="desk-link" href="{}">in this pair</a>', name, page)

    @labels.column("Why")
    def why(self, row: Any) -> SafeString:
        return format_html('<span class="desk-because" dir="auto">{}</span>', (row.pgh_context or {}).get("why", ""))

    @labels.column("In")
    def where(self, row: Any) -> str:
        return str(row.product_name)


@admin.register(MemoryEvent)
class MemoryTrailAdmin(TrailAdmin):
    """What happened to facts and raw texts."""

    list_filter = (
        PersonFilter, AgentFilter, VerbFilter, ActorFilter, TrailProductFilter, ("pgh_created_at", filters.DaysFilter),
        MemoryFilter,
    )  # fmt: skip
    search_fields = ("words",)
    search_help_text = "Words of the fact, or its id"
    list_display: ClassVar[list[str]] = ["at", "who", "did", "fact", "became", "why"]
    empty_title = "Nothing has happened yet"
    empty_text = "Whatever is added, verified, replaced, settled or retired stands here, with who did it and why."

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = Memory.objects.shown_to(request.user).filter(product__in=products_where(request, self.least_role))
        return rows.filter(pgh_obj__in=mine.values("pk")).annotate(
            beginning=Left("pgh_obj__content", BEGINNING + 40), kind=F("pgh_obj__kind"),
            product_name=F("pgh_obj__product__name"),
        )  # fmt: skip

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(pgh_obj__in=holding(Memory.objects.all(), search_term).values("pk")), False

    @labels.column("Fact")
    def fact(self, row: Any) -> SafeString:
        text = labels.text_label(row.beginning, most=BEGINNING)
        return format_html('<a href="{}">{}</a>', _page_of(row), text)

    @labels.column("It became", label=labels.STATUS_COLOURS)
    def became(self, row: Any) -> tuple[str, str]:
        return row.status, Status(row.status).label

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """What happened is read on the page of what it happened to."""
        return HttpResponseRedirect(_page_of(self.row_or_404(request, object_id or "")))


@admin.register(RuleEvent)
class RuleTrailAdmin(TrailAdmin):
    """What became of rules: proposed, approved, reworded, rejected, retired."""

    list_filter = (
        PersonFilter, AgentFilter, VerbFilter, ActorFilter, TrailProductFilter, ("pgh_created_at", filters.DaysFilter),
    )  # fmt: skip
    list_display: ClassVar[list[str]] = ["at", "who", "did", "rule", "became", "why"]
    empty_title = "No rule was proposed yet"
    empty_text = "Agents propose rules, people decide. Each proposal and each decision stands here, with its reason."

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = Rule.objects.filter(product__in=products_where(request, self.least_role))
        return rows.filter(pgh_obj__in=mine.values("pk")).annotate(product_name=F("pgh_obj__product__name"))

    @labels.column("Rule, as it read then")
    def rule(self, row: Any) -> SafeString:
        page = reverse("admin:memories_rule_change", args=[row.pgh_obj_id])
        return format_html('<a href="{}">{}</a>', page, labels.text_label(row.text, most=BEGINNING))

    @labels.column("It became", label=rules.COLOURS)
    def became(self, row: Any) -> tuple[str, str]:
        return row.status, RuleStatus(row.status).label

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.row_or_404(request, object_id or "")
        return HttpResponseRedirect(reverse("admin:memories_rule_change", args=[row.pgh_obj_id]))


def _page_of(row: Any) -> str:
    page = "rawtext" if row.kind == Kind.RAW else "memory"
    return reverse(f"admin:memories_{page}_change", args=[row.pgh_obj_id])
