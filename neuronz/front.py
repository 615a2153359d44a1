"""The front page: which product one looks at, what waits there, what came in, and the latest facts.

Everything on it follows the product that was chosen, which the session keeps; without a choice, all of the person's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from conflicts.admin.queues import OPEN, QUEUES
from conflicts.choices import State
from conflicts.models import Conflict
from memories.admin.base import products_where
from memories.admin.desks import FACTS, PAIRS, lying
from memories.admin.labels import STATUS_COLOURS, count_label, counted, tier_label, when_label
from memories.choices import ProposalKind, ProposalState, Role, RuleStatus, Status, WriteState
from memories.models import Agent, Memory, Product, Proposal, Rule, Write
from neuronz import charts
from sources.models import Source

#: Counting stops here: a larger number tells a person no more, and a table of a million rows is never counted.
MOST_COUNTED = 9_999
LATEST = 6
MOST_PRODUCTS = 200
#: What was put off counts as coming back when its date is this near.
SOON = timedelta(days=7)
#: Where the session keeps the chosen product.
CHOSEN = "desk_product"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that leads to the rows it counts."""

    title: str
    number: str
    link: str
    icon: str
    #: Whether a number above zero asks for a person.
    asks: bool = False

    @property
    def is_urgent(self) -> bool:
        return self.asks and self.number != "0"


@dataclass(frozen=True, slots=True)
class View:
    """What a person looks at: some of their products, and the one chosen among them."""

    request: HttpRequest
    curated: Sequence[UUID]
    managed: Sequence[UUID]
    product: UUID | None

    def of(self, model: Any) -> Any:
        """The rows a person may see, of the products looked at."""
        return model.objects.shown_to(self.request.user).filter(product__in=self.curated)

    def facts(self) -> Any:
        return self.of(Memory).statements_only().current()

    def to(self, page: str, **asked: Any) -> str:
        """A list, narrowed to what is looked at."""
        if self.product:
            asked["product"] = str(self.product)
        address = reverse(f"admin:{page}_changelist")
        return f"{address}?{urlencode(asked, doseq=True)}" if asked else address


def front_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """unfold's callback for the index page of the admin."""
    view = _view(request)
    mine = products_where(request, Role.CURATOR)
    products = list(Product.objects.filter(pk__in=mine)[:MOST_PRODUCTS])
    latest = view.facts().select_related("product").defer("words", "weights", "metadata")[:LATEST]
    return context | {
        "title": "Front page",
        "products": products,
        "chosen": view.product,
        "figures": _figures(view) if products else [],
        "latest": [
            (each, STATUS_COLOURS[Status(each.status)], tier_label(each.tier), when_label(each.recorded_at))
            for each in latest
        ],
        "drawn": charts.drawn(request.user, view.curated, view.managed),
        "names_product": len(view.curated) > 1,
        "has_agents": Agent.objects.filter(product__in=view.curated).exists(),
        "manages": bool(products_where(request, Role.MANAGER)),
        "begin_address": request.build_absolute_uri("/"),
    }


def choose(request: HttpRequest) -> HttpResponse:
    """Look at one product, or at all again."""
    asked = request.POST.get("product", "")
    if asked and asked not in map(str, products_where(request, Role.CURATOR)):
        raise Http404
    request.session[CHOSEN] = asked
    return HttpResponseRedirect(reverse("admin:index"))


def _view(request: HttpRequest) -> View:
    """A product the person has left meanwhile is chosen no more."""
    curated, managed = products_where(request, Role.CURATOR), products_where(request, Role.MANAGER)
    chosen = next((each for each in curated if str(each) == request.session.get(CHOSEN)), None)
    if chosen is None:
        return View(request, curated, managed, None)
    return View(request, [chosen], [each for each in managed if each == chosen], chosen)


def _figures(view: View) -> list[Figure]:
    """The queues that wait for a person first, then how much there is."""
    unverified = counted(view.facts().filter(status=Status.UNVERIFIED), most=MOST_COUNTED)
    proposed = Rule.objects.filter(product__in=view.curated, status=RuleStatus.PROPOSED)
    return [
        *_on_my_desk(view),
        *_of_pairs(view),
        Figure("Facts to confirm", unverified, view.to("memories_memory", status=Status.UNVERIFIED.value), "help"),
        Figure(
            "Rules to decide", counted(proposed, most=MOST_COUNTED),
            view.to("memories_rule", status=RuleStatus.PROPOSED.value), "gavel", asks=True,
        ),
        Figure(
            "Proposals to decide", counted(_proposals(view), most=MOST_COUNTED), view.to("memories_proposal"), "merge",
            asks=True,
        ),
        _of_writes(view, "Failed writes", "error", WriteState.FAILED, asks=True),
        *_of_sources(view),
        _of_writes(view, "Writes being read", "hourglass_empty", WriteState.RECEIVED, WriteState.READING),
        Figure("Current facts", counted(view.facts(), most=MOST_COUNTED), view.to("memories_memory"), "lightbulb"),
    ]  # fmt: skip


def _proposals(view: View) -> Any:
    rows = Proposal.objects.filter(product__in=view.curated, state=ProposalState.OPEN)
    return rows.filter(kind=ProposalKind.MERGE_FACTS)


def _on_my_desk(view: View) -> list[Figure]:
    """What colleagues, or oneself, put there; not shown while the desk is empty."""
    me = view.request.user
    facts = view.of(Memory).statements_only().live().filter(pk__in=lying(FACTS, person=me))
    pairs = view.of(Conflict).filter(QUEUES[OPEN][1], persona=False, pk__in=lying(PAIRS, person=me))
    figures = [
        Figure(
            "Facts on my desk",
            counted(facts, most=MOST_COUNTED),
            view.to("memories_memory", desk="mine"),
            "table_restaurant",
            True,
        ),
        Figure(
            "Conflicts on my desk",
            counted(pairs, most=MOST_COUNTED),
            view.to("conflicts_conflict", desk="mine"),
            "table_restaurant",
            True,
        ),
    ]
    return [each for each in figures if each.is_urgent]


def _of_pairs(view: View) -> list[Figure]:
    """All queues of pairs in one query, which counts no further than a person reads."""
    unsettled = view.of(Conflict).unsettled().order_by()[: MOST_COUNTED + 1]
    soon = Q(state=State.PUT_OFF, put_off_until__lte=timezone.now() + SOON)
    facts = Q(persona=False)
    numbers = Conflict.objects.filter(pk__in=unsettled.values("pk")).aggregate(
        open=Count("pk", filter=QUEUES[OPEN][1] & facts), traits=Count("pk", filter=QUEUES[OPEN][1] & ~facts),
        clarify=Count("pk", filter=QUEUES["clarify"][1] & facts), back=Count("pk", filter=soon & facts),
        suggested=Count("pk", filter=QUEUES["suggested"][1] & facts),
    )  # fmt: skip
    said = {name: count_label(number, most=MOST_COUNTED) for name, number in numbers.items()}
    pairs = "conflicts_conflict"
    figures = [
        Figure("Open conflicts", said["open"], view.to(pairs), "balance", asks=True),
        Figure("Needs clarification", said["clarify"], view.to(pairs, queue="clarify"), "contact_support", asks=True),
        Figure("Suggested pairs", said["suggested"], view.to(pairs, queue="suggested"), "compare_arrows"),
        Figure("Back within a week", said["back"], view.to(pairs, queue="put_off"), "event_repeat"),
    ]
    if numbers["traits"]:
        figures.insert(2, Figure("Persona conflicts", said["traits"], view.to(pairs, about="persona"), "person", True))
    return figures


def _of_writes(view: View, title: str, icon: str, *states: WriteState, asks: bool = False) -> Figure:
    number = counted(view.of(Write).filter(state__in=states), most=MOST_COUNTED)
    return Figure(title, number, view.to("memories_write", state=[each.value for each in states]), icon, asks)


def _of_sources(view: View) -> list[Figure]:
    """Those that fail. They are a manager's to mend."""
    if not view.managed:
        return []
    troubled = Source.objects.filter(product__in=view.managed, failures__gt=0)
    number = counted(troubled, most=MOST_COUNTED)
    return [Figure("Sources in trouble", number, view.to("sources_source"), "sync_problem", asks=True)]
