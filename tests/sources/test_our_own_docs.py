"""This project's own docs as a git checkout that is read: edited, renamed, broken, removed, brought back, reset."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from memories.choices import LIVE, Kind, Trigger
from memories.models import Memory, Product
from sources import connections
from sources.choices import ProblemKind, RunState, SourceType
from sources.models import Source, SyncProblem, SyncRun
from sources.syncing import engine

pytestmark = pytest.mark.django_db

PAPERS = ("recall.md", "sources.md", "sources-clickup.md")
LINE, NEW_LINE = "The lamp of the harbour burns until 23:00.", "The lamp of the harbour burns until 22:00."


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "handbook"
    root.mkdir()
    for name in PAPERS:
        shutil.copy(Path(settings.BASE_DIR) / "docs" / name, root / name)
    with (root / "recall.md").open("a") as opened:
        opened.write(f"\n{LINE}\n")
    git(root, "init", "-q", "-b", "main")
    commit(root, "2026-01-01")
    return root


@pytest.fixture
def source(lighthouse: Product, checkout: Path) -> Source:
    entered = {"path": str(checkout), "base_url": "https://git.example.org/handbook/blob/{commit}/"}
    return connections.connect(product=lighthouse, type_=SourceType.FOLDER, name="handbook", entered=entered)


def git(root: Path, *arguments: str, day: str = "2026-01-01") -> None:
    who = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org", "GIT_COMMITTER_NAME": "Ann",
           "GIT_COMMITTER_EMAIL": "ann@example.org"}  # fmt: skip
    dates = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
    subprocess.run(["git", *arguments], cwd=root, check=True, env={**os.environ, **who, **dates})


def commit(root: Path, day: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", day, day=day)


def sync(source: Source, state: RunState = RunState.DONE) -> SyncRun:
    run = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert run is not None
    assert run.state == state, run.error
    return run


def live(paper: str) -> set[str]:
    """What is current of the statements that were read from a paper."""
    said = Memory.objects.filter(evidence__item_key=paper, status__in=LIVE).exclude(kind=Kind.RAW)
    return set(said.values_list("content", flat=True))


def status(content: str) -> str:
    return Memory.objects.exclude(kind=Kind.RAW).get(content=content).status


def test_our_own_docs_through_their_life(source: Source, checkout: Path) -> None:
    # first
    run = sync(source)
    assert (run.new, run.failed) == (len(PAPERS), 0)
    at_first = {paper: live(paper) for paper in PAPERS}
    assert all(len(said) > 10 for said in at_first.values())
    link = Memory.objects.exclude(kind=Kind.RAW).get(content=LINE).evidence.get().item_url
    assert link.startswith("https://git.example.org/handbook/blob/")
    assert link.endswith("/recall.md")

    # unchanged
    before = Memory.objects.count()
    run = sync(source)
    assert (run.unchanged, run.new, run.changed, Memory.objects.count()) == (len(PAPERS), 0, 0, before)

    edited_and_renamed(source, checkout, at_first)
    broken_half_way(source, checkout, at_first)
    removed_and_reset(source, checkout, at_first)


def edited_and_renamed(source: Source, checkout: Path, at_first: dict[str, set[str]]) -> None:
    # one line edited: it alone is superseded
    recall = checkout / "recall.md"
    recall.write_text(recall.read_text().replace(LINE, NEW_LINE))
    commit(checkout, "2026-02-01")
    run = sync(source)
    assert (run.changed, run.added, run.superseded, run.retired) == (1, 1, 1, 0)
    assert (status(LINE), status(NEW_LINE)) == ("superseded", "verified")
    assert live("recall.md") == at_first["recall.md"] - {LINE} | {NEW_LINE}

    # renamed: it keeps what it said
    git(checkout, "mv", "sources.md", "connecting.md")
    commit(checkout, "2026-03-01")
    run = sync(source)
    assert (run.added, run.retired, run.superseded) == (0, 0, 0)
    assert live("sources.md") == at_first["sources.md"]


def broken_half_way(source: Source, checkout: Path, at_first: dict[str, set[str]]) -> None:
    # one paper can't be read, another has changed
    (checkout / "connecting.md").unlink()
    (checkout / "connecting.md").symlink_to("nowhere.md")
    with (checkout / "recall.md").open("a") as opened:
        opened.write("\nThe rope is kept in the cellar.\n")
    run = sync(source)
    assert (run.changed, run.failed, run.removed) == (1, 1, 0)
    assert live("sources.md") == at_first["sources.md"]

    # the folder is not there at all: nothing counts as removed, and the next run is whole again
    checkout.rename(checkout.with_name("elsewhere"))
    assert "There is no folder" in sync(source, RunState.FAILED).error
    checkout.with_name("elsewhere").rename(checkout)
    git(checkout, "checkout", "-q", "connecting.md")
    run = sync(source)
    assert (run.failed, run.removed, run.added) == (0, 0, 0)


def removed_and_reset(source: Source, checkout: Path, at_first: dict[str, set[str]]) -> None:
    # removed, and back again
    git(checkout, "rm", "-q", "sources-clickup.md")
    commit(checkout, "2026-04-01")
    run = sync(source)
    assert (run.removed, live("sources-clickup.md")) == (1, set())
    git(checkout, "checkout", "-q", "HEAD~1", "--", "sources-clickup.md")
    run = sync(source)
    assert (run.restored, live("sources-clickup.md")) == (1, at_first["sources-clickup.md"])

    # reset to the first commit: an older revision replaces nothing, and is told
    git(checkout, "reset", "-q", "--hard", "HEAD~3")
    sync(source)
    assert status(NEW_LINE) == "verified"
    skipped = SyncProblem.objects.filter(run__source=source, kind=ProblemKind.SKIPPED, key="recall.md")
    assert "older" in skipped.latest("pk").reason
