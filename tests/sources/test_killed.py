"""A syncing process that is killed in the middle: the next run goes on, and nothing is there twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.db import connection

from memories.choices import Kind, Trigger
from memories.models import Evidence, Memory
from memories.services import products
from sources import connections
from sources.choices import RunState, SourceType
from sources.models import Source, SyncRun
from sources.syncing import engine

pytestmark = pytest.mark.django_db(transaction=True)

ITEMS = 40
PATIENCE_SECONDS = 120


def syncing(source: Source) -> "subprocess.Popen[bytes]":
    """The command a person would run, on the database of the tests."""
    name = connection.settings_dict["NAME"]
    url = configured.DATABASE_URL.rpartition("/")
    environment = {**os.environ, "DATABASE_URL": f"{url[0]}/{name}", "NEURONZ_EMBEDDER": "hashing:64"}
    return subprocess.Popen(
        [sys.executable, "manage.py", "sync", str(source.pk)], env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def read_so_far() -> int:
    return Memory.objects.filter(kind=Kind.RAW).count()


def test_a_killed_sync_is_taken_up_again_without_doubles(tmp_path: Path) -> None:
    for number in range(ITEMS):
        (tmp_path / f"{number:03}.md").write_text(f"Station {number} listens on port {1000 + number}.\n")
    source = connections.connect(
        product=products.create_product(slug="lighthouse"), type_=SourceType.FOLDER, name="stations",
        entered={"path": str(tmp_path)},
    )  # fmt: skip
    process = syncing(source)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while read_so_far() < 5 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < read_so_far() < ITEMS
    assert engine.sync(source.pk, trigger=Trigger.PERSON) is None  # its claim has not ended yet
    Source.objects.filter(pk=source.pk).update(claimed_until="2020-01-01T00:00:00Z")
    done = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert done is not None
    assert (done.state, done.seen, done.failed) == (RunState.DONE, ITEMS, 0)
    assert SyncRun.objects.filter(state=RunState.STOPPED).count() == 1
    statements = Memory.objects.exclude(kind=Kind.RAW)
    assert (read_so_far(), statements.count(), statements.values("content").distinct().count()) == (ITEMS,) * 3
    assert Evidence.objects.count() == 2 * ITEMS
    again = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert again is not None
    assert (again.unchanged, again.new, again.changed) == (ITEMS, 0, 0)
