"""A ClickUp workspace through its life, by the real engine: after each run the memories are looked at."""

from collections.abc import Callable
from time import time

import pytest
from django.db.models import QuerySet

from memories.choices import Kind, Trigger
from memories.models import Memory, Product
from sources import connections
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SourceItem, SyncRun
from sources.syncing import engine
from tests.sources.fakes.clickup import BROKEN, PERSONAL, FakeClickUp, refused
from tests.sources.fakes.clickup_store import person

Sync = Callable[[], SyncRun]

pytestmark = pytest.mark.django_db

TODO, REVIEW = (f"Task “Move the gateway” has the status {each}." for each in ("to do", "in review"))
NOOR = "Task “Move the gateway” is assigned to Noor."
PORT = "The gateway listens on port 8443."
OIL = "The lamp oil is kept in the cellar."
DONE = "Task “Order oil” has the status complete."
DAY = 24 * 3_600


@pytest.fixture
def source(lighthouse: Product, clickup: FakeClickUp, board: str) -> Source:
    (workspace,) = clickup.store.workspaces
    entered = {"workspace": workspace, "api_url": clickup.url, "token": PERSONAL, "closed": True, "comments": True,
               "docs": True, "sweep": "day", "zone": "UTC"}  # fmt: skip
    return connections.connect(product=lighthouse, type_=SourceType.CLICKUP, name="board", entered=entered)


@pytest.fixture
def sync(source: Source) -> Sync:
    def run() -> SyncRun:
        done = engine.sync(source.pk, trigger=Trigger.PERSON)
        assert done is not None
        return done

    return run


def statuses(*contents: str) -> list[str]:
    """Of statements; the raw text of a short document may read the same."""
    found = Memory.objects.exclude(kind=Kind.RAW)
    return [", ".join(found.filter(content=each).values_list("status", flat=True)) for each in contents]


def test_a_workspace_through_its_life(
    clickup: FakeClickUp, board: str, source: Source, sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = clickup.store
    task = store.task(board, "Move the gateway", PORT, assignees=[person("Noor")])
    oil = store.task(board, "Order oil")
    store.page(doc := store.doc(source.values["workspace"], "Handbook"), "Oil", OIL)

    # first
    run = sync()
    assert (run.state, run.error, run.new) == (RunState.DONE, "", 3)
    assert statuses(TODO, NOOR, PORT, OIL) == ["verified"] * 4
    assert {each.tier for each in Memory.objects.filter(content=TODO)} == {"team"}
    assert SourceItem.objects.get(key=f"task:{task}").url == f"https://app.clickup.com/t/{task}"

    # unchanged
    before = Memory.objects.count()
    clickup.asked.clear()
    run = sync()
    assert (run.state, run.new, run.changed, len(clickup.asked)) == (RunState.DONE, 0, 0, 2)
    assert Memory.objects.count() == before

    # changed: a new status displaces the old one, and nothing else
    store.tick(3_600)
    store.edit(task, status={"status": "in review", "type": "custom"})
    run = sync()
    assert run.changed == 1
    assert statuses(TODO, REVIEW, NOOR, PORT)[1:] == ["verified"] * 3
    assert statuses(TODO)[0] in ("superseded", "retired")

    is_closed_moved_and_talked_about(clickup, board, task, oil, sync)
    is_deleted(clickup, doc, oil, sync, monkeypatch)
    fails_half_way_and_goes_on(clickup, board, sync)
    loses_its_token_and_its_workspace(clickup, source, sync)


def is_closed_moved_and_talked_about(clickup: FakeClickUp, board: str, task: str, oil: str, sync: Sync) -> None:
    store = clickup.store
    store.close(oil)
    other = store.list_(store.lists[board]["space"], "Platform")
    store.edit(task, list=other)
    store.comment(task, "Ivo", "The cable of the gateway is too short.")
    run = sync()
    assert run.changed == 2
    assert statuses(DONE, "Task “Move the gateway” is in the list Platform.", REVIEW) == ["verified"] * 3
    assert "verified" not in statuses("Task “Move the gateway” is in the list Backend.")[0]
    assert statuses("Comments: Ivo wrote on 2 March 2026: The cable of the gateway is too short.") == ["verified"]


def is_deleted(clickup: FakeClickUp, doc: str, oil: str, sync: Sync, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Doc is seen to be gone at once, a task when all are listed."""
    store = clickup.store
    store.docs[doc]["deleted"] = True
    store.delete(oil)
    run = sync()
    assert (run.removed, statuses(OIL, DONE)) == (1, ["retired", "verified"])
    monkeypatch.setattr("sources.connectors.clickup.connector.time", lambda: time() + DAY)
    run = sync()
    assert (run.removed, statuses(DONE, REVIEW)) == (1, ["retired", "verified"])


def to_do() -> "QuerySet[Memory]":
    return Memory.objects.exclude(kind=Kind.RAW).filter(
        status="verified", content__contains="room", content__endswith="to do."
    )


def fails_half_way_and_goes_on(clickup: FakeClickUp, board: str, sync: Sync) -> None:
    rooms = [clickup.store.task(board, f"Paint room {place}") for place in range(30)]
    status = "Task “Paint room {}” has the status to do."
    limited = refused(429, "APP_002", "Rate limit reached").answer
    clickup.asked.clear()
    clickup.disturb(lambda asked: limited if clickup.count("/comment") > 25 else None, times=4)

    run = sync()
    assert (run.state, run.new) == (RunState.FAILED, 19), "and the last one of before, unchanged"
    assert "asks us to slow down" in run.error

    clickup.asked.clear()
    clickup.disturb(lambda asked: BROKEN if asked.path.endswith(f"{rooms[29]}/comment") else None, times=4)
    run = sync()
    assert (run.state, run.new, run.failed) == (RunState.DONE, 10, 1)
    assert statuses(status.format(0), status.format(28), status.format(29)) == ["verified", "verified", ""]

    run = sync()
    assert (run.state, run.new, run.failed) == (RunState.DONE, 1, 0), "tried again, although it did not change"
    assert to_do().count() == 30


def loses_its_token_and_its_workspace(clickup: FakeClickUp, source: Source, sync: Sync) -> None:
    """The source is paused with a sentence, the memories stay, and all is well once it is mended."""
    workspaces = clickup.authorized.pop(PERSONAL)
    run = sync()
    source.refresh_from_db()
    assert (run.state, source.state) == (RunState.FAILED, SourceState.PAUSED)
    assert source.reason == "ClickUp doesn't accept the token, or no longer. Make a new one."
    assert to_do().count() == 30

    clickup.authorized[PERSONAL] = set()
    run = sync()
    assert "doesn't open this workspace" in run.error
    assert to_do().count() == 30

    clickup.authorized[PERSONAL] = workspaces
    run = sync()
    source.refresh_from_db()
    assert (run.state, run.new, run.removed, source.state) == (RunState.DONE, 0, 0, SourceState.ACTIVE)
