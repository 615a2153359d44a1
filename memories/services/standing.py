"""How things stand on this server, over all products: what waits, what failed, and whether the clock ticks.

Counts and ages alone, for whoever runs the server; nothing here tells one product about another.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min
from django.utils import timezone

from memories.choices import WriteState
from memories.models import AgentKey, Pulse, Write
from memories.services import embedding_upkeep
from memories.services.embedding_upkeep import Waiting


@dataclass(frozen=True, slots=True)
class Standing:
    writes: Mapping[str, int]
    #: How long the oldest write has waited that nobody has finished; None when none waits.
    oldest_wait: timedelta | None
    vectors: Waiting


def standing() -> Standing:
    counted = Write.objects.order_by().values_list("state").annotate(rows=Count("pk"))
    oldest = Write.objects.unfinished().aggregate(at=Min("created_at"))["at"]
    return Standing(
        {**dict.fromkeys(map(str, WriteState), 0), **dict(counted)},
        timezone.now() - oldest if oldest else None,
        embedding_upkeep.waiting(),
    )


def note_pulse(task: str) -> None:
    """Say that a task of the clock runs now: that beat, broker and a worker live."""
    Pulse.objects.update_or_create(task=task, defaults={"at": timezone.now()})


def last_pulse(task: str) -> datetime | None:
    return Pulse.objects.filter(task=task).values_list("at", flat=True).first()


def keys_that_expire(within: timedelta) -> list[str]:
    """Agents whose working keys end soon, as `product/agent`."""
    now = timezone.now()
    rows = AgentKey.objects.filter(expires_at__gt=now, expires_at__lt=now + within, revoked_at__isnull=True)
    named = rows.values_list("agent__product__slug", "agent__name").distinct().order_by("agent__product__slug")
    return [f"{product}/{agent}" for product, agent in named]
