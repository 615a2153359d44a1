"""What cognition puts before people, and what they answer. Accepting, rejecting and undoing are theirs alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memories import decisions
from memories.actors import Actor
from memories.choices import CURRENT, ProposalKind, ProposalState, Tier, Verb
from memories.decisions import Standing
from memories.errors import Conflict, Forbidden, NeuronzError
from memories.models import CognitionRun, Evidence, Memory, MemoryEvent, Product, Proposal
from memories.services import access, lifecycle, recording

ONLY_PEOPLE = "Only a person decides what cognition proposes; ask a curator."
DECIDED = "This proposal is decided already; read it again to see how."
GONE = "One of the two is not current any more, so there is nothing to decide."
BUILT_ON = "Something was built on it since; undo that first."
NOT_FACTS = "This proposal is about names, and is decided elsewhere."


@dataclass(frozen=True, slots=True)
class Decided:
    """How many proposals were decided, and the sentences of those that could not be."""

    done: int
    refused: Sequence[str] = ()


def propose_merge(
    product: Product, one: Memory, other: Memory, *, reason: str, confidence: float, run: CognitionRun | None = None
) -> bool:  # fmt: skip
    """Ask whether two facts are one. Not again, where it was asked or rejected."""
    kept, gone = kept_first(one, other)
    asked = Proposal(
        product=product, kind=ProposalKind.MERGE_FACTS, memory=kept, other_memory=gone, reason=reason,
        confidence=confidence, run=run,
    )  # fmt: skip
    known = Proposal.objects.filter(_of(one, other)).exclude(state=ProposalState.GONE).exists()
    if known:
        return False
    Proposal.objects.bulk_create([asked], ignore_conflicts=True)
    return True


def merge_certain(
    product: Product, one: Memory, other: Memory, *, by: Actor, reason: str, run: CognitionRun | None
) -> bool:
    """Make two facts one that differ in nothing but form. Kept as a decided proposal, so that a person can undo it."""
    with transaction.atomic():
        access.lock_pool(product.pk, None)
        held = access.locked_memories(by, [one.pk, other.pk])
        said = all(recording.still_says(each) for each in (one, other))
        if len(held) < 2 or not said or not _may_merge(held[0], held[1]):
            return False
        if Proposal.objects.filter(_of(one, other), state=ProposalState.REJECTED).exists():
            return False
        kept, gone = kept_first(held[0], held[1])
        _merge(kept, gone, by=by, why=reason)
        Proposal.objects.filter(_of(one, other), state=ProposalState.OPEN).delete()
        Proposal.objects.create(
            product=product, kind=ProposalKind.MERGE_FACTS, memory=kept, other_memory=gone, reason=reason,
            confidence=1.0, run=run, state=ProposalState.ACCEPTED, decided_by_name=by.name, decided_at=timezone.now(),
        )  # fmt: skip
        return True


def accept(*, by: Actor, ids: Sequence[UUID], why: str = "") -> Decided:
    """Do what is proposed, each in a transaction of its own: what can't be done stops no other."""
    return _each(by, ids, lambda id_: _accept(by, id_, why))


def reject(*, by: Actor, ids: Sequence[UUID], why: str = "") -> Decided:
    """Leave both as they are, and don't ask again."""
    return _each(by, ids, lambda id_: _reject(by, id_, why))


def undo(*, by: Actor, ids: Sequence[UUID], why: str = "") -> Decided:
    """Take back what was accepted, by a person or by cognition itself. It is not proposed again."""
    return _each(by, ids, lambda id_: _undo(by, id_, why))


def forget_gone(product: Product) -> int:
    """Close the open proposals of which a side is not current any more."""
    stands = Q(memory__status__in=CURRENT, other_memory__status__in=CURRENT)
    rows = Proposal.objects.filter(product=product, kind=ProposalKind.MERGE_FACTS, state=ProposalState.OPEN)
    gone = list(rows.exclude(stands).values_list("pk", flat=True))
    return Proposal.objects.filter(pk__in=gone).update(state=ProposalState.GONE, decided_at=timezone.now())


def kept_first(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The one that stays: what weighs more, then what is verified, then what was there first."""
    first, second = sorted((one, other), key=lambda each: each.pk)
    stays = decisions.stays(_standing(first), _standing(second))
    return (first, second) if stays else (second, first)


def _standing(memory: Memory) -> Standing:
    return Standing(Tier(memory.tier), memory.status)


def _of(one: Memory, other: Memory) -> Q:
    return Q(memory=one, other_memory=other) | Q(memory=other, other_memory=one)


def _may_merge(one: Memory, other: Memory) -> bool:
    """Both current, about the same time and person, and in no pair that a person has still to settle."""
    same = (one.about_from, one.about_until, one.person) == (other.about_from, other.about_until, other.person)
    return one.is_current and other.is_current and same and not lifecycle.unsettled_pair(one, other)


def _merge(kept: Memory, gone: Memory, *, by: Actor, why: str) -> None:
    Evidence.objects.bulk_create(recording.copies(gone, to=kept))
    lifecycle.merge(gone, into=kept, by=by, why=why)


def _each(by: Actor, ids: Sequence[UUID], act: Callable[[UUID], None]) -> Decided:
    if not by.is_person:
        raise Forbidden(ONLY_PEOPLE)
    done, refused = 0, []
    for id_ in ids:
        try:
            with transaction.atomic():
                act(id_)
            done += 1
        except NeuronzError as error:
            refused.append(error.sentence)
    return Decided(done, refused)


def _held(by: Actor, id_: UUID) -> tuple[Proposal, Memory, Memory]:
    access.lock_pool(by.product_id, None)
    row = Proposal.objects.select_for_update(of=("self",)).filter(product_id=by.product_id, pk=id_).first()
    if row is None or row.memory_id is None or row.other_memory_id is None:
        raise Conflict(NOT_FACTS)
    held = {each.pk: each for each in access.locked_memories(by, [row.memory_id, row.other_memory_id])}
    return row, held[row.memory_id], held[row.other_memory_id]


def _accept(by: Actor, id_: UUID, why: str) -> None:
    row, kept, gone = _held(by, id_)
    if row.state != ProposalState.OPEN:
        raise Conflict(DECIDED)
    if not (kept.is_current and gone.is_current):
        raise Conflict(GONE)
    _merge(kept, gone, by=by, why=why or row.reason)
    _close(row, ProposalState.ACCEPTED, by=by, why=why)


def _reject(by: Actor, id_: UUID, why: str) -> None:
    row, _, _ = _held(by, id_)
    if row.state != ProposalState.OPEN:
        raise Conflict(DECIDED)
    _close(row, ProposalState.REJECTED, by=by, why=why)


def _undo(by: Actor, id_: UUID, why: str) -> None:
    row, kept, gone = _held(by, id_)
    if row.state != ProposalState.ACCEPTED:
        raise Conflict(DECIDED)
    last = MemoryEvent.objects.filter(pgh_obj=gone).latest("pgh_id").pgh_context or {}
    if gone.replaced_by_id != kept.pk or last.get("verb") != Verb.MERGE:
        raise Conflict(BUILT_ON)
    lifecycle.undo(gone, by=by, why=why)
    _close(row, ProposalState.REJECTED, by=by, why=why)


def _close(row: Proposal, state: ProposalState, *, by: Actor, why: str) -> None:
    Proposal.objects.filter(pk=row.pk).update(
        state=state, decided_by_id=by.user_id, decided_by_name=by.name, decided_at=timezone.now(), why=why
    )
