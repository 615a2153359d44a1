"""What the page of one pair shows: both facts side by side, how they differ, and what stands in the way."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.safestring import SafeString

from conflicts import decisions
from conflicts.admin.answering import offered
from conflicts.choices import Answer, State
from conflicts.decisions import Fate
from conflicts.models import Conflict
from memories.admin import labels, marking
from memories.admin.fact_page import DIFFERENCES, Occurrence, followable
from memories.admin.marking import Part
from memories.choices import LIVE, Reason, Status
from memories.models import Evidence, Memory
from memories.reader import reader

STATE_COLOURS = {State.OPEN: "danger", State.PUT_OFF: "warning", State.SETTLED: "success"}
#: As many pieces of evidence as one side shows; its own page has the rest.
MOST_EVIDENCE = 3
#: Evidence is fetched for both sides at once: no further than this, however often a statement was repeated.
MOST_FETCHED = 60
MOST_OTHERS = 50


@dataclass(frozen=True, slots=True)
class OtherPair:
    """Another unsettled pair that a side stands in, and the fact on its far side."""

    pair: Conflict
    other: Memory


@dataclass(frozen=True, slots=True)
class Side:
    """One fact of the pair."""

    name: str
    memory: Memory
    parts: Sequence[Part]
    colour: str
    tier: SafeString
    kind: SafeString
    who: SafeString
    about: str
    recorded: SafeString | str
    evidence: Sequence[Occurrence]
    others: Sequence[OtherPair]
    is_out: bool
    #: What the settlement made of it, once there is one.
    fate: str


def context(pair: Conflict) -> dict[str, Any]:
    sides = _sides(pair)
    answers = offered(pair)
    return {
        "title": "Conflict",
        "pair": pair,
        "opened": labels.when_label(pair.opened_at),
        "put_off_until": labels.when_label(pair.put_off_until, day_only=True),
        "settled_at": labels.when_label(pair.settled_at),
        "state_colour": STATE_COLOURS[State(pair.state)],
        "sides": sides,
        "differs": _differs(pair),
        "answers": answers,
        "is_suggestion": pair.reason == Reason.UNSURE,
        "taken_out": [side for side in sides if side.is_out] if pair.state != State.SETTLED else [],
        "closing": closing(answers),
        "remaining": [each for side in sides if side.fate == Fate.WINS for each in _holding(side)],
    }


def closing(answers: Sequence[Answer]) -> Answer | None:
    """The one answer left that closes a pair of which a side is gone: the other side, or none of the two."""
    if Answer.OLDER in answers and Answer.NEWER in answers:
        return None
    return next((each for each in (Answer.OLDER, Answer.NEWER, Answer.NEITHER) if each in answers), None)


def _sides(pair: Conflict) -> list[Side]:
    older, newer = marking.marked(pair.older.content, pair.newer.content)
    fates = decisions.FATES[Answer(pair.answer)] if pair.answer else ("", "")
    evidence, others = _evidence([pair.older, pair.newer]), _other_pairs(pair)
    return [
        _side(pair.older, name="older", parts=older, fate=fates[0], evidence=evidence, others=others),
        _side(pair.newer, name="newer", parts=newer, fate=fates[1], evidence=evidence, others=others),
    ]


def _side(
    memory: Memory, *, name: str, parts: Sequence[Part], fate: str, evidence: Mapping[UUID, list[Evidence]],
    others: Mapping[UUID, list[OtherPair]],
) -> Side:  # fmt: skip
    found = evidence.get(memory.pk, [])
    return Side(
        name=name, memory=memory, parts=parts, colour=labels.STATUS_COLOURS[Status(memory.status)],
        tier=labels.tier_label(memory.tier), kind=labels.kind_label(memory),
        who=labels.who_label(memory.origin, labels.writer(memory, next(iter(found), None))),
        about=labels.about_label(memory), recorded=labels.when_label(memory.recorded_at),
        evidence=[Occurrence(each, followable(each.item_url)) for each in found[:MOST_EVIDENCE]],
        others=others.get(memory.pk, []), is_out=memory.status not in LIVE, fate=fate,
    )  # fmt: skip


def _evidence(memories: Iterable[Memory]) -> Mapping[UUID, list[Evidence]]:
    rows = Evidence.objects.filter(memory__in=[each.pk for each in memories]).select_related("agent")
    found: dict[UUID, list[Evidence]] = defaultdict(list)
    for row in rows[:MOST_FETCHED]:
        found[row.memory_id].append(row)
    return found


def _other_pairs(pair: Conflict) -> Mapping[UUID, list[OtherPair]]:
    """The unsettled pairs of either side. Pairs lie in one pool, so whoever may see this one may see them."""
    ids = (pair.older_id, pair.newer_id)
    rows = Conflict.objects.unsettled().filter(Q(older__in=ids) | Q(newer__in=ids)).exclude(pk=pair.pk)
    found: dict[UUID, list[OtherPair]] = defaultdict(list)
    for row in rows.select_related("older", "newer")[:MOST_OTHERS]:
        if row.older_id in ids:
            found[row.older_id].append(OtherPair(row, row.newer))
        if row.newer_id in ids:
            found[row.newer_id].append(OtherPair(row, row.older))
    return found


def _holding(winner: Side) -> list[OtherPair]:
    """ "A winner that stands in another open pair stays disputed until that pair is settled."\""""
    if winner.memory.is_current:
        return []
    return [each for each in winner.others if each.pair.reason != Reason.UNSURE]


def _differs(pair: Conflict) -> list[tuple[str, str, str]]:
    """Kind by kind, the older side's value and the newer side's."""
    found = reader().compare(pair.newer.content, pair.older.content).differs
    return [(DIFFERENCES[each.what], each.other or "", each.this or "") for each in found]
