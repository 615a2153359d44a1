"""The runs of sources: what each did, and which items suffered. To be read only."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memories.admin import labels
from memories.admin.base import DrawnAdmin, products_where
from memories.admin.filters import ChoicesFilter, ProductFilter, WalledFilter
from sources.admin.health import RUN_COLOURS, in_words, run_row
from sources.choices import RunState
from sources.models import Source, SyncRun

COUNTS = (
    ("Seen", "seen"), ("New", "new"), ("Changed", "changed"), ("Unchanged", "unchanged"), ("Moved", "moved"),
    ("Removed", "removed"), ("Back again", "restored"), ("Skipped", "skipped"), ("Failed", "failed"),
)  # fmt: skip
MEMORIES = (("Added", "added"), ("Superseded", "superseded"), ("Retired", "retired"), ("Brought back", "brought_back"))


class SourceOfRunFilter(WalledFilter):
    title, parameter_name, column = "source", "source", "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        rows = Source.objects.filter(product__in=products_where(request, model_admin.least_role))
        return [(str(pk), name) for pk, name in rows.exclude(type="upload").values_list("pk", "name")]


class RunStateFilter(ChoicesFilter):
    title, parameter_name, labels = "state", "state", RunState


@admin.register(SyncRun)
class SyncRunAdmin(DrawnAdmin):
    change_form_template = "sources/admin/run.html"
    list_filter = (ProductFilter, SourceOfRunFilter, RunStateFilter)
    list_display: ClassVar[list[str]] = ["began", "source", "state_", "what", "memories", "asked"]
    empty_title = "No run yet"
    empty_text = "Whenever a source is read, the run stands here with its counts and with what went wrong."

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        return super().within_walls(rows, request).select_related("source", "product")

    @labels.column("Began")
    def began(self, run: SyncRun) -> SafeString | str:
        return labels.when_label(run.started_at)

    @labels.column("State", label={RunState(each).label: colour for each, colour in RUN_COLOURS.items()})
    def state_(self, run: SyncRun) -> str:
        return run.get_state_display()

    @labels.column("Items")
    def what(self, run: SyncRun) -> SafeString:
        below = format_html('<span class="desk-reason">{}</span>', run.error) if run.error else ""
        return format_html("{}{}", in_words(run), below)

    @labels.column("Memories")
    def memories(self, run: SyncRun) -> str:
        said = [f"{getattr(run, column):,} {title.lower()}" for title, column in MEMORIES if getattr(run, column)]
        return ", ".join(said)

    @labels.column("Asked for by")
    def asked(self, run: SyncRun) -> str:
        return run.by or run.get_trigger_display()

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        run = self.row_or_404(request, object_id or "")
        context = {
            "title": "Run", "subtitle": run.source.name, "run": run, "row": run_row(run),
            "items": [(title, getattr(run, column)) for title, column in COUNTS],
            "memories": [(title, getattr(run, column)) for title, column in MEMORIES],
            "problems": run.problems.all(),
        }  # fmt: skip
        return super().changeform_view(request, object_id, form_url, context | (extra_context or {}))  # type: ignore[no-any-return]  # unfold
