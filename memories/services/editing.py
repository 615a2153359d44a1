"""What is done to one memory afterwards: edit, confirm, retire, restore. Authority binds every act but a person's."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction

from memories import decisions, embeddings
from memories.actors import Actor
from memories.choices import LIVE, Category, Kind, Outcome, Scope, Status, Tier, Verb
from memories.decisions import Refusal, Repeat
from memories.embeddings import Vector
from memories.errors import Conflict
from memories.models import Evidence, Memory, Product
from memories.reader import labelling, reader
from memories.services import access, drafts, lifecycle, recording
from memories.services.drafts import About, Draft, Label
from memories.services.recording import Passage

EDIT_REFUSED = {
    Refusal.RAW: "A raw text is kept as it was submitted; edit the facts read from it, or write a new text.",
    Refusal.UNSETTLED: "This fact stands in an unsettled pair; settle the pair first.",
    Refusal.NOT_CURRENT: "Only a current fact can be edited or verified; this version is not current any more.",
}


@dataclass(frozen=True, slots=True)
class Acted:
    """The memory after the act, what became of the act, and the pair a refusal opened."""

    fact: Memory
    outcome: Outcome
    conflict: UUID | None = None


def revise(
    *, by: Actor, memory_id: UUID | str, content: str | None = None, confirmed: bool = False,
    tier: Tier = Tier.OFFICIAL, why: str = "",
) -> Acted:  # fmt: skip
    """An edit is a new version: the old one is superseded and stays readable. Without content: a confirmation."""
    memory = access.memory(by, memory_id)
    _refuse_if_not_editable(memory)
    if content is None or content == memory.content:
        return _confirm(by, memory, why) if confirmed else Acted(memory, Outcome.UNCHANGED)
    drafts.check_fact(content)
    product = Product.objects.get(pk=by.product_id)
    content = drafts.screen(content, product=product, field_name="content").text
    vectors = embeddings.embed_or_none([content])
    draft = _new_wording(memory, content, vectors[0] if vectors else None)
    with transaction.atomic():
        access.lock_pool(memory.product_id, memory.owner_id)
        memory = access.locked_memory(by, memory.pk)
        _refuse_if_not_editable(memory)
        if not decisions.may_displace(by.type, tier, Tier(memory.tier)):
            return _refuse_wording(by, memory, draft, tier, why)
        return _replace_wording(by, memory, draft, confirmed=confirmed, why=why)


def retire(*, by: Actor, memory_id: UUID | str, tier: Tier = Tier.OFFICIAL, why: str = "") -> Acted:
    """What "delete" means everywhere: reversible, history kept. Retiring again changes nothing."""
    memory = access.memory(by, memory_id)
    with transaction.atomic():
        access.lock_pool(memory.product_id, memory.owner_id)  # a repeat must not miss that it was judged false
        memory = access.locked_memory(by, memory.pk)
        if memory.status == Status.RETIRED:
            return Acted(memory, Outcome.RETIRED)
        if not decisions.may_displace(by.type, tier, Tier(memory.tier)):
            return Acted(memory, Outcome.REFUSED)
        lifecycle.set_aside(memory, by=by, why=why)
        return Acted(memory, Outcome.RETIRED)


def restore(*, by: Actor, memory_id: UUID | str, why: str = "") -> Acted:
    """Back to the status it had, unless that would break "one live row" or a settlement."""
    memory = access.memory(by, memory_id)
    with transaction.atomic():
        access.lock_pool(memory.product_id, memory.owner_id)
        memory = access.locked_memory(by, memory_id)
        lifecycle.bring_back(memory, by=by, why=why)
        return Acted(memory, Outcome.RESTORED)


def verify(*, by: Actor, memory_id: UUID | str, why: str = "") -> Acted:
    """Confirm an unverified memory. Verifying a verified one changes nothing."""
    memory = access.memory(by, memory_id)
    _refuse_if_not_editable(memory)
    return _confirm(by, memory, why)


def _confirm(by: Actor, memory: Memory, why: str) -> Acted:
    with transaction.atomic():
        memory = access.locked_memory(by, memory.pk)
        _refuse_if_not_editable(memory)
        if memory.status == Status.VERIFIED:
            return Acted(memory, Outcome.UNCHANGED)
        lifecycle.verify(memory, by=by, why=why)
        return Acted(memory, Outcome.CONFIRMED)


def _refuse_if_not_editable(memory: Memory) -> None:
    refusal = decisions.refuse_edit(Kind(memory.kind), Status(memory.status))
    if refusal:
        raise Conflict(EDIT_REFUSED[refusal], _as_it_is_now(memory))


def _as_it_is_now(memory: Memory) -> Memory:
    """The newest version, for whoever comes late with an edit of an older one."""
    while memory.replaced_by:
        memory = memory.replaced_by
    return memory


def _new_wording(memory: Memory, content: str, vector: Vector | None) -> Draft:
    """Only content is edited: everything else stays as it was written."""
    about = About(memory.about_from, memory.about_until)
    label = Label(Tier(memory.tier), Scope(memory.scope), tuple(memory.tags), memory.metadata, about)
    return drafts.draft(
        content,
        kind=reader().kind(content, labelling(vector)),
        category=Category(memory.category),
        label=label,
        person=memory.person,
        vector=vector,
    )


def _replace_wording(by: Actor, memory: Memory, draft: Draft, *, confirmed: bool, why: str) -> Acted:
    """The new wording may be said already, and then an edit does to that one what any repeat does."""
    confirmed = decisions.birth_status(by.type, confirmed=confirmed) == Status.VERIFIED
    twin = recording.said_before(draft, product_id=memory.product_id, owner_id=memory.owner_id)
    twin = None if twin == memory else twin
    if twin and twin.status in LIVE and not twin.is_current:
        raise Conflict("The new wording is live already and stands in an unsettled pair; settle the pair first.", twin)
    repeat = recording.repeat_of(twin, draft.label.tier, confirmed=confirmed)
    if twin and repeat == Repeat.CONFLICT and not by.is_person:  # "never silently revived"
        return _hold_back(by, draft, against=twin, why=why)
    if twin and repeat in (Repeat.KNOWN, Repeat.VERIFY):
        return _lead_to(by, memory, twin, draft, verifies=repeat == Repeat.VERIFY, why=why)
    weaker = [twin] if twin and repeat == Repeat.SUPERSEDE else []
    is_settled = any(decisions.is_settled(Status(each.status), confirmed=confirmed) for each in weaker)
    successor = lifecycle.born(draft, by=by, status=decisions.birth_status(by.type, confirmed=confirmed or is_settled))
    for older in (memory, *weaker):
        lifecycle.supersede(older, successor=successor, by=by, why=why, verb=Verb.EDIT)
    recording.insert(successor, draft, by=by, why=why)
    for older in (memory, *weaker):
        if bytes(older.key) == draft.key:  # the same words: the new version rests on the same evidence
            Evidence.objects.bulk_create(recording.copies(older, to=successor))
    return Acted(successor, Outcome.EDITED)


def _lead_to(by: Actor, memory: Memory, twin: Memory, draft: Draft, *, verifies: bool, why: str) -> Acted:
    """The new wording is current already: that one takes the place, with one occurrence more."""
    lifecycle.supersede(memory, successor=twin, by=by, why=why, verb=Verb.EDIT)
    if verifies:
        lifecycle.verify(twin, by=by, why=why)
    recording.evidence(twin, Passage(draft.content), by=by).save(force_insert=True)
    return Acted(twin, Outcome.EDITED)


def _hold_back(by: Actor, draft: Draft, *, against: Memory, why: str) -> Acted:
    """Store the new wording conflicting, in a pair against what stands in its way; what was to be edited stays."""
    newer = lifecycle.born(draft, by=by, status=Status.CONFLICTING)
    recording.insert(newer, draft, by=by, why=why)
    return Acted(newer, Outcome.REFUSED, lifecycle.refuse(newer, older=against).pk)


def _refuse_wording(by: Actor, memory: Memory, draft: Draft, tier: Tier, why: str) -> Acted:
    """ "An edit → the new wording is stored conflicting", with the tier of the act, against the established one."""
    if bytes(memory.key) == draft.key:  # only spelled otherwise: there is nothing to hold against the established one
        return Acted(memory, Outcome.REFUSED)
    twin = _live_twin(memory, draft)
    if twin:
        stands = twin.status == Status.CONFLICTING  # the same refused edit again, say: it names its pair
        return Acted(twin, Outcome.REFUSED, lifecycle.refuse(twin, older=memory).pk if stands else None)
    label = Label(tier, draft.label.scope, draft.label.tags, draft.label.metadata, draft.label.about)
    return _hold_back(by, replace(draft, label=label), against=memory, why=why)


def _live_twin(memory: Memory, draft: Draft) -> Memory | None:
    about = draft.label.about
    twin = Memory.objects.live_twin(memory.product_id, memory.owner_id, draft.key, about.start, about.until)
    return None if twin == memory else twin
