"""`/metrics`, for Prometheus: what the processes of this machine counted, and how things stand in the database.

Processes share their counts by files in `NEURONZ_METRICS_DIR` (in the data folder, unless set). For this machine's own
programs without a key; for others with `NEURONZ_METRICS_KEY`.
"""

import hmac
import os
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

from celery import Celery
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric

from conflicts.models import Conflict
from memories.services import standing
from neuronz.celery import app
from neuronz.errors import envelope
from sources.choices import SourceState
from sources.models import Source

FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP")
CLOSED = (
    "Metrics are for this machine's own programs; from elsewhere, and through a proxy, send Authorization: Bearer "
    "with the key of NEURONZ_METRICS_KEY."
)


def metrics(request: HttpRequest) -> HttpResponse:
    if not may_look(request):
        return JsonResponse(envelope("forbidden", CLOSED), status=403)
    registry = CollectorRegistry()
    registry.register(Standing())
    counted = generate_latest(registry)
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        shared = CollectorRegistry()
        multiprocess.MultiProcessCollector(shared)  # type: ignore[no-untyped-call]  # the package leaves it untyped
        counted += generate_latest(shared)
    else:
        counted += generate_latest(REGISTRY)
    return HttpResponse(counted, content_type=CONTENT_TYPE_LATEST)


def may_look(request: HttpRequest) -> bool:
    key = settings.METRICS_KEY
    scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
    if key and scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode(), key.encode()):
        return True
    return not any(request.headers.get(name) for name in FORWARDED) and _is_loopback(request.META.get("REMOTE_ADDR"))


def _is_loopback(address: str | None) -> bool:
    try:
        return ip_address(address or "").is_loopback
    except ValueError:
        return False


class Standing:
    """Asked anew at each scrape. A part that is away is left out, and says so by `neuronz_up`."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("neuronz_up", "Whether a part answered this scrape.", labels=["part"])
        for part, ask in (("database", _of_the_database), ("broker", _of_the_broker)):
            try:
                yield from list(ask())
            except (DatabaseError, OperationalError, ChannelError, OSError):
                up.add_metric([part], 0)
            else:
                up.add_metric([part], 1)
        yield up


def _of_the_database() -> Iterator[Metric]:
    now = standing.standing()
    yield _by("neuronz_writes", "Writes by state.", "state", dict(now.writes))
    oldest = (now.oldest_wait or timedelta()).total_seconds()
    yield GaugeMetricFamily("neuronz_write_oldest_wait_seconds", "Age of the oldest unfinished write.", value=oldest)
    waiting = {"pending": now.vectors.pending, "failed": now.vectors.failed}
    yield _by("neuronz_vectors_waiting", "Live memories without a vector.", "state", waiting)
    pairs = dict(Conflict.objects.unsettled().order_by().values_list("state").annotate(rows=Count("pk")))
    yield _by("neuronz_conflicts", "Pairs that are not settled, by state.", "state", pairs)
    yield from _of_sources()


def _of_sources() -> Iterator[Metric]:
    active = Source.objects.filter(state=SourceState.ACTIVE)
    states = dict(Source.objects.order_by().values_list("state").annotate(rows=Count("pk")))
    yield _by("neuronz_sources", "Sources by state.", "state", states)
    failing = active.filter(failures__gt=0).count()
    yield GaugeMetricFamily("neuronz_sources_failing", "Active sources whose last run failed.", value=failing)
    due = active.filter(next_due_at__lt=timezone.now()).aggregate(at=Min("next_due_at"))["at"]
    lag = (timezone.now() - due).total_seconds() if due else 0.0
    yield GaugeMetricFamily("neuronz_source_lag_seconds", "How late the most overdue source is.", value=lag)


def _of_the_broker() -> Iterator[Metric]:
    yield _by("neuronz_queue_depth", "Messages that wait for a worker, by queue.", "queue", queue_depths(app))


def queue_depths(celery: Celery) -> dict[str, int]:
    """Only what waits: what a worker holds is not counted. A queue that nobody used yet is empty."""
    depths = {}
    with celery.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=1)
        for name in celery.amqp.queues:
            try:
                channel: Any = broker.default_channel  # the stubs know only what all transports have
                depths[name] = int(channel.queue_declare(name, passive=True).message_count)
            except ChannelError:
                depths[name] = 0
    return depths


def _by(name: str, help_: str, label: str, values: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_, labels=[label])
    for value, number in sorted(values.items()):
        family.add_metric([value], number)
    return family
