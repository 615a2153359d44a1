"""The queues of the Conflicts tab: what waits for a person, and what became of the rest."""

from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.http import HttpRequest
from unfold.contrib.filters.admin import DropdownFilter

from conflicts.choices import State
from conflicts.managers import IN_QUESTION, NEEDS_CLARIFICATION
from conflicts.models import Conflict
from memories.admin.filters import ChoicesFilter
from memories.admin.labels import count_label
from memories.choices import Reason

#: Counting stops here, as for the badges.
MOST_COUNTED = 9_999
OPEN = "open"
#: What each queue holds. `open` is what the badge counts; the clarifications are among them.
QUEUES: dict[str, tuple[str, Q]] = {
    OPEN: ("Open", IN_QUESTION),
    "clarify": ("Needs clarification", Q(state=State.OPEN) & NEEDS_CLARIFICATION),
    "suggested": ("Suggestions", Q(state=State.OPEN, reason=Reason.UNSURE)),
    "put_off": ("Put off", Q(state=State.PUT_OFF)),
    "settled": ("Settled", Q(state=State.SETTLED)),
}  # fmt: skip
#: What a person reads above each.
MEANING = {
    OPEN: "Two facts that can't both be true. Until you settle a pair, what is in doubt stays out of recall.",
    "clarify": "Someone of lower authority said otherwise. The established fact stays current; the newer one waits.",
    "suggested": "The system is not sure whether these disagree. Both stay in recall; nothing is decided for you.",
    "put_off": "Not now, you said. Each comes back by itself on its date.",
    "settled": "What was decided, by whom and why. A settlement can be undone while nothing was built on it.",
}


class QueueFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """Which queue; drawn as tabs above the list."""

    title, parameter_name = "queue", "queue"
    template = "conflicts/admin/undrawn.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, title) for name, (title, _) in QUEUES.items()]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(QUEUES[chosen(request)][1])


class ReasonFilter(ChoicesFilter):
    title, parameter_name, labels = "reason", "reason", Reason


class SubjectFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    """ "Contradictions between two persona traits appear on the Persona page instead.\""""

    title, parameter_name = "subject", "about"
    template = "conflicts/admin/undrawn.html"
    PERSONA: ClassVar[str] = "persona"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(self.PERSONA, "Persona traits")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(persona=is_persona(request))


@dataclass(frozen=True, slots=True)
class Tab:
    """One queue as it is drawn above the list."""

    title: str
    link: str
    number: str
    is_here: bool


def chosen(request: HttpRequest) -> str:
    """The queue that was asked for; an unknown name shows what is open."""
    asked = request.GET.get("queue", OPEN)
    return asked if asked in QUEUES else OPEN


def is_persona(request: HttpRequest) -> bool:
    return request.GET.get("about") == SubjectFilter.PERSONA


def tabs(request: HttpRequest, rows: Any) -> list[Tab]:
    """All queues, with the numbers of what is unsettled, counted at once and no further than a person reads."""
    unsettled = rows.filter(persona=is_persona(request)).exclude(state=State.SETTLED).select_related(None).order_by()
    numbers = Conflict.objects.filter(pk__in=unsettled[: MOST_COUNTED + 1].values("pk")).aggregate(
        **{name: Count("pk", filter=held) for name, (_, held) in QUEUES.items() if name != "settled"}
    )
    return [
        Tab(
            title, f"?{urlencode(_asked(request, name))}",
            count_label(numbers[name], most=MOST_COUNTED) if numbers.get(name) else "", name == chosen(request),
        )
        for name, (title, _) in QUEUES.items()
    ]  # fmt: skip


def _asked(request: HttpRequest, queue: str) -> dict[str, str]:
    """What else the list was narrowed by stays, the page doesn't."""
    kept = {name: request.GET[name] for name in ("about", "product") if request.GET.get(name)}
    return kept | ({} if queue == OPEN else {"queue": queue})
