"""Settling pairs: one answer, by an agent or a person; put off, and undone while nothing was built on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from conflicts import decisions
from conflicts.choices import Answer, State
from conflicts.decisions import Fate, Objection, Sides
from conflicts.models import Conflict as Pair
from memories.actors import Actor
from memories.choices import LIVE, Category, Outcome, Reason, Scope, Status, Tier
from memories.decisions import higher, may_displace
from memories.errors import Conflict, InvalidInput, NotFound
from memories.models import Memory
from memories.services import access, intake, lifecycle
from memories.services.drafts import Draft, Label

OBJECTIONS = {
    Objection.BOTH_NOT_OFFERED: "Only of a suggestion (reason unsure) can both be true; use another answer.",
    Objection.WINNER_GONE: "That side was taken out meanwhile; answer with the other side, neither, or a correction.",
}


@dataclass(frozen=True, slots=True)
class Settled:
    """The pair after the answer. `remaining`: the winner's other unsettled pairs, which hold it out of recall."""

    conflict: Pair
    outcome: Outcome
    winner: Memory | None = None
    retired: Sequence[Memory] = ()
    correction: Memory | None = None
    remaining: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class _Case:
    by: Actor
    pair: Pair
    older: Memory
    newer: Memory
    answer: Answer
    why: str

    def with_fate(self, fate: Fate) -> list[Memory]:
        fates = zip((self.older, self.newer), decisions.FATES[self.answer], strict=True)
        return [side for side, theirs in fates if theirs == fate]

    def losers(self) -> list[Memory]:
        """The sides to retire that nothing else has taken out yet."""
        return [side for side in self.with_fate(Fate.RETIRES) if side.status in LIVE]


def pair_for(by: Actor, pair_id: UUID | str) -> Pair:
    """Absent and forbidden answer alike."""
    try:
        return Pair.objects.visible_to(by).select_related("older", "newer").get(pk=pair_id)
    except (Pair.DoesNotExist, ValidationError, ValueError):
        raise NotFound from None


def settle(
    *, by: Actor, pair_id: UUID | str, answer: Answer, correction: str | None = None, until: datetime | None = None,
    tier: Tier = Tier.OFFICIAL, why: str = "",
) -> Settled:  # fmt: skip
    """Take one answer. Refused when an agent's act weighs less than a side it would retire, or than its correction:
    nothing changes then.
    """
    pair = pair_for(by, pair_id)
    _check_shape(answer, correction, until)
    draft = _draft_correction(by, pair, correction) if correction is not None else None
    with transaction.atomic():
        case = _locked(by, pair, answer, why)
        if answer == Answer.NOT_NOW:
            return _put_off(case, until)
        weighs_on = [Tier(side.tier) for side in case.losers()] + ([draft.label.tier] if draft else [])
        if not all(may_displace(by.type, tier, each) for each in weighs_on):
            return Settled(case.pair, Outcome.REFUSED)
        retired = _retire_losers(case)
        winner, remaining = _raise_winner(case)
        corrected = intake.establish(by=by, draft=draft, why=why, pair_id=case.pair.pk) if draft else None
        _close(case, corrected)
        return Settled(case.pair, Outcome.SETTLED, winner, retired, corrected, remaining)


def wake_put_off(product_id: UUID | None = None) -> int:
    """ "Not now" comes back by itself on its date. Returns how many did, in one product or in all."""
    due = Pair.objects.filter(state=State.PUT_OFF, put_off_until__lte=timezone.now())
    due = due.filter(product_id=product_id) if product_id else due
    return due.update(state=State.OPEN, put_off_until=None)


def _check_shape(answer: Answer, correction: str | None, until: datetime | None) -> None:
    if (answer == Answer.CORRECTION) != (correction is not None):
        raise InvalidInput.of("correction", "Send the true statement as `correction` together with answer correction.")
    if until is not None and answer != Answer.NOT_NOW:
        raise InvalidInput.of("until", "A date goes with answer not_now only.")
    if until is not None and until <= timezone.now():
        raise InvalidInput.of("until", "The date must lie in the future.")


def _locked(by: Actor, pair: Pair, answer: Answer, why: str) -> _Case:
    """The pair and its sides, held; refused where the state forbids the answer."""
    access.lock_pool(pair.product_id, pair.newer.owner_id)
    pair = Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
    rows = {row.pk: row for row in access.locked_memories(by, [pair.older_id, pair.newer_id])}
    case = _Case(by, pair, rows[pair.older_id], rows[pair.newer_id], answer, why)
    if pair.state == State.SETTLED:
        raise Conflict("This pair is settled already; read it again to see how.", pair)
    objection = decisions.objection(
        answer, Reason(pair.reason), Sides(Status(case.older.status), Status(case.newer.status))
    )
    if objection:
        raise Conflict(OBJECTIONS[objection], pair)
    return case


def _put_off(case: _Case, until: datetime | None) -> Settled:
    case.pair.state = State.PUT_OFF
    case.pair.put_off_until = until or timezone.now() + timedelta(days=decisions.PUT_OFF_DAYS)
    case.pair.why = case.why
    case.pair.save(update_fields=["state", "put_off_until", "why"])
    return Settled(case.pair, Outcome.PUT_OFF)


def _retire_losers(case: _Case) -> list[Memory]:
    losers = case.losers()
    for side in losers:
        lifecycle.settle(side, Status.RETIRED, by=case.by, why=case.why, pair_id=case.pair.pk)
    return losers


def _raise_winner(case: _Case) -> tuple[Memory | None, list[UUID]]:
    for side in case.with_fate(Fate.WINS):
        others = Pair.objects.unsettled().with_side(side).exclude(pk=case.pair.pk).exclude(reason=Reason.UNSURE)
        remaining = list(others.order_by("pk").values_list("pk", flat=True))
        status = decisions.status_of_winner(Status(side.status), stands_in_another=bool(remaining))
        lifecycle.settle(side, status, by=case.by, why=case.why, pair_id=case.pair.pk)
        return side, remaining
    return None, []


def _draft_correction(by: Actor, pair: Pair, content: str) -> Draft:
    """ "The correction gets the higher of the two tiers, the pair's scope, the older's category.\""""
    tier = higher(Tier(pair.older.tier), Tier(pair.newer.tier))
    draft = intake.prepare_fact(
        by=by, content=content, label=Label(tier=tier, scope=Scope(pair.newer.scope)),
        category=Category(pair.older.category), person=pair.older.person, field_name="correction",
    )  # fmt: skip
    if draft.key in (bytes(pair.older.key), bytes(pair.newer.key)):
        raise InvalidInput.of("correction", "That is what one of the two says; answer older or newer instead.")
    return draft


def _close(case: _Case, correction: Memory | None) -> None:
    pair = case.pair
    pair.state, pair.put_off_until = State.SETTLED, None
    pair.answer, pair.correction, pair.why = case.answer, correction, case.why
    pair.settled_at, pair.settled_by_id, pair.settled_by_name = timezone.now(), case.by.user_id, case.by.name
    pair.save()
