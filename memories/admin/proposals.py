"""Proposals: what cognition would do and is not sure of, and what it did by itself. People decide, one or many."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memories import limits
from memories.admin import acts, filters, labels, marking
from memories.admin.base import DrawnAdmin, actor_for, products_where
from memories.choices import ProposalKind, ProposalState, Role
from memories.models import Proposal
from memories.services import proposals
from memories.services.proposals import Decided

COLOURS = {
    ProposalState.OPEN: "warning",
    ProposalState.ACCEPTED: "success",
    ProposalState.REJECTED: "danger",
    ProposalState.GONE: "default",
}
#: Each act: who does it, which proposals it is for, its button, and what it will have done.
ACTS: dict[str, tuple[Callable[..., Decided], ProposalState, str, str]] = {
    "accept": (
        proposals.accept, ProposalState.OPEN, "Make them one",
        "The second of each pair is superseded by the first, which gets its evidence too. It can be undone.",
    ),
    "reject": (
        proposals.reject, ProposalState.OPEN, "Keep them apart",
        "Both of each pair stay as they are, and nobody is asked about them again.",
    ),
    "undo": (
        proposals.undo, ProposalState.ACCEPTED, "Undo",
        "The second of each pair is current again, as it was, and nobody is asked about them again.",
    ),
}  # fmt: skip


class ProposalStateFilter(filters.ChoicesFilter):
    """Without a choice: what waits."""

    title, parameter_name, labels = "state", "state", ProposalState

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(state__in=self.value() or [ProposalState.OPEN])


@admin.register(Proposal)
class ProposalAdmin(DrawnAdmin):
    least_role = Role.CURATOR
    list_filter = (ProposalStateFilter, filters.ProductFilter)
    list_display: ClassVar[list[str]] = ["stays", "goes", "why_", "state_label", "since"]
    list_display_links = None
    actions = ("accept", "reject", "undo")
    empty_title = "Nothing to decide"
    empty_text = (
        "When cognition meets two facts that seem to say the same, and is not sure, it asks here. Nothing is done "
        "before somebody has answered; what was answered is not asked again."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        mine = super().within_walls(rows, request).filter(kind=ProposalKind.MERGE_FACTS)
        return mine.select_related("memory", "other_memory", "product")

    def has_curate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    @labels.column("This one stays")
    def stays(self, proposal: Proposal) -> SafeString:
        return _side(proposal, 0)

    @labels.column("This one becomes part of it")
    def goes(self, proposal: Proposal) -> SafeString:
        return _side(proposal, 1)

    @labels.column("Why")
    def why_(self, proposal: Proposal) -> SafeString:
        return format_html('<span class="desk-pair-why desk-quiet">{}</span>', proposal.why or proposal.reason)

    @labels.column("State", label={each.label: colour for each, colour in COLOURS.items()})
    def state_label(self, proposal: Proposal) -> str:
        return proposal.get_state_display()

    @labels.column("Since")
    def since(self, proposal: Proposal) -> SafeString | str:
        by = f"by {proposal.decided_by_name}" if proposal.decided_by_name else ""
        when = labels.when_label(proposal.decided_at or proposal.opened_at)
        return format_html('{} <span class="desk-quiet">{}</span>', when, by)

    # --- deciding

    @acts.on_selected("Make them one …", icon="merge", permission="curate")
    def accept(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        return self._decide(request, queryset, "accept")

    @acts.on_selected("Keep them apart …", icon="call_split", permission="curate")
    def reject(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        return self._decide(request, queryset, "reject")

    @acts.on_selected("Undo …", icon="undo", permission="curate")
    def undo(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        return self._decide(request, queryset, "undo")

    def _decide(self, request: HttpRequest, queryset: Any, name: str) -> HttpResponse:
        """First what would happen; then, confirmed, that."""
        act, wanted, title, meaning = ACTS[name]
        chosen = queryset.filter(state=wanted)
        rows = list(chosen.order_by("product_id", "-confidence")[: acts.MOST_AT_ONCE])
        if request.POST.get("confirmed"):
            _carry_out(request, act, rows, title)
            return redirect(reverse("admin:memories_proposal_changelist"))
        told = {
            "title": title, "meaning": meaning, "act": name, "rows": [(each, *_marked(each)) for each in rows],
            "left": queryset.count() - len(rows), "most_why": limits.WHY_CHARACTERS, "opts": self.model._meta,
        }  # fmt: skip
        return TemplateResponse(
            request, "memories/admin/proposals_preview.html", self.admin_site.each_context(request) | told
        )


def open_proposals(request: HttpRequest) -> Any:
    """What waits for this person."""
    mine = Proposal.objects.filter(product__in=products_where(request, Role.CURATOR), state=ProposalState.OPEN)
    return mine.filter(kind=ProposalKind.MERGE_FACTS)


def _carry_out(request: HttpRequest, act: Callable[..., Decided], rows: Sequence[Proposal], title: str) -> None:
    done = 0
    refused: list[str] = []
    of_product: dict[UUID, list[UUID]] = {}
    for row in rows:
        of_product.setdefault(row.product_id, []).append(row.pk)
    for product_id, ids in of_product.items():
        by = actor_for(request.user, product_id)
        decided = act(by=by, ids=ids, why=request.POST.get("why", "")[: limits.WHY_CHARACTERS])
        done, refused = done + decided.done, [*refused, *decided.refused]
    if done:
        messages.success(request, f"{title}: {done} done.")
    for sentence in dict.fromkeys(refused):
        messages.warning(request, f"{refused.count(sentence)} × {sentence}")


def _side(proposal: Proposal, place: int) -> SafeString:
    """One of the two, with what the other doesn't say marked."""
    memory = (proposal.memory, proposal.other_memory)[place]
    if memory is None:
        return SafeString("")
    address = reverse("admin:memories_memory_change", args=[memory.pk])
    below = format_html(
        '<a class="desk-link" href="{}">{}</a> {}', address, memory.get_status_display(), labels.tier_label(memory.tier)
    )
    shown = format_html_marked(_marked(proposal)[place])
    return format_html('<span class="desk-pair-side" dir="auto">{}</span>{}', shown, below)


def _marked(proposal: Proposal) -> Sequence[Any]:
    older = proposal.memory.content if proposal.memory else ""
    newer = proposal.other_memory.content if proposal.other_memory else ""
    return marking.marked(older, newer)


def format_html_marked(parts: Sequence[marking.Part]) -> SafeString:
    pieces = [format_html("<mark>{}</mark>" if each.differs else "{}", each.text) for each in parts]
    return SafeString("".join(pieces))  # every piece is escaped
