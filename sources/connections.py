"""What staff do to a source: connect, change, pause, resume, try its credentials. Nothing here is read from it."""

import re
from collections.abc import Mapping, Sequence
from datetime import time, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from memories.errors import Conflict, InvalidInput
from memories.models import Product
from memories.scheduling import next_due
from sources import secrets
from sources.choices import SourceState, SourceType
from sources.connectors.base import Connection, ConnectorError, Field, FieldKind
from sources.connectors.registry import connector_of
from sources.models import AuthorityDefault, Source, SourceItem

_WEB = re.compile(r"https?://[^/\s]", re.IGNORECASE)
#: A source that was handed to a worker is handed out again when nothing was heard of it for so long.
HANDED_OUT = timedelta(minutes=5)


def connect(
    *, product: Product, type_: SourceType, name: str, entered: Mapping[str, Any], tier: str = "",
    every_minutes: int | None = None, times: Sequence[time] = (), quiet_from: time | None = None,
    quiet_until: time | None = None,
) -> Source:  # fmt: skip
    """A new source. It is due at once, unless it has no schedule."""
    values, hidden = _split(type_, entered, {})
    source = Source(
        product=product, type=type_, name=name, tier=tier, values=values, sealed=secrets.seal(hidden),
        every_minutes=every_minutes, times=list(times), quiet_from=quiet_from, quiet_until=quiet_until,
    )  # fmt: skip
    source.next_due_at = timezone.now() if every_minutes or times else None
    return _saved(source)


def change(source: Source, *, entered: Mapping[str, Any], **columns: Any) -> Source:
    """New values. A secret that was left empty stays as it is; what is read changes, so everything is listed again."""
    with transaction.atomic():
        source = Source.objects.select_for_update(of=("self",)).select_related("product").get(pk=source.pk)
        before = secrets_of(source)
        values, hidden = _split(SourceType(source.type), entered, before)
        if (values, hidden) != (source.values, before):
            source.cursor, source.values, source.sealed = {}, values, secrets.seal(hidden)
        for name, value in columns.items():
            setattr(source, name, value)
        source.next_due_at = _due(source)
        return _saved(source)


def secrets_of(source: Source) -> dict[str, str]:
    """Empty when no key opens them any more: they have to be entered again."""
    try:
        return secrets.unseal(bytes(source.sealed))
    except secrets.Sealed:
        return {}


def try_out(type_: SourceType, entered: Mapping[str, Any], *, source: Source | None = None) -> str:
    """What the connector says of these values. Raises ConnectorError with a sentence that holds no secret."""
    values, hidden = _split(type_, entered, secrets_of(source) if source else {})
    try:
        return secrets.redact(connector_of(type_)(Connection(values, hidden)).test(), hidden)
    except ConnectorError as error:
        raise ConnectorError(secrets.redact(error.sentence, hidden), permanent=error.permanent) from None
    except Exception as error:  # noqa: BLE001  # whatever a client library raises
        raise ConnectorError(f"The connector failed in a way it does not know ({type(error).__name__}).") from None


def pause(source: Source, *, why: str) -> None:
    """No run begins by the clock any more. One that is on its way ends by itself."""
    Source.objects.filter(pk=source.pk).update(state=SourceState.PAUSED, reason=why, next_due_at=None)


def resume(source: Source) -> None:
    due = timezone.now() if source.every_minutes or source.times else None
    Source.objects.filter(pk=source.pk).update(state=SourceState.ACTIVE, reason="", failures=0, next_due_at=due)


def list_all_again(source: Source) -> None:
    """Forget the place reached: the next run lists every item. What reads as before is still not read again."""
    Source.objects.filter(pk=source.pk).update(cursor={}, sweeps={})


def ask_again(source: Source, *, keys: Sequence[str]) -> None:
    """Have some items fetched anew, whatever is known of them."""
    SourceItem.objects.filter(source=source, key__in=keys).update(version="")
    list_all_again(source)


def set_default(product: Product, type_: SourceType, tier: str) -> None:
    """What sources of a type weigh in a product; empty takes the default away. Stored memories stay as they are."""
    if tier:
        AuthorityDefault.objects.update_or_create(product=product, type=type_, defaults={"tier": tier})
    else:
        AuthorityDefault.objects.filter(product=product, type=type_).delete()


def take_due() -> list[UUID]:
    """The sources that are due and that this caller is to hand out, each taken by compare and set."""
    now = timezone.now()
    connected = Source.objects.exclude(type=SourceType.UPLOAD)
    free = settings.SYNCS_AT_ONCE - connected.filter(claimed_until__gte=now).count()
    idle = Q(claim__isnull=True) | Q(claimed_until__lt=now)
    due = connected.filter(idle, state=SourceState.ACTIVE, next_due_at__lte=now).order_by("next_due_at")
    rows = list(due.values_list("pk", "next_due_at")[: max(free, 0)])
    return [pk for pk, at in rows if Source.objects.filter(pk=pk, next_due_at=at).update(next_due_at=now + HANDED_OUT)]


def reseal_all() -> int:
    """Put the credentials of all sources under the first key. Says how many; raises Sealed at one that no key opens."""
    count = 0
    for pk in list(Source.objects.exclude(sealed=b"").values_list("pk", flat=True)):
        with transaction.atomic():
            source = Source.objects.select_for_update().get(pk=pk)
            source.sealed = secrets.reseal(bytes(source.sealed))
            source.save(update_fields=["sealed"])
        count += 1
    return count


def _due(source: Source) -> Any:
    if source.state != SourceState.ACTIVE:
        return None
    due = next_due(source.schedule, after=timezone.now(), zone=source.zone, jitter=source.jitter)
    return min(due, source.next_due_at) if due and source.next_due_at else due


def _split(
    type_: SourceType, entered: Mapping[str, Any], before: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What may be shown, and what may not. A required value that is missing is an error that names its field."""
    values: dict[str, Any] = {}
    hidden: dict[str, str] = {}
    for each in connector_of(type_).fields:
        value = _value(each, entered.get(each.name))
        if each.kind == FieldKind.SECRET:
            value = value or before.get(each.name, "")
        if each.required and not value:
            raise InvalidInput.of(each.name, f"{each.label} is needed. {each.help}")
        if each.kind == FieldKind.URL and value and not _WEB.match(str(value)):
            raise InvalidInput.of(each.name, f"{each.label} must begin with https:// or http://, not {value[:60]!r}.")
        if each.kind == FieldKind.SECRET:
            hidden |= {each.name: value} if value else {}
        else:
            values[each.name] = value
    return values, hidden


def _value(field: Field, entered: Any) -> Any:
    if entered is None:
        default = field.default
        return list(default) if isinstance(default, tuple) else default
    if field.kind in (FieldKind.LINES, FieldKind.CHOICES):
        lines = entered.splitlines() if isinstance(entered, str) else entered
        return [line.strip() for line in lines if line.strip()]
    return bool(entered) if field.kind == FieldKind.SWITCH else str(entered).strip()


def _saved(source: Source) -> Source:
    try:
        with transaction.atomic():
            source.save()
    except IntegrityError:
        raise Conflict(f"This product has a source {source.name!r} already; give this one another name.") from None
    return source
