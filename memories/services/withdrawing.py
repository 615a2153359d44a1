"""What a source takes back: statements that it does not make any more, and all of an item that was removed.

A memory is upheld by other live evidence: a fact an agent saved, a raw text that is current (another item, another
text), or a person who stood behind it. What a raw text says counts for as long as that text is live itself: so a text
that was followed by a newer one, or whose item was removed, holds nothing up.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from memories.actors import Actor
from memories.choices import CURRENT, LIVE, Origin, Status, Verb
from memories.errors import Conflict
from memories.models import Evidence, Memory, MemoryEvent
from memories.services import access, lifecycle, recording

#: What a person does to stand behind a memory.
_STOOD_BEHIND = (Verb.VERIFY, Verb.SETTLE, Verb.RESTORE)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """How many statements were retired, or brought back."""

    statements: int = 0


def withdraw_text(*, by: Actor, raw: Memory, why: str) -> Withdrawn:
    """Retire a raw text whose item was removed, and what it alone said. Doing it again changes nothing."""
    with transaction.atomic():
        access.lock_pool(by.product_id, None)
        raw = access.locked_memory(by, raw.pk)
        if raw.status in LIVE:
            lifecycle.set_aside(raw, by=by, why=why)
        said = Memory.objects.filter(pk__in=said_in([raw.pk])).live().statements_only()
        return Withdrawn(len(retire_unheld(said, without=[raw.pk], by=by, why=why)))


def reinstate_text(*, by: Actor, raw: Memory, why: str) -> Withdrawn:
    """Bring back a raw text whose item returned, and every statement that went with it and nobody has judged since."""
    with transaction.atomic():
        access.lock_pool(by.product_id, None)
        raw = access.locked_memory(by, raw.pk)
        if raw.status != Status.RETIRED:
            return Withdrawn()
        lifecycle.bring_back(raw, by=by, why=why)
        return Withdrawn(sum(_reinstate(memory, raw, by=by, why=why) for memory in _went_with(raw, by=by)))


def said_in(raws: Collection[UUID]) -> "QuerySet[Evidence, UUID]":
    """The ids of the memories read from these raw texts, the raw records themselves left out."""
    passages = Evidence.objects.filter(raw__in=raws).exclude(memory__in=raws)
    return passages.order_by().values_list("memory_id", flat=True)


def upheld(memories: Collection[UUID], *, without: Collection[UUID]) -> set[UUID]:
    """Those that something else holds up than these raw texts."""
    live = Q(raw__isnull=True) | Q(raw__status__in=LIVE)
    held = Evidence.objects.filter(live, memory__in=memories).exclude(raw__in=without).order_by()
    by_people = MemoryEvent.objects.filter(
        pgh_obj__in=memories, status__in=CURRENT, pgh_context__type=Origin.PERSON,
        pgh_context__verb__in=[each.value for each in _STOOD_BEHIND],
    ).order_by()  # fmt: skip
    return {*held.values_list("memory_id", flat=True), *by_people.values_list("pgh_obj_id", flat=True)}


def retire_unheld(
    rows: "QuerySet[Memory]", *, without: Collection[UUID], by: Actor, why: str
) -> Sequence[Memory]:  # fmt: skip
    """Retire those of these live memories that nothing else holds up. The caller holds the pool."""
    held = list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))
    stays = upheld([memory.pk for memory in held], without=without)
    gone = [memory for memory in held if memory.pk not in stays]
    for memory in gone:
        lifecycle.set_aside(memory, by=by, why=why)
    return gone


def _went_with(raw: Memory, *, by: Actor) -> "QuerySet[Memory]":
    """What this source retired in its last move. Whatever somebody else has done since stays done."""
    last = MemoryEvent.objects.filter(pgh_obj=OuterRef("pgh_obj")).order_by("-pgh_id").values("pgh_id")[:1]
    said = MemoryEvent.objects.filter(pgh_obj__in=said_in([raw.pk]), status=Status.RETIRED)
    ours = said.filter(
        pgh_id=Subquery(last), pgh_context__verb=Verb.RETIRE.value, pgh_context__source=str(by.source_id)
    )
    retired = Memory.objects.filter(pk__in=ours.order_by().values("pgh_obj"), status=Status.RETIRED).statements_only()
    return retired.order_by("pk").select_for_update(of=("self",), no_key=True)


def _reinstate(memory: Memory, raw: Memory, *, by: Actor, why: str) -> bool:
    """Whether it is back. Where the same was said again meanwhile, that one gets the evidence instead."""
    try:
        lifecycle.bring_back(memory, by=by, why=why)
    except Conflict:
        twin = Memory.objects.live_twin(
            memory.product_id, memory.owner_id, bytes(memory.key), memory.about_from, memory.about_until
        )
        if twin:
            passages = recording.copies(memory, to=twin)
            Evidence.objects.bulk_create(row for row in passages if row.raw_id == raw.pk)
        return False
    return True
