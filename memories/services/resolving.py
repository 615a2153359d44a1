"""An agent's verdict on two facts: duplicate, replaces or contradicts. Authority binds each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from memories import decisions
from memories.actors import Actor
from memories.choices import Kind, Outcome, Reason, Status, Tier, VerdictGiven
from memories.errors import Conflict, InvalidInput
from memories.models import Evidence, Memory
from memories.services import access, lifecycle, recording


@dataclass(frozen=True, slots=True)
class Resolved:
    """The verdict, what became of it, both facts as they are now, and the pair if one is open."""

    verdict: VerdictGiven
    outcome: Outcome
    fact: Memory
    other: Memory
    conflict: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Case:
    by: Actor
    newer: Memory
    older: Memory
    #: The weight of the act; None when the agent states none.
    tier: Tier | None
    why: str

    @property
    def is_refused(self) -> bool:
        """ "Unless the old one has a higher tier": neither the newer statement nor the act may weigh less."""
        newer, older = Tier(self.newer.tier), Tier(self.older.tier)
        return not (decisions.may_displace(self.by.type, newer, older) and self.may_take_out(self.older))

    def may_take_out(self, side: Memory) -> bool:
        """An act that states no tier weighs as much as the newer statement itself, and at least official."""
        act = self.tier or decisions.higher(Tier.OFFICIAL, Tier(self.newer.tier))
        return decisions.may_displace(self.by.type, act, Tier(side.tier))


def resolve(
    *, by: Actor, newer_id: UUID | str, older_id: UUID | str, verdict: VerdictGiven, tier: Tier | None = None,
    why: str = "",
) -> Resolved:  # fmt: skip
    """Settle how two facts stand to each other. The same verdict again gives the same answer.

    Raises Conflict when a side is not current any more: `current` is what it is now.
    """
    newer, older = access.memory(by, newer_id), access.memory(by, older_id)
    if newer.pk == older.pk:
        raise InvalidInput.of("other", "A fact can't be resolved against itself; name another fact.")
    if newer.owner_id != older.owner_id:
        raise InvalidInput.of("other", "A private and a shared fact are never compared; name one of the same scope.")
    with transaction.atomic():
        access.lock_pool(newer.product_id, newer.owner_id)
        rows = {row.pk: row for row in access.locked_memories(by, [newer.pk, older.pk])}
        case = _Case(by, rows[newer.pk], rows[older.pk], tier, why)
        outcome, pair = _given_before(case, verdict) or ACTS[verdict](case)
        return Resolved(verdict, outcome, case.newer, case.older, pair.pk if pair else None)


def _given_before(case: _Case, verdict: VerdictGiven) -> tuple[Outcome, Any] | None:
    """The answer this verdict got the first time, if its effect still stands."""
    newer, older = case.newer, case.older
    if verdict == VerdictGiven.DUPLICATE:
        return (Outcome.DROPPED, None) if newer.duplicate_of_id == older.pk else None
    if verdict == VerdictGiven.REPLACES and older.replaced_by_id == newer.pk:
        return Outcome.REPLACED, None
    pair = lifecycle.unsettled_pair(newer, older)
    # Of two that contradict, the one recorded last was refused, whichever was named first.
    refused = (newer, older) if verdict == VerdictGiven.CONTRADICTS else (newer,)
    if pair and pair.reason == Reason.AUTHORITY and any(side.status == Status.CONFLICTING for side in refused):
        return Outcome.REFUSED, pair
    if verdict == VerdictGiven.CONTRADICTS and pair and pair.reason == Reason.DISAGREEMENT:
        return Outcome.DISPUTED, pair
    return None


def _duplicate(case: _Case) -> tuple[Outcome, Any]:
    """ "The new fact is dropped; its evidence is copied to the kept one."\""""
    _require(case, may_be_disputed=False)
    if not decisions.may_displace(case.by.type, case.tier or Tier.OFFICIAL, Tier(case.newer.tier)):
        return Outcome.REFUSED, None
    Evidence.objects.bulk_create(recording.copies(case.newer, to=case.older))
    why = case.why or f"Duplicate of {case.older.pk}."
    lifecycle.set_aside(case.newer, by=case.by, why=why, duplicate_of=case.older)
    return Outcome.DROPPED, None


def _replaces(case: _Case) -> tuple[Outcome, Any]:
    _require(case, may_be_disputed=False)
    if case.is_refused:
        return _refuse(case)
    lifecycle.supersede(case.older, successor=case.newer, by=case.by, why=case.why)
    if bytes(case.older.key) == bytes(case.newer.key):  # the same words about another time: the raw texts follow them
        Evidence.objects.bulk_create(recording.copies(case.older, to=case.newer))
    return Outcome.REPLACED, None


def _contradicts(case: _Case) -> tuple[Outcome, Any]:
    """Both leave recall and the pair is opened; the one that was recorded first is the older side."""
    _require(case, may_be_disputed=True)
    first, second = sorted((case.newer, case.older), key=lambda memory: memory.pk)
    ordered = _Case(case.by, second, first, case.tier, case.why)
    if ordered.is_refused:
        return _refuse(ordered)
    if second.is_current and not case.may_take_out(second):  # whichever was named the newer
        return Outcome.REFUSED, None
    for side in (first, second):
        lifecycle.dispute(side, by=case.by, why=case.why)
    return Outcome.DISPUTED, second.conflicts.open_against(first, reason=Reason.DISAGREEMENT)


def _refuse(case: _Case) -> tuple[Outcome, Any]:
    """ "The newer becomes conflicting, the older stays current"; one that outweighs the act stays current too."""
    if case.newer.is_current and not case.may_take_out(case.newer):
        return Outcome.REFUSED, None
    lifecycle.contest(case.newer, by=case.by, why=case.why or "Refused: the established fact has a higher tier.")
    return Outcome.REFUSED, lifecycle.refuse(case.newer, older=case.older)


def _require(case: _Case, *, may_be_disputed: bool) -> None:
    for side in (case.newer, case.older):
        disputed_again = may_be_disputed and side.status == Status.DISPUTED
        if side.kind == Kind.RAW or not (side.is_current or disputed_again):
            raise Conflict(
                f"The fact {side.pk} is {side.get_status_display().lower()}; only current facts are resolved.", side
            )


ACTS: dict[VerdictGiven, Callable[[_Case], tuple[Outcome, Any]]] = {
    VerdictGiven.DUPLICATE: _duplicate,
    VerdictGiven.REPLACES: _replaces,
    VerdictGiven.CONTRADICTS: _contradicts,
}
