"""Erase: the text of memories goes for good, from every place it reached. What is left is a receipt.

The plan is made outside (`preview` shows it). Each transaction then takes some hundreds of statements: it holds the
receipts of their texts and every pool of the product, plans again, and lets every app's eraser do its part.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q

from memories.actors import Actor, acting, one_act
from memories.choices import Kind, Verb
from memories.errors import Conflict, InvalidInput
from memories.models import Agent, ErasedStatement, ErasureReceipt, Evidence, Memory, Write
from memories.models.ids import new_id
from memories.services import access, lifecycle
from memories.services.erasing import digests, targets
from memories.services.erasing.eraser import Going, ILikeAny, all_erasers, guards_lifted, told
from memories.services.erasing.memories import texts_with
from memories.services.erasing.targets import Choice, ChosenBy
from memories.services.erasing.words import Needles

__all__ = ["Choice", "ChosenBy", "Erased", "Preview", "erase", "erase_known", "preview"]

#: So many chosen rows go in one transaction.
AT_ONCE = 200
#: A plan is made so often before somebody else's writing is blamed.
MOST_PLANS = 5
SAMPLE = 10
BUSY = "The texts concerned are being written to all the time; try again in a moment."
NOTHING = "There is nothing to erase among what was chosen."


@dataclass(frozen=True, slots=True)
class Preview:
    """What would go. `mentions`: statements that stay although they repeat erased words among others."""

    statements: int
    texts: int
    texts_masked: int
    sample: Sequence[Memory]
    mentions: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class Erased:
    """The act and its receipts, one for each transaction, and the counts of all."""

    act: UUID
    receipts: Sequence[ErasureReceipt]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Plan:
    memories: set[UUID]
    needles: Needles
    #: Raw texts that lose a part.
    partly: set[UUID]


def preview(choice: Choice) -> Preview:
    """Reads only."""
    plan = _plan(choice, targets.chosen(choice))
    rows = Memory.objects.filter(pk__in=plan.memories).defer("words", "weights")
    statements = rows.exclude(kind=Kind.RAW).order_by("-pk")
    stays = choice.pools().exclude(pk__in=plan.memories).exclude(kind=Kind.RAW).defer("words", "weights")
    repeats = stays.filter(_holding(plan.needles)).order_by("-pk")[:SAMPLE]
    shown = statements or rows
    number = statements.count()
    return Preview(number, len(plan.memories) - number, len(plan.partly), list(shown[:SAMPLE]), list(repeats))


def erase(*, by: Actor, choice: Choice, reason: str = "") -> Erased:
    """Erase what was chosen and what goes with it. It can't be taken back."""
    act = new_id()
    whole = targets.with_company(choice, targets.chosen(choice))
    if not whole:
        raise Conflict(NOTHING)
    receipts = []
    for part in targets.in_parts(sorted(whole), AT_ONCE):
        receipt = _erase_part(choice, part, by=by, act=act, reason=reason)
        receipts += [receipt] if receipt else []
    _forget_statistics()
    counts: Counter[str] = Counter()
    for receipt in receipts:
        counts.update(receipt.counts)
    return Erased(act, receipts, dict(counts))


def erase_known(*, by: Actor, product_id: UUID, reason: str) -> Erased | None:
    """Erase what was brought back by a way that goes around reading, such as an export from before."""
    rows = Memory.objects.filter(product_id=product_id, erased_at__isnull=True)
    known = {bytes(each) for each in ErasedStatement.objects.values_list("digest", flat=True)}
    if not known:
        return None
    ids = [pk for pk, key in rows.values_list("pk", "key").iterator(2_000) if digests.digest(bytes(key)) in known]
    if not ids:
        return None
    choice = Choice(product_id, ChosenBy.MEMORY, ids=ids, is_of_machine=True, only_this=True)
    return erase(by=by, choice=choice, reason=reason)


def _erase_part(
    choice: Choice, part: Sequence[UUID], *, by: Actor, act: UUID, reason: str
) -> ErasureReceipt | None:  # fmt: skip
    for _ in range(MOST_PLANS):
        plan = _plan(choice, choice.pools().filter(pk__in=part).values_list("pk", flat=True))
        with transaction.atomic():
            _hold(choice.product_id, plan)
            again = _plan(choice, plan.memories)
            if again.memories | again.partly <= plan.memories | plan.partly:
                return _carry_out(choice, again, by=by, act=act, reason=reason) if again.memories else None
    raise Conflict(BUSY)


def _plan(choice: Choice, roots: Collection[UUID]) -> _Plan:
    memories = targets.with_company(choice, set(roots))
    needles = targets.needles_of(memories)
    cut = Evidence.objects.filter(memory__in=memories, raw__isnull=False).exclude(raw=F("memory"))
    partly = set(cut.values_list("raw_id", flat=True)) | texts_with(needles, product_id=choice.product_id)
    return _Plan(memories, needles, partly - memories)


def _hold(product_id: UUID, plan: _Plan) -> None:
    """In the order in which readers take them: the receipt, the pool, the rows."""
    writes = Write.objects.filter(raw__in=plan.memories | plan.partly).order_by("pk")
    list(writes.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    access.lock_pool(product_id, None)
    for owner_id in Agent.objects.filter(product_id=product_id).order_by("pk").values_list("pk", flat=True):
        access.lock_pool(product_id, owner_id)
    rows = Memory.objects.filter(pk__in=plan.memories | plan.partly).order_by("pk")
    list(rows.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))


def _carry_out(choice: Choice, plan: _Plan, *, by: Actor, act: UUID, reason: str) -> ErasureReceipt:
    going = Going(choice.product_id, plan.memories, plan.needles)
    rows = list(Memory.objects.filter(pk__in=plan.memories).values_list("key", "owner_id", "kind"))
    # The act outside: history is named by whoever sees a statement to the database first.
    with acting(by, Verb.ERASE), one_act(act), guards_lifted():
        for eraser in all_erasers():
            eraser.erase(going)
        for ids in targets.in_parts(sorted(plan.memories)):
            lifecycle.erase(ids, by=by)
    going.counts["texts"] = sum(kind == Kind.RAW for _, _, kind in rows)
    going.counts["statements"] = len(rows) - going.counts["texts"]
    receipt = ErasureReceipt.objects.create(
        product_id=choice.product_id, act=act, by=by.name, chosen_by=choice.chosen_by,
        reason=plan.needles.mask(reason), counts=told(going.counts),
    )  # fmt: skip
    digests.remember([(bytes(key), owner) for key, owner, _ in rows], receipt=receipt)
    return receipt


def _forget_statistics() -> None:
    """The planner keeps common values of columns; make them anew without what was erased."""
    tables = connection.introspection.django_table_names(only_existing=True)
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")


def _holding(needles: Needles) -> Q:
    wanted = Q(pk__in=[])
    for patterns in needles.in_sql():
        wanted |= Q(ILikeAny(F("content"), patterns))
    return wanted


def check_reason(reason: str) -> str:
    if len(reason) > 1_000 or not reason.isprintable():
        raise InvalidInput.of("reason", "A reason has at most 1,000 printable characters; and never the text itself.")
    return reason
