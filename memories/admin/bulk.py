"""Many facts at once: a preview, the act with its reason, and what it did, with an undo."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET, require_POST

from memories import limits
from memories.admin import acts, labels
from memories.admin.base import WalledAdmin, actor_for
from memories.choices import Status, Verb
from memories.errors import InvalidInput
from memories.models import Memory
from memories.models.ids import new_id
from memories.services import bulk
from memories.services.bulk import MOST_AT_ONCE, Receipt

ACT_SALT = "neuronz.bulk"
ACT_SECONDS = 24 * 3600
#: As many rows as a preview or a report shows of each sort.
SAMPLE = 10
VERBS = {verb.value: verb for verb in bulk.ACTS}
VERB_NAMES = {Verb.VERIFY: "Verify", Verb.RETIRE: "Retire", Verb.RESTORE: "Restore"}
MEANING = {
    Verb.VERIFY: "You know that these are true. They stay current, as verified.",
    Verb.RETIRE: "They leave lists, search and recall. Their history stays, and they can be restored.",
    Verb.RESTORE: "Each goes back to the status it had before it was retired.",
}


@dataclass(frozen=True, slots=True)
class Left:
    """Rows that the act leaves, for one reason."""

    sentence: str
    number: int
    sample: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class Moved:
    """One row that the act moved, as it is now."""

    memory: Memory
    status: str
    colour: str


class BulkActs(WalledAdmin):
    """The acts upon ticked rows, or upon all that match. The first page changes nothing."""

    @acts.on_selected("Verify …", icon="check_circle", permission="curate")
    def verify_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        return self._preview(request, queryset, Verb.VERIFY)

    @acts.on_selected("Retire …", icon="archive", permission="curate")
    def retire_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        return self._preview(request, queryset, Verb.RETIRE)

    @acts.on_selected("Restore …", icon="unarchive", permission="curate")
    def restore_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        return self._preview(request, queryset, Verb.RESTORE)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        mine = [
            path("many/<str:receipt>/", wrap(require_GET(self.done_view)), name="memories_memory_done"),
            path("many/<str:receipt>/undo/", wrap(require_POST(self.undo_view)), name="memories_memory_undo_many"),
            path("act/<str:verb>/", wrap(require_POST(self.act_view)), name="memories_memory_act"),
        ]
        return [*mine, *super().get_urls()]

    # --- the preview

    def _preview(self, request: HttpRequest, queryset: Any, verb: Verb) -> HttpResponse:
        chosen = self._chosen(request, queryset)
        ids, is_cut = chosen[:MOST_AT_ONCE], len(chosen) > MOST_AT_ONCE
        found = [
            bulk.preview(by=actor_for(request.user, product_id), ids=theirs, verb=verb)
            for product_id, theirs in self._by_product(request, ids).items()
        ]
        can = [row for each in found for row in each.can]
        page = {
            "title": f"{VERB_NAMES[verb]} {_facts(len(can))}?" if can else f"Nothing to {VERB_NAMES[verb].lower()}",
            "verb": verb, "verb_name": VERB_NAMES[verb], "meaning": MEANING[verb], "number": len(can),
            "sample": _sample(can),
            "ids": ",".join(str(row.pk) for row in can), "left": _left(row for each in found for row in each.refused),
            "act": signing.dumps([request.user.pk, str(new_id())], salt=ACT_SALT),
            "is_cut": is_cut, "most": MOST_AT_ONCE, "back": request.get_full_path(), "most_why": limits.WHY_CHARACTERS,
        }  # fmt: skip
        return self._draw(request, "memories/admin/bulk_preview.html", page)

    def _chosen(self, request: HttpRequest, queryset: Any) -> list[UUID]:
        """All that match, or whatever was ticked, even if it has meanwhile left the list: the preview says why."""
        if request.POST.get("select_across") == "1":
            return list(queryset.order_by("-pk").values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
        return acts.ids(request.POST.getlist(ACTION_CHECKBOX_NAME))

    def _by_product(self, request: HttpRequest, ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
        """The rows behind the person's walls. An actor acts in one product."""
        found: dict[UUID, list[UUID]] = {}
        rows = self.get_queryset(request).filter(pk__in=ids).order_by("pk")
        for pk, product_id in rows.values_list("pk", "product_id"):
            found.setdefault(product_id, []).append(pk)
        return found

    # --- the act

    def act_view(self, request: HttpRequest, verb: str) -> HttpResponse:
        if verb not in VERBS or not self.has_view_permission(request):
            raise Http404
        ids, act_id = acts.ids(request.POST.get("ids", "").split(","))[:MOST_AT_ONCE], _act_of(request)
        why = request.POST.get("why", "")[: limits.WHY_CHARACTERS]
        results = [
            bulk.act(by=actor_for(request.user, product_id), ids=theirs, verb=VERBS[verb], why=why, act_id=act_id)
            for product_id, theirs in self._by_product(request, ids).items()
        ]
        receipts = [each.receipt for each in results if each.receipt]
        if _by_script(request):
            undo = reverse("admin:memories_memory_undo_many", args=[_whole(receipts)]) if receipts else ""
            receipt = _whole(receipts) if receipts else ""
            return JsonResponse({"said": _said(results, VERBS[verb].label), "undo": undo, "receipt": receipt})
        _report(request, results, VERBS[verb].label.lower())
        if not receipts:
            return HttpResponseRedirect(reverse("admin:memories_memory_changelist"))
        return HttpResponseRedirect(_page_of(receipts))

    def done_view(self, request: HttpRequest, receipt: str) -> HttpResponse:
        """What an act did, and whether it still stands."""
        asked = _receipt(receipt)
        moves = list(bulk.moves(self._mine(request), asked).select_related("pgh_obj")[:MOST_AT_ONCE])
        if not moves:
            raise Http404
        verb = Verb(moves[0].pgh_context["verb"])
        page = {
            "title": f"{verb.label} {_facts(len(moves))}",
            "verb": verb, "number": len(moves), "moved": [_moved(each.pgh_obj) for each in moves[:SAMPLE]],
            "by": moves[0].pgh_context["name"], "why": moves[0].pgh_context["why"],
            "at": labels.when_label(moves[0].pgh_created_at), "receipt": receipt,
            "standing": sum(each.pgh_obj.status == each.status for each in moves),
            "most_why": limits.WHY_CHARACTERS,
        }  # fmt: skip
        return self._draw(request, "memories/admin/bulk_done.html", page)

    def undo_view(self, request: HttpRequest, receipt: str) -> HttpResponse:
        asked, why = _receipt(receipt), request.POST.get("why", "")[: limits.WHY_CHARACTERS]
        products = bulk.moves(self._mine(request), asked).values_list("pgh_obj__product_id", flat=True)
        results = [
            bulk.undo(by=actor_for(request.user, product_id), receipt=asked, why=why)
            for product_id in sorted(set(products))
        ]
        if not results:
            raise Http404
        if _by_script(request):
            return JsonResponse({"said": _said(results, "Taken back"), "undo": ""})
        _report(request, results, "taken back")
        return HttpResponseRedirect(reverse("admin:memories_memory_done", args=[receipt]))

    def _mine(self, request: HttpRequest) -> Any:
        return self.get_queryset(request).order_by().select_related(None)

    def _draw(self, request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
        return TemplateResponse(request, template, {**self.admin_site.each_context(request), "opts": self.opts, **page})


def _act_of(request: HttpRequest) -> UUID:
    """The act that this page began, when it is sent in parts (static/neuronz/bulk.js); else a new one.

    It is signed for this person: nobody adds rows to another's act.
    """
    try:
        person, act = signing.loads(request.POST.get("act", ""), salt=ACT_SALT, max_age=ACT_SECONDS)
    except signing.BadSignature:
        return new_id()
    return UUID(act) if person == request.user.pk else new_id()


def _facts(number: int) -> str:
    return "1 fact" if number == 1 else f"{number:,} facts"


def _receipt(written: str) -> Receipt:
    try:
        return Receipt.read(written)
    except InvalidInput:
        raise Http404 from None


def _page_of(receipts: Sequence[Receipt]) -> str:
    """One act in several products lies between the first and the last of its rows."""
    return reverse("admin:memories_memory_done", args=[_whole(receipts)])


def _whole(receipts: Sequence[Receipt]) -> str:
    return str(Receipt(receipts[0].act, min(each.first for each in receipts), max(each.last for each in receipts)))


def _by_script(request: HttpRequest) -> bool:
    """Asked for by a key (static/neuronz/keys.js), which says the answer itself and stays on the list."""
    return request.headers.get("Accept") == "application/json"


def _said(results: Sequence[bulk.BulkResult], done: str) -> str:
    refused = [sentence for each in results for _, sentence in each.refused]
    return " ".join([f"{done}." if any(each.done for each in results) else "", *refused]).strip() or "Not found."


def _sample(rows: Sequence[Memory]) -> list[tuple[Memory, str, SafeString]]:
    return [(row, labels.STATUS_COLOURS[Status(row.status)], labels.tier_label(row.tier)) for row in rows[:SAMPLE]]


def _left(refused: Iterable[tuple[Memory, str]]) -> list[Left]:
    by_sentence: dict[str, list[Memory]] = {}
    for row, sentence in refused:
        by_sentence.setdefault(sentence, []).append(row)
    return [Left(sentence, len(rows), rows[:SAMPLE]) for sentence, rows in by_sentence.items()]


def _moved(memory: Any) -> Moved:
    return Moved(memory, memory.get_status_display(), labels.STATUS_COLOURS[Status(memory.status)])


def _report(request: HttpRequest, results: Sequence[bulk.BulkResult], done: str) -> None:
    """How many, and why some were not."""
    refused = Counter(sentence for each in results for _, sentence in each.refused)
    acts.report(request, acts.Tally(sum(len(each.done) for each in results), refused), done=done)
