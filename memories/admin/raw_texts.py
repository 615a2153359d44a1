"""Raw texts: what was submitted, word for word, and the facts that were read from it. To be read only."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models.functions import Left, Length
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from unfold.views import ChangeList

from memories.admin import filters, labels
from memories.admin.base import DrawnAdmin, products_where
from memories.admin.columns import WriterColumn
from memories.admin.searching import holding
from memories.choices import Kind, Role, Status, WriteState
from memories.models import Evidence, Memory

#: So much of a text is fetched for a row of the list: whole texts may be 1 MiB each.
BEGINNING = 200
MOST_STATEMENTS = 200


class RawText(Memory):  # type: ignore[django-manager-missing]  # as for Memory: pghistory makes `events`
    """The verbatim text of one write: a second page over the one table of statements."""

    class Meta:
        proxy = True
        app_label = "memories"
        verbose_name = "raw text"


@dataclass(frozen=True, slots=True)
class Marked:
    """A text cut at one of its passages."""

    before: str
    passage: str
    after: str


class RawTextList(ChangeList):  # type: ignore[misc]  # unfold is not typed
    def get_queryset(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return (
            super()
            .get_queryset(request, *args, **kwargs)
            .defer("content", "words", "weights", "metadata")
            .annotate(beginning=Left("content", BEGINNING), length=Length("content"))
            .prefetch_related(labels.earliest())
        )


@admin.register(RawText)
class RawTextAdmin(WriterColumn, DrawnAdmin):
    least_role = Role.CURATOR
    change_form_template = "memories/admin/raw_text.html"
    list_filter = (
        filters.ProductFilter, filters.TierFilter, filters.OriginFilter, filters.AgentFilter, filters.SourceFilter,
        filters.TagFilter, ("recorded_at", filters.DaysFilter),
    )  # fmt: skip
    search_fields = ("words",)
    search_help_text = "Words, or an id"
    empty_title = "No raw texts yet"
    empty_text = (
        "When an agent or a source submits a text, it is kept here word for word, and the facts read from it say which "
        "passage they come from."
    )
    list_display: ClassVar[list[str]] = ["text", "state", "size", "authority", "by", "recorded"]

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = rows.shown_to(request.user).filter(product__in=products_where(request, self.least_role), kind=Kind.RAW)
        return mine.select_related("agent", "author", "product", "write").defer("words", "weights")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        return holding(queryset, search_term), False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return RawTextList

    @labels.column("Text")
    def text(self, raw: Any) -> SafeString:
        return labels.text_label(raw.beginning, most=BEGINNING - 40)

    @labels.column("Reading", label=labels.STATE_COLOURS)
    def state(self, raw: RawText) -> tuple[str, str]:
        return raw.write.state, raw.write.get_state_display()

    @labels.column("Characters")
    def size(self, raw: Any) -> str:
        return f"{raw.length:,}"

    @labels.column("Tier")
    def authority(self, raw: RawText) -> SafeString:
        return labels.tier_label(raw.tier)

    @labels.column("Recorded")
    def recorded(self, raw: RawText) -> SafeString | str:
        return labels.when_label(raw.recorded_at)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        context = _page(self.row_or_404(request, object_id or ""), request) | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)  # type: ignore[no-any-return]  # unfold


def _page(raw: Any, request: HttpRequest) -> dict[str, Any]:
    write, origin = raw.write, raw.first_evidence()
    statements = list(raw.statements.order_by("id").defer("words", "weights", "metadata")[: MOST_STATEMENTS + 1])
    return {
        "title": "Raw text",
        "subtitle": None,
        "raw": raw,
        "write": write,
        "state_colour": labels.STATE_COLOURS[WriteState(write.state)],
        "tier": labels.tier_label(raw.tier),
        "who": labels.who_label(raw.origin, labels.writer(raw, origin)),
        "recorded": labels.when_label(raw.recorded_at),
        "origin": origin,
        "marked": _marked(raw, request.GET.get("passage", "")),
        "statements": [
            (each, labels.STATUS_COLOURS[Status(each.status)]) for each in statements[:MOST_STATEMENTS]
        ],
        "more_statements": len(statements) > MOST_STATEMENTS,
    }  # fmt: skip


def _marked(raw: RawText, evidence_id: str) -> Marked:
    """The text with the passage that one piece of evidence names, if it is evidence from this text."""
    try:
        found = Evidence.objects.filter(raw=raw, pk=evidence_id).first() if evidence_id else None
    except (ValidationError, ValueError):
        found = None
    if found is None or found.start is None or found.end is None:
        return Marked(raw.content, "", "")
    return Marked(raw.content[: found.start], raw.content[found.start : found.end], raw.content[found.end :])
