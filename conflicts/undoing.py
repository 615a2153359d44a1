"""Undo of a settlement, by a person, while nothing has been built on it."""

from uuid import UUID

from django.db import transaction

from conflicts.choices import State
from conflicts.models import Conflict as Pair
from conflicts.services import Settled, pair_for
from memories.actors import Actor
from memories.choices import Outcome, Verb
from memories.errors import Conflict, Forbidden
from memories.models import Memory
from memories.services import access, lifecycle

BUILT_ON = "Something was built on this settlement since; undo that first, or correct the facts themselves."


def undo(*, by: Actor, pair_id: UUID | str, why: str = "") -> Settled:
    """Both sides get exactly the status they had, a correction is taken back, and the pair is open again."""
    if not by.is_person:
        raise Forbidden("Only a person can undo a settlement; ask a curator.")
    pair = pair_for(by, pair_id)
    with transaction.atomic():
        access.lock_pool(pair.product_id, pair.newer.owner_id)
        pair = Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
        if pair.state != State.SETTLED:
            raise Conflict("Only a settled pair can be undone, and this one is not settled.", pair)
        for memory in _touched(by, pair):
            _take_back(memory, pair, by=by, why=why)
        _reopen(pair)
    return Settled(pair, Outcome.UNDONE)


def _touched(by: Actor, pair: Pair) -> list[Memory]:
    ids = [id_ for id_ in (pair.older_id, pair.newer_id, pair.correction_id) if id_]
    return access.locked_memories(by, ids)


def _take_back(memory: Memory, pair: Pair, *, by: Actor, why: str) -> None:
    """Undo this memory's part of the settlement, if it had one and it was its last."""
    contexts = [event.pgh_context or {} for event in memory.events.order_by("pgh_id")]
    mine = [place for place, context in enumerate(contexts) if context.get("pair") == str(pair.pk)]
    if not mine or contexts[mine[-1]].get("verb") == Verb.UNDO:
        return
    if mine[-1] != len(contexts) - 1:
        raise Conflict(BUILT_ON, memory)
    if contexts[mine[-1]].get("verb") == Verb.ADD:
        _withdraw(memory, by=by, why=why)
    else:
        lifecycle.undo(memory, by=by, why=why, pair_id=pair.pk)


def _withdraw(correction: Memory, *, by: Actor, why: str) -> None:
    """A correction that the settlement brought in leaves with it, unless others rest on it by now."""
    in_pairs = correction.conflicts.exists() or correction.conflicts_as_older.exists()
    if in_pairs or correction.replaces.exists() or correction.evidence.count() > 1:
        raise Conflict(BUILT_ON, correction)
    lifecycle.withdraw(correction, by=by, why=why)


def _reopen(pair: Pair) -> None:
    again = Pair.objects.unsettled_between(pair.older, pair.newer)
    if again:
        raise Conflict("These two stand in a newer pair already; settle that one.", again)
    pair.state, pair.answer, pair.correction = State.OPEN, "", None
    pair.settled_at = pair.settled_by = None
    pair.settled_by_name, pair.why = "", ""
    pair.save()
