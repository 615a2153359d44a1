"""What cognition writes: a memory that rests on others, replaced when they change and withdrawn when they are gone.

Nothing is rewritten in place. The step names what its memory is about (`subject`); one memory of a subject is current.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories import decisions, embeddings
from memories.actors import Actor
from memories.choices import CURRENT, LIVE, Category, Kind, Origin, Tier
from memories.models import Conclusion, Evidence, Memory, MemoryEvent, Product
from memories.services import access, drafts, lifecycle, recording
from memories.services.drafts import NO_TIME, About, Draft, Label
from memories.services.erasing import digests

NAME = "cognition"


class Made(StrEnum):
    """What became of a conclusion."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    #: Somebody said it already, or a person took it out or changed it: theirs stands.
    LEFT = "left"
    #: What it rests on has moved meanwhile; the next run looks again.
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence that follows from shared current memories, `grounds`; `counters` speak against it."""

    step: str
    subject: str
    content: str
    kind: Kind
    grounds: Sequence[UUID]
    counters: Sequence[UUID] = ()
    category: Category = Category.FACT
    about: About = NO_TIME
    tags: tuple[str, ...] = ()
    #: How many independent memories speak for it, where that is counted.
    support: int | None = None

    @property
    def digest(self) -> bytes:
        """The same as long as it says the same and rests on the same."""
        parts = [self.content, *sorted(map(str, self.grounds)), "against", *sorted(map(str, self.counters))]
        return sha256("\n".join(parts).encode()).digest()


@dataclass(frozen=True, slots=True)
class Concluded:
    made: Made
    memory: Memory | None = None


def actor_of(product: Product) -> Actor:
    return Actor(Origin.COGNITION, NAME, product.pk)


def conclude(product: Product, finding: Finding) -> Concluded:
    """Write what was found, or see that it is written. The same finding again changes nothing."""
    now = _latest(product, finding.step, finding.subject)
    if now and bytes(now.digest) == finding.digest and now.memory.status in LIVE:
        return Concluded(Made.UNCHANGED, now.memory)
    draft = _draft(finding)
    with transaction.atomic():
        access.lock_pool(product.pk, None)
        grounds = _held(product, [*finding.grounds, *finding.counters])
        if grounds is None:
            return Concluded(Made.MISSED)
        return _stored(product, finding, draft, grounds)


def withdraw(product: Product, memory: Memory, *, why: str) -> bool:
    """Retire what rests on nothing any more. Not what a person or a pair has a hand on."""
    with transaction.atomic():
        access.lock_pool(product.pk, None)
        memory = access.locked_memory(actor_of(product), memory.pk)
        if not memory.is_current or _is_of_person(memory):
            return False
        lifecycle.set_aside(memory, by=actor_of(product), why=why)
        return True


def _draft(finding: Finding) -> Draft:
    """Slow: outside the transaction."""
    vectors = embeddings.embed_or_none([finding.content])
    label = Label(tags=finding.tags, about=finding.about)
    return drafts.draft(
        finding.content, kind=finding.kind, category=finding.category, label=label,
        vector=vectors[0] if vectors else None,
    )  # fmt: skip


def _held(product: Product, ids: Sequence[UUID]) -> list[Memory] | None:
    """What it rests on, held as it is; None when one of them is not shared and current any more."""
    rows = Memory.objects.filter(pk__in=ids, product=product, owner__isnull=True, status__in=CURRENT)
    held = list(rows.order_by("pk").select_for_update(of=("self",), no_key=True).defer("words", "weights"))
    return held if len(held) == len(set(ids)) else None


def _stored(product: Product, finding: Finding, draft: Draft, grounds: Sequence[Memory]) -> Concluded:
    by = actor_of(product)
    supporting = [each for each in grounds if each.pk in set(finding.grounds)]
    draft = replace(draft, label=replace(draft.label, tier=_weakest(supporting)))
    before = _latest(product, finding.step, finding.subject)
    older = before.memory if before else None
    if older is not None and _is_anothers(older, draft):
        return Concluded(Made.LEFT, older)
    twin = Memory.objects.live_twin(product.pk, None, draft.key, draft.label.about.start, draft.label.about.until)
    if (twin and (older is None or twin.pk != older.pk)) or _is_kept_out(product, draft):
        return Concluded(Made.LEFT, twin)
    if older is not None and before and older.is_current and _only_grew(before, older, draft, grounds):
        _note(before, finding, older, grounds, by=by)
        return Concluded(Made.REPLACED, older)
    memory = lifecycle.born(draft, by=by, status=decisions.birth_status(by.type, confirmed=False))
    if older is not None and older.is_current:
        lifecycle.supersede(older, successor=memory, by=by, why="What it rests on has changed.")
    recording.insert_concluded(memory, draft, by=by)
    conclusion = Conclusion(
        memory=memory, product=product, step=finding.step, subject=finding.subject, digest=finding.digest,
        support=finding.support, against=len(finding.counters) if finding.support is not None else None,
    )  # fmt: skip
    conclusion.save(force_insert=True)
    _add_grounds(finding, memory, grounds, by=by)
    replaced = older is not None and older.replaced_by_id == memory.pk
    return Concluded(Made.REPLACED if replaced else Made.ADDED, memory)


def _latest(product: Product, step: str, subject: str) -> Conclusion | None:
    rows = Conclusion.objects.filter(product=product, step=step, subject=subject).select_related("memory")
    return rows.order_by("-memory_id").first()


def _weakest(grounds: Sequence[Memory]) -> Tier:
    """It can't weigh more than what it rests on."""
    return min((Tier(each.tier) for each in grounds), key=lambda tier: decisions.WEIGHT[tier], default=Tier.INFORMAL)


def _is_anothers(older: Memory, draft: Draft) -> bool:
    """Whether a pair holds it, or a person has changed it, or took these very words out."""
    if older.status in LIVE:
        return not older.is_current
    if older.replaced_by_id and older.replaced_by and older.replaced_by.origin != Origin.COGNITION:
        return older.replaced_by.status in LIVE
    return bytes(older.key) == draft.key and _is_of_person(older)


def _is_of_person(memory: Memory) -> bool:
    """Whether a person made its last move."""
    last = MemoryEvent.objects.filter(pgh_obj=memory).order_by("-pgh_id").values_list("pgh_context", flat=True).first()
    return bool(last and last.get("type") == Origin.PERSON)


def _is_kept_out(product: Product, draft: Draft) -> bool:
    return bool(digests.among([draft.key], product_id=product.pk, owner_id=None))


def _only_grew(before: Conclusion, older: Memory, draft: Draft, grounds: Sequence[Memory]) -> bool:
    """Whether it says the same, at the same weight, and all that it rests on still stands: then evidence is added."""
    same = bytes(older.key) == draft.key and older.tier == draft.label.tier
    same = same and (older.about_from, older.about_until) == (draft.label.about.start, draft.label.about.until)
    rests = set(Evidence.objects.filter(memory=older, rests_on__isnull=False).values_list("rests_on", flat=True))
    return same and rests <= {each.pk for each in grounds}


def _note(before: Conclusion, finding: Finding, memory: Memory, grounds: Sequence[Memory], *, by: Actor) -> None:
    _add_grounds(finding, memory, grounds, by=by)
    Conclusion.objects.filter(pk=before.pk).update(
        digest=finding.digest, support=finding.support, refreshed_at=timezone.now(),
        against=len(finding.counters) if finding.support is not None else None,
    )  # fmt: skip


def _add_grounds(finding: Finding, memory: Memory, grounds: Sequence[Memory], *, by: Actor) -> None:
    """The words are not copied: who reads the evidence reads the memory it leads to, also once that one is erased."""
    known = set(Evidence.objects.filter(memory=memory, rests_on__isnull=False).values_list("rests_on", flat=True))
    speaks_for = set(finding.grounds)
    Evidence.objects.bulk_create(
        Evidence(product_id=by.product_id, memory=memory, rests_on=each, counters=each.pk not in speaks_for)
        for each in grounds
        if each.pk not in known
    )
