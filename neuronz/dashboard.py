"""What the admin shows around its pages: the sidebar with its badges, the tabs, and the front page.

Everything counts only what the person may open: shared memories of their products.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from django.http import HttpRequest
from django.urls import reverse

from conflicts.choices import State
from conflicts.models import Conflict
from memories.admin.base import products_where, roles_of
from memories.admin.labels import STATUS_COLOURS, counted, tier_label, when_label
from memories.choices import Reason, Role, Status, WriteState
from memories.models import Agent, Memory, Product, Write

#: Counting stops here: a larger number tells a person no more, and a table of a million rows is never counted.
MOST_COUNTED = 9_999
LATEST = 6
MOST_PRODUCTS = 12

_BADGES: WeakKeyDictionary[HttpRequest, "Badges"] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Badges:
    """What waits for the person; empty where nothing does."""

    conflicts: str
    failed_writes: str


def badges(request: HttpRequest) -> Badges:
    """Counted once per request."""
    if not roles_of(request):
        return Badges("", "")
    if request not in _BADGES:
        _BADGES[request] = Badges(_shown(open_conflicts(request)), _shown(writes(request, WriteState.FAILED)))
    return _BADGES[request]


def _shown(rows: Any) -> str:
    number = counted(rows, most=MOST_COUNTED)
    return "" if number == "0" else number


def open_conflicts(request: HttpRequest) -> Any:
    """ "In the badge: while open": suggestions are not in it, persona pairs neither, private ones nowhere."""
    return Conflict.objects.filter(
        product__in=products_where(request, Role.CURATOR), state=State.OPEN, persona=False,
        older__owner__isnull=True, newer__owner__isnull=True,
    ).exclude(reason=Reason.UNSURE)  # fmt: skip


def writes(request: HttpRequest, *states: WriteState) -> Any:
    mine = Write.objects.shown_to(request.user).filter(product__in=products_where(request, Role.CURATOR))
    return mine.filter(state__in=states)


def facts(request: HttpRequest) -> Any:
    mine = Memory.objects.shown_to(request.user).filter(product__in=products_where(request, Role.CURATOR))
    return mine.statements_only().current()


# --- the sidebar


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups a person may open."""
    curates, manages = bool(products_where(request, Role.CURATOR)), bool(products_where(request, Role.MANAGER))
    waiting = badges(request)
    memory = [
        _item("Facts", "memories_memory", "lightbulb", waiting.conflicts),
        _item("Conflicts", "conflicts_conflict", "balance", waiting.conflicts),
        _item("Raw texts", "memories_rawtext", "article"),
        _item("Writes", "memories_write", "inbox", waiting.failed_writes, colour="danger"),
    ]
    connections = [
        _item("Sources", "sources_source", "hub"),
        _item("Agents", "memories_agent", "smart_toy"),
    ]
    settings = [_item("Products", "memories_product", "deployed_code")] if manages or request.user.is_superuser else []
    if request.user.is_superuser:
        settings.append(_item("People", "auth_user", "group"))
    front = {"title": "Front page", "icon": "home", "link": reverse("admin:index")}
    return [
        {"items": [front]},
        {"title": "Memory", "items": memory if curates else []},
        {"title": "Connections", "items": connections if manages else []},
        {"title": "Settings", "items": settings},
    ]


def _item(title: str, page: str, icon: str, badge: str = "", *, colour: str = "warning") -> dict[str, Any]:
    item: dict[str, Any] = {"title": title, "icon": icon, "link": reverse(f"admin:{page}_changelist")}
    if badge:
        item |= {"badge": badge, "badge_variant": colour, "badge_style": "solid"}
    return item


# --- the tabs


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    return [
        {"models": ["memories.memory", "conflicts.conflict"], "items": _fact_tabs(request)},
        {
            "models": ["memories.agent", "memories.agentkey"],
            "items": [_tab(request, "Agents", "memories_agent"), _tab(request, "Keys", "memories_agentkey")],
        },
    ]


def _fact_tabs(request: HttpRequest) -> list[dict[str, Any]]:
    queues: dict[str, list[Status]] = {
        "Current": [],
        "To confirm": [Status.UNVERIFIED],
        "In dispute": [Status.DISPUTED, Status.CONFLICTING],
        "Replaced": [Status.SUPERSEDED],
        "Retired": [Status.RETIRED],
        "All": list(Status),
    }
    waiting = badges(request).conflicts
    conflicts = reverse("admin:conflicts_conflict_changelist")
    title = f"Conflicts ({waiting})" if waiting else "Conflicts"
    return [
        *(_queue_tab(request, title, statuses) for title, statuses in queues.items()),
        # unfold takes a tab for its sidebar item where the two addresses are equal; these have an item each.
        {"title": title, "link": f"{conflicts}?", "active": request.path == conflicts},
    ]


def _queue_tab(request: HttpRequest, title: str, statuses: list[Status]) -> dict[str, Any]:
    """The list of facts, narrowed to some statuses. What was searched for stays."""
    address, wanted = reverse("admin:memories_memory_changelist"), [str(each) for each in statuses]
    query = [*(("status", each) for each in wanted), *(("q", each) for each in request.GET.getlist("q") if each)]
    is_here = request.path == address and request.GET.getlist("status") == wanted
    return {"title": title, "link": f"{address}?{urlencode(query)}", "active": is_here}


def _tab(request: HttpRequest, title: str, page: str) -> dict[str, Any]:
    address = reverse(f"admin:{page}_changelist")
    return {"title": title, "link": address, "active": request.path == address}


# --- the front page


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that leads to the rows it counts."""

    title: str
    number: str
    link: str
    icon: str
    #: Whether a number above zero asks for a person.
    is_urgent: bool = False


def front_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    products = list(Product.objects.filter(pk__in=products_where(request, Role.CURATOR))[:MOST_PRODUCTS])
    latest = facts(request).select_related("product").defer("words", "metadata")[:LATEST]
    return context | {
        "title": "Front page",
        "products": products,
        "figures": _figures(request) if products else [],
        "latest": [
            (each, STATUS_COLOURS[Status(each.status)], tier_label(each.tier), when_label(each.recorded_at))
            for each in latest
        ],
        "has_agents": Agent.objects.filter(product__in=products).exists(),
        "manages": bool(products_where(request, Role.MANAGER)),
        "begin_address": request.build_absolute_uri("/"),
    }


def _figures(request: HttpRequest) -> list[Figure]:
    waits, current = badges(request), facts(request)
    unverified = counted(current.filter(status=Status.UNVERIFIED), most=MOST_COUNTED)
    being_read = counted(writes(request, WriteState.RECEIVED, WriteState.READING), most=MOST_COUNTED)
    fact_list, write_list = reverse("admin:memories_memory_changelist"), reverse("admin:memories_write_changelist")
    conflict_list = reverse("admin:conflicts_conflict_changelist")
    failed, waiting = (
        f"{write_list}?{urlencode({'state': states}, doseq=True)}"
        for states in ([WriteState.FAILED.value], [WriteState.RECEIVED.value, WriteState.READING.value])
    )
    return [
        Figure("Open conflicts", waits.conflicts or "0", conflict_list, "balance", bool(waits.conflicts)),
        Figure("Facts to confirm", unverified, f"{fact_list}?status={Status.UNVERIFIED.value}", "help"),
        Figure("Failed writes", waits.failed_writes or "0", failed, "error", bool(waits.failed_writes)),
        Figure("Current facts", counted(current, most=MOST_COUNTED), fact_list, "lightbulb"),
        Figure("Writes being read", being_read, waiting, "hourglass_empty"),
    ]
