"""What the page of one fact shows beside its words: where it comes from, its disagreements, what happened to it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from memories import decisions
from memories.actors import Actor
from memories.admin import labels
from memories.admin.base import actor_for
from memories.admin.marking import Change, changes
from memories.choices import Kind, Permission, Status, Verb
from memories.errors import EmbedderDown
from memories.models import Agent, Evidence, Membership, Memory
from memories.services import editing, history, similar
from memories.services.history import Move

#: More than a page is read for; the rest is counted.
MOST_SHOWN = 50
MOST_READERS = 20
#: The states of a pair as `conflicts` names them; it stands above us, so they are plain words here.
OPEN, SETTLED = "open", "settled"
#: What differs between two texts, in words.
DIFFERENCES = {
    "number": "Number", "date": "Date", "name": "Name", "unit": "Unit", "negation": "Negation", "word": "Words",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair this fact stands in: the other side, why it was opened, and its state."""

    id: UUID
    other: Memory
    reason: str
    state: str
    is_open: bool
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One piece of evidence, with its address outside where that is one to be followed."""

    row: Evidence
    url: str


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the history, as it is read."""

    move: Move
    verb: str
    from_: str
    to: str
    colour: str
    icon: str
    is_this_version: bool


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the statement, as it is now."""

    id: UUID
    content: str
    status: str
    colour: str
    is_here: bool
    #: What it changed of the version before; empty for the first.
    changes: Sequence[Change]


@dataclass(frozen=True, slots=True)
class Readers:
    """Who can read it, by name, and whether recall shows it."""

    agents: Sequence[str]
    people: Sequence[str]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Near:
    """A similar fact, and what differs: the kind, this fact's value and the other's."""

    memory: Memory
    colour: str
    percent: int
    differs: list[tuple[str, str, str]]


def context(memory: Memory, request: HttpRequest) -> dict[str, Any]:
    refusal = decisions.refuse_edit(Kind(memory.kind), Status(memory.status))
    evidence = list(Evidence.objects.filter(memory=memory).select_related("agent")[: MOST_SHOWN + 1])
    first = evidence[0] if evidence else None
    moves = history.of(memory)
    return {
        "title": "Fact",
        "fact": memory,
        "status_colour": labels.STATUS_COLOURS[Status(memory.status)],
        "tier": labels.tier_label(memory.tier),
        "kind": labels.kind_label(memory),
        "who": labels.who_label(memory.origin, labels.writer(memory, first)),
        "about": labels.about_label(memory),
        "recorded": labels.when_label(memory.recorded_at),
        "metadata": json.dumps(memory.metadata, ensure_ascii=False, indent=2, sort_keys=True),
        "not_editable": "" if refusal is None else editing.EDIT_REFUSED[refusal],
        "evidence": [Occurrence(each, followable(each.item_url)) for each in evidence[:MOST_SHOWN]],
        "more_evidence": len(evidence) > MOST_SHOWN,
        "pairs": pairs_of(memory),
        "steps": [_step(move, memory) for move in reversed(moves)],
        "versions": versions_of(moves, memory),
        "readers": _readers(memory),
        # Called by the template: an edit that succeeds leaves the page without looking.
        "similar": partial(_similar, memory, actor_for(request.user, memory.product_id)),
        # An edit that was refused keeps its button: what was typed is still on the screen.
        "show_save": refusal is None or request.method == "POST",
        "show_save_and_continue": False,
        "show_save_and_add_another": False,
    }


def open_pairs(memory: Memory) -> int:
    """How many open pairs it stands in. Both relations are fetched ahead by the list."""
    rows: list[Any] = [*memory.conflicts.all(), *memory.conflicts_as_older.all()]
    return sum(row.state == OPEN for row in rows)


def pairs_of(memory: Memory) -> list[Pair]:
    """Unsettled ones first, then the latest."""
    newer = [(row, row.older) for row in memory.conflicts.select_related("older")]
    older = [(row, row.newer) for row in memory.conflicts_as_older.select_related("newer")]
    found = sorted([*newer, *older], key=lambda pair: (pair[0].state != SETTLED, pair[0].pk), reverse=True)
    return [
        Pair(
            row.pk, other, row.get_reason_display(), row.get_state_display(), is_open=row.state == OPEN,
            is_settled=row.state == SETTLED,
        )
        for row, other in found
    ]  # fmt: skip


def versions_of(moves: Sequence[Move], memory: Memory) -> list[Version]:
    """The chain in both directions, the first version first; nothing where there was only one."""
    now = {move.version: move for move in moves}
    found: list[Version] = []
    for each in (now[id_] for id_ in sorted(now)):
        status = Status(each.to)
        changed = changes(found[-1].content, each.content) if found else []
        found.append(
            Version(
                each.version,
                each.content,
                status.label,
                labels.STATUS_COLOURS[status],
                each.version == memory.pk,
                changed,
            )
        )
    return found if len(found) > 1 else []


def _readers(memory: Memory) -> Readers:
    """The agents of its product with a key that reads today, and its people. Pages show shared facts alone."""
    valid = Q(keys__expires_at__isnull=True) | Q(keys__expires_at__gt=timezone.now())
    reading = Agent.objects.filter(valid, keys__revoked_at__isnull=True, keys__permissions__contains=[Permission.READ])
    agents = reading.filter(product=memory.product_id).distinct().values_list("name", flat=True)[: MOST_READERS + 1]
    members = Membership.objects.filter(product=memory.product_id).order_by("user__username")
    people = members.values_list("user__username", flat=True)[: MOST_READERS + 1]
    named, known = list(agents), list(people)
    return Readers(named[:MOST_READERS], known[:MOST_READERS], max(len(named), len(known)) > MOST_READERS)


def _similar(memory: Memory, by: Actor) -> tuple[list[Near], str]:
    """What stands close to it, or the sentence that says why that isn't known now."""
    try:
        return [_near(each) for each in similar.of_memory(memory, by=by)], ""
    except EmbedderDown as error:
        return [], error.sentence


def _near(found: similar.Similar) -> Near:
    differs = [(DIFFERENCES[each.what], each.this or "", each.other or "") for each in found.differs]
    colour = labels.STATUS_COLOURS[Status(found.memory.status)]
    return Near(found.memory, colour, round(found.similarity * 100), differs)


def _step(move: Move, memory: Memory) -> Step:
    verb = Verb(move.verb).label if move.verb in Verb else move.verb.title()
    return Step(
        move=move,
        verb=verb,
        from_=Status(move.from_).label if move.from_ else "",
        to=Status(move.to).label,
        colour=labels.STATUS_COLOURS[Status(move.to)],
        icon=labels.ORIGIN_ICONS.get(move.by_type, "database"),  # type: ignore[call-overload]  # a move made outside the services names nobody
        is_this_version=move.version == memory.pk,
    )


def followable(url: str) -> str:
    """The address if it leads to a web page. Sources say what they like; `javascript:` is not followed."""
    return url if url.startswith(("https://", "http://")) else ""
