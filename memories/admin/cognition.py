"""Cognition: what was learned, what each step did, how it is set, and "run now". Curators look, managers set."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from memories.admin import acts, labels
from memories.admin.base import UnloggedAdmin, products_where
from memories.choices import Kind, Origin, ProposalState, Role, StepState, Trigger
from memories.cognition import claims, runner
from memories.models import CognitionRun, CognitionSettings, Memory, Product, Proposal
from memories.tasks import enqueue_cognition

COLOURS = {
    StepState.RUNNING: "primary",
    StepState.DONE: "success",
    StepState.PARTLY: "warning",
    StepState.FAILED: "danger",
    StepState.DIED: "danger",
}
WEEK = timedelta(days=7)
#: So many of what was learned, and of the steps, are shown.
SHOWN, STEPS_SHOWN = 25, 40
LEARNED = {
    Kind.SCHEMA: ("Patterns", "What recurs over many facts."),
    Kind.INTENTION: ("Intentions", "What was aimed at again and again."),
    Kind.SUMMARY: ("Summaries", "Short accounts of what many facts say."),
}
NO_BROKER = "The task queue can't be reached; nothing was started. See whether the worker and its broker run."


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument at run time
    steps = forms.MultipleChoiceField(
        required=False, label="Steps that run", widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="A step that is switched off leaves what it wrote before.",
    )  # fmt: skip

    class Meta:
        model = CognitionSettings
        fields = ("is_on", "every_minutes", "quiet_from", "quiet_until", "seconds_per_day", "tokens_per_day")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        steps = runner.all_steps()
        if "steps" in self.fields:
            field = self.fields["steps"]
            field.choices = [  # type: ignore[attr-defined]  # a field of choices
                (each.name, format_html("<b>{}</b> – {}", each.title, each.explains)) for each in steps
            ]
            field.initial = [each.name for each in steps if each.name not in self.instance.steps_off]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_until") is None):
            self.add_error("quiet_until", "Quiet hours need both a beginning and an end, or neither.")
        return cleaned

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002  # Django's signature
        on = set(self.cleaned_data.get("steps") or ())
        self.instance.steps_off = [each.name for each in runner.all_steps() if each.name not in on]
        return super().save(commit)


@admin.register(CognitionSettings)
class CognitionAdmin(UnloggedAdmin):
    least_role = Role.CURATOR
    form = SettingsForm
    change_form_template = "memories/admin/cognition.html"
    list_display: ClassVar[list[str]] = ["product_", "state_", "last", "next_", "waiting"]
    actions_detail = ("run_now",)
    empty_title = "No product yet"
    empty_text = "Cognition works in the background of each product; this page says what it learned."
    fieldsets = (
        (
            "When it runs",
            {
                "fields": ("is_on", "every_minutes", "quiet_from", "quiet_until"),
                "description": "It reads shared current facts alone and rewrites none in place.",
            },
        ),
        (
            "What it may use",
            {
                "fields": ("seconds_per_day", "tokens_per_day"),
                "description": "When a day's share is used up it stops cleanly, and goes on there the next time. "
                "Without a language model it uses no tokens.",
            },
        ),
        ("What it does", {"fields": ("steps",)}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        missing = Product.objects.filter(pk__in=products_where(request, self.least_role), cognition__isnull=True)
        for product in missing:
            claims.settings_of(product)
        return super().get_queryset(request).select_related("product")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        managed = products_where(request, Role.MANAGER)
        return bool(managed) if obj is None else getattr(obj, "pk", obj) in managed

    def has_curate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    @labels.column("Product")
    def product_(self, row: CognitionSettings) -> str:
        return row.product.name

    @labels.column("State", label={"Running": "primary", "On": "success", "Off": "default"})
    def state_(self, row: CognitionSettings) -> str:
        if claims.is_held(row, now=timezone.now()):
            return "Running"
        return "On" if row.is_on else "Off"

    @labels.column("Last run")
    def last(self, row: CognitionSettings) -> SafeString | str:
        run = CognitionRun.objects.filter(product=row.product).order_by("-id").first()
        return labels.when_label(run.started_at) if run else "not yet"

    @labels.column("Next run")
    def next_(self, row: CognitionSettings) -> SafeString | str:
        return labels.when_label(row.next_due_at) if row.is_on else ""

    @labels.column("To decide")
    def waiting(self, row: CognitionSettings) -> SafeString | str:
        return labels.urgent_label(Proposal.objects.filter(product=row.product, state=ProposalState.OPEN).count())

    # --- the page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.row_or_404(request, object_id or "")
        context = {"title": "Cognition", "subtitle": row.product.name} | _page(row) | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)  # type: ignore[no-any-return]  # unfold

    @acts.dialog(
        "Run now", text="All steps that are switched on run once, in the background, also within quiet hours.",
        icon="play_arrow", permission="curate", form=acts.ConfirmForm, variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def run_now(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        row = self.row_or_404(request, object_id)
        if claims.is_held(row, now=timezone.now()):
            messages.warning(request, "It is running already.")
        elif enqueue_cognition(row.pk, trigger=Trigger.PERSON, by=request.user.get_username()):
            messages.success(request, "Started. Reload this page in a while to see what each step did.")
        else:
            messages.error(request, NO_BROKER)
        return acts.go(request, reverse("admin:memories_cognitionsettings_change", args=[row.pk]))


def _page(row: CognitionSettings) -> dict[str, Any]:
    now = timezone.now()
    made = Memory.objects.filter(product=row.product, owner__isnull=True, origin=Origin.COGNITION).current()
    asked = Proposal.objects.filter(product=row.product)
    return {
        "cognition": row, "is_running": claims.is_held(row, now=now), "due": labels.when_label(row.next_due_at),
        "waiting": asked.filter(state=ProposalState.OPEN).count(),
        "week": _week(row.product, now), "learned": [_learned(made, kind) for kind in LEARNED],
        "runs": [_run(each) for each in CognitionRun.objects.filter(product=row.product)[:STEPS_SHOWN]],
        "proposals": f"{reverse('admin:memories_proposal_changelist')}?product={row.pk}",
    }  # fmt: skip


def _week(product: Product, now: datetime) -> Sequence[tuple[str, int]]:
    """What this week brought, by sort."""
    rows = Memory.objects.filter(product=product, owner__isnull=True, origin=Origin.COGNITION)
    new = Counter(rows.filter(recorded_at__gte=now - WEEK).values_list("kind", flat=True))
    merged = Proposal.objects.filter(product=product, state=ProposalState.ACCEPTED, decided_at__gte=now - WEEK)
    told = [(title.lower(), new[kind]) for kind, (title, _) in LEARNED.items()]
    return [*told, ("facts made one with another", merged.count())]


def _learned(made: "QuerySet[Memory]", kind: Kind) -> dict[str, Any]:
    title, explains = LEARNED[kind]
    rows = made.filter(kind=kind).select_related("conclusion").order_by("-pk")
    return {
        "title": title, "explains": explains, "number": rows.count(),
        "rows": [_one(each) for each in rows.prefetch_related("evidence__rests_on")[:SHOWN]],
    }  # fmt: skip


def _one(memory: Memory) -> dict[str, Any]:
    """A bar shows how much of what was counted speaks for it."""
    conclusion = getattr(memory, "conclusion", None)
    support = conclusion.support if conclusion else None
    against = (conclusion.against or 0) if conclusion else 0
    grounds = [(each.rests_on, each.counters) for each in memory.evidence.all() if each.rests_on]
    return {
        "memory": memory, "support": support, "all": (support or 0) + against,
        "grounds": grounds,
        "when": labels.when_label(memory.recorded_at),
    }  # fmt: skip


def _run(run: CognitionRun) -> dict[str, Any]:
    titles = {each.name: each.title for each in runner.all_steps()}
    return {
        "run": run, "title": titles.get(run.step, run.step), "colour": COLOURS[StepState(run.state)],
        "began": labels.when_label(run.started_at), "by": run.by or run.get_trigger_display().lower(),
    }  # fmt: skip
