"""What waits, what failed, and what will soon stop working."""

from collections.abc import Iterator
from datetime import timedelta

from django.urls import reverse

from memories.choices import WriteState
from memories.services import standing
from neuronz.doctor import Finding, ok, warning
from sources.choices import SourceState
from sources.models import Source

#: Reading begins within seconds; who waits for so long is stuck.
STUCK = timedelta(minutes=10)
SOON = timedelta(days=14)


def writes() -> Iterator[Finding]:
    now = standing.standing()
    page = reverse("admin:memories_write_changelist")
    if failed := now.writes[WriteState.FAILED]:
        yield warning(
            "writes", f"{failed:,} failed: their texts are kept and were not read.",
            f"{page}?state__exact=failed says why of each; retry there when the cause is mended.",
        )  # fmt: skip
    if now.oldest_wait and now.oldest_wait > STUCK:
        yield warning(
            "writes", f"The oldest that is not read yet has waited for {_told(now.oldest_wait)}.",
            "See that a worker and beat run; if they do, the worker can't keep up: start another.",
        )  # fmt: skip
    if not failed and not (now.oldest_wait and now.oldest_wait > STUCK):
        yield ok("writes", f"{now.writes[WriteState.DONE]:,} are read; none is stuck, none failed.")
    if now.vectors.total:
        yield warning(
            "vectors", f"{now.vectors.pending:,} memories wait for a vector, {now.vectors.failed:,} failed once.",
            "The worker makes them; if the number does not fall, see the finding about the embedder.",
        )  # fmt: skip
    else:
        yield ok("vectors", "Every live memory has one.")


def sources() -> Iterator[Finding]:
    page = reverse("admin:sources_source_changelist")
    failing = Source.objects.filter(state=SourceState.ACTIVE, failures__gt=0).count()
    paused = Source.objects.filter(state=SourceState.PAUSED).count()
    if failing:
        yield warning("sources", f"{failing} fail.", f"{page} says why of each, and what to do.")
    if paused:
        yield warning("sources", f"{paused} are paused.", f"{page} says why; start them again there.")
    if not failing and not paused:
        yield ok("sources", "None fails or is paused.")


def keys() -> Iterator[Finding]:
    ending = standing.keys_that_expire(SOON)
    if ending:
        yield warning(
            "keys", f"Keys of {', '.join(ending[:5])} end within {SOON.days} days.", "Rotate them in the admin, Agents."
        )
    else:
        yield ok("keys", f"None ends within {SOON.days} days.")


def _told(wait: timedelta) -> str:
    minutes = int(wait.total_seconds() // 60)
    return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
