"""The only code that sets a status. Every move is one verb, made by compare and set, and named in history."""

from collections.abc import Sequence
from typing import Any

from memories import decisions
from memories.actors import Actor, acting
from memories.choices import CURRENT, Reason, Scope, Status, Verb
from memories.errors import Conflict
from memories.models import Memory
from memories.services.drafts import Draft


def born(draft: Draft, *, by: Actor, status: Status, raw: Memory | None = None) -> Memory:
    """A memory that is not stored yet, with its id."""
    label = draft.label
    return Memory(
        product_id=by.product_id,
        owner_id=by.agent_id if label.scope == Scope.PRIVATE else None,
        scope=label.scope,
        content=draft.content,
        key=draft.key,
        kind=draft.kind,
        category=draft.category,
        person=draft.person,
        tier=label.tier,
        status=status,
        tags=list(label.tags),
        metadata=dict(label.metadata),
        about_from=label.about.start,
        about_until=label.about.until,
        origin=by.type,
        agent_id=by.agent_id,
        author_id=by.user_id,
        raw=raw,
        words=draft.words,
    )


def record(memories: Sequence[Memory], *, by: Actor, why: str = "") -> None:
    """Store what was born. The caller holds the pool and has looked for twins."""
    with acting(by, Verb.ADD, why):
        Memory.objects.bulk_create(memories)


def verify(memory: Memory, *, by: Actor, why: str = "") -> None:
    _move(memory, Status.VERIFIED, by=by, verb=Verb.VERIFY, why=why)


def supersede(older: Memory, *, successor: Memory, by: Actor, why: str = "", verb: Verb = Verb.SUPERSEDE) -> None:
    """The successor may still be unborn: links are checked when the transaction ends."""
    _move(older, Status.SUPERSEDED, by=by, verb=verb, why=why, replaced_by=successor)


def dispute(memory: Memory, *, by: Actor, why: str = "") -> None:
    """Hold a current memory out of recall. A disputed one stays as it is: it only gets another pair."""
    if memory.status != Status.DISPUTED:
        _move(memory, Status.DISPUTED, by=by, verb=Verb.DISPUTE, why=why)


def refuse(newer: Memory, *, older: Memory) -> Any:
    """ "A lower tier can't replace": the newer one, born conflicting, stands in a pair against the established one."""
    return newer.conflicts.open_against(older, reason=Reason.AUTHORITY)


def suggest(newer: Memory, *, older: Memory) -> Any:
    """Unsure: both stay current and the pair is put before a person."""
    return newer.conflicts.open_against(older, reason=Reason.UNSURE)


def set_aside(memory: Memory, *, by: Actor, why: str = "", duplicate_of: Memory | None = None) -> None:
    """Retire: reversible, history kept."""
    _move(memory, Status.RETIRED, by=by, verb=Verb.RETIRE, why=why, duplicate_of=duplicate_of)


def bring_back(memory: Memory, *, by: Actor, why: str = "") -> None:
    """Restore a retired memory to the status it had."""
    twin = Memory.objects.in_pool(memory.product_id, memory.owner_id).live().statements_only().filter(
        key=bytes(memory.key), about_from=memory.about_from, about_until=memory.about_until
    )  # fmt: skip
    refusal = decisions.refuse_restore(
        Status(memory.status), has_live_twin=twin.exists(), false_against_current=_is_false_against_current(memory)
    )
    if refusal:
        raise Conflict(RESTORE_REFUSED[refusal], twin.first() or memory)
    _move(memory, former_status(memory), by=by, verb=Verb.RESTORE, why=why, duplicate_of=None)


RESTORE_REFUSED = {
    decisions.Refusal.NOT_RETIRED: "Only a retired memory can be restored, and this one is not retired.",
    decisions.Refusal.LIVE_TWIN: "The same statement is live already; retire that one first.",
    decisions.Refusal.SETTLED_FALSE: "It was settled false against a memory that is current; retire that first.",
}


def former_status(memory: Memory) -> Status:
    """The status before the last move, out of the history."""
    event = memory.events.exclude(status=memory.status).order_by("-pgh_id").first()
    return Status(event.status) if event else Status.UNVERIFIED


def _is_false_against_current(memory: Memory) -> bool:
    """Whether a settlement retired it and the winner of that pair is current."""
    last = memory.events.order_by("-pgh_id").first()
    if not last or (last.pgh_context or {}).get("verb") != Verb.SETTLE:
        return False
    settled = {"state": "settled"}
    as_newer = memory.conflicts.filter(**settled, older__status__in=CURRENT)
    as_older = memory.conflicts_as_older.filter(**settled, newer__status__in=CURRENT)
    return bool(as_newer.exists() or as_older.exists())


def _move(memory: Memory, to: Status, *, by: Actor, verb: Verb, why: str, **columns: Any) -> None:
    """Compare and set: whoever was faster wins, and the other is told so."""
    old = Status(memory.status)
    if not decisions.may_move(verb, old, to):
        raise Conflict(f"A {old.label.lower()} memory can't be {verb.label.lower()}.", memory)
    with acting(by, verb, why):
        moved = Memory.objects.filter(pk=memory.pk, status=old).update(status=to, **columns)
    if not moved:
        memory.refresh_from_db()
        raise Conflict("Someone was faster: the memory has changed meanwhile.", memory)
    memory.status = to
    for column, value in columns.items():
        setattr(memory, column, value)
