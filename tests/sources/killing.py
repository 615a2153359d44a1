"""A sync in a process of its own, killed with kill -9 in the middle and taken up again."""

import os
import signal
import subprocess
import sys
import time

from django.conf import settings as configured
from django.db import connection

from memories.choices import Kind, Trigger
from memories.models import Evidence, Memory, Write
from sources.choices import RunState
from sources.models import Source, SyncRun
from sources.syncing import engine

PATIENCE_SECONDS = 240
LONG_AGO = "2020-01-01T00:00:00Z"


def read_so_far() -> int:
    return Memory.objects.filter(kind=Kind.RAW).count()


def kill_in_the_middle(source: Source, *, items: int) -> None:
    """Start the command that a person would run, on the database of the tests, and kill it after some items."""
    process = _syncing(source)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while read_so_far() < 5 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < read_so_far() < items


def resume(source: Source) -> SyncRun:
    """Not while the dead process still holds its claim; then from where it was."""
    assert engine.sync(source.pk, trigger=Trigger.PERSON) is None
    Source.objects.filter(pk=source.pk).update(claimed_until=LONG_AGO)
    Write.objects.filter(claimed_until__isnull=False).update(claimed_until=LONG_AGO)
    return again(source)


def again(source: Source) -> SyncRun:
    run = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert run is not None
    assert (run.state, run.error, run.failed) == (RunState.DONE, "", 0)
    return run


def assert_all_is_there_once(source: Source, *, items: int) -> None:
    """Each item has one statement, stored once, with one passage, beside its raw text."""
    assert SyncRun.objects.filter(source=source, state=RunState.STOPPED).count() == 1
    statements = Memory.objects.exclude(kind=Kind.RAW)
    assert (read_so_far(), statements.count(), statements.values("content").distinct().count()) == (items,) * 3
    assert Evidence.objects.count() == 2 * items
    run = again(source)
    assert (run.new, run.changed, run.removed) == (0, 0, 0)
    assert read_so_far() == items


def _syncing(source: Source) -> "subprocess.Popen[bytes]":
    name = connection.settings_dict["NAME"]
    url = configured.DATABASE_URL.rpartition("/")
    environment = {
        **os.environ, "DATABASE_URL": f"{url[0]}/{name}", "NEURONZ_EMBEDDER": "hashing:64",
        "NEURONZ_ALLOW_PRIVATE_SOURCES": "true",
    }  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "manage.py", "sync", str(source.pk)], env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
