"""What becomes of statements beside what is stored: the short transaction every write goes through.

Everything slow (reading, embedding, comparing) has happened before; here the pool is held, looked at
again, and the decisions of `decisions.py` are acted upon.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Max, OuterRef, QuerySet, Subquery

from memories import decisions, embeddings, metrics
from memories.actors import Actor
from memories.choices import LIVE, Origin, Outcome, Scope, Status, Tier, Verb
from memories.decisions import Repeat, Twin
from memories.embeddings import Vector
from memories.models import Embedding, Evidence, Memory, MemoryEvent, Write
from memories.provenance import NOWHERE, Provenance
from memories.services import lifecycle, linking
from memories.services.access import lock_pool
from memories.services.drafts import Draft
from memories.services.erasing import digests
from memories.services.linking import Linked

Key = tuple[bytes, datetime | None, datetime | None]


@dataclass(frozen=True, slots=True)
class Rival:
    """A current memory that the statement would displace, by the comparison made before."""

    id: UUID
    certain: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a statement stands: the raw text, the span in it, and where that text came from."""

    excerpt: str
    raw: Memory | None = None
    write: Write | None = None
    start: int | None = None
    end: int | None = None
    provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement to be stored. `rivals` is empty for a single fact: nothing is decided for the agent.

    `still`: the memory of this statement in the text that this one follows. Nothing is decided anew then, whatever
    became of that memory meanwhile: its item only goes on saying it.
    """

    draft: Draft
    passage: Passage
    confirmed: bool = False
    rivals: tuple[Rival, ...] = ()
    still: Memory | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    memory: Memory
    outcome: Outcome
    against: Memory | None = None
    conflict: UUID | None = None


@dataclass(slots=True)
class _Ledger:
    """What one transaction will insert, and who said the same before."""

    twins: dict[Key, Memory]
    rivals: dict[UUID, Memory]
    born: list[Memory] = field(default_factory=list)
    vectors: list[tuple[Memory, Draft]] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    pairs: list[tuple[Memory, Memory, Outcome]] = field(default_factory=list)


def store(entries: Sequence[Entry], *, by: Actor) -> list[Stored]:
    """Store the statements of one pool, in order. Must run inside the caller's transaction."""
    if not entries:
        return []
    owner_id = by.agent_id if entries[0].draft.label.scope == Scope.PRIVATE else None
    lock_pool(by.product_id, owner_id)
    _refuse_erased(entries, product_id=by.product_id, owner_id=owner_id)
    pool = Memory.objects.in_pool(by.product_id, owner_id)
    twins = _twins(pool, [entry.draft for entry in entries])
    ledger = _Ledger(twins, _rivals(pool, entries, twins))
    stored = [_settle(entry, ledger, by=by) for entry in entries]
    lifecycle.record(ledger.born, by=by)
    Embedding.objects.bulk_create(embedding(memory, draft.vector) for memory, draft in ledger.vectors)
    Evidence.objects.bulk_create(ledger.evidence)
    linking.link([Linked(memory, draft.found) for memory, draft in ledger.vectors])
    opened = _open_pairs(ledger)
    for each in stored:
        metrics.STATEMENTS.labels(str(each.outcome)).inc()
    return [replace(each, conflict=opened.get(each.memory.pk)) for each in stored]


def _refuse_erased(entries: Sequence[Entry], *, product_id: UUID, owner_id: UUID | None) -> None:
    """A text has its erased statements taken out before (keeping_out.py), so this meets what was sent as one fact."""
    for key in digests.among([each.draft.key for each in entries], product_id=product_id, owner_id=owner_id):
        digests.refuse_erased(key, product_id=product_id, owner_id=owner_id)


def _open_pairs(ledger: _Ledger) -> dict[UUID, UUID]:
    """The pair that each newer memory stands in; the first one, where it stands in several."""
    opened: dict[UUID, UUID] = {}
    for newer, older, outcome in ledger.pairs:
        opens = lifecycle.refuse if outcome == Outcome.REFUSED else lifecycle.suggest
        opened.setdefault(newer.pk, opens(newer, older=older).pk)
    return opened


def _settle(entry: Entry, ledger: _Ledger, *, by: Actor) -> Stored:
    if entry.still is not None:
        ledger.evidence.append(_evidence(entry.still, entry, by=by))
        return Stored(entry.still, Outcome.UNCHANGED, entry.still)
    twin = ledger.twins.get(_key(entry.draft))
    repeat = repeat_of(twin, entry.draft.label.tier, confirmed=entry.confirmed)
    if twin is not None and repeat in (Repeat.KNOWN, Repeat.VERIFY):
        if repeat == Repeat.VERIFY:
            lifecycle.verify(twin, by=by, why="Said again, confirmed.")
        ledger.evidence.append(_evidence(twin, entry, by=by))
        return Stored(twin, Outcome.KNOWN, twin)
    if twin is not None and repeat == Repeat.CONFLICT:
        return _add(entry, ledger, by=by, outcome=Outcome.REFUSED, against=[twin])
    if twin is not None and repeat == Repeat.SUPERSEDE:
        stronger = replace(entry, confirmed=decisions.is_settled(Status(twin.status), confirmed=entry.confirmed))
        return _add(stronger, ledger, by=by, outcome=Outcome.SUPERSEDED, against=[twin])
    outcome, against = _beside(entry, ledger, by=by)
    return _add(entry, ledger, by=by, outcome=outcome, against=against)


def _beside(entry: Entry, ledger: _Ledger, *, by: Actor) -> tuple[Outcome, list[Memory]]:
    """The gravest of what the rivals that are still current call for, and those that call for it."""
    calls: dict[Outcome, list[Memory]] = {}
    for rival in entry.rivals:
        other = ledger.rivals.get(rival.id)
        if other is None or not other.is_current:
            continue
        outcome = decisions.on_neighbour(
            displaces=True, certain=rival.certain, origin=by.type, tier=entry.draft.label.tier, other=Tier(other.tier)
        )
        calls.setdefault(outcome, []).append(other)
    for outcome in (Outcome.REFUSED, Outcome.SUPERSEDED, Outcome.UNSURE):
        if outcome in calls:
            return outcome, calls[outcome]
    return Outcome.ADDED, []


def _add(entry: Entry, ledger: _Ledger, *, by: Actor, outcome: Outcome, against: list[Memory]) -> Stored:
    born_as = decisions.birth_status(by.type, confirmed=entry.confirmed)
    status = Status.CONFLICTING if outcome == Outcome.REFUSED else born_as
    memory = lifecycle.born(entry.draft, by=by, status=status, raw=entry.passage.raw)
    if outcome == Outcome.SUPERSEDED:
        for older in against:
            lifecycle.supersede(older, successor=memory, by=by)
            _carry_evidence(older, memory, ledger)
    if outcome in (Outcome.REFUSED, Outcome.UNSURE):
        ledger.pairs += [(memory, older, outcome) for older in against]
    ledger.born.append(memory)
    ledger.vectors.append((memory, entry.draft))
    ledger.evidence.append(_evidence(memory, entry, by=by))
    ledger.twins[_key(entry.draft)] = memory
    return Stored(memory, outcome, against[0] if against else None)


def _carry_evidence(older: Memory, newer: Memory, ledger: _Ledger) -> None:
    """A stronger copy of the same words rests on the older copy's evidence too: the raw texts that say it follow it."""
    if bytes(older.key) == newer.key:
        ledger.evidence += copies(older, to=newer)


def copies(older: Memory, *, to: Memory) -> list[Evidence]:
    """The evidence of one memory, to be inserted for another."""
    rows = list(Evidence.objects.filter(memory=older))
    for row in rows:
        row.pk = Evidence._meta.pk.get_default()
        row.memory = to
        row._state.adding = True
    return rows


def said_before(draft: Draft, *, product_id: UUID, owner_id: UUID | None) -> Memory | None:
    """Who says the same in this pool: the live one, else the one that moved last. The caller holds the pool."""
    return _twins(Memory.objects.in_pool(product_id, owner_id), [draft]).get(_key(draft))


def repeat_of(twin: Memory | None, tier: Tier, *, confirmed: bool) -> Repeat:
    """What saying the same again does; the twin comes from `said_before`."""
    return Repeat.ADD if twin is None else decisions.on_repeat(_as_twin(twin), tier, confirmed=confirmed)


def _twins(pool: "QuerySet[Memory]", drafts: Sequence[Draft]) -> dict[Key, Memory]:
    """Who says the same in this pool: the live one, else the one that moved last."""
    last = MemoryEvent.objects.filter(pgh_obj=OuterRef("pk")).order_by("-pgh_id")
    rows = (
        pool.statements_only()  # type: ignore[attr-defined]  # a MemoryQuerySet
        .filter(key__in={draft.key for draft in drafts})
        .annotate(moved=Max("events__pgh_id"), last=Subquery(last.values("pgh_context")[:1]))
        .order_by("moved")
    )
    twins: dict[Key, Memory] = {}
    for row in sorted(rows, key=lambda row: row.status in LIVE):  # stable: live ones last, so they win
        twins[bytes(row.key), row.about_from, row.about_until] = row
    return twins


def _rivals(pool: "QuerySet[Memory]", entries: Iterable[Entry], twins: dict[Key, Memory]) -> dict[UUID, Memory]:
    """The rivals, and the twins among them: held, as they are now, and each one object however it was found.

    A text may repeat one statement and replace it in the next sentence: either must see what the other did.
    """
    ids = {rival.id for entry in entries for rival in entry.rivals} | {twin.pk for twin in twins.values()}
    held = pool.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True) if ids else []
    rows = {row.pk: row for row in held}
    for key, twin in twins.items():
        rows[twin.pk].last = twin.last
        twins[key] = rows[twin.pk]
    return rows


def _as_twin(memory: Memory) -> Twin:
    context = getattr(memory, "last", None) or {}
    verb = context.get("verb")
    judged = verb == Verb.SETTLE or (verb == Verb.RETIRE and context.get("type") == Origin.PERSON)
    return Twin(Status(memory.status), Tier(memory.tier), judged_false=judged)


def _key(draft: Draft) -> Key:
    return draft.key, draft.label.about.start, draft.label.about.until


def insert(memory: Memory, draft: Draft, *, by: Actor, why: str = "", pair_id: UUID | None = None) -> None:
    """Store one memory that needs no deciding: an edit's new wording, a settlement's correction."""
    digests.refuse_erased(draft.key, product_id=memory.product_id, owner_id=memory.owner_id)
    lifecycle.record([memory], by=by, why=why, pair_id=pair_id)
    embedding(memory, draft.vector).save(force_insert=True)
    evidence(memory, Passage(draft.content), by=by).save(force_insert=True)
    linking.link([Linked(memory, draft.found)])


def insert_concluded(memory: Memory, draft: Draft, *, by: Actor) -> None:
    """Store what cognition concluded. Its evidence are the memories that it rests on, which the caller adds."""
    lifecycle.record([memory], by=by)
    embedding(memory, draft.vector).save(force_insert=True)
    linking.link([Linked(memory, draft.found)])


def still_says(memory: Memory) -> bool:
    """Whether the row says what this object says: erasing changes the key. Held until the transaction ends."""
    rows = Memory.objects.filter(pk=memory.pk, key=memory.key)
    return rows.select_for_update(no_key=True).exists()


def embedding(memory: Memory, vector: Vector | None) -> Embedding:
    """The vector, or a failed try that the sweeper repeats. Not stored yet."""
    row = Embedding(product_id=memory.product_id, memory=memory, model=embeddings.current().name, attempts=1)
    if vector is not None:
        row.vector, row.dimensions = vector.tolist(), len(vector)
    return row


def _evidence(memory: Memory, entry: Entry, *, by: Actor) -> Evidence:
    return evidence(memory, entry.passage, by=by)


def evidence(memory: Memory, passage: Passage, *, by: Actor) -> Evidence:
    """One occurrence, not stored yet."""
    origin = passage.provenance
    return Evidence(
        product_id=by.product_id, memory=memory, raw=passage.raw, write=passage.write, agent_id=by.agent_id,
        start=passage.start, end=passage.end, excerpt=passage.excerpt,
        source_id=origin.source_id, source_name=origin.source_name, item_key=origin.item_key, item_url=origin.item_url,
        run_id=origin.run_id, session=origin.session, message=origin.message, speaker=origin.speaker,
        said_at=origin.said_at,
    )  # fmt: skip
