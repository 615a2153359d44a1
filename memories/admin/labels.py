"""How rows are named and coloured, the same in every list and on every page."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar, cast

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display

from memories.choices import Category, Kind, Origin, Outcome, Status, Tier, WriteState
from memories.models import Evidence, Memory

Column = TypeVar("Column", bound=Callable[..., Any])

#: unfold's names of colours.
STATUS_COLOURS = {
    Status.UNVERIFIED: "info",
    Status.VERIFIED: "success",
    Status.DISPUTED: "danger",
    Status.CONFLICTING: "warning",
    Status.SUPERSEDED: "default",
    Status.RETIRED: "default",
}
STATE_COLOURS = {
    WriteState.RECEIVED: "info",
    WriteState.READING: "primary",
    WriteState.DONE: "success",
    WriteState.FAILED: "danger",
    WriteState.CANCELLED: "default",
}
OUTCOME_COLOURS = {
    Outcome.ADDED: "success",
    Outcome.KNOWN: "default",
    Outcome.SUPERSEDED: "info",
    Outcome.REFUSED: "danger",
    Outcome.UNSURE: "warning",
}
ORIGIN_ICONS = {
    Origin.AGENT: "smart_toy",
    Origin.SOURCE: "description",
    Origin.COGNITION: "psychology",
    Origin.PERSON: "person",
}
#: Authority is drawn as bars: one for the lowest tier, four for the highest.
BARS = {Tier.INFORMAL: 1, Tier.TEAM: 2, Tier.OFFICIAL: 3, Tier.POLICY: 4}


def column(
    description: str, *, label: Mapping[Any, str] | str | None = None, boolean: bool | None = None
) -> Callable[[Column], Column]:
    """A column of a list: its title, and the colours of its labels by value."""
    return cast("Callable[[Column], Column]", display(description=description, label=label, boolean=boolean))


def earliest(path: str = "evidence") -> "Prefetch[str]":
    """Fetch ahead what `Memory.first_evidence` answers, for all rows at once."""
    rows = Evidence.objects.order_by("memory_id", "id").distinct("memory_id")
    return Prefetch(path, queryset=rows, to_attr="earliest_evidence")


def tier_label(tier: str) -> SafeString:
    name = Tier(tier)
    return format_html(
        '<span class="desk-tier desk-tier-{}" title="Authority {} of 4"><i></i><i></i><i></i><i></i>{}</span>',
        BARS[name], BARS[name], name.label,
    )  # fmt: skip


def kind_label(memory: Memory, *, near: bool = False) -> SafeString:
    """The kind, and the category where it says something else; `near` was found by its meaning alone."""
    kind, category = Kind(memory.kind).label, Category(memory.category).label
    shown = "" if category == kind else f"· {category.lower()}"
    found = format_html('<span class="desk-near">{}</span>', "close in meaning") if near else ""
    return format_html('<span class="desk-kind">{} <span class="desk-quiet">{}</span>{}</span>', kind, shown, found)


def who_label(origin: str, name: str, *, where: str = "") -> SafeString:
    return format_html(
        '<span class="desk-who"><span class="material-symbols-outlined" title="{}">{}</span>'
        '<span class="desk-clip" title="{}">{} <span class="desk-quiet">{}</span></span></span>',
        Origin(origin).label, ORIGIN_ICONS[Origin(origin)], name, name, where,
    )  # fmt: skip


def writer(memory: Memory, evidence: Evidence | None) -> str:
    """Who wrote a memory, by name."""
    if memory.agent:
        return memory.agent.name
    if memory.author:
        return memory.author.get_username()
    named = evidence.source_name if evidence else ""
    return named or Origin(memory.origin).label


def text_label(text: str, *, most: int = 200, below: SafeString | str = "") -> SafeString:
    """The beginning of a text in its own direction of writing, and a quiet line below it."""
    beginning = text if len(text) <= most else f"{text[: most - 1]}…"
    shown = " ".join(beginning.split()) or "(empty)"
    return format_html('<span class="desk-text" dir="auto">{}</span>{}', shown, below)


def when_label(moment: datetime | None, *, day_only: bool = False) -> SafeString | str:
    """A day and a time; the whole instant on hovering."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return format_html(
        '<time class="desk-when" datetime="{}" title="{}">{} <span class="desk-quiet">{}</span></time>',
        local.isoformat(), local.strftime("%Y-%m-%d %H:%M:%S %Z"), date_format(local, "j M Y"),
        "" if day_only else local.strftime("%H:%M"),
    )  # fmt: skip


def about_label(memory: Memory) -> str:
    """The time a statement is about, as short as it can be said."""
    start, until = _day(memory.about_from), _day(memory.about_until)
    if start and until:
        return start if start == until else f"{start} – {until}"
    if start:
        return f"from {start}"
    return f"until {until}" if until else ""


def _day(moment: datetime | None) -> str:
    return date_format(timezone.localtime(moment), "j M Y") if moment else ""


def urgent_label(number: int) -> SafeString | str:
    """A number that wants to be looked at; nothing for none."""
    return format_html('<span class="desk-urgent">{}</span>', number) if number else ""


def count_label(number: int, *, most: int) -> str:
    """A number, or `more than` where counting stopped."""
    return f"{most:,}+" if number > most else f"{number:,}"


def counted(rows: Any, *, most: int) -> str:
    """How many rows there are, counted no further than `most`."""
    return count_label(rows.order_by()[: most + 1].count(), most=most)
