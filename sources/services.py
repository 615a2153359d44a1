"""Bringing texts in by hand: each file and each message is remembered once, in the name of an agent or of a source."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from time import sleep
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from memories import embeddings
from memories.choices import Kind, Outcome, WriteState
from memories.errors import EmbedderDown, NeuronzError
from memories.models import Evidence, Write, WriteStatement
from memories.provenance import Provenance
from memories.services import claims, intake, statements
from memories.services.drafts import Label
from sources import files, transcripts
from sources.decisions import Format, is_older_revision
from sources.files import Found, LeftOut, Unfit, Unreadable
from sources.models import SourceItem
from sources.transcripts import Broken, Message
from sources.uploaders import Uploader

#: Messages whose being known is looked up in one query.
CHUNK = 500
#: How often to look whether somebody else has finished a write that this run needs.
LOOK_AGAIN_SECONDS = 1.0
OLDER_REVISION = "older revision, skipped"
UNFINISHED = (WriteState.RECEIVED, WriteState.READING)
#: A write that an earlier run left so needs nothing more: it was read, or somebody gave it up.
SETTLED = (WriteState.DONE, WriteState.CANCELLED)


class Result(StrEnum):
    """What became of one file or one line of a transcript."""

    READ = "read"
    QUEUED = "queued"
    KNOWN = "known"
    SILENT = "silent"  # a line in which nobody says anything
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One file or message, dealt with. `name` says to a person which one."""

    name: str
    result: Result
    reason: str = ""
    write_id: UUID | None = None
    is_message: bool = False

    @property
    def is_news(self) -> bool:
        return self.result in (Result.READ, Result.QUEUED)


def upload(found: Iterable[Found | LeftOut], *, to: Uploader) -> Iterator[Step]:
    """Remember files and the messages of transcripts, each once, and say what became of each.

    One bad file never stops the others. After a stop at any point the same call goes on where it was.
    """
    for each in found:
        if isinstance(each, LeftOut):
            yield Step(each.key, Result.FAILED if each.is_failure else Result.SKIPPED, each.reason)
            continue
        try:
            yield from _transcript(each, to) if each.format == Format.TRANSCRIPT else _document(each, to)
        except Unreadable as error:
            yield Step(each.key, Result.FAILED, error.reason)
        except Unfit as error:
            yield Step(each.key, Result.FAILED if each.is_named else Result.SKIPPED, error.reason)
        except NeuronzError as error:
            yield Step(each.key, Result.FAILED, error.sentence)


# --- documents ------------------------------------------------------------------------------------


def _document(found: Found, to: Uploader) -> Iterator[Step]:
    yield upload_document(key=found.key, text=files.text_of(found.path), to=to)


def upload_document(
    *, key: str, text: str, to: Uploader, revised_at: datetime | None = None, url: str = ""
) -> Step:  # fmt: skip
    """Remember one document, unless it reads as it did the last time or its source sends an older revision.

    `revised_at` is the time its source gives for this revision; files on a disk have none that can be relied on.
    """
    if is_older_revision(revised_at, _known_revision(key, to)):
        return Step(key, Result.SKIPPED, OLDER_REVISION)
    digest = sha256(text.encode()).digest()
    write = _unchanged(key, text, digest, to)
    if write and write.state in SETTLED:
        return Step(key, Result.KNOWN)
    write = finish(write, to) if write else _remember(text, Provenance(item_key=key, item_url=url), to)
    _note_item(key, digest, revised_at, write, to)
    return _step(key, write)


def _known_revision(key: str, to: Uploader) -> datetime | None:
    known = (
        SourceItem.objects.filter(source_id=to.by.source_id, key=key) if to.by.source_id else SourceItem.objects.none()
    )
    return known.values_list("revised_at", flat=True).first()


def _unchanged(key: str, text: str, digest: bytes, to: Uploader) -> Write | None:
    """The last write of this item, if the item reads the same now.

    An agent's items have no rows of their own, and a source's row may be missing after a crash: then the
    raw record itself is compared.
    """
    if to.by.source_id:
        item = SourceItem.objects.filter(source_id=to.by.source_id, key=key, digest=digest).first()
        if item:
            return Write.objects.get(raw_id=item.raw_id)
    last = _raw_evidence(to).filter(item_key=key, session="").order_by("-id").select_related("memory", "write").first()
    return last.write if last and bytes(last.memory.key) == intake.raw_key(text, product=to.product) else None


def _note_item(key: str, digest: bytes, revised_at: datetime | None, write: Write, to: Uploader) -> None:
    if to.by.source_id:
        SourceItem.objects.update_or_create(
            source_id=to.by.source_id, key=key,
            defaults={
                "product_id": to.product.pk, "digest": digest, "raw_id": write.raw_id,
                "revised_at": revised_at, "read_at": timezone.now(),
            },
        )  # fmt: skip


# --- messages -------------------------------------------------------------------------------------

#: The text counts too: two files may number their messages alike and say different things.
MessageKey = tuple[str, str, bytes]


@dataclass(frozen=True, slots=True)
class _Known:
    """A message that was remembered before, perhaps by a run that was stopped."""

    write_id: UUID
    state: WriteState


def _transcript(found: Found, to: Uploader) -> Iterator[Step]:
    lines = transcripts.messages(files.lines_of(found.path), name=found.key, zone=ZoneInfo(to.product.zone))
    has_messages, result = False, Result.KNOWN
    while chunk := list(islice(lines, CHUNK)):
        for step in upload_messages(key=found.key, lines=chunk, to=to):
            has_messages |= step.result != Result.SILENT
            result = step.result if step.is_news else result
            yield step
    if not has_messages:
        raise Unfit("no line of it is a message with a text")
    yield Step(found.key, result)


def upload_messages(*, key: str, lines: Sequence[Message | Broken | None], to: Uploader) -> Iterator[Step]:
    """Remember the messages of a transcript one by one; those already remembered are passed over."""
    known = _known_messages({each.session for each in lines if isinstance(each, Message)}, to)
    for each in lines:
        if isinstance(each, Message):
            yield _upload_message(key, each, known, to)
        elif each is None:
            yield Step(key, Result.SILENT, is_message=True)
        else:
            yield Step(f"{key}, line {each.number}", Result.FAILED, each.reason, is_message=True)


def _upload_message(key: str, message: Message, known: dict[MessageKey, _Known], to: Uploader) -> Step:
    name = f"{key}, message {message.id}"
    try:
        message_key = (message.session, message.id, intake.raw_key(message.text, product=to.product))
        before = known.get(message_key)
        if before and before.state in SETTLED:
            return Step(name, Result.KNOWN, is_message=True)
        if before:
            write = finish(Write.objects.get(pk=before.write_id), to)
        else:
            write = _remember(message.text, _provenance(key, message), to)
            known[message_key] = _Known(write.pk, WriteState.DONE)
        return _step(name, write, is_message=True)
    except NeuronzError as error:
        return Step(name, Result.FAILED, error.sentence, is_message=True)


def _provenance(key: str, message: Message) -> Provenance:
    return Provenance(
        item_key=key, session=message.session, message=message.id, speaker=message.speaker, said_at=message.said_at
    )


def _known_messages(sessions: set[str], to: Uploader) -> dict[MessageKey, _Known]:
    rows = _raw_evidence(to).filter(session__in=sessions).order_by()
    columns = rows.values_list("session", "message", "memory__key", "write_id", "write__state")
    return {
        (session, message, bytes(key)): _Known(write_id, WriteState(state))
        for session, message, key, write_id, state in columns
    }


# --- both -----------------------------------------------------------------------------------------


def _remember(text: str, provenance: Provenance, to: Uploader) -> Write:
    source_name = to.by.name if to.by.source_id else ""
    _warm(to)
    full = replace(provenance, source_id=to.by.source_id, source_name=source_name)
    return intake.remember(by=to.by, text=text, label=Label(tier=to.tier), provenance=full, wait=to.wait)


def finish(write: Write, to: Uploader) -> Write:
    """Bring a write to its end that an earlier run began: it failed, or that run was stopped."""
    if write.state == WriteState.FAILED:
        claims.retry(by=to.by, write_id=write.pk)
    if not to.wait:
        statements.enqueue(write.pk)
    _warm(to)
    while to.wait and not statements.read_write(write.pk):
        # Somebody has it. If they died, their claim ends within a minute and the next try gets it.
        write.refresh_from_db()
        if write.state not in UNFINISHED:
            break
        sleep(LOOK_AGAIN_SECONDS)
    write.refresh_from_db()
    return write


def _warm(to: Uploader) -> None:
    if to.wait:
        warm()


def warm() -> None:
    """Load the model before a text is claimed: loading may take longer than a claim lasts."""
    embedder = embeddings.current()
    if embedder.state() != "ready":
        with suppress(EmbedderDown):
            embedder.warm()


def _step(name: str, write: Write, *, is_message: bool = False) -> Step:
    result = {WriteState.DONE: Result.READ, WriteState.FAILED: Result.FAILED}.get(
        WriteState(write.state), Result.QUEUED
    )
    return Step(name, result, write.reason, write.pk, is_message)


def _raw_evidence(to: Uploader) -> "QuerySet[Evidence]":
    """What says where the raw texts of this uploader came from: a source has no agent, and an agent no source."""
    mine = Q(source_id=to.by.source_id, agent_id=to.by.agent_id)
    return Evidence.objects.filter(mine, product_id=to.product.pk, memory__kind=Kind.RAW)


def outcomes(write_ids: Iterable[UUID]) -> dict[Outcome, int]:
    """What became of the statements of these writes, counted."""
    rows = WriteStatement.objects.filter(write__in=list(write_ids)).order_by()
    return {Outcome(outcome): count for outcome, count in rows.values_list("outcome").annotate(count=Count("pk"))}
