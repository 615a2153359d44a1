"""Imports: a file is brought in, looked at before anything is stored, and read while its person watches."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET, require_POST

from memories.admin import acts, labels
from memories.admin.acting import ActingForm
from memories.admin.base import DrawnAdmin, actor_for, products_where
from memories.admin.filters import ProductFilter
from memories.choices import Outcome, Role, Tier
from memories.models import Product
from sources import uploads
from sources.choices import UploadState
from sources.decisions import UPLOAD_TIER
from sources.importing import FAILED, NOTHING
from sources.models import Upload
from sources.tasks import enqueue_upload

#: What made the file, in words.
MADE_BY = {
    "markdown": "Markdown or plain notes", "jsonl": "JSON lines, one fact each", "csv": "CSV or TSV, one fact a row",
    "mem0": "mem0", "mcp-memory": "The MCP memory server", "chatgpt": "ChatGPT's saved memories",
}  # fmt: skip
#: What becomes of a line, in the order a person asks.
OUTCOMES = {
    Outcome.ADDED: ("New", "success"), Outcome.KNOWN: ("Known already", "default"),
    Outcome.SUPERSEDED: ("Replaces an older one", "info"), Outcome.UNSURE: ("May disagree", "warning"),
    Outcome.REFUSED: ("Conflicts with higher authority", "danger"), NOTHING: ("Says nothing", "default"),
    FAILED: ("Can't be read", "danger"),
}  # fmt: skip
STATE_COLOURS = {
    UploadState.WAITING: "warning", UploadState.READING: "primary", UploadState.DONE: "success",
    UploadState.FAILED: "danger", UploadState.DISCARDED: "default",
}  # fmt: skip


class NewUploadForm(ActingForm, forms.Form):
    product = forms.ModelChoiceField(queryset=Product.objects.none(), empty_label=None, label="Into which product")
    kind = forms.ChoiceField(choices=list(MADE_BY.items()), label="What the file is")
    tier = forms.ChoiceField(
        choices=Tier.choices, initial=UPLOAD_TIER, label="What its statements weigh",
        help_text="They are stored as from the upload source of this tier. Lower tiers never displace higher ones.",
    )  # fmt: skip
    file = forms.FileField(label="File", help_text="UTF-8 text, 16 MiB at most.", allow_empty_file=True)

    def __init__(self, request: HttpRequest, *args: Any) -> None:
        super().__init__(*args)
        self.request = request
        managed: Any = self.fields["product"]
        managed.queryset = Product.objects.filter(pk__in=products_where(request, Role.MANAGER))

    def act(self) -> Upload:
        told = self.cleaned_data
        product, file = told["product"], told["file"]
        return uploads.receive(
            by=actor_for(self.request.user, product.pk), product=product, name=file.name, kind=told["kind"],
            tier=Tier(told["tier"]), content=file.read(),
        )  # fmt: skip


@admin.register(Upload)
class UploadAdmin(DrawnAdmin):
    list_filter = (ProductFilter,)
    list_display: ClassVar[list[str]] = ["name", "state_", "made_by", "authority", "became", "who", "since"]
    actions_list = ("create",)
    empty_title = "Nothing was imported yet"
    empty_text = (
        "Bring memories from elsewhere: Markdown notes, CSV, JSON lines, or what mem0, ChatGPT or the MCP memory "
        "server kept. “Import a file” shows what each line would become before anything is stored."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        return super().within_walls(rows, request).select_related("product", "person").defer("text")

    def has_manage_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    # --- the list

    @labels.column("State", label={state.label: colour for state, colour in STATE_COLOURS.items()})
    def state_(self, upload: Upload) -> str:
        return upload.get_state_display()

    @labels.column("File is")
    def made_by(self, upload: Upload) -> str:
        return MADE_BY.get(upload.kind, upload.kind)

    @labels.column("Tier")
    def authority(self, upload: Upload) -> SafeString:
        return labels.tier_label(upload.tier)

    @labels.column("What it became")
    def became(self, upload: Upload) -> str:
        return ", ".join(f"{number:,} {title.lower()}" for title, _, number in _told(upload.counts))

    @labels.column("By")
    def who(self, upload: Upload) -> str:
        return upload.person.get_username() if upload.person else ""

    @labels.column("Since")
    def since(self, upload: Upload) -> SafeString | str:
        return labels.when_label(upload.created_at)

    # --- a new one

    @acts.page("Import a file", icon="upload_file", permission="manage", address="new")
    def create(self, request: HttpRequest) -> HttpResponse:
        form = (
            NewUploadForm(request, request.POST, request.FILES) if request.method == "POST" else NewUploadForm(request)
        )
        if form.is_bound and form.is_valid():
            return HttpResponseRedirect(_page_of(form.answer))
        return self._draw(request, "sources/admin/upload_new.html", {"title": "Import a file", "form": form})

    # --- one file

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        mine = [
            path("<uuid:object_id>/begin/", wrap(require_POST(self.begin_view)), name="sources_upload_begin"),
            path("<uuid:object_id>/discard/", wrap(require_POST(self.discard_view)), name="sources_upload_discard"),
            path("<uuid:object_id>/progress/", wrap(require_GET(self.progress_view)), name="sources_upload_progress"),
        ]
        return [*mine, *super().get_urls()]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        upload = self.row_or_404(request, object_id or "")
        foretold = uploads.foretell(upload) if upload.state == UploadState.WAITING else None
        page = {
            "title": upload.name, "upload": upload, "made_by": MADE_BY.get(upload.kind, upload.kind),
            "tier": labels.tier_label(upload.tier), "colour": STATE_COLOURS[UploadState(upload.state)],
            "counts": _told(foretold.counts if foretold else upload.counts),
            "is_cut": bool(foretold and foretold.is_cut),
            "lines": [(line, *_called(line.outcome)) for line in foretold.lines] if foretold else [],
            "most": uploads.MOST_PREVIEWED, "percent": _percent(upload),
            "waits": upload.state == UploadState.WAITING, "reads": upload.state == UploadState.READING,
        }  # fmt: skip
        return self._draw(request, "sources/admin/upload.html", page)

    def begin_view(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        upload = self.row_or_404(request, str(object_id))
        if not uploads.begin(upload=upload):
            messages.info(request, "It is being read already, or it was read.")
        elif not enqueue_upload(upload.pk):
            messages.error(request, "No worker can be reached now. Try again in a few minutes; nothing is lost.")
        return HttpResponseRedirect(_page_of(upload))

    def discard_view(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        upload = self.row_or_404(request, str(object_id))
        if uploads.discard(upload=upload):
            messages.success(request, "Discarded. Nothing of it was stored.")
        else:
            messages.info(request, "It is past discarding; retire what it brought, if it should not be there.")
        return HttpResponseRedirect(reverse("admin:sources_upload_changelist"))

    def progress_view(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Asked by the page (static/neuronz/progress.js) while a file is read."""
        upload = self.row_or_404(request, str(object_id))
        is_over = upload.state != UploadState.READING
        return JsonResponse({"percent": _percent(upload), "done": sum(upload.counts.values()), "is_over": is_over})

    def _draw(self, request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
        return TemplateResponse(request, template, {**self.admin_site.each_context(request), "opts": self.opts, **page})


def _page_of(upload: Upload) -> str:
    return reverse("admin:sources_upload_change", args=[upload.pk])


def _percent(upload: Upload) -> int:
    return round(100 * upload.seen / upload.lines) if upload.lines else 0


def _called(outcome: str) -> tuple[str, str]:
    return next(
        ((title, colour) for each, (title, colour) in OUTCOMES.items() if each == outcome), (outcome, "default")
    )


def _told(counts: Any) -> Sequence[tuple[str, str, int]]:
    return [(*named, counts[each]) for each, named in OUTCOMES.items() if counts.get(each)]
