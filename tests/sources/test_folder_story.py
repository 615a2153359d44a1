"""A folder of documents through its life: first run, unchanged, changed, renamed, removed, back again."""

from pathlib import Path

import pytest

from memories.choices import Trigger
from memories.models import Evidence, Memory, Product, Write
from sources import connections
from sources.choices import RunState, SourceType
from sources.models import Source, SyncRun
from sources.syncing import engine

pytestmark = pytest.mark.django_db

PORT, NEW_PORT = "The gateway listens on port 8443.", "The gateway listens on port 9443."
OIL = "The lamp oil is kept in the cellar."
NOOR = "Noor leads the payments team."


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "ports.md").write_text(f"# Ports\n\n{PORT} {OIL}\n")
    (folder / "people.md").write_text(f"{NOOR}\n")
    return folder


@pytest.fixture
def source(lighthouse: Product, docs: Path) -> Source:
    return connections.connect(product=lighthouse, type_=SourceType.FOLDER, name="docs", entered={"path": str(docs)})


def sync(source: Source) -> SyncRun:
    run = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert run is not None
    return run


def statuses(*contents: str) -> list[str]:
    return [
        ", ".join(Memory.objects.filter(content=content).order_by("id").values_list("status", flat=True))
        for content in contents
    ]


def stored() -> tuple[int, int, int]:
    return Memory.objects.count(), Write.objects.count(), Evidence.objects.count()


def test_first_unchanged_changed_renamed_removed_returned(source: Source, docs: Path) -> None:
    run = sync(source)
    assert (run.state, run.error) == (RunState.DONE, "")
    assert (run.seen, run.new, run.added) == (2, 2, 3)
    assert statuses(PORT, OIL, NOOR) == ["verified"] * 3

    before = stored()
    run = sync(source)
    assert (run.seen, run.unchanged, run.new, run.changed) == (2, 2, 0, 0)
    assert stored() == before

    (docs / "ports.md").write_text(f"# Ports\n\n{NEW_PORT} {OIL}\n")
    run = sync(source)
    assert (run.changed, run.unchanged, run.added, run.superseded, run.retired) == (1, 1, 1, 1, 0)
    assert statuses(PORT, NEW_PORT, OIL) == ["superseded", "verified", "verified"]
    assert Memory.objects.get(content=PORT).replaced_by == Memory.objects.get(content=NEW_PORT)

    (docs / "people.md").rename(docs / "team.md")
    run = sync(source)
    assert (run.added, run.retired, run.superseded) == (0, 0, 0)
    assert statuses(NOOR) == ["verified"]

    (docs / "ports.md").unlink()
    run = sync(source)
    assert (run.removed, run.retired) == (1, 2)
    assert statuses(NEW_PORT, OIL, NOOR) == ["retired", "retired", "verified"]
    assert Memory.objects.get(content=OIL).events.latest("pgh_id").pgh_context["why"] == "Removed at source."

    (docs / "ports.md").write_text(f"# Ports\n\n{NEW_PORT} {OIL}\n")
    run = sync(source)
    assert (run.restored, run.brought_back, run.added) == (1, 2, 0)
    assert statuses(NEW_PORT, OIL) == ["verified", "verified"]


def test_a_statement_that_vanishes_is_retired(source: Source, docs: Path) -> None:
    sync(source)
    (docs / "ports.md").write_text(f"# Ports\n\n{PORT}\n")
    run = sync(source)
    assert (run.changed, run.retired, run.superseded, run.added) == (1, 1, 0, 0)
    assert statuses(PORT, OIL) == ["verified", "retired"]
