"""Writes: the receipt of each text, how far its reading got, and another try for those that failed."""

from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Count
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.enums import ActionVariant
from unfold.views import ChangeList

from memories.admin import acts, filters, labels
from memories.admin.base import DrawnAdmin, actor_for, products_where
from memories.admin.columns import WriterColumn
from memories.choices import Outcome, Role, WriteState
from memories.models import Memory, Write, WriteStatement
from memories.models.write import STATES
from memories.services import claims, statements

BEGINNING = 200
MOST_STATEMENTS = 200
#: Where the buttons lead; they are shown where the table of states allows it.
LEADS_TO = {"retry": WriteState.RECEIVED, "cancel": WriteState.CANCELLED}


class WriteList(ChangeList):  # type: ignore[misc]  # unfold is not typed
    result_list: Any

    def get_queryset(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return (
            super()
            .get_queryset(request, *args, **kwargs)
            .defer("raw__content", "raw__words", "raw__metadata")
            .annotate(beginning=Left("raw__content", BEGINNING))
            .prefetch_related(labels.earliest("raw__evidence"))
        )

    def get_results(self, request: HttpRequest) -> None:
        """The outcomes are counted by the database: one text may hold thousands of statements."""
        super().get_results(request)
        page = self.result_list = list(self.result_list)
        rows = WriteStatement.objects.filter(write__in=page).values_list("write", "outcome")
        counts: dict[UUID, list[tuple[str, int]]] = {}
        for write_id, outcome, count in rows.annotate(number=Count("pk")).order_by("-number"):
            counts.setdefault(write_id, []).append((outcome, count))
        for write in page:
            write.counts = counts.get(write.pk, [])


@admin.register(Write)
class WriteAdmin(WriterColumn, DrawnAdmin):
    least_role = Role.CURATOR
    change_form_template = "memories/admin/write.html"
    list_filter = (
        filters.StateFilter, filters.ProductFilter, filters.AgentFilter, ("created_at", filters.DaysFilter),
    )  # fmt: skip
    actions = ("retry_selected",)
    actions_detail = ("retry", "cancel")
    empty_title = "No writes yet"
    empty_text = (
        "Each text that is submitted gets a receipt here, with what was read from it. A reading that failed says "
        "why and can be tried again; nothing is stored twice."
    )
    list_display: ClassVar[list[str]] = [
        "text",
        "state_label",
        "outcomes",
        "attempts",
        "by",
        "received",
    ]

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = rows.shown_to(request.user).filter(product__in=products_where(request, self.least_role))
        return mine.select_related("product", "raw__agent", "raw__author").defer("raw__words")

    def written(self, row: Write) -> Memory:
        return row.raw

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return WriteList

    @labels.column("Text, and how it went")
    def text(self, write: Any) -> SafeString:
        why = write.reason or write.note
        reason = format_html('<span class="desk-reason">{}</span>', why[:160]) if why else ""
        return labels.text_label(write.beginning, most=BEGINNING - 80, below=reason)

    @labels.column("State", label=labels.STATE_COLOURS)
    def state_label(self, write: Write) -> tuple[str, str]:
        return write.state, write.get_state_display()

    @labels.column("Read from it")
    def outcomes(self, write: Any) -> str:
        return ", ".join(f"{count} {Outcome(name).label.lower()}" for name, count in write.counts) or "nothing"

    @labels.column("Received")
    def received(self, write: Write) -> SafeString | str:
        return labels.when_label(write.created_at)

    # --- the page

    def has_curate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        context = _page(self.row_or_404(request, object_id or "")) | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)  # type: ignore[no-any-return]  # unfold

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """The buttons that the table of states allows. A lost claim goes back by itself, never by a person."""
        write = self.get_object(request, str(object_id))
        allowed = {new for old, new in STATES if write and old == write.state and old != WriteState.READING}
        return [each for each in super().get_actions_detail(request, object_id) if LEADS_TO[each.path] in allowed]

    @acts.dialog(
        "Retry", text="It is queued again. What it stored already is not stored twice.", icon="replay",
        permission="curate", form=acts.ConfirmForm, variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def retry(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        write = self.row_or_404(request, object_id)
        acts.attempt(request, lambda: _retry(write, request))
        return acts.go(request, page_of(write))

    @acts.dialog(
        "Cancel", text="It will not be read. The raw text stays.", icon="cancel", permission="curate",
        form=acts.ConfirmForm,
    )  # fmt: skip
    def cancel(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        write = self.row_or_404(request, object_id)
        acts.attempt(request, lambda: _cancel(write, request))
        return acts.go(request, page_of(write))

    @acts.on_selected("Retry", icon="replay", permission="curate")
    def retry_selected(self, request: HttpRequest, queryset: Any) -> None:
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)[: acts.MOST_AT_ONCE]
        chosen = self.get_queryset(request).filter(pk__in=ticked).order_by("pk")

        def act(write: Write) -> str:
            _retry(write, request)
            return ""

        acts.report(request, acts.tally(chosen, act), done="queued again")


def _retry(write: Write, request: HttpRequest) -> str:
    claims.retry(by=actor_for(request.user, write.product_id), write_id=write.pk)
    statements.enqueue(write.pk)
    return "Queued again; reload to see how it went."


def _cancel(write: Write, request: HttpRequest) -> str:
    claims.cancel(by=actor_for(request.user, write.product_id), write_id=write.pk)
    return "Cancelled. The raw text stays."


def _page(write: Write) -> dict[str, Any]:
    origin = write.raw.first_evidence()
    rows = write.statements.select_related("memory", "against").defer("memory__words", "against__words")
    counts = write.statements.values_list("outcome").annotate(number=Count("pk")).order_by("-number")
    return {
        "title": "Write",
        "subtitle": None,
        "write": write,
        "state_colour": labels.STATE_COLOURS[WriteState(write.state)],
        "who": labels.who_label(write.raw.origin, labels.writer(write.raw, origin)),
        "received": labels.when_label(write.created_at),
        "finished": labels.when_label(write.finished_at),
        "tier": labels.tier_label(write.raw.tier),
        "beginning": write.raw.content[: 4 * BEGINNING],
        "is_longer": len(write.raw.content) > 4 * BEGINNING,
        "counts": [(Outcome(name).label, count) for name, count in counts],
        "statements": [(row, labels.OUTCOME_COLOURS.get(Outcome(row.outcome), "")) for row in rows[:MOST_STATEMENTS]],
        "more_statements": sum(count for _, count in counts) > MOST_STATEMENTS,
    }


def page_of(write: Write) -> str:
    return reverse("admin:memories_write_change", args=[write.pk])
