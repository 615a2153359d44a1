"""Sources: connected here, watched here, and read when somebody says so. For managers and superusers."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.enums import ActionVariant
from unfold.views import ChangeList

from memories.admin import acts, labels
from memories.admin.base import ServiceAdmin
from memories.admin.filters import ProductFilter
from memories.choices import Tier, Trigger
from memories.errors import NeuronzError
from sources import connections, listing
from sources.admin import forms
from sources.admin.health import due_label, health_of, in_words, run_row
from sources.choices import ItemState, RunState, SourceState, SourceType
from sources.connectors.base import ConnectorError
from sources.connectors.registry import CONNECTORS
from sources.decisions import TYPE_TIERS
from sources.models import Source, SyncProblem
from sources.syncing.claims import is_held
from sources.syncing.preview import preview
from sources.tasks import enqueue

LATEST_RUNS = 12
ONE_WAY_TO_SAVE = {"show_save_and_add_another": False, "show_save_and_continue": False}
PROBLEMS = 50


class SourceList(ChangeList):  # type: ignore[misc]  # unfold is not typed
    def get_results(self, request: HttpRequest) -> None:
        """The last runs of all rows at once."""
        super().get_results(request)
        runs = listing.with_last_runs(list(self.result_list))
        for row in self.result_list:
            row.last = runs.get(row.last_run_id)


@admin.register(Source)
class SourceAdmin(ServiceAdmin):
    change_form_template = "sources/admin/source.html"
    list_filter = (ProductFilter,)
    search_fields = ("name",)
    list_display: ClassVar[list[str]] = ["name", "health", "kind", "authority", "last_run", "due", "product"]
    actions_detail = ("sync_now", "dry_run", "pause", "resume", "list_again")
    empty_title = "No source yet"
    empty_text = (
        "A source is a place that facts are read from, and kept in step with: a repository, a drive, a task list, a "
        "folder. “Add source” connects one; documents are brought in by hand with manage.py remember PATH --product "
        "SLUG."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        kept = Count("items", filter=Q(items__state__in=[ItemState.PRESENT, ItemState.UNREAD]))
        rows = super().within_walls(rows.annotate(items_kept=kept), request).select_related("product")
        return listing.annotated(rows)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SourceList

    # --- the list

    @labels.column("Health")
    def health(self, source: Any) -> SafeString:
        found = health_of(source, source.last, now=timezone.now())
        return format_html(
            '<span class="desk-health desk-health-{}" title="{}"><i></i>{}</span>{}', found.colour, found.sentence,
            found.word, format_html('<span class="desk-reason">{}</span>', found.sentence) if found.sentence else "",
        )  # fmt: skip

    @labels.column("Reads")
    def kind(self, source: Source) -> str:
        return source.get_type_display()

    @labels.column("Tier")
    def authority(self, source: Source) -> SafeString:
        return format_html('<span title="{}">{}</span>', source.in_force.why, labels.tier_label(source.in_force.tier))

    @labels.column("Last run")
    def last_run(self, source: Any) -> SafeString | str:
        run = source.last
        if run is None:
            return format_html('<span class="desk-quiet">{} documents</span>', source.items_kept)
        return format_html('{}<br><span class="desk-quiet">{}</span>', labels.when_label(run.started_at), in_words(run))

    @labels.column("Next")
    def due(self, source: Source) -> SafeString | str:
        return due_label(source, now=timezone.now())

    # --- who may what

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.is_open_to(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        source = obj if isinstance(obj, Source) else None
        return self.is_open_to(request) and (source is None or source.type in forms.types_open_to(request))

    def has_run_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self._connected(request, object_id) is not None

    def has_pause_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        source = self._connected(request, object_id)
        return source is not None and source.state == SourceState.ACTIVE

    def has_resume_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        source = self._connected(request, object_id)
        return source is not None and source.state == SourceState.PAUSED

    def _connected(self, request: HttpRequest, object_id: Any) -> Source | None:
        if object_id is None or not self.is_open_to(request):
            return None
        source = object_id if isinstance(object_id, Source) else self.get_object(request, str(object_id))
        return source if source and source.type in CONNECTORS else None

    # --- its page

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002  # Django's signature
        type_ = self._type(request, obj)
        if type_ is None or (obj and not self.has_change_permission(request, obj)):
            return super().get_form(request, obj, change=change, **{**kwargs, "fields": ()})
        return forms.form_for(request, type_, is_new=obj is None)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        type_ = self._type(request, obj)
        if type_ is None or (obj and not self.has_change_permission(request, obj)):
            return []
        return forms.fieldsets_for(type_, is_new=obj is None)

    def _type(self, request: HttpRequest, source: Source | None) -> SourceType | None:
        asked = source.type if source else request.GET.get("type", "")
        return SourceType(asked) if asked in forms.types_open_to(request) else None

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Without a type, the page asks for one."""
        type_ = self._type(request, None)
        if not self.has_add_permission(request) or type_:
            more = {
                "type": type_,
                **ONE_WAY_TO_SAVE,
                "title": f"Connect {type_.label}" if type_ else "Connect a source",
            }
            return super().add_view(request, form_url, more | (extra_context or {}))  # type: ignore[no-any-return]  # unfold
        choices = [(each, Tier(TYPE_TIERS[each]).label.lower()) for each in forms.types_open_to(request)]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Connect a source",
            "choices": choices,
        }
        return render(request, "sources/admin/choose.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        source = self.row_or_404(request, object_id)
        more = {"title": "Source", "subtitle": source.name, **_page(source), **ONE_WAY_TO_SAVE}
        return super().change_view(request, object_id, form_url, more | (extra_context or {}))  # type: ignore[no-any-return]  # unfold

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        enqueue(obj.pk, trigger=Trigger.PERSON, by=request.user.get_username())
        messages.success(request, f"{obj.name} is connected, and being read for the first time.")
        return HttpResponseRedirect(address_of(obj))

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        messages.success(request, "Saved. It holds from the next run on.")
        return HttpResponseRedirect(address_of(obj))

    def get_urls(self) -> list[Any]:
        own = [
            path("test/", self.admin_site.admin_view(self.test), name="sources_source_test"),
            path("<uuid:id_>/test/", self.admin_site.admin_view(self.test), name="sources_source_test_one"),
            path("<uuid:id_>/now/", self.admin_site.admin_view(self.now), name="sources_source_now"),
            path("<uuid:id_>/retry/", self.admin_site.admin_view(self.retry), name="sources_source_retry"),
        ]
        return [*own, *super().get_urls()]

    def test(self, request: HttpRequest, id_: Any = None) -> HttpResponse:
        """Whether the values in the form work, as they stand: nothing is saved."""
        source = self.row_or_404(request, str(id_)) if id_ else None
        type_ = self._type(request, source)
        if request.method != "POST" or type_ is None or not self.is_open_to(request):
            raise Http404
        works, said = True, ""
        try:
            said = connections.try_out(type_, forms.entered_in(request.POST, type_), source=source)
        except (ConnectorError, NeuronzError) as error:
            works, said = False, error.sentence
        return render(request, "sources/admin/tested.html", {"works": works, "said": said})

    def now(self, request: HttpRequest, id_: Any) -> HttpResponse:
        """The part of the page that changes while a run is on its way; it asks again by itself."""
        source = self.row_or_404(request, str(id_))
        return render(request, "sources/admin/now.html", {"source": source, **_page(source)})

    def retry(self, request: HttpRequest, id_: Any) -> HttpResponse:
        """Read one item again, or all that failed, whatever is known of them."""
        source = self._connected(request, str(id_))
        if request.method != "POST" or source is None:
            raise Http404
        connections.ask_again(source, keys=request.POST.getlist("key"))
        _start(request, source)
        return HttpResponseRedirect(address_of(source))

    # --- its acts

    @acts.dialog(
        "Sync now", text="A worker reads it at once, also outside its schedule.", icon="sync", permission="run",
        form=acts.ConfirmForm, variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def sync_now(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        source = self.row_or_404(request, object_id)
        _start(request, source)
        return acts.go(request, address_of(source))

    @acts.dialog(
        "Dry run", text="Asks the outside system what there is, and lists what a run would do. Nothing is written.",
        icon="rule", permission="run", form=acts.ConfirmForm,
    )  # fmt: skip
    def dry_run(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        source = self.row_or_404(request, object_id)
        found = preview(source)
        counts = [(name, count) for name, count in found.counts.most_common() if count]
        answer = render(request, "sources/admin/dry_run.html", {"source": source, "found": found, "counts": counts})
        for name, value in (("Retarget", "#dialog"), ("Reselect", "#dialog"), ("Reswap", "outerHTML")):
            answer[f"HX-{name}"] = value
        return answer

    @acts.dialog(
        "Pause", text="It is not read by the clock until somebody resumes it. Its facts stay.", icon="pause",
        permission="pause",
    )  # fmt: skip
    def pause(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        source = self.row_or_404(request, object_id)
        connections.pause(source, why=form.cleaned_data["why"] or f"Paused by {request.user.get_username()}.")
        return acts.go(request, address_of(source))

    @acts.dialog(
        "Resume", text="It is read by the clock again, at once for the first time.", icon="play_arrow",
        permission="resume", form=acts.ConfirmForm, variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def resume(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        source = self.row_or_404(request, object_id)
        connections.resume(source)
        return acts.go(request, address_of(source))

    @acts.dialog(
        "List all again", icon="restart_alt", permission="run", form=acts.ConfirmForm,
        text="The next run looks at every item anew. What reads as before is not read again.",
    )  # fmt: skip
    def list_again(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        source = self.row_or_404(request, object_id)
        connections.list_all_again(source)
        _start(request, source)
        return acts.go(request, address_of(source))


def address_of(source: Source) -> str:
    return reverse("admin:sources_source_change", args=[source.pk])


def _start(request: HttpRequest, source: Source) -> None:
    if is_held(source, now=timezone.now()):
        messages.info(request, "It is being read right now.")
    elif enqueue(source.pk, trigger=Trigger.PERSON, by=request.user.get_username()):
        messages.success(request, "A worker reads it now.")
    else:
        messages.error(request, "No worker can be told now: the broker does not answer.")


def _page(source: Any) -> dict[str, Any]:
    runs = list(source.runs.all()[:LATEST_RUNS])
    now = timezone.now()
    last = runs[0] if runs else None
    problems = SyncProblem.objects.filter(run=last).order_by("id")[:PROBLEMS] if last else []
    return {
        "source": source,
        "is_connected": source.type in CONNECTORS,
        "health": health_of(source, last, now=now),
        "in_force": source.in_force,
        "tier": labels.tier_label(source.in_force.tier),
        "due": due_label(source, now=now),
        "is_running": bool(last and last.state == RunState.RUNNING and is_held(source, now=now)),
        "last": run_row(last) if last else None,
        "runs": [run_row(run) for run in runs],
        "problems": problems,
        "failed_keys": [each.key for each in problems if each.kind == "failed"],
        "items_kept": getattr(source, "items_kept", 0),
        "since": labels.when_label(source.created_at),
    }
