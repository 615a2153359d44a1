"""Conflicts: pairs of facts that disagree, in the person's products. To be read only; they are settled elsewhere."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from conflicts.choices import State
from conflicts.models import Conflict
from memories.admin import labels
from memories.admin.base import DrawnAdmin, products_where
from memories.admin.filters import ChoicesFilter, ProductFilter
from memories.choices import Reason, Role, Status
from memories.models import Memory

STATE_COLOURS = {State.OPEN: "danger", State.PUT_OFF: "warning", State.SETTLED: "success"}

SIDES = ("older__agent", "older__author", "newer__agent", "newer__author")


class StateFilter(ChoicesFilter):
    """Without a choice: what waits for a person."""

    title, parameter_name, labels = "state", "state", State

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(state__in=self.value() or [State.OPEN])


class ReasonFilter(ChoicesFilter):
    title, parameter_name, labels = "reason", "reason", Reason


@admin.register(Conflict)
class ConflictAdmin(DrawnAdmin):
    least_role = Role.CURATOR
    change_form_template = "conflicts/admin/pair.html"
    list_filter = (StateFilter, ReasonFilter, ProductFilter)
    list_display: ClassVar[list[str]] = ["first", "second", "why_opened", "state_label", "opened"]
    empty_title = "No open disagreement"
    empty_text = (
        "When two facts can't both be true, the pair stands here until a person settles it. Nothing is merged or "
        "dropped behind your back."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        """Pairs of private memories "are in no admin page, count or badge"."""
        shared = rows.filter(older__owner__isnull=True, newer__owner__isnull=True)
        mine = super().within_walls(shared, request).select_related("product", *SIDES)
        return mine.defer("older__words", "older__metadata", "newer__words", "newer__metadata")

    def get_list_display(self, request: HttpRequest) -> list[str]:
        several = len(products_where(request, self.least_role)) > 1
        return [*self.list_display, "product"] if several else self.list_display

    @labels.column("Older")
    def first(self, pair: Conflict) -> SafeString:
        return labels.text_label(pair.older.content, most=140)

    @labels.column("Newer")
    def second(self, pair: Conflict) -> SafeString:
        return labels.text_label(pair.newer.content, most=140)

    @labels.column("Why")
    def why_opened(self, pair: Conflict) -> str:
        return pair.get_reason_display()

    @labels.column("State", label=STATE_COLOURS)
    def state_label(self, pair: Conflict) -> tuple[str, str]:
        return pair.state, pair.get_state_display()

    @labels.column("Opened")
    def opened(self, pair: Conflict) -> SafeString | str:
        return labels.when_label(pair.opened_at)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        pair = self.row_or_404(request, object_id or "")
        context = {
            "title": "Conflict", "subtitle": None, "pair": pair, "opened": labels.when_label(pair.opened_at),
            "state_colour": STATE_COLOURS[State(pair.state)],
            "sides": [_side("Older", pair.older), _side("Newer", pair.newer)],
        }  # fmt: skip
        return super().changeform_view(request, object_id, form_url, context | (extra_context or {}))  # type: ignore[no-any-return]  # unfold


def _side(name: str, memory: Memory) -> dict[str, Any]:
    return {
        "name": name,
        "memory": memory,
        "colour": labels.STATUS_COLOURS[Status(memory.status)],
        "tier": labels.tier_label(memory.tier),
        "who": labels.who_label(memory.origin, labels.writer(memory, memory.first_evidence())),
        "about": labels.about_label(memory),
        "recorded": labels.when_label(memory.recorded_at),
    }
