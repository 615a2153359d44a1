"""Erased is erased: the whole case, by the doors that people and agents use."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from memories.actors import Actor
from memories.choices import Status, Trigger
from memories.models import Entity, ErasureReceipt, Evidence, Memory, Product, Write
from memories.services import editing, embedding_upkeep, history, intake, word_upkeep
from memories.services.erasing import verification
from memories.services.exchange import exporting
from memories.services.exchange.tables import Extent
from sources import connections
from sources.choices import SourceType
from sources.models import Source, SyncRun
from sources.syncing import engine
from tests import guards

pytestmark = pytest.mark.django_db

VAULT, TARNVIK = "The vault word is marigold-77.", "The vault is in Tarnvik."
WORD = "marigold-77"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "vault.md").write_text(f"{VAULT} {TARNVIK}\n")
    return folder


@pytest.fixture
def source(lighthouse: Product, docs: Path) -> Source:
    return connections.connect(product=lighthouse, type_=SourceType.FOLDER, name="docs", entered={"path": str(docs)})


def sync(source: Source) -> SyncRun:
    run = engine.sync(source.pk, trigger=Trigger.PERSON)
    assert run is not None
    assert (run.error, run.failed) == ("", 0)
    return run


def erase(*arguments: Any, **options: Any) -> dict[str, Any]:
    guards.check_deferred()  # as if what came before were committed
    out = StringIO()
    call_command("erase", *map(str, arguments), json=True, stdout=out, **options)
    return dict(json.loads(out.getvalue()))


def traces() -> list[str]:
    return [f"{each.table}.{each.column}" for each in verification.traces_of(WORD)]


def test_erased_is_erased(lighthouse: Product, source: Source, docs: Path, a1: Actor) -> None:
    sync(source)
    intake.remember(by=a1, text=f"Notes. {VAULT} The lamp is green.", wait=True)
    vault = Memory.objects.get(content=VAULT, status=Status.VERIFIED)  # it took the place of the folder's weaker copy
    edited = editing.revise(by=a1, memory_id=vault.pk, content="The vault word is marigold-77 since May.")
    assert len(traces()) > 6

    would = erase(vault.pk)["would"]
    assert (would["statements"], would["texts"], would["texts_masked"]) == (3, 0, 2)
    assert len(traces()) > 6

    told = erase(vault.pk, yes=True, reason=f"Leaked: {VAULT}")
    word_upkeep.index_waiting()
    embedding_upkeep.embed_waiting()

    assert traces() == []
    assert WORD not in "".join(exporting.lines(Extent(lighthouse)))
    receipt = ErasureReceipt.objects.get(pk=told["receipts"][0])
    assert (receipt.by, receipt.counts["statements"]) != ("", 0)
    assert "marigold" not in str(receipt.__dict__)
    versions = Memory.objects.exclude(erased_at=None)
    assert sorted(versions.values_list("status", flat=True)) == ["retired", "superseded", "superseded"]
    assert {each.verb for each in history.of(Memory.objects.get(pk=vault.pk))} >= {"add", "edit", "erase"}
    assert {each.content for each in history.of(Memory.objects.get(pk=edited.fact.pk))} == {""}

    tarnvik = Memory.objects.get(content=TARNVIK)
    assert tarnvik.is_current
    passage = Evidence.objects.get(memory=tarnvik)
    assert passage.raw is not None
    assert passage.raw.content[passage.start : passage.end] == TARNVIK == passage.excerpt
    assert Entity.objects.filter(name="Tarnvik").exists()
    assert not Entity.objects.filter(name__icontains="marigold").exists()

    sync(source)
    (docs / "vault.md").write_text(f"{VAULT} {TARNVIK} The door is oak.\n")
    run = sync(source)
    assert run.changed == 1
    assert Write.objects.latest("id").left_out == 1
    (docs / "copy.md").write_text(f"{VAULT}\n")
    sync(source)
    again = intake.remember(by=a1, text=f"By the way: the door squeaks. {VAULT}", wait=True)
    assert (again.state, again.left_out) == ("done", 1)
    assert traces() == []
    assert Memory.objects.get(content=TARNVIK).is_current
    assert Memory.objects.get(content="The door is oak.").is_current
