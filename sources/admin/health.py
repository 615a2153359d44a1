"""How a source is doing, in one word and one sentence."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from memories.admin import labels
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SyncRun
from sources.syncing.claims import is_held

RUN_COLOURS = {
    RunState.RUNNING: "primary",
    RunState.DONE: "success",
    RunState.FAILED: "danger",
    RunState.STOPPED: "warning",
}


@dataclass(frozen=True, slots=True)
class Health:
    word: str
    colour: str
    sentence: str = ""


def health_of(source: Source, last: SyncRun | None, *, now: datetime) -> Health:
    if source.type == SourceType.UPLOAD:
        return Health("By hand", "default", "Brought in with manage.py remember.")
    if is_held(source, now=now):
        return Health("Running", "primary")
    is_paused = source.state == SourceState.PAUSED
    if is_paused or source.failures:
        return Health("Paused" if is_paused else "Failing", "danger" if source.failures else "warning", source.reason)
    return _after(last) if last else Health("Not read yet", "info")


def _after(last: SyncRun) -> Health:
    if last.state == RunState.STOPPED:
        return Health("Stopped", "warning", last.error)
    if last.failed:
        return Health("Some items failed", "warning", f"{last.failed:,} of {last.seen:,} items could not be read.")
    return Health("Healthy", "success")


def in_words(run: SyncRun) -> str:
    """What a run did, without what it did not."""
    named = (
        ("new", "new"), ("changed", "changed"), ("moved", "moved"), ("removed", "removed"), ("restored", "back again"),
        ("failed", "failed"), ("skipped", "skipped"),
    )  # fmt: skip
    parts = [f"{getattr(run, column):,} {said}" for column, said in named if getattr(run, column)]
    return f"{run.seen:,} seen" + (f": {', '.join(parts)}" if parts else ", nothing new")


def due_label(source: Source, *, now: datetime) -> SafeString | str:
    if source.type == SourceType.UPLOAD:
        return ""
    if source.next_due_at is None:
        return format_html('<span class="desk-quiet">{}</span>', "when somebody says so")
    return labels.when_label(source.next_due_at) if source.next_due_at > now else "now"


def run_row(run: SyncRun) -> dict[str, Any]:
    end = run.finished_at or run.beat_at
    return {
        "run": run,
        "state": run.get_state_display(),
        "colour": RUN_COLOURS[RunState(run.state)],
        "began": labels.when_label(run.started_at),
        "seconds": f"{max((end - run.started_at).total_seconds(), 0):,.1f} s",
        "words": in_words(run),
        "asked": f"by {run.by}" if run.by else run.get_trigger_display().lower(),
    }
