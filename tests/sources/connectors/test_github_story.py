"""A repository through its life, with the real engine: what is remembered after each run."""

from dataclasses import dataclass
from time import time

import pytest

from memories.choices import Trigger
from memories.models import Evidence, Memory, Product, Write
from sources import connections
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SyncRun
from sources.syncing import engine
from tests.conftest import Clock
from tests.sources.fakes.github_hub import Hub
from tests.sources.fakes.github_store import Repo

pytestmark = pytest.mark.django_db

PORT, NEW_PORT = "The gateway listens on port 8443.", "The gateway listens on port 9443."
NOOR = "Noor leads the payments team."
NEEDS = "The deploy job needs 4 GB of memory."
OPEN, CLOSED = "Issue #1 “Deploy fails” is open.", "Issue #1 “Deploy fails” is closed."
OIL = "The lamp oil is kept in the cellar."
VIM = "We use Vim for notes."


@pytest.fixture
def source(lighthouse: Product, hub: Hub) -> Source:
    entered = {"repository": "octo/handbook", "token": "good", "base_url": hub.server.url}
    return connections.connect(
        product=lighthouse, type_=SourceType.GITHUB, name="handbook", entered=entered, every_minutes=60
    )


def sync(source: Source) -> SyncRun:
    run = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert run is not None
    return run


def statuses(*contents: str) -> list[str]:
    return [
        ", ".join(Memory.objects.filter(content=content).order_by("id").values_list("status", flat=True))
        for content in contents
    ]


def link(content: str) -> str:
    """Where a person is led from a memory."""
    return Evidence.objects.filter(memory__content=content).latest("pk").item_url


def stored() -> tuple[int, int, int]:
    return Memory.objects.count(), Write.objects.count(), Evidence.objects.count()


@pytest.fixture
def life(source: Source, hub: Hub, repo: Repo, clock: Clock) -> "Life":
    return Life(source, hub, repo, clock)


@dataclass
class Life:
    """A repository with its source, and what happens to it."""

    source: Source
    hub: Hub
    repo: Repo
    clock: Clock

    def is_read_first(self) -> None:
        """With a permalink on each."""
        run = sync(self.source)
        assert (run.state, run.error, run.new) == (RunState.DONE, "", 6)
        assert statuses(PORT, NOOR, NEEDS, OPEN, VIM) == ["verified"] * 5
        assert link(PORT) == f"{self.hub.web}/blob/main/README.md"
        assert link(NEEDS) == f"{self.hub.web}/issues/1"

    def stays_as_it_was(self) -> None:
        before, asked = stored(), len(self.hub.paths)
        run = sync(self.source)
        assert (run.state, run.new, run.changed, run.removed) == (RunState.DONE, 0, 0, 0)
        assert stored() == before
        assert len(self.hub.paths) - asked == 5

    def changes(self) -> None:
        """A document and an issue: only what they say differently."""
        self.clock.pass_(hours=1)
        self.repo.commit(files={"README.md": f"# Handbook\n\n{NEW_PORT}\n"})
        self.repo.comment(1, "I prefer the large runner.", by="bo")
        self.repo.touch(1, state="closed")
        run = sync(self.source)
        assert (run.new, run.changed, run.removed) == (0, 2, 0)
        assert statuses(PORT, NEW_PORT) == ["superseded", "verified"]
        assert statuses(CLOSED, NEEDS, "Bo prefers the large runner.") == ["verified"] * 3
        assert statuses(OPEN)[0] in ("superseded", "retired")

    def is_renamed_and_moved_into(self) -> None:
        self.clock.pass_(hours=1)
        text = self.repo.branches["main"].files["docs/oncall.md"]
        self.repo.commit(files={"docs/oncall.md": None, "docs/duty.md": text, "docs/oil.md": f"{OIL}\n"})
        run = sync(self.source)
        assert (run.new, run.moved, run.removed, run.retired) == (1, 1, 0, 0)
        assert statuses(NOOR, OIL) == ["verified", "verified"]

    def loses(self) -> None:
        """A document and an issue; the latter shows in the listing of all, a day later."""
        self.clock.pass_(days=1, hours=1)
        self.repo.commit(files={"docs/duty.md": None})
        del self.repo.issues[1]
        run = sync(self.source)
        assert run.removed == 2
        assert statuses(NOOR, NEEDS, NEW_PORT, VIM) == ["retired", "retired", "verified", "verified"]

    def gets_back(self) -> None:
        self.clock.pass_(hours=1)
        self.repo.commit(files={"docs/duty.md": f"# On call\n\n{NOOR}\n"})
        run = sync(self.source)
        assert (run.restored, statuses(NOOR)) == (1, ["verified"])


def test_a_repository_through_its_life(life: Life) -> None:
    life.is_read_first()
    life.stays_as_it_was()
    life.changes()
    life.is_renamed_and_moved_into()
    life.loses()
    life.gets_back()


def test_a_run_that_fails_half_way_keeps_what_it_read_and_the_next_goes_on(
    source: Source, hub: Hub, repo: Repo, clock: Clock
) -> None:
    for _ in range(4):
        hub.fail("/issues$", 502)
    run = sync(source)
    assert (run.state, statuses(PORT, NEEDS)) == (RunState.FAILED, ["verified", ""])
    assert "an error of its own" in run.error
    source.refresh_from_db()
    assert source.state == SourceState.ACTIVE

    before = stored()
    run = sync(source)
    assert (run.state, statuses(PORT, NEEDS)) == (RunState.DONE, ["verified", "verified"])
    assert Memory.objects.filter(content=PORT).count() == 1
    assert stored() > before

    # the token expires: nothing is forgotten, and a person is told what to do
    hub.expiry["good"] = time() - 1
    repo.commit(files={"README.md": f"# Handbook\n\n{NEW_PORT}\n"})
    before = stored()
    run = sync(source)
    source.refresh_from_db()
    assert (run.state, source.state) == (RunState.FAILED, SourceState.PAUSED)
    assert "Enter new ones" in source.reason
    assert stored() == before

    # a new one: everything is listed, and only what changed is read
    hub.tokens["better"] = hub.tokens["good"]
    entered = {"repository": "octo/handbook", "token": "better", "base_url": hub.server.url}
    connections.resume(connections.change(source, entered=entered))
    run = sync(source)
    assert (run.state, run.changed, run.new, run.removed) == (RunState.DONE, 1, 0, 0)
    assert statuses(PORT, NEW_PORT) == ["superseded", "verified"]


def test_one_bad_item_stops_nothing(source: Source, hub: Hub) -> None:
    hub.fail("/git/blobs/", 404)

    run = sync(source)

    assert (run.state, run.failed) == (RunState.DONE, 1)
    assert statuses(PORT, NEEDS) == ["", "verified"]
    sync(source)
    assert statuses(PORT) == ["verified"]


def test_a_rate_limit_puts_the_next_run_off_until_it_is_over(source: Source, hub: Hub, clock: Clock) -> None:
    hub.remaining = 3

    run = sync(source)

    source.refresh_from_db()
    assert (run.state, source.state) == (RunState.FAILED, SourceState.ACTIVE)
    assert source.next_due_at is not None
    assert (source.next_due_at - clock.now).total_seconds() >= 1700
