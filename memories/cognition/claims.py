"""One run at a time in a product, claimed by compare and set, and free again by itself when its holder dies."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.choices import StepState, Trigger
from memories.cognition.base import StepReport
from memories.models import CognitionRun, CognitionSettings, Product
from memories.models.ids import new_id
from memories.scheduling import is_quiet, next_due

#: How long a run may be silent. It renews its claim whenever a step looks at its budget.
CLAIM = timedelta(minutes=5)
BEAT_SECONDS = 5.0
#: What was handed to a worker is handed out again when nothing was heard of it for so long.
HANDED_OUT = timedelta(minutes=10)
DIED = "The process that ran it ended without a word; the next run goes on where it was."


class ClaimLost(Exception):
    """Another process has taken over."""


@dataclass(slots=True)
class Held:
    """A run of cognition, while this process holds the product."""

    product: Product
    settings: CognitionSettings
    token: UUID
    trigger: Trigger
    by: str
    pass_id: UUID = field(default_factory=new_id)
    beat: float = field(default_factory=monotonic)

    def alive(self) -> None:
        """Renew the claim every now and then. Raises ClaimLost."""
        if monotonic() - self.beat >= BEAT_SECONDS:
            self.beat = monotonic()
            if not self.row().update(claimed_until=timezone.now() + CLAIM):
                raise ClaimLost

    def row(self) -> "QuerySet[CognitionSettings]":
        return CognitionSettings.objects.filter(pk=self.product.pk, claim=self.token)


def settings_of(product: Product) -> CognitionSettings:
    """How cognition is set in a product; with the defaults where nobody has set it yet."""
    found = CognitionSettings.objects.select_related("product").filter(pk=product.pk).first()
    if found is None:
        CognitionSettings.objects.bulk_create([CognitionSettings(product=product)], ignore_conflicts=True)
        found = CognitionSettings.objects.select_related("product").get(pk=product.pk)
    return found


def begin(product: Product, *, trigger: Trigger, by: str = "") -> Held | None:
    """Take a product that nobody holds, or whose holder has died; by the clock only one that is switched on."""
    settings_of(product)
    now, token = timezone.now(), uuid4()
    wanted = Q(is_on=True) if trigger == Trigger.SCHEDULE else Q()
    with transaction.atomic():
        rows = CognitionSettings.objects.filter(_free(now), wanted, pk=product.pk)
        if not rows.update(claim=token, claimed_until=now + CLAIM):
            return None
        CognitionRun.objects.filter(product=product, state=StepState.RUNNING).update(
            state=StepState.DIED, ended_at=now, error=DIED
        )
    return Held(product, settings_of(product), token, trigger, by)


def start(held: Held, step: str) -> CognitionRun:
    return CognitionRun.objects.create(
        product=held.product, pass_id=held.pass_id, trigger=held.trigger, by=held.by, step=step,
        started_at=timezone.now(),
    )  # fmt: skip


def end(run: CognitionRun, report: StepReport, *, state: StepState, seconds: float, tokens: int, error: str) -> None:
    CognitionRun.objects.filter(pk=run.pk, state=StepState.RUNNING).update(
        state=state, ended_at=timezone.now(), read=report.read, written=report.written, proposed=report.proposed,
        skipped=report.skipped, seconds=seconds, tokens=tokens, cursor=dict(report.cursor), error=error,
    )  # fmt: skip
    run.refresh_from_db()


def release(held: Held) -> None:
    due = next_due(held.settings.schedule, after=timezone.now(), zone=held.settings.zone, jitter=_jitter(held.product))
    held.row().update(claim=None, claimed_until=None, next_due_at=due)


def take_due() -> list[UUID]:
    """The products that are due and that this caller is to hand out, each taken by compare and set."""
    now = timezone.now()
    _meet_new_products()
    free = settings.COGNITION_AT_ONCE - CognitionSettings.objects.filter(claimed_until__gte=now).count()
    due = CognitionSettings.objects.filter(_free(now), is_on=True, next_due_at__lte=now).select_related("product")
    taken: list[UUID] = []
    for each in due.order_by("next_due_at"):
        if len(taken) >= free:
            break
        if not is_quiet(each.schedule, at=now, zone=each.zone):
            rows = CognitionSettings.objects.filter(pk=each.pk, next_due_at=each.next_due_at)
            taken += [each.pk] if rows.update(next_due_at=now + HANDED_OUT) else []
    return taken


def is_held(row: CognitionSettings, *, now: datetime) -> bool:
    return row.claimed_until is not None and row.claimed_until >= now


def _meet_new_products() -> None:
    new = Product.objects.filter(cognition__isnull=True)
    CognitionSettings.objects.bulk_create([CognitionSettings(product=each) for each in new], ignore_conflicts=True)
    for each in CognitionSettings.objects.filter(next_due_at__isnull=True).select_related("product"):
        due = next_due(each.schedule, after=timezone.now(), zone=each.zone, jitter=_jitter(each.product))
        CognitionSettings.objects.filter(pk=each.pk, next_due_at__isnull=True).update(next_due_at=due)


def _free(now: datetime) -> Q:
    return Q(claim__isnull=True) | Q(claimed_until__lt=now)


def _jitter(product: Product) -> float:
    """Its own share between 0 and 1, the same for good."""
    return product.pk.int % 1000 / 1000
