"""Conflicts: pairs of facts that disagree, in the person's products, and the page on which one is settled."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST
from unfold.views import ChangeList

from conflicts import undoing
from conflicts.admin import answering, pair_page, persona, queues, telling
from conflicts.choices import OtherSide
from conflicts.models import Conflict
from conflicts.serializers import ConflictSerializer
from memories.admin import acts, labels
from memories.admin.base import DrawnAdmin, actor_for, products_where
from memories.admin.desks import PAIRS, DeskActs, PairDeskFilter
from memories.admin.filters import ProductFilter
from memories.choices import Role, Status, VerdictGiven
from memories.models import Memory
from memories.services import resolving

SIDES = ("older__agent", "older__author", "newer__agent", "newer__author")
#: Columns that only one queue has.
OF_QUEUE = {"put_off": "back_on", "settled": "settlement"}


class PairList(ChangeList):  # type: ignore[misc]  # unfold is not typed
    """Who wrote each side is fetched for the rows of one page."""

    def get_queryset(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        rows = super().get_queryset(request, *args, **kwargs)
        return rows.prefetch_related(labels.earliest("older__evidence"), labels.earliest("newer__evidence"))


@admin.register(Conflict)
class ConflictAdmin(DeskActs, DrawnAdmin):
    least_role = Role.CURATOR
    naming = PAIRS
    actions = ("put_on_desk_selected", "take_off_desk_selected")
    list_before_template = "conflicts/admin/queues.html"
    list_filter = (queues.QueueFilter, queues.SubjectFilter, queues.ReasonFilter, PairDeskFilter, ProductFilter)
    list_display: ClassVar[list[str]] = ["first", "second", "why_opened", "opened"]
    empty_title = "No open disagreement"
    empty_text = (
        "When two facts can't both be true, the pair stands here until a person settles it. Nothing is merged or "
        "dropped behind your back."
    )

    # --- the list

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        """Pairs of private memories "are in no admin page, count or badge"."""
        mine = rows.shown_to(request.user).filter(product__in=products_where(request, self.least_role))
        left_out = [f"{side}__{column}" for side in ("older", "newer") for column in ("words", "weights", "metadata")]
        return mine.select_related("product", "correction", *SIDES).defer(*left_out)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return PairList

    def get_list_display(self, request: HttpRequest) -> list[str]:
        extra = OF_QUEUE.get(queues.chosen(request))
        several = ["product"] if len(products_where(request, self.least_role)) > 1 else []
        return [*super().get_list_display(request), *([extra] if extra else []), *several]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {
            "queues": queues.tabs(request, self.get_queryset(request)),
            "meaning": queues.MEANING[queues.chosen(request)],
            "is_persona": queues.is_persona(request),
        }
        return super().changelist_view(request, context | (extra_context or {}))  # type: ignore[no-any-return]  # unfold

    @labels.column("Older")
    def first(self, pair: Conflict) -> SafeString:
        return _text(pair.older)

    @labels.column("Newer")
    def second(self, pair: Conflict) -> SafeString:
        return _text(pair.newer)

    @labels.column("Why")
    def why_opened(self, pair: Conflict) -> SafeString:
        gone = ConflictSerializer().get_other_side(pair)
        said = format_html('<span class="desk-gone">One side was {} meanwhile</span>', _lower(gone)) if gone else ""
        return format_html('<span class="desk-because">{}{}</span>', pair.get_reason_display(), said)

    @labels.column("Since")
    def opened(self, pair: Conflict) -> SafeString | str:
        return labels.when_label(pair.opened_at, day_only=True)

    @labels.column("Back on")
    def back_on(self, pair: Conflict) -> SafeString | str:
        return labels.when_label(pair.put_off_until, day_only=True)

    @labels.column("Settled")
    def settlement(self, pair: Conflict) -> SafeString:
        return format_html(
            '<span class="desk-because">{}<span class="desk-kind">{} · {}</span></span>',
            pair.get_answer_display(), pair.settled_by_name, labels.when_label(pair.settled_at, day_only=True),
        )  # fmt: skip

    def has_curate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    # --- the page of one pair

    def get_urls(self) -> list[URLPattern]:
        """What changes something has an address of its own that only takes POST."""
        wrap = self.admin_site.admin_view
        mine = [
            path("persona/", wrap(self.persona_view), name="conflicts_persona"),
            path("<uuid:object_id>/undo/", wrap(require_POST(self.undo_view)), name="conflicts_conflict_undo"),
            path("<uuid:object_id>/confirm/", wrap(require_POST(self.confirm_view)), name="conflicts_conflict_confirm"),
        ]
        return [*mine, *super().get_urls()]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        pair = self.row_or_404(request, object_id or "")
        by = actor_for(request.user, pair.product_id)
        form = answering.AnswerForm(request.POST if request.method == "POST" else None, pair=pair, by=by)
        if form.is_bound and form.is_valid() and form.settled:
            messages.success(request, telling.told(form.settled))
            return HttpResponseRedirect(page_of(pair))
        page = {"form": form, "opts": self.opts, "original": pair, "object": pair, "show_back_button": True}
        return self._draw(request, "conflicts/admin/pair.html", pair_page.context(pair) | page)

    def undo_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        pair = self.row_or_404(request, str(object_id))
        by, why = actor_for(request.user, pair.product_id), request.POST.get("why", "")

        def undo() -> str:
            undoing.undo(by=by, pair_id=pair.pk, why=why)
            return "Undone: the pair is open again, and each fact has the status it had."

        acts.attempt(request, undo)
        return HttpResponseRedirect(page_of(pair))

    def confirm_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """ "A suggestion that a person confirms (→ disagreement)"."""
        pair = self.row_or_404(request, str(object_id))
        by, why = actor_for(request.user, pair.product_id), request.POST.get("why", "")

        def confirm() -> str:
            verdict = VerdictGiven.CONTRADICTS
            resolving.resolve(by=by, newer_id=pair.newer_id, older_id=pair.older_id, verdict=verdict, why=why)
            return "Confirmed: they disagree. Both are out of recall until the pair is settled."

        acts.attempt(request, confirm)
        return HttpResponseRedirect(page_of(pair))

    # --- the Persona page, which has no rows of its own

    def persona_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._draw(request, "conflicts/admin/persona.html", persona.context(request, self.get_queryset(request)))

    def _draw(self, request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
        return TemplateResponse(request, template, {**self.admin_site.each_context(request), **page})


def page_of(pair: Conflict) -> str:
    return reverse("admin:conflicts_conflict_change", args=[pair.pk])


def _text(memory: Memory) -> SafeString:
    """What one side says, its status and tier, and who wrote it."""
    below = format_html(
        '<span class="desk-side"><span class="desk-chip desk-chip-{}">{}</span>{}{}</span>',
        labels.STATUS_COLOURS[Status(memory.status)], memory.get_status_display(), labels.tier_label(memory.tier),
        labels.who_label(memory.origin, labels.writer(memory, memory.first_evidence())),
    )  # fmt: skip
    return format_html('<span class="desk-cell">{}</span>', labels.text_label(memory.content, most=160, below=below))


def _lower(gone: OtherSide) -> str:
    return str(gone.label).lower()
