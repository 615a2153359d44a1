"""Memories of other makers: planned (`plan`) or brought in (`bring_in`), each line with what becomes of it.

Both go through the ordinary intake and its decisions, as a named agent or an upload source with its tier. Running the
same import again finds everything known and writes nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from memories import limits, screening
from memories.choices import Kind, Outcome, WriteState
from memories.errors import InvalidInput, NeuronzError
from memories.models import Evidence, Memory, Write, WriteStatement
from memories.provenance import Provenance
from memories.services import drafts, intake, receipts
from memories.services.drafts import About, Label
from memories.services.forecasting import Forecast, Forecaster
from memories.services.similar import Similar
from sources import files, services
from sources.files import LeftOut, Unfit, Unreadable
from sources.kinds import KINDS, SUFFIXES, Bad, Candidate, File
from sources.uploaders import Uploader, uploader

FAILED = "failed"
#: A text that was kept and says nothing, or that is known from an earlier run.
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Close:
    """A live memory near an imported one, and how near."""

    id: str
    content: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one line, or would. `outcome` is one of the outcomes of a write, `failed` or `nothing`."""

    file: str
    line: int
    outcome: str
    content: str = ""
    memory: str | None = None
    against: Close | None = None
    similar: Sequence[Close] = ()
    reason: str = ""


Deal = Callable[[File, Candidate], Iterator[Line]]


def planned(**who: Any) -> Uploader:
    """In whose name an import would be made (the arguments of `uploader`), without making its source."""
    with transaction.atomic():
        to = uploader(**who)
        transaction.set_rollback(True)
    return to


def plan(paths: Iterable[Path], *, kind: str, to: Uploader) -> Iterator[Line]:
    """What an import would do. Nothing is written."""
    forecaster = Forecaster(to.by)
    yield from _each(paths, kind, to, lambda file, candidate: _foretell(file, candidate, to, forecaster, kind))


def plan_texts(texts: Iterable[tuple[str, str]], *, kind: str, to: Uploader) -> Iterator[Line]:
    """The same for texts that are no files of this machine, such as an upload in the admin: (name, text)."""
    forecaster = Forecaster(to.by)
    yield from _of_texts(texts, kind, to, lambda file, candidate: _foretell(file, candidate, to, forecaster, kind))


def bring_in(paths: Iterable[Path], *, kind: str, to: Uploader) -> Iterator[Line]:
    """Import, line by line: one that fails never stops the rest."""
    services.warm()
    yield from _each(paths, kind, to, lambda file, candidate: _store(file, candidate, to, kind))


def bring_in_texts(texts: Iterable[tuple[str, str]], *, kind: str, to: Uploader) -> Iterator[Line]:
    services.warm()
    yield from _of_texts(texts, kind, to, lambda file, candidate: _store(file, candidate, to, kind))


# --- what there is to import ----------------------------------------------------------------------


def _each(paths: Iterable[Path], kind: str, to: Uploader, deal: Deal) -> Iterator[Line]:
    found = list(files.find(paths, choose=files.with_suffixes(SUFFIXES[_known(kind)])))
    siblings = frozenset(each.key for each in found)
    for each in found:
        if isinstance(each, LeftOut):
            if each.is_failure:
                yield Line(each.key, 0, FAILED, reason=each.reason)
            continue
        try:
            file = File(
                each.key, files.text_of(each.path, most=limits.BATCH_BYTES), ZoneInfo(to.product.zone), siblings
            )
        except (Unreadable, Unfit) as error:
            yield Line(each.key, 0, FAILED, reason=error.reason)
            continue
        yield from _of_file(file, kind, deal)


def _of_texts(texts: Iterable[tuple[str, str]], kind: str, to: Uploader, deal: Deal) -> Iterator[Line]:
    texts = list(texts)
    _known(kind)
    siblings = frozenset(name for name, _ in texts)
    for name, text in texts:
        yield from _of_file(File(name, text, ZoneInfo(to.product.zone), siblings), kind, deal)


def _known(kind: str) -> str:
    if kind not in KINDS:
        raise InvalidInput.of("from", f"There is no kind {kind!r}; known: {', '.join(KINDS)}.")
    return kind


def _of_file(file: File, kind: str, deal: Deal) -> Iterator[Line]:
    for each in KINDS[kind](file):
        if isinstance(each, Bad):
            yield Line(file.key, each.line, FAILED, reason=each.reason)
            continue
        try:
            yield from deal(file, _fitted(each))
        except NeuronzError as error:
            yield Line(file.key, each.line, FAILED, _shown(each.content), reason=error.sentence)


def _fitted(candidate: Candidate) -> Candidate:
    """What is too long for one fact is a text. Characters that can't be stored are replaced, as in any text."""
    content, replaced = screening.storable(candidate.content)
    told = replace(candidate, content=content) if replaced else candidate
    return replace(told, is_text=True) if len(content) > limits.FACT_CHARACTERS else told


def _label(candidate: Candidate, to: Uploader) -> Label:
    about = About(candidate.about_from, candidate.about_until)
    return Label(to.tier, candidate.scope, candidate.tags, candidate.metadata, about)


# --- only tried -----------------------------------------------------------------------------------


def _foretell(
    file: File, candidate: Candidate, to: Uploader, forecaster: Forecaster, kind: str
) -> Iterator[Line]:  # fmt: skip
    label = _label(candidate, to)
    if _met(file, candidate, to, kind):
        yield Line(file.key, candidate.line, Outcome.KNOWN, _shown(candidate.content), reason="imported before")
        return
    if not candidate.is_text:
        foretold = forecaster.fact(
            content=candidate.content, label=label, category=candidate.category, person=candidate.person
        )
        yield _foretold(file, candidate.line, foretold)
        return
    found = forecaster.text(text=candidate.content, label=label, title=file.key, said_at=candidate.said_at)
    for each in found:
        line = candidate.line + candidate.content.count("\n", 0, each.start)
        yield _foretold(file, line, each)
    if not found:
        yield Line(file.key, candidate.line, NOTHING, reason="a text without a statement")


def _foretold(file: File, line: int, foretold: Forecast) -> Line:
    against = _close(foretold.against) if foretold.against else None
    near = tuple(_similar(each) for each in foretold.similar)
    return Line(file.key, line, foretold.outcome, _shown(foretold.content), against=against, similar=near)


# --- really done ----------------------------------------------------------------------------------


def _store(file: File, candidate: Candidate, to: Uploader, kind: str) -> Iterator[Line]:
    if _met(file, candidate, to, kind):
        yield Line(file.key, candidate.line, Outcome.KNOWN, _shown(candidate.content), reason="imported before")
    elif candidate.is_text:
        yield from _store_text(file, candidate, to, kind)
    else:
        added = intake.add_fact(
            by=to.by, content=candidate.content, category=candidate.category, person=candidate.person,
            label=_label(candidate, to), provenance=_provenance(file, candidate, to, kind),
        )  # fmt: skip
        yield Line(
            file.key, candidate.line, added.outcome, _shown(added.fact.content), str(added.fact.pk),
            similar=tuple(_similar(each) for each in added.similar or ()),
        )  # fmt: skip


def _store_text(file: File, candidate: Candidate, to: Uploader, kind: str) -> Iterator[Line]:
    write = intake.remember(
        by=to.by, text=candidate.content, label=_label(candidate, to), wait=True,
        provenance=_provenance(file, candidate, to, kind),
    )  # fmt: skip
    if write.state != WriteState.DONE:
        yield Line(file.key, candidate.line, FAILED, reason=write.reason or f"it is {write.state}")
        return
    lines = list(_of_write(file, candidate, write))
    yield from lines or [Line(file.key, candidate.line, NOTHING, reason="a text without a statement")]


def _of_write(file: File, candidate: Candidate, write: Write) -> Iterator[Line]:
    close = receipts.for_show([write])["similar"]
    starts = dict(Evidence.objects.filter(write=write, raw=write.raw).values_list("memory", "start"))
    for each in write.shown_statements:
        line = candidate.line + write.raw.content.count("\n", 0, starts.get(each.memory_id) or 0)
        yield Line(
            file.key, line, each.outcome, _shown(each.memory.content), str(each.memory_id),
            against=_against(each),
            similar=tuple(_told(said, close) for said in each.similar if said["memory"] in close),
        )  # fmt: skip


def _against(statement: WriteStatement) -> Close | None:
    return _close(statement.against) if statement.against and statement.against_id != statement.memory_id else None


def _provenance(file: File, candidate: Candidate, to: Uploader, kind: str) -> Provenance:
    return Provenance(
        source_id=to.by.source_id, source_name=to.by.name if to.by.source_id else "",
        item_key=_item_key(file, candidate, kind), said_at=candidate.said_at,
    )  # fmt: skip


def _item_key(file: File, candidate: Candidate, kind: str) -> str:
    """The name it had where it came from; a list's lines have none but their file's."""
    return f"{kind}:{candidate.name or file.key}"


def _met(file: File, candidate: Candidate, to: Uploader, kind: str) -> bool:
    """Whether an earlier run of this uploader brought it in, whatever became of it since."""
    if not drafts.has_words(candidate.content) and not candidate.is_text:
        return False  # refused in a moment, with its reason
    rows = Evidence.objects.filter(
        product=to.product, agent=to.by.agent_id, source_id=to.by.source_id,
        item_key=_item_key(file, candidate, kind), memory__scope=candidate.scope,
    )  # fmt: skip
    if candidate.is_text:
        key = intake.raw_key(candidate.content, product=to.product)
        return rows.filter(memory__kind=Kind.RAW, memory__key=key, write__state__in=services.SETTLED).exists()
    screened = drafts.screen(candidate.content, product=to.product, field_name="content").text
    about = {"memory__about_from": candidate.about_from, "memory__about_until": candidate.about_until}
    return rows.exclude(memory__kind=Kind.RAW).filter(memory__key=drafts.key_of(screened), **about).exists()


# --- as it is told --------------------------------------------------------------------------------

SHOWN_CHARACTERS = 200


def _shown(content: str) -> str:
    return content if len(content) <= SHOWN_CHARACTERS else f"{content[: SHOWN_CHARACTERS - 1]}…"


def _similar(near: Similar) -> Close:
    return _close(near.memory, near.similarity)


def _close(memory: Memory, similarity: float = 1.0) -> Close:
    return Close(str(memory.pk), _shown(memory.content), round(similarity, 4))


def _told(said: Any, rows: Any) -> Close:
    return _close(rows[said["memory"]], said["similarity"])
