"""From a received write to its statements: claimed, read, embedded, compared, stored, finished.

Slow work happens outside transactions. The statements are stored in short transactions of some dozens each;
`WriteStatement.position` says how far it got, so a repeated reading goes on there and doubles nothing.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Max
from django.utils.module_loading import import_string

from memories import embeddings, metrics
from memories.actors import Actor
from memories.choices import Origin, Scope, Tier
from memories.embeddings import Vector
from memories.models import Embedding, Evidence, Memory, Write, WriteStatement
from memories.provenance import Provenance
from memories.reader import asks_a_model, labelling, reader
from memories.reading import Context, Statement
from memories.reading.entities import Found
from memories.search.indexing import index
from memories.services import claims, drafts, following, hearing, recording, similar, spending
from memories.services.claims import Claim, ClaimLost
from memories.services.drafts import About, Label
from memories.services.embedding_upkeep import CHARACTERS_EMBEDDED
from memories.services.erasing import keeping_out
from memories.services.following import Plan
from memories.services.recording import Entry, Passage, Rival, Stored
from memories.services.similar import Neighbourhood

logger = logging.getLogger(__name__)

#: Statements stored in one transaction: long enough to be fast, short enough to let other writers in.
CHUNK = 64


def read_write(write_id: UUID, *, hands_on: bool = True) -> bool:
    """Read a write if it waits, and say whether this call did. A failure is kept on the write with its reason.

    Of a session the next message is queued then, unless the caller goes on itself.
    """
    held = claims.claim(write_id)
    if held is None:
        return False
    try:
        if held.write.attempts > claims.MOST_ATTEMPTS:
            claims.fail(
                held,
                reason=f"Reading stopped without a word {claims.MOST_ATTEMPTS} times; retry when the cause is mended.",
            )
        else:
            _read(held)
    except ClaimLost:
        logger.warning("Write %s was taken over by another reader.", write_id)
    except OperationalError as error:  # no fault of the text: the claim lapses, and the sweeper hands it out again
        logger.warning("Reading of write %s lost the database: %s", write_id, type(error).__name__)
        return True
    except Exception as error:  # noqa: BLE001  # whatever a reader raises must show on the write
        logger.warning("Reading of write %s failed: %s", write_id, type(error).__name__)
        claims.fail(held, reason=f"{type(error).__name__}: {error}"[:1000])
    except BaseException:  # the process is told to stop: hand the write back instead of keeping it for a minute
        claims.release(held)
        raise
    later = hearing.following(held.write) if hands_on else None
    if later:
        enqueue(later)
    return True


def enqueue(write_id: UUID) -> None:
    """Hand a write to a worker once it is committed. A dead broker loses nothing: the sweeper finds it."""
    transaction.on_commit(partial(_send, write_id))


def _send(write_id: UUID) -> None:
    send: Any = import_string(settings.ENQUEUE_READING)
    send(write_id)


def _read(held: Claim) -> None:
    raw = held.write.raw
    origin = Evidence.objects.filter(memory=raw).first()
    budget = spending.Budget(held.write.product_id)
    with claims.reading(held, is_slow=asks_a_model()):
        with metrics.step("write", "index"):
            _index_words(raw, origin)
        with metrics.step("write", "embed"):
            _embed_raw(raw)
        with metrics.step("write", "read"):
            found = hearing.read(held.write, replace(_context(held.write, origin), allowance=budget))
    claims.renew(held)  # whoever lost it stores nothing
    done, gone = _done(held.write)
    by = _writer(held.write, origin)
    follow = following.plan(held.write, found, by=by)
    left, first = (_unstored(held.write, found), 0) if done and asks_a_model() else (found, done)
    for start, chunk in _chunks(left, first):
        if keeping_out.blot_out_erased(held.write, chunk, found):
            _read(held)  # what is left of the text; it goes on behind what is stored
            return
        _store_chunk(held, chunk, start - first + done + gone, by=by, provenance=_provenance(origin), follow=follow)
    with transaction.atomic():
        claims.renew(held)  # the receipt before the pool, as everywhere
        following.withdraw_rest(follow, by=by)
        claims.finish(held, note=" ".join(budget.notes))


def _done(write: Write) -> tuple[int, int]:
    """How many statements were stored, and how many of them were erased since: the text does not say those any more."""
    rows = WriteStatement.objects.filter(write=write)
    gone = rows.filter(memory__erased_at__isnull=False).count()
    return rows.count() - gone, gone


def _unstored(write: Write, found: Sequence[Statement]) -> list[Statement]:
    """What an earlier reading did not get to. A model words a text a little otherwise each time, so places say it."""
    stored = Evidence.objects.filter(write=write).exclude(memory=write.raw)
    furthest = stored.aggregate(at=Max("start"))["at"] or 0
    keys = {bytes(key) for key in write.statements.values_list("memory__key", flat=True)}
    return [each for each in found if each.start >= furthest and drafts.key_of(each.text) not in keys]


def _index_words(raw: Memory, origin: Evidence | None) -> None:
    """The verbatim text is searched beside its statements, also when these can't be read."""
    indexed = index(raw.content, said_by=origin.speaker if origin else "")
    # By its key: what was erased meanwhile is not indexed again.
    Memory.objects.filter(pk=raw.pk, key=raw.key).update(words=indexed.words, weights=indexed.weights)


def _embed_raw(raw: Memory) -> None:
    if raw.content and not raw.embeddings.filter(model=embeddings.current().name).exists():
        vectors = embeddings.embed_or_none([raw.content[:CHARACTERS_EMBEDDED]])
        made = recording.embedding(raw, vectors[0] if vectors else None)
        with transaction.atomic():
            if recording.still_says(raw):
                Embedding.objects.bulk_create([made], ignore_conflicts=True)  # the sweep may have been faster


def _store_chunk(
    held: Claim, chunk: Sequence[Statement], start: int, *, by: Actor, provenance: Provenance, follow: Plan
) -> None:
    write = held.write
    with metrics.step("write", "compare"):
        vectors, around = _meanings(chunk, follow, write.raw)
    chunk = [reader().labelled(each, labelling(vector)) for each, vector in zip(chunk, vectors, strict=True)]
    names = drafts.found_in(chunk)
    entries = [
        replace(
            _entry(statement, named, vector, follow.rivals(statement, near.rivals), write=write, provenance=provenance),
            still=follow.still(statement),
        )
        for statement, named, vector, near in zip(chunk, names, vectors, around, strict=True)
    ]
    with metrics.step("write", "store"), transaction.atomic():
        claims.renew(held)  # holds the row: nobody else can take over while this is stored
        if not recording.still_says(write.raw):
            raise ClaimLost  # something of it was erased: the sweeper has it read again, as it is now
        following.withdraw_first(follow, by=by)
        stored = recording.store(entries, by=by)
        WriteStatement.objects.bulk_create(
            _outcome(write, start + place, each, near)
            for place, (each, near) in enumerate(zip(stored, around, strict=True))
        )


def _meanings(
    chunk: Sequence[Statement], follow: Plan, raw: Memory
) -> tuple[Sequence[Vector | None], Sequence[Neighbourhood]]:
    """The vector of each statement and what stands around it. What its item said before needs neither again."""
    places = [place for place, each in enumerate(chunk) if follow.still(each) is None]
    news = [chunk[place] for place in places]
    embedded = embeddings.embed_or_none([each.text for each in news]) if news else None
    made: Sequence[Vector | None] = embedded or [None] * len(news)
    vectors: list[Vector | None] = [None] * len(chunk)
    around = [Neighbourhood()] * len(chunk)
    for place, vector, near in zip(places, made, _neighbourhoods(news, made, raw), strict=True):
        vectors[place], around[place] = vector, near
    return vectors, around


def _neighbourhoods(
    chunk: Sequence[Statement], vectors: Sequence[Vector | None], raw: Memory
) -> Sequence[Neighbourhood]:
    """What stands around each statement now; nothing is known while the embedder is down."""
    asked = [(each.text, vector) for each, vector in zip(chunk, vectors, strict=True) if vector is not None]
    if not asked:
        return [Neighbourhood()] * len(chunk)
    floor = raw.product.fact_neighbor_floor
    return similar.neighbourhoods(asked, product_id=raw.product_id, owner_id=raw.owner_id, floor=floor)


def _entry(
    statement: Statement, named: Found, vector: Vector | None, rivals: tuple[Rival, ...], *, write: Write,
    provenance: Provenance,
) -> Entry:  # fmt: skip
    raw = write.raw
    passage = Passage(
        raw.content[statement.start : statement.end], raw, write, statement.start, statement.end, provenance
    )
    draft = drafts.of_statement(statement, label=_label(raw), vector=vector, said_by=provenance.speaker, found=named)
    return Entry(draft, passage, confirmed=write.confirmed, rivals=rivals)


def _similar(stored: Stored, near: Neighbourhood) -> list[dict[str, Any]]:
    """What the receipt says of live facts that were close to a statement before it was stored itself."""
    return [
        {
            "memory": str(each.memory.pk),
            "similarity": round(each.similarity, 4),
            "differs": [{"what": d.what, "this": d.this, "other": d.other} for d in each.differs],
        }
        for each in near.similar
        if bytes(each.memory.key) != bytes(stored.memory.key)
    ]


def _outcome(write: Write, position: int, stored: Stored, near: Neighbourhood) -> WriteStatement:
    return WriteStatement(
        write=write,
        position=position,
        memory=stored.memory,
        outcome=stored.outcome,
        against=stored.against,
        similar=_similar(stored, near),
    )


def _chunks(found: Sequence[Statement], done: int) -> Iterator[tuple[int, Sequence[Statement]]]:
    for start in range(done, len(found), CHUNK):
        yield start, list(islice(found, start, start + CHUNK))


def _context(write: Write, origin: Evidence | None) -> Context:
    said_at = origin.said_at if origin else None
    return Context(
        reference_time=said_at or write.created_at,
        timezone=write.product.zone,
        speaker=(origin.speaker if origin else "") or None,
        title=(origin.item_key if origin else "") or None,
    )


def _writer(write: Write, origin: Evidence | None) -> Actor:
    """Whoever submitted the text wrote its statements."""
    raw = write.raw
    name = write.agent.name if write.agent else (origin.source_name if origin else "")
    return Actor(
        type=Origin(raw.origin), name=name, product_id=raw.product_id, agent_id=raw.agent_id, user_id=raw.author_id,
        source_id=origin.source_id if origin else None,
    )  # fmt: skip


def _label(raw: Memory) -> Label:
    return Label(
        Tier(raw.tier), Scope(raw.scope), tuple(raw.tags), raw.metadata, About(raw.about_from, raw.about_until)
    )


def _provenance(origin: Evidence | None) -> Provenance:
    if origin is None:
        return Provenance()
    return Provenance(
        origin.source_id, origin.source_name, origin.item_key, origin.item_url, origin.run_id, origin.session,
        origin.message, origin.speaker, origin.said_at,
    )  # fmt: skip
