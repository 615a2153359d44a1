"""Memories, raw texts, evidence, receipts and history: emptied or blotted out, never deleted."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import F, Q
from django.db.models.expressions import RawSQL

from memories.models import Embedding, Evidence, Memory, MemoryEvent, Write, WriteStatement
from memories.search.indexing import index
from memories.services import receiving
from memories.services.erasing.eraser import Eraser, Going, ILikeAny, mask_columns
from memories.services.erasing.targets import in_parts
from memories.services.erasing.words import MASK, Needles, Span, masked

#: What tells where a text came from, beside its words.
PLACES = ("item_key", "item_url", "session", "message", "speaker")


def erase(going: Going) -> None:
    """Everything of this app that is not derived from it. The rows themselves are emptied last (erasure.py)."""
    _blot_out_passages(going)
    for ids in in_parts(sorted(going.memories)):
        _empty_evidence(going, ids)
        _empty_receipts(going, ids)
        _empty_history(going, ids)
        going.counts["vectors"] += Embedding.objects.filter(memory__in=ids).delete()[0]
    _mask_what_else_tells(going)


def _blot_out_passages(going: Going) -> None:
    """In raw texts that stay, the passages and every other place that says the same."""
    for raw_id in sorted(_texts_that_tell(going) - set(going.memories)):
        raw = Memory.objects.get(pk=raw_id)
        passages = Evidence.objects.filter(raw=raw, memory__in=going.memories, start__isnull=False)
        places = passages.values_list("start", "end")
        spans = [*((start or 0, end or 0) for start, end in places), *going.needles.spans(raw.content)]
        if blot_out(raw, spans):
            going.touched.add(raw.pk)
    going.counts["texts_masked"] += len(going.touched)


def _texts_that_tell(going: Going) -> set[UUID]:
    found: set[UUID] = set()
    for ids in in_parts(sorted(going.memories)):
        told = Evidence.objects.filter(memory__in=ids, raw__isnull=False, start__isnull=False)
        found |= set(told.exclude(raw=F("memory")).values_list("raw_id", flat=True))
    return found | texts_with(going.needles, product_id=going.product_id)


def texts_with(needles: Needles, *, product_id: UUID) -> set[UUID]:
    """Raw texts of the product that hold one of these statements somewhere."""
    rows = Memory.objects.filter(product_id=product_id, kind="Raw", erased_at__isnull=True)
    return {
        pk for patterns in needles.in_sql()
        for pk in rows.filter(ILikeAny(F("content"), patterns)).values_list("pk", flat=True)
    }  # fmt: skip


def blot_out(raw: Memory, spans: Iterable[Span]) -> bool:
    """Mask these places of a raw text, in it and in every passage cut from it. Must run where guards are lifted.

    What was made of the old words goes at once; the vector is made anew by the sweep that makes missing ones.
    """
    content = masked(raw.content, spans)
    if content == raw.content:
        return False
    first = raw.first_evidence()
    indexed = index(content, said_by=first.speaker if first else "")
    raw.content, raw.key = content, receiving.raw_key(content)
    raw.words, raw.weights = indexed.words, indexed.weights
    raw.save(update_fields=["content", "key", "words", "weights"])
    Embedding.objects.filter(memory=raw).delete()
    for row in (
        Evidence.objects.filter(raw=raw, start__isnull=False).exclude(memory=raw).only("start", "end", "excerpt")
    ):
        cut = content[row.start : row.end]
        if MASK in cut and cut != row.excerpt:
            Evidence.objects.filter(pk=row.pk).update(excerpt=cut)
    return True


def _empty_evidence(going: Going, ids: Collection[UUID]) -> None:
    """Where it came from stays as ids and places; what was said, and by whom, goes."""
    rows = Evidence.objects.filter(Q(memory__in=ids) | Q(raw__in=ids))
    going.counts["evidence"] += rows.update(excerpt="", speaker="", said_at=None)


def _empty_receipts(going: Going, ids: Collection[UUID]) -> None:
    going.counts["receipts"] += Write.objects.filter(raw__in=ids).update(reason="", masked=[])
    outcomes = WriteStatement.objects.filter(write__product_id=going.product_id)
    told = outcomes.filter(Q(memory__in=ids) | Q(against__in=ids) | Q(pk__in=_listing(going.product_id, ids)))
    gone = {str(each) for each in going.memories}
    for row in told.exclude(similar=[]).only("similar", "memory_id").iterator(200):
        kept = [] if str(row.memory_id) in gone else [each for each in row.similar if each.get("memory") not in gone]
        if kept != row.similar:
            WriteStatement.objects.filter(pk=row.pk).update(similar=kept)
            going.counts["similar_lists"] += 1


def _listing(product_id: UUID, ids: Collection[UUID]) -> RawSQL:
    """Outcomes that list one of these among what was similar."""
    return RawSQL(
        "SELECT s.id FROM memories_writestatement s JOIN memories_write w ON w.id = s.write_id, "
        "jsonb_array_elements(s.similar) AS each WHERE w.product_id = %s AND each->>'memory' = ANY(%s)",
        [product_id, [str(id_) for id_ in ids]],
    )


def _empty_history(going: Going, ids: Collection[UUID]) -> None:
    """Who moved it, from where and when stays; why was told in words."""
    rows = MemoryEvent.objects.filter(pgh_obj__in=ids)
    going.counts["moves"] += rows.update(pgh_context=RawSQL('pgh_context || \'{"why": ""}\'::jsonb', []))


def _mask_what_else_tells(going: Going) -> None:
    """Words of the erased that stand in rows of others: reasons, failures, names of places."""
    needles, product_id = going.needles, going.product_id
    mask_columns(Write.objects.filter(product_id=product_id), needles, "reason")
    mask_columns(Evidence.objects.filter(product_id=product_id), needles, "excerpt", *PLACES)
    why = RawSQL("pgh_context->>'why'", [])
    for patterns in needles.in_sql():
        for row in MemoryEvent.objects.filter(ILikeAny(why, patterns), pgh_obj__product_id=product_id):
            context = {**row.pgh_context, "why": needles.mask(row.pgh_context["why"])}
            MemoryEvent.objects.filter(pk=row.pk).update(pgh_context=context)


ERASER = Eraser(
    lifts=(
        "memories.Memory:written_stays_written",
        "memories.Evidence:evidence_stays_written",
        "memories.MemoryEvent:append_only",
        "memories.Write:receipt_stays_written",
        "memories.WriteStatement:outcome_stays_written",
    ),
    erase=erase,
)
