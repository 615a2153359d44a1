"""Files brought in by hand: kept, looked at before, then read by a worker line by line while a person watches."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories import limits
from memories.actors import Actor
from memories.choices import Tier
from memories.errors import InvalidInput, NeuronzError
from memories.models import Product
from sources import importing
from sources.choices import UploadState
from sources.importing import FAILED, Line
from sources.kinds import KINDS
from sources.models import Upload
from sources.uploaders import uploader

#: A preview is read by a person; the rest is counted when it is read.
MOST_PREVIEWED = 200
#: Failures that are kept with their reasons.
MOST_FAILURES = 50
#: How often progress is told, in lines.
STEP = 10
#: A reading that said nothing for so long died with its worker.
SILENT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Foretold:
    """What an import would do, as far as it was looked at."""

    lines: Sequence[Line]
    counts: Counter[str]
    is_cut: bool


def receive(*, by: Actor, product: Product, name: str, kind: str, tier: Tier, content: bytes) -> Upload:
    """Kept for its preview. Nothing of it is a memory yet."""
    if kind not in KINDS:
        raise InvalidInput.of("kind", f"There is no kind {kind!r}; known: {', '.join(KINDS)}.")
    if len(content) > limits.BATCH_BYTES:
        most = limits.BATCH_BYTES // 2**20
        raise InvalidInput.of("file", f"The file is larger than {most} MiB; divide it, or use manage.py import.")
    try:
        text = content.decode("utf-8-sig").replace("\0", "\ufffd")
    except UnicodeDecodeError:
        raise InvalidInput.of("file", "The file is no UTF-8 text; save it as UTF-8 and upload it again.") from None
    if not text.strip():
        raise InvalidInput.of("file", "The file is empty.")
    return Upload.objects.create(
        product=product, person_id=by.user_id, name=name[:200] or "upload", kind=kind, tier=tier, text=text
    )


def foretell(upload: Upload) -> Foretold:
    """What each of the first lines would become. Nothing is written but how many lines there are to tell of."""
    found: list[Line] = []
    told = _plan(upload)
    for line in told:
        if len(found) == MOST_PREVIEWED:
            return Foretold(found, Counter(each.outcome for each in found), is_cut=True)
        found.append(line)
    return Foretold(found, Counter(each.outcome for each in found), is_cut=False)


def _plan(upload: Upload) -> Iterator[Line]:
    to = importing.planned(product=upload.product, tier=Tier(upload.tier))
    yield from importing.plan_texts([(upload.name, upload.text)], kind=upload.kind, to=to)


def begin(*, upload: Upload) -> bool:
    """A person's word: from here on a worker may read it. Said twice, it is begun once, or again after a death."""
    rows = Upload.objects.filter(pk=upload.pk)
    lines = max(1, sum(1 for line in upload.text.splitlines() if line.strip()))
    if rows.filter(state=UploadState.WAITING).update(
        state=UploadState.READING, lines=lines, seen=0, moved_at=timezone.now()
    ):  # fmt: skip
        return True
    stuck = rows.filter(state=UploadState.READING, moved_at__lt=timezone.now() - SILENT)
    return bool(stuck.update(seen=0, moved_at=timezone.now()))


def discard(*, upload: Upload) -> bool:
    return bool(
        Upload.objects.filter(pk=upload.pk, state=UploadState.WAITING).update(state=UploadState.DISCARDED, text="")
    )


def read(upload_id: UUID) -> Upload | None:
    """A worker's part. Done twice, the second finds everything known."""
    upload = Upload.objects.select_related("product").filter(pk=upload_id, state=UploadState.READING).first()
    if upload is None:
        return None
    counts: Counter[str] = Counter()
    failures: list[dict[str, Any]] = []
    try:
        to = uploader(product=upload.product, tier=Tier(upload.tier))
        for line in importing.bring_in_texts([(upload.name, upload.text)], kind=upload.kind, to=to):
            counts[str(line.outcome)] += 1
            if line.outcome == FAILED and len(failures) < MOST_FAILURES:
                failures.append({"line": line.line, "reason": line.reason})
            if counts.total() % STEP == 0:
                _tell(upload, counts, failures, line.line)
    except NeuronzError as error:
        _finish(upload, UploadState.FAILED, counts, failures, error.sentence)
    else:
        _finish(upload, UploadState.DONE, counts, failures)
    return upload


def _tell(upload: Upload, counts: Counter[str], failures: list[dict[str, Any]], line: int) -> None:
    now = {"counts": dict(counts), "failures": failures, "seen": min(line, upload.lines), "moved_at": timezone.now()}
    Upload.objects.filter(pk=upload.pk).update(**now)


def _finish(
    upload: Upload, state: UploadState, counts: Counter[str], failures: list[dict[str, Any]], reason: str = ""
) -> None:  # fmt: skip
    with transaction.atomic():
        Upload.objects.filter(pk=upload.pk).update(
            state=state, text="", counts=dict(counts), failures=failures, seen=upload.lines, reason=reason,
            moved_at=timezone.now(),
        )  # fmt: skip
