"""Rules: what agents propose waits here; a person approves it, in other words if need be, rejects or retires it."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Case, When
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextareaWidget

from memories import limits
from memories.admin import acts, filters, labels
from memories.admin.base import DrawnAdmin, actor_for
from memories.choices import RULE_MOVES, Origin, Role, RuleStatus
from memories.models import Rule
from memories.services import rules

COLOURS = {
    RuleStatus.PROPOSED: "warning",
    RuleStatus.APPROVED: "success",
    RuleStatus.REJECTED: "danger",
    RuleStatus.RETIRED: "default",
}
#: Where the buttons lead; they are shown where the table of moves allows it. An edit leads nowhere.
LEADS_TO = {"approve": RuleStatus.APPROVED, "reject": RuleStatus.REJECTED, "retire": RuleStatus.RETIRED}
SAID = {
    RuleStatus.APPROVED: "Approved: it binds every agent of the product from now on.",
    RuleStatus.REJECTED: "Rejected. Proposed again, it is answered with this.",
    RuleStatus.RETIRED: "Retired: it binds nobody any more.",
}


class RuleStatusFilter(filters.ChoicesFilter):
    """Without a choice: what waits and what binds."""

    title, parameter_name, labels = "status", "status", RuleStatus

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(status__in=self.value() or (RuleStatus.PROPOSED, RuleStatus.APPROVED))


class WordsForm(acts.WhyForm):
    text = forms.CharField(
        required=False, max_length=limits.RULE_CHARACTERS, label="In these words (empty: as it stands)",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "dir": "auto"}),
    )  # fmt: skip


@admin.register(Rule)
class RuleAdmin(DrawnAdmin):
    least_role = Role.CURATOR
    change_form_template = "memories/admin/rule.html"
    list_filter = (RuleStatusFilter, filters.ProductFilter, filters.AgentFilter)
    search_fields = ("text",)
    actions_detail = ("approve", "edit", "reject", "retire")
    list_display: ClassVar[list[str]] = ["rule", "status_label", "by", "since", "decided"]
    empty_title = "No rules yet"
    empty_text = (
        "A rule is something that every agent of a product must follow. Agents propose them; only what a person "
        "approves binds and is part of recall."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = super().within_walls(rows, request)
        return mine.select_related("product", "agent", "author", "decided_by")

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """What waits first, then the newest."""
        return [Case(When(status=RuleStatus.PROPOSED, then=0), default=1), "-pk"]

    @labels.column("Rule")
    def rule(self, rule: Rule) -> SafeString:
        why = format_html('<span class="desk-quiet">{}</span>', rule.why[:200]) if rule.why else ""
        return labels.text_label(rule.text, below=why)

    @labels.column("Status", label=COLOURS)
    def status_label(self, rule: Rule) -> tuple[str, str]:
        return rule.status, rule.get_status_display()

    @labels.column("Proposed by")
    def by(self, rule: Rule) -> SafeString:
        return _proposer(rule)

    @labels.column("Proposed")
    def since(self, rule: Rule) -> SafeString | str:
        return labels.when_label(rule.created_at)

    @labels.column("Decided by")
    def decided(self, rule: Rule) -> str:
        return rule.decided_by.get_username() if rule.decided_by else ""

    # --- the page

    def has_curate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        context = _page(self.row_or_404(request, object_id or "")) | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)  # type: ignore[no-any-return]  # unfold

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        rule = self.get_object(request, str(object_id))
        allowed = {new for old, new in RULE_MOVES if rule and old == rule.status}
        buttons = super().get_actions_detail(request, object_id)
        return [each for each in buttons if LEADS_TO.get(each.path) in {*allowed, None}]

    @acts.dialog(
        "Approve", text="It binds every agent of the product and is part of recall.", icon="gavel", permission="curate",
        form=WordsForm, variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def approve(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        return self._decide(request, form, object_id, RuleStatus.APPROVED)

    @acts.dialog(
        "Edit", text="Its words change, how it stands does not. The history keeps what it said.", icon="edit",
        permission="curate", form=WordsForm,
    )  # fmt: skip
    def edit(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        rule = self.row_or_404(request, object_id)
        return self._decide(request, form, object_id, RuleStatus(rule.status))

    @acts.dialog("Reject", text="It binds nobody.", icon="block", permission="curate")
    def reject(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        return self._decide(request, form, object_id, RuleStatus.REJECTED)

    @acts.dialog("Retire", text="It binds nobody any more. Its history stays.", icon="archive", permission="curate")
    def retire(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        return self._decide(request, form, object_id, RuleStatus.RETIRED)

    def _decide(self, request: HttpRequest, form: forms.Form, object_id: str, to: RuleStatus) -> HttpResponse:
        rule = self.row_or_404(request, object_id)
        by, typed = actor_for(request.user, rule.product_id), form.cleaned_data
        text = typed.get("text", "").replace("\r\n", "\n").strip() or None

        def act() -> str:
            if rule.status == to:
                rules.edit(by=by, rule_id=rule.pk, text=text or rule.text, why=typed["why"])
                return "Its words are changed." if text else "Nothing was changed."
            rules.decide(by=by, rule_id=rule.pk, to=to, text=text, why=typed["why"])
            return SAID[to]

        acts.attempt(request, act)
        return acts.go(request, reverse("admin:memories_rule_change", args=[rule.pk]))


def _proposer(rule: Rule) -> SafeString:
    if rule.agent:
        return labels.who_label(Origin.AGENT, rule.agent.name)
    return labels.who_label(Origin.PERSON, rule.author.get_username() if rule.author else "")


def _page(rule: Rule) -> dict[str, Any]:
    moves = [
        (labels.when_label(event.pgh_created_at), (event.pgh_context or {}).get("name", ""), RuleStatus(event.status),
         COLOURS[RuleStatus(event.status)], event.text, (event.pgh_context or {}).get("why", ""))
        for event in rule.events.order_by("-pgh_id")[:50]
    ]  # fmt: skip
    return {
        "title": "Rule", "subtitle": None, "rule": rule, "colour": COLOURS[RuleStatus(rule.status)],
        "who": _proposer(rule), "since": labels.when_label(rule.created_at),
        "decided": labels.when_label(rule.decided_at), "moves": moves,
    }  # fmt: skip
