"""Facts: the list that says where a person is needed, and the page of one fact."""

from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.enums import ActionVariant
from unfold.views import ChangeList

from memories import decisions
from memories.admin import acts, fact_page, filters, labels
from memories.admin.base import ServiceAdmin, actor_for, products_where
from memories.admin.bulk import BulkActs
from memories.admin.columns import WriterColumn
from memories.admin.desks import DeskActs, DeskFilter
from memories.admin.exporting import ExportActs
from memories.admin.reword import RewordForm
from memories.admin.searching import found
from memories.choices import Outcome, Role, Status
from memories.models import Memory
from memories.services import editing

#: What the acts answer, as a person reads it.
DONE = {
    Outcome.CONFIRMED: "Verified.",
    Outcome.UNCHANGED: "Nothing changed: it was verified already.",
    Outcome.RETIRED: "Retired. Restore brings it back.",
    Outcome.RESTORED: "Restored.",
}


class FactList(ChangeList):  # type: ignore[misc]  # unfold is not typed
    """What a row of the list shows is fetched for the rows of one page, in a fixed number of queries."""

    def get_queryset(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        rows = super().get_queryset(request, *args, **kwargs)
        return rows.defer("words", "weights", "metadata").prefetch_related(
            labels.earliest(), "conflicts", "conflicts_as_older"
        )


@admin.register(Memory)
class FactAdmin(BulkActs, WriterColumn, DeskActs, ExportActs, ServiceAdmin):
    least_role = Role.CURATOR
    form = RewordForm
    fields = ("content", "why")
    change_form_template = "memories/admin/fact.html"
    empty_title = "No facts yet"
    empty_text = (
        "A fact is one clear statement. Agents save facts over REST and MCP, and texts are read for them; people "
        "correct, verify and retire. Give an agent a key, and what it saves stands here."
    )
    list_filter = (
        filters.StatusFilter, filters.ProductFilter, filters.HowFilter, filters.KindFilter, filters.CategoryFilter,
        filters.TierFilter, filters.OriginFilter, filters.AgentFilter, filters.SourceFilter, filters.TagFilter,
        ("recorded_at", filters.DaysFilter), ("about_from", filters.AboutFilter), filters.EntityFilter,
        filters.PairFilter, DeskFilter, filters.StaleFilter, filters.OfRawFilter,
    )  # fmt: skip
    #: Django shows a search box where this is not empty; what is searched is said below.
    search_fields = ("words",)
    search_help_text = "Words, a meaning, or an id"
    list_disable_select_all = False
    actions = (
        "verify_selected", "retire_selected", "restore_selected", "put_on_desk_selected", "take_off_desk_selected",
        "export_selected",
    )  # fmt: skip
    actions_detail = ("verify", "retire", "restore")
    list_display: ClassVar[list[str]] = ["statement", "state", "authority", "by", "about", "recorded", "pairs"]

    # --- which rows

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = rows.shown_to(request.user).filter(product__in=products_where(request, self.least_role))
        return mine.statements_only().select_related("agent", "author", "product").defer("words", "weights")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        products = products_where(request, self.least_role)
        asked = [each for each in products if str(each) == request.GET.get(filters.ProductFilter.parameter_name)]
        by_meaning = request.GET.get(filters.HowFilter.parameter_name) != filters.HowFilter.WORDS
        return found(queryset, search_term, products=asked or products, by_meaning=by_meaning), False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return FactList

    # --- the list

    @labels.column("Fact")
    def statement(self, memory: Memory) -> SafeString:
        return labels.text_label(
            memory.content, below=labels.kind_label(memory, near=getattr(memory, "is_near", False))
        )

    @labels.column("Status", label=labels.STATUS_COLOURS)
    def state(self, memory: Memory) -> tuple[str, str]:
        return memory.status, memory.get_status_display()

    @labels.column("Tier")
    def authority(self, memory: Memory) -> SafeString:
        return labels.tier_label(memory.tier)

    @labels.column("About")
    def about(self, memory: Memory) -> str:
        return labels.about_label(memory)

    @labels.column("Recorded")
    def recorded(self, memory: Memory) -> SafeString | str:
        return labels.when_label(memory.recorded_at, day_only=True)

    @labels.column("Open pairs")
    def pairs(self, memory: Memory) -> SafeString | str:
        return labels.urgent_label(fact_page.open_pairs(memory))

    # --- the page

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether a fact can be edited in its status is the service's to say, with its sentence."""
        return self.is_open_to(request)

    def has_curate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        memory = self.row_or_404(request, object_id or "")
        context = fact_page.context(memory, request) | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """On to the new version; `obj` is what the form's service answered with."""
        unchanged = obj.outcome == Outcome.UNCHANGED
        messages.success(request, "Nothing changed." if unchanged else "Saved as a new version.")
        return acts.go(request, page_of(obj.fact.pk))

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """The buttons whose verb may start from the fact's status, by the table of moves."""
        memory = self.get_object(request, str(object_id))
        if memory is None:
            return []
        possible = {verb.value for verb, (starts, _) in decisions.VERBS.items() if Status(memory.status) in starts}
        return [each for each in super().get_actions_detail(request, object_id) if each.path in possible]

    @acts.dialog(
        "Verify", text="You know that this is true. It stays current, as verified.", icon="check_circle",
        permission="curate", variant=ActionVariant.SUCCESS,
    )  # fmt: skip
    def verify(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        return self._act(request, form, object_id, editing.verify)

    @acts.dialog(
        "Retire", text="It leaves lists, search and recall. Its history stays, and it can be restored.", icon="archive",
        permission="curate",
    )  # fmt: skip
    def retire(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        return self._act(request, form, object_id, editing.retire)

    @acts.dialog(
        "Restore", text="It goes back to the status it had before it was retired.", icon="unarchive",
        permission="curate", variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def restore(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        return self._act(request, form, object_id, editing.restore)

    def _act(self, request: HttpRequest, form: forms.Form, object_id: str, service: Any) -> HttpResponse:
        memory = self.row_or_404(request, object_id)
        by = actor_for(request.user, memory.product_id)
        acts.attempt(
            request, lambda: DONE[service(by=by, memory_id=memory.pk, why=form.cleaned_data["why"]).outcome]
        )  # fmt: skip
        return acts.go(request, page_of(memory.pk))


def page_of(memory_id: UUID) -> str:
    return reverse("admin:memories_memory_change", args=[memory_id])
