"""Verify, retire or restore many memories: looked at first, done row by row, and taken back as one act.

No table keeps what an act did: its rows bear one id in their history, and the receipt says where they lie there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min, Q

from memories import decisions
from memories.actors import Actor, one_act
from memories.choices import CURRENT, Kind, Status, Verb
from memories.errors import Conflict, InvalidInput, NeuronzError
from memories.models import Memory, MemoryEvent
from memories.models.ids import new_id
from memories.querysets import MemoryQuerySet
from memories.services import access, editing, lifecycle
from memories.services.editing import Acted

#: One act reaches this far; a longer list is worked through in several.
MOST_AT_ONCE = 1_000
ACTS: dict[Verb, Callable[..., Acted]] = {
    Verb.VERIFY: editing.verify, Verb.RETIRE: editing.retire, Verb.RESTORE: editing.restore,
}  # fmt: skip
#: Where each verb ends when it ends in one status.
ENDS = {Verb.VERIFY: Status.VERIFIED, Verb.RETIRE: Status.RETIRED}
ALREADY = "It is so already."
TAKEN_BACK = "It was taken back already."
BUILT_ON = "Something was built on it since; undo that first, or act on this fact alone."
TOO_MANY = f"At most {MOST_AT_ONCE:,} facts are acted upon at once; choose fewer."

Refused = Sequence[tuple[UUID, str]]


@dataclass(frozen=True, slots=True)
class Preview:
    """Which rows the verb would move, and why it would leave the others."""

    can: Sequence[Memory]
    refused: Sequence[tuple[Memory, str]]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The id of an act and where its rows lie in history: what undo needs, short enough for an address."""

    act: UUID
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.act}.{self.first}.{self.last}"

    @classmethod
    def read(cls, written: str) -> "Receipt":
        try:
            act, first, last = written.split(".")
            return cls(UUID(act), int(first), int(last))
        except ValueError:
            raise InvalidInput.of("receipt", "A receipt is an id and two numbers, parted by dots.") from None


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What became of each row. `receipt` is None where nothing was done."""

    done: Sequence[UUID] = ()
    refused: Refused = field(default=())
    receipt: Receipt | None = None


# --- looking first


def preview(*, by: Actor, ids: Sequence[UUID], verb: Verb) -> Preview:
    """What the act would do now, in a fixed number of queries. Nothing is locked: the act looks again at each row."""
    _check_number(ids)
    rows = list(Memory.objects.visible_to(by).filter(pk__in=ids).defer("words", "weights", "metadata").order_by("pk"))
    refuse = _refusal_of_restore(by, rows) if verb == Verb.RESTORE else _refusal_of(verb)
    judged = [(row, refuse(row)) for row in rows]
    return Preview([row for row, why in judged if not why], [(row, why) for row, why in judged if why])


def _refusal_of(verb: Verb) -> Callable[[Memory], str]:
    def refusal(memory: Memory) -> str:
        status = Status(memory.status)
        if status == ENDS[verb]:
            return ALREADY
        not_editable = decisions.refuse_edit(Kind(memory.kind), status) if verb == Verb.VERIFY else None
        if not_editable:
            return editing.EDIT_REFUSED[not_editable]
        moves = decisions.may_move(verb, status, ENDS[verb])
        return "" if moves else f"A {status.label.lower()} memory can't be {verb.label.lower()}."

    return refusal


def _refusal_of_restore(by: Actor, rows: Sequence[Memory]) -> Callable[[Memory], str]:
    """Of several chosen rows that say the same, only the first comes back: after it, the others have a live twin."""
    said, false = _live_statements(by, rows), _settled_false(rows)

    def refusal(memory: Memory) -> str:
        found = decisions.refuse_restore(
            Status(memory.status),
            has_live_twin=_said(memory) in said,
            false_against_current=memory.pk in false,
            is_erased=memory.erased_at is not None,
        )
        if found:
            return lifecycle.RESTORE_REFUSED[found]
        said.add(_said(memory))
        return ""

    return refusal


def _said(memory: Memory) -> tuple[Any, ...]:
    return bytes(memory.key), memory.about_from, memory.about_until


def _live_statements(by: Actor, rows: Sequence[Memory]) -> set[tuple[Any, ...]]:
    live = Memory.objects.visible_to(by).live().statements_only().filter(key__in=[row.key for row in rows])
    return {(bytes(key), *about) for key, *about in live.values_list("key", "about_from", "about_until")}


def _settled_false(rows: Sequence[Memory]) -> set[UUID]:
    """As lifecycle asks of one row: found false in a pair whose other side is current."""
    as_newer = Q(conflicts__state="settled", conflicts__answer="older", conflicts__older__status__in=CURRENT)
    as_older = Q(
        conflicts_as_older__state="settled", conflicts_as_older__answer="newer",
        conflicts_as_older__newer__status__in=CURRENT,
    )  # fmt: skip
    lost = Memory.objects.filter(pk__in=[row.pk for row in rows]).filter(as_newer | as_older)
    return set(lost.values_list("pk", flat=True))


# --- acting


def act(*, by: Actor, ids: Sequence[UUID], verb: Verb, why: str = "", act_id: UUID | None = None) -> BulkResult:
    """Do it to each row, in a short transaction of its own. One that can't be moved is left, with its sentence."""
    _check_number(ids)
    act_id = act_id or new_id()
    refused = []
    for id_ in sorted(ids):
        try:
            with one_act(act_id):
                ACTS[verb](by=by, memory_id=id_, why=why)
        except NeuronzError as error:
            refused.append((id_, error.sentence))
    done = _events(Memory.objects.visible_to(by), act_id).filter(pgh_obj__in=ids)
    moved, receipt = set(done.values_list("pgh_obj_id", flat=True)), _receipt(done, act_id)
    left = {id_ for id_, _ in refused} | moved
    refused += [(id_, ALREADY) for id_ in sorted(ids) if id_ not in left]
    return BulkResult(sorted(moved), refused, receipt)


def _check_number(ids: Sequence[UUID]) -> None:
    if len(ids) > MOST_AT_ONCE:
        raise InvalidInput.of("ids", TOO_MANY)


def _events(rows: MemoryQuerySet, act_id: UUID) -> Any:
    """The moves of an act among some rows. Narrow them by row or by place: contexts have no index."""
    return MemoryEvent.objects.filter(pgh_obj__in=rows, pgh_context__act=str(act_id))


def _receipt(events: Any, act_id: UUID) -> Receipt | None:
    ends = events.aggregate(first=Min("pgh_id"), last=Max("pgh_id"))
    return Receipt(act_id, ends["first"], ends["last"]) if ends["first"] is not None else None


# --- taking back


def moves(rows: MemoryQuerySet, receipt: Receipt) -> Any:
    """What the act did to the rows that a caller may see, in its order."""
    lies = {"pgh_id__gte": receipt.first, "pgh_id__lte": receipt.last}
    return _events(rows, receipt.act).filter(**lies).order_by("pgh_id")


def undo(*, by: Actor, receipt: Receipt, why: str = "") -> BulkResult:
    """Take back exactly what the act did, row by row, as far as nothing was built on it."""
    done, refused = [], []
    for event in _bounded(moves(Memory.objects.visible_to(by), receipt)):
        try:
            _take_back(event, by=by, act_id=receipt.act, why=why)
            done.append(event.pgh_obj_id)
        except NeuronzError as error:
            refused.append((event.pgh_obj_id, error.sentence))
    return BulkResult(done, refused, receipt)


def _bounded(events: Any) -> Iterator[Any]:
    """As many as one act can have moved: numbers in an address may be anybody's."""
    yield from events[:MOST_AT_ONCE]


def _take_back(event: Any, *, by: Actor, act_id: UUID, why: str) -> None:
    memory = access.memory(by, event.pgh_obj_id)
    with transaction.atomic(), one_act(act_id):
        access.lock_pool(memory.product_id, memory.owner_id)
        memory = access.locked_memory(by, memory.pk)
        last = memory.events.order_by("-pgh_id").first()
        context = (last.pgh_context or {}) if last else {}
        if context.get("act") == str(act_id) and context.get("verb") == Verb.UNDO:
            raise Conflict(TAKEN_BACK, memory)
        if last is None or last.pgh_id != event.pgh_id or _is_built_on(memory, event):
            raise Conflict(BUILT_ON, memory)
        lifecycle.undo(memory, by=by, why=why)


def _is_built_on(memory: Memory, event: Any) -> bool:
    """Whether others came to lean on the row: a pair opened or settled since, or a fact that gave way to it."""
    since = Q(opened_at__gt=event.pgh_created_at) | Q(settled_at__gt=event.pgh_created_at)
    gave_way = MemoryEvent.objects.filter(
        Q(pgh_obj__replaced_by=memory) | Q(pgh_obj__duplicate_of=memory), pgh_id__gt=event.pgh_id
    )
    in_pairs = memory.conflicts.filter(since).exists() or memory.conflicts_as_older.filter(since).exists()
    return in_pairs or gave_way.exists()
