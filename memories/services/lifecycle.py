"""The only code that sets a status. Every move is one verb, made by compare and set, and named in history."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Case, Func, TextField, Value, When
from django.db.models.functions import Cast, Now

from memories import decisions
from memories.actors import Actor, acting
from memories.choices import CURRENT, LIVE, Kind, Reason, Scope, Status, Verb
from memories.errors import Conflict
from memories.models import Memory
from memories.search.indexing import index
from memories.services.drafts import Draft

#: Rows of one statement to the database: whatever number of texts comes, each statement stays bounded.
ROWS = 500


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
        weights=draft.weights,
    )


def record(memories: Sequence[Memory], *, by: Actor, why: str = "", pair_id: UUID | None = None) -> None:
    """Store what was born. The caller holds the pool and has looked for twins."""
    with acting(by, Verb.ADD, why, pair_id=pair_id):
        Memory.objects.bulk_create(memories, batch_size=ROWS)


def verify(memory: Memory, *, by: Actor, why: str = "") -> None:
    _move(memory, Status.VERIFIED, by=by, verb=Verb.VERIFY, why=why)


def supersede(older: Memory, *, successor: Memory, by: Actor, why: str = "", verb: Verb = Verb.SUPERSEDE) -> None:
    """The successor may still be unborn: links are checked when the transaction ends."""
    _move(older, Status.SUPERSEDED, by=by, verb=verb, why=why, replaced_by=successor)


def merge(memory: Memory, *, into: Memory, by: Actor, why: str) -> None:
    """Two wordings of one thing become one: the other is its successor and says the same, so no raw text is lost."""
    _move(memory, Status.SUPERSEDED, by=by, verb=Verb.MERGE, why=why, replaced_by=into, duplicate_of=into)


def dispute(memory: Memory, *, by: Actor, why: str = "") -> None:
    """Hold a current memory out of recall. A disputed one stays as it is: it only gets another pair."""
    if memory.status != Status.DISPUTED:
        _move(memory, Status.DISPUTED, by=by, verb=Verb.DISPUTE, why=why)


def contest(memory: Memory, *, by: Actor, why: str = "") -> None:
    """Hold back a memory that tried to displace one of a higher tier; it needs clarification."""
    if memory.status != Status.CONFLICTING:
        _move(memory, Status.CONFLICTING, by=by, verb=Verb.CONTEST, why=why)


def settle(memory: Memory, to: Status, *, by: Actor, why: str, pair_id: UUID) -> None:
    """One side's fate in a settlement. A side that has the status already stays untouched."""
    if memory.status != to:
        _move(memory, to, by=by, verb=Verb.SETTLE, why=why, pair_id=pair_id)


def undo(memory: Memory, *, by: Actor, why: str = "", pair_id: UUID | None = None) -> None:
    """Back to exactly the status before the last move. Whether anything was built on it is the caller's to know."""
    twin = _live_twin(memory) if memory.status not in LIVE else None
    if twin:
        raise Conflict(RESTORE_REFUSED[decisions.Refusal.LIVE_TWIN], twin)
    before = _before_last_move(memory)
    _move(
        memory, Status(before.status), by=by, verb=Verb.UNDO, why=why, pair_id=pair_id,
        replaced_by_id=before.replaced_by_id, duplicate_of_id=before.duplicate_of_id,
    )  # fmt: skip


def withdraw(memory: Memory, *, by: Actor, why: str = "") -> None:
    """Take back a memory that an undone act brought in. Saying it again is no revival of something judged false."""
    _move(memory, Status.RETIRED, by=by, verb=Verb.UNDO, why=why)


def unsettled_pair(one: Memory, other: Memory) -> Any:
    """The unsettled pair that two memories stand in, in either order, or None."""
    return one.conflicts.unsettled_between(one, other)


def refuse(newer: Memory, *, older: Memory) -> Any:
    """ "A lower tier can't replace": the newer one, born conflicting, stands in a pair against the established one."""
    return newer.conflicts.open_against(older, reason=Reason.AUTHORITY)


def suggest(newer: Memory, *, older: Memory) -> Any:
    """Unsure: both stay current and the pair is put before a person."""
    return newer.conflicts.open_against(older, reason=Reason.UNSURE)


def set_aside(memory: Memory, *, by: Actor, why: str = "", duplicate_of: Memory | None = None) -> None:
    """Retire: reversible, history kept."""
    _move(memory, Status.RETIRED, by=by, verb=Verb.RETIRE, why=why, duplicate_of=duplicate_of)


def erase(ids: Collection[UUID], *, by: Actor) -> None:
    """Empty these rows for good, the only move that no verb takes back. The caller has lifted what keeps them written.

    What is left holds links and history: superseded ones stay so, all others end retired.
    """
    blank = index("")
    rows = Memory.objects.filter(pk__in=ids, erased_at__isnull=True)
    # Another key for each, made of its id: a plain hash of the text could be guessed from.
    key = Func(Cast("id", TextField()), template="sha256(convert_to(%(expressions)s, 'UTF8'))")
    with acting(by, Verb.ERASE):
        rows.update(
            status=Case(When(status=Status.SUPERSEDED, then=Value(Status.SUPERSEDED)), default=Value(Status.RETIRED)),
            content="", key=key, person=None, tags=[], metadata={}, about_from=None, about_until=None,
            words=blank.words, weights=blank.weights, erased_at=Now(),
        )  # fmt: skip


def bring_back(memory: Memory, *, by: Actor, why: str = "") -> None:
    """Restore a retired memory to the status it had."""
    twin = None if memory.kind == Kind.RAW else _live_twin(memory)
    refusal = decisions.refuse_restore(
        Status(memory.status),
        has_live_twin=twin is not None,
        false_against_current=_is_false_against_current(memory),
        is_erased=memory.erased_at is not None,
    )
    if refusal:
        raise Conflict(RESTORE_REFUSED[refusal], twin or memory)
    disputes = [pair for pair in _pairs(memory) if pair.reason == Reason.DISAGREEMENT and pair.state != "settled"]
    to = Status.DISPUTED if disputes else former_status(memory)
    _move(memory, to, by=by, verb=Verb.RESTORE, why=why, duplicate_of=None)
    _put_back_into_its_pair(memory)


def _put_back_into_its_pair(memory: Memory) -> None:
    """Where the pair that held it back was settled meanwhile, it is opened anew: held back without one, a memory
    could never be settled, and what was found false is not revived silently."""
    reason = {Status.DISPUTED: Reason.DISAGREEMENT, Status.CONFLICTING: Reason.AUTHORITY}.get(Status(memory.status))
    held_by = [pair for pair in _pairs(memory) if pair.reason == reason]
    if held_by and all(pair.state == "settled" for pair in held_by):
        last = max(held_by, key=lambda pair: pair.settled_at)
        last.newer.conflicts.open_against(last.older, reason=reason)


def _pairs(memory: Memory) -> list[Any]:
    return [*memory.conflicts.all(), *memory.conflicts_as_older.all()]


RESTORE_REFUSED = {
    decisions.Refusal.NOT_RETIRED: "Only a retired memory can be restored, and this one is not retired.",
    decisions.Refusal.LIVE_TWIN: "The same statement is live already; retire that one first.",
    decisions.Refusal.ERASED: "It was erased: there is no text left that could come back.",
    decisions.Refusal.SETTLED_FALSE: "It was settled false against a memory that is current; retire that first.",
}


def _live_twin(memory: Memory) -> Memory | None:
    return Memory.objects.live_twin(
        memory.product_id, memory.owner_id, bytes(memory.key), memory.about_from, memory.about_until
    )


def former_status(memory: Memory) -> Status:
    """The status before the last move, out of the history."""
    return Status(_before_last_move(memory).status)


def _before_last_move(memory: Memory) -> Any:
    """The history row of the status before this one. Every memory that moved has one."""
    return memory.events.exclude(status=memory.status).latest("pgh_id")


def _is_false_against_current(memory: Memory) -> bool:
    """Whether a settlement found it false, and the side found true is current."""
    lost_as_newer = memory.conflicts.filter(state="settled", answer="older", older__status__in=CURRENT)
    lost_as_older = memory.conflicts_as_older.filter(state="settled", answer="newer", newer__status__in=CURRENT)
    return lost_as_newer.exists() or lost_as_older.exists()


def _move(
    memory: Memory, to: Status, *, by: Actor, verb: Verb, why: str, pair_id: UUID | None = None, **columns: Any
) -> None:
    """Compare and set: whoever was faster wins, and the other is told so."""
    old = Status(memory.status)
    if memory.erased_at is not None:
        raise Conflict(RESTORE_REFUSED[decisions.Refusal.ERASED], memory)
    if not decisions.may_move(verb, old, to):
        raise Conflict(f"A {old.label.lower()} memory can't be {verb.label.lower()}.", memory)
    with acting(by, verb, why, pair_id=pair_id):
        moved = Memory.objects.filter(pk=memory.pk, status=old).update(status=to, **columns)
    if not moved:
        memory.refresh_from_db()
        raise Conflict("Someone was faster: the memory has changed meanwhile.", memory)
    memory.status = to
    for column, value in columns.items():
        setattr(memory, column, value)
