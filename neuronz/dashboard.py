"""What the admin shows around its pages: the sidebar with its badges, and the tabs.

Everything counts only what the person may open: shared memories of their products.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse

from conflicts.admin.queues import OPEN, QUEUES
from conflicts.models import Conflict
from memories.admin.base import products_where, roles_of
from memories.admin.labels import count_label, counted
from memories.admin.proposals import open_proposals
from memories.choices import Role, RuleStatus, Status, WriteState
from memories.models import Rule, Write
from sources.models import Source

#: Counting stops here: a larger number tells a person no more, and a table of a million rows is never counted.
MOST_COUNTED = 9_999

_BADGES: WeakKeyDictionary[HttpRequest, "Badges"] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Badges:
    """What waits for the person; empty where nothing does."""

    conflicts: str
    persona: str
    failed_writes: str
    sources: str = ""
    rules: str = ""
    proposals: str = ""


def badges(request: HttpRequest) -> Badges:
    """Counted once per request."""
    if not roles_of(request):
        return Badges("", "", "")
    if request not in _BADGES:
        facts_, persona = open_conflicts(request)
        failed = counted(writes(request, WriteState.FAILED), most=MOST_COUNTED)
        troubled = counted(sources_in_trouble(request), most=MOST_COUNTED)
        proposed = counted(proposed_rules(request), most=MOST_COUNTED)
        merges = counted(open_proposals(request), most=MOST_COUNTED)
        waiting = ("" if number == "0" else number for number in (failed, troubled, proposed, merges))
        _BADGES[request] = Badges(facts_, persona, *waiting)
    return _BADGES[request]


def open_conflicts(request: HttpRequest) -> tuple[str, str]:
    """The open pairs of facts, and those of persona traits, which count on Persona. Suggestions are in neither."""
    mine = Conflict.objects.shown_to(request.user).filter(product__in=products_where(request, Role.CURATOR))
    numbers = (
        mine.filter(QUEUES[OPEN][1])
        .order_by()[: MOST_COUNTED + 1]
        .aggregate(facts=Count("pk", filter=Q(persona=False)), persona=Count("pk", filter=Q(persona=True)))
    )
    facts_, persona = (count_label(n, most=MOST_COUNTED) if n else "" for n in (numbers["facts"], numbers["persona"]))
    return facts_, persona


def sources_in_trouble(request: HttpRequest) -> Any:
    """Those that fail, or were paused because of it. They are a manager's to mend."""
    mine = Source.objects.filter(product__in=products_where(request, Role.MANAGER))
    return mine.filter(failures__gt=0)


def proposed_rules(request: HttpRequest) -> Any:
    return Rule.objects.filter(product__in=products_where(request, Role.CURATOR), status=RuleStatus.PROPOSED)


def writes(request: HttpRequest, *states: WriteState) -> Any:
    mine = Write.objects.shown_to(request.user).filter(product__in=products_where(request, Role.CURATOR))
    return mine.filter(state__in=states)


# --- the sidebar


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups a person may open."""
    curates, manages = bool(products_where(request, Role.CURATOR)), bool(products_where(request, Role.MANAGER))
    waiting = badges(request)
    memory = [
        _facts(request, waiting.conflicts),
        _persona(request, waiting.persona),
        _item("Graph", "memories_entity", "bubble_chart"),
        _item("Rules", "memories_rule", "gavel", waiting.rules),
        _cognition(request, waiting.proposals),
        _item("Raw texts", "memories_rawtext", "article"),
        _item("Writes", "memories_write", "inbox", waiting.failed_writes, colour="danger"),
        _item("Audit log", "memories_memoryevent", "manage_search"),
    ]
    connections = [
        _item("Sources", "sources_source", "hub", waiting.sources, colour="danger"),
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
    return {"title": title, "icon": icon, "link": reverse(f"admin:{page}_changelist")} | _badge(badge, colour)


def _badge(number: str, colour: str = "warning") -> dict[str, Any]:
    return {"badge": number, "badge_variant": colour, "badge_style": "solid"} if number else {}


def _facts(request: HttpRequest, waiting: str) -> dict[str, Any]:
    """The badge leads to the conflicts it counts (unfold/helpers/app_list.html); they are a tab of Facts."""
    conflicts = reverse("admin:conflicts_conflict_changelist")
    item = _item("Facts", "memories_memory", "lightbulb", waiting)
    is_here = request.path.startswith((item["link"], conflicts)) and request.path != reverse("admin:conflicts_persona")
    said = f"{waiting} open conflict" if waiting == "1" else f"{waiting} open conflicts"
    return item | {"active": is_here, "badge_link": conflicts, "badge_title": said}


def _cognition(request: HttpRequest, waiting: str) -> dict[str, Any]:
    """The badge counts the proposals, which are a tab of it."""
    item = _item("Cognition", "memories_cognitionsettings", "psychology", waiting)
    proposals = reverse("admin:memories_proposal_changelist")
    return item | {"active": request.path.startswith((item["link"], proposals)), "badge_link": proposals}


def _persona(request: HttpRequest, waiting: str) -> dict[str, Any]:
    address = reverse("admin:conflicts_persona")
    pairs = f"{reverse('admin:conflicts_conflict_changelist')}?about=persona"
    item = {"title": "Persona", "icon": "person", "link": address, "active": request.path == address}
    return item | _badge(waiting) | {"badge_link": pairs, "badge_title": f"{waiting} open between persona traits"}


# --- the tabs


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    return [
        {"models": ["memories.memory", "conflicts.conflict"], "items": _fact_tabs(request)},
        {
            "models": ["memories.agent", "memories.agentkey"],
            "items": [_tab(request, "Agents", "memories_agent"), _tab(request, "Keys", "memories_agentkey")],
        },
        {
            "models": ["sources.source", "sources.syncrun", "sources.authoritydefault", "sources.upload"],
            "items": [
                _tab(request, "Sources", "sources_source"),
                _tab(request, "Runs", "sources_syncrun"),
                _tab(request, "Authority", "sources_authoritydefault"),
                _tab(request, "Imports", "sources_upload"),
            ],
        },
        {
            "models": ["memories.cognitionsettings", "memories.proposal"],
            "items": [
                _tab(request, "Cognition", "memories_cognitionsettings"),
                _tab(request, "Proposals", "memories_proposal"),
            ],
        },
        {
            "models": ["memories.memoryevent", "memories.ruleevent"],
            "items": [
                _tab(request, "Facts and raw texts", "memories_memoryevent"),
                _tab(request, "Rules", "memories_ruleevent"),
                *([_tab(request, "Keys", "memories_agentkey")] if products_where(request, Role.MANAGER) else []),
                {"title": "Settlements", "link": _settlements(), "active": False},
            ],
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
        {"title": title, "link": conflicts, "active": request.path == conflicts},
    ]


def _queue_tab(request: HttpRequest, title: str, statuses: list[Status]) -> dict[str, Any]:
    """The list of facts, narrowed to some statuses. What was searched for stays."""
    address, wanted = reverse("admin:memories_memory_changelist"), [str(each) for each in statuses]
    query = [*(("status", each) for each in wanted), *(("q", each) for each in request.GET.getlist("q") if each)]
    is_here = request.path == address and request.GET.getlist("status") == wanted
    return {"title": title, "link": f"{address}?{urlencode(query)}", "active": is_here}


def _settlements() -> str:
    return f"{reverse('admin:conflicts_conflict_changelist')}?queue=settled"


def _tab(request: HttpRequest, title: str, page: str) -> dict[str, Any]:
    address = reverse(f"admin:{page}_changelist")
    return {"title": title, "link": address, "active": request.path == address}
