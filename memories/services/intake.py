"""Where every write begins: a text (`remember`) or one fact (`add_fact`).

remember: screened → raw record and receipt committed → read now or by a worker (statements.py)
add_fact: screened → embedded → stored beside what is there (recording.py) → similar facts listed
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from memories import embeddings, metrics, screening
from memories.actors import Actor
from memories.choices import Category, Outcome, Scope, Status
from memories.decisions import Repeat
from memories.errors import Conflict
from memories.models import Memory, Product, Write
from memories.provenance import NOWHERE, Provenance
from memories.reader import labelling, reader
from memories.services import drafts, following, idempotency, lifecycle, receiving, recording, similar, statements
from memories.services.drafts import Draft, Label
from memories.services.recording import Entry, Passage


@dataclass(frozen=True, slots=True)
class FactAdded:
    """The fact, whether it is new, and the live facts close to it (None while the embedder is down)."""

    fact: Memory
    outcome: Outcome
    similar: Sequence[similar.Similar] | None
    conflict: UUID | None = None


def remember(
    *, by: Actor, text: str, label: Label | None = None, confirmed: bool = False, provenance: Provenance = NOWHERE,
    wait: bool = False, follows: Memory | None = None,
) -> Write:  # fmt: skip
    """Keep a text as it is and read its statements, before returning (`wait`) or in a worker.

    The raw record is committed when this returns, whatever becomes of the reading. `follows` is the raw text of the
    same item that this one takes the place of (following.py).
    """
    write = receive(by, text, label or Label(), confirmed=confirmed, provenance=provenance, follows=follows)
    if wait:
        statements.read_write(write.pk)
        write.refresh_from_db()
    else:
        statements.enqueue(write.pk)
    return write


def receive(
    by: Actor, text: str, label: Label, *, confirmed: bool = False, provenance: Provenance = NOWHERE,
    follows: Memory | None = None,
) -> Write:  # fmt: skip
    """Keep a text and its receipt. Whoever calls has it read; else the sweeper does, soon after."""
    request, place = idempotency.next_text()
    before = idempotency.received_before(request, place)
    if before:
        return before
    product = Product.objects.get(pk=by.product_id)
    received = receiving.receive(
        text, by=by, product=product, label=label, confirmed=confirmed, provenance=provenance, follows=follows
    )
    received.write.request, received.write.request_place = request, place
    with transaction.atomic():
        if follows:
            following.take_over(follows, received.raw, by=by)
        receiving.keep([received], by=by)
    return received.write


def raw_key(text: str, *, product: Product) -> bytes:
    """The key that the raw record of a text has: whoever reads sources knows a text again by it."""
    storable, _ = screening.storable(text)
    return receiving.raw_key(drafts.screen(storable, product=product, field_name="text").text)


def add_fact(
    *, by: Actor, content: str, category: Category | None = None, person: str | None = None, confirmed: bool = False,
    label: Label | None = None, provenance: Provenance = NOWHERE,
) -> FactAdded:  # fmt: skip
    """Store one fact as given, or find that it is known. Nothing else is decided: the similar facts are listed."""
    draft = prepare_fact(by=by, content=content, category=category, person=person, label=label or Label())
    entry = Entry(draft, Passage(draft.content, provenance=provenance), confirmed=confirmed)
    with metrics.step("fact", "store"), transaction.atomic():
        stored = recording.store([entry], by=by)[0]
    if draft.vector is None:
        return FactAdded(stored.memory, stored.outcome, None, stored.conflict)
    floor = Product.objects.values_list("fact_neighbor_floor", flat=True).get(pk=by.product_id)
    with metrics.step("fact", "similar"):
        near = similar.near(
            draft.content, draft.vector, product_id=by.product_id, owner_id=stored.memory.owner_id, floor=floor,
            without=stored.memory.pk,
        )  # fmt: skip
    return FactAdded(stored.memory, stored.outcome, near, stored.conflict)


def prepare_fact(
    *, by: Actor, content: str, label: Label, category: Category | None = None, person: str | None = None,
    field_name: str = "content",
) -> Draft:  # fmt: skip
    """One fact, checked, screened and embedded: everything that must not happen inside a transaction."""
    drafts.check_label(by, label)
    drafts.check_fact(content, field_name=field_name)
    product = Product.objects.get(pk=by.product_id)
    content = drafts.screen(content, product=product, field_name=field_name).text
    with metrics.step("fact", "embed"):
        vectors = embeddings.embed_or_none([content])
    vector = vectors[0] if vectors else None
    category = category or reader().category(content, labelling(vector))
    if category == Category.PERSONA:
        person = person or reader().person(content)
    return drafts.draft(
        content, kind=reader().kind(content, labelling(vector)), category=category, label=label, person=person,
        vector=vector,
    )  # fmt: skip


FALSE_BEFORE = (
    "That statement was found false before; have a person settle this pair in the admin, or send another correction."
)


def establish(*, by: Actor, draft: Draft, why: str, pair_id: UUID) -> Memory:
    """Store a settlement's correction as verified; "if its text is live already, that one is verified and used".

    Must run inside the transaction of the settlement, which holds the pool.
    """
    owner_id = by.agent_id if draft.label.scope == Scope.PRIVATE else None
    twin = Memory.objects.live_twin(
        by.product_id, owner_id, draft.key, draft.label.about.start, draft.label.about.until
    )
    if twin and not twin.is_current:
        raise Conflict("The correction is live already and stands in another unsettled pair; settle that first.", twin)
    if twin:
        lifecycle.settle(twin, Status.VERIFIED, by=by, why=why, pair_id=pair_id)
        return twin
    before = recording.said_before(draft, product_id=by.product_id, owner_id=owner_id)
    if before and not by.is_person and recording.repeat_of(before, draft.label.tier, confirmed=True) == Repeat.CONFLICT:
        raise Conflict(FALSE_BEFORE, before)
    memory = lifecycle.born(draft, by=by, status=Status.VERIFIED)
    recording.insert(memory, draft, by=by, why=why, pair_id=pair_id)
    return memory
