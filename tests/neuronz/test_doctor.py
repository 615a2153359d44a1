"""`manage.py doctor` finds what is wrong, says what to do, and ends with a code that a program can act on."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from memories import embeddings
from memories.actors import Actor
from memories.models import AgentKey, Product, Pulse, Write
from memories.services import claims
from neuronz import metrics
from neuronz.celery import app
from neuronz.doctor import machine
from sources.choices import SourceState, SourceType
from sources.models import Source
from tests import factories, guards
from tests.stubs import BrokenEmbedder

pytestmark = pytest.mark.django_db


@pytest.fixture
def well(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that answers and a clock that ticks: neither runs in tests."""
    monkeypatch.setattr(app.control, "ping", lambda **_: [{"worker@here": {"ok": "pong"}}])
    Pulse.objects.create(task="sweep_writes", at=timezone.now())


def examined(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, dict[str, list[dict[str, str]]]]:
    """The exit code and what was found, by part; what is well is left out."""
    code = 0
    try:
        call_command("doctor", json=True, **options)
    except SystemExit as stop:
        code = int(stop.code or 0)
    found: dict[str, list[dict[str, str]]] = {}
    for each in json.loads(capsys.readouterr().out):
        if each["level"] != "ok":
            found.setdefault(each["part"], []).append(each)
    return code, {part: each for part, each in found.items() if part != "settings"}


def test_a_server_that_is_well_has_nothing_to_be_said_of(well: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert examined(capsys) == (0, {})


def test_people_read_what_to_do(well: None, a1: Actor, capsys: pytest.CaptureFixture[str]) -> None:
    Pulse.objects.all().delete()
    with pytest.raises(SystemExit):
        call_command("doctor")
    told = capsys.readouterr().out
    assert "PROBLEM beat: No task of the clock has run ever.\n        -> Start ./bin/up" in told
    assert "1 problems" in told


def test_without_a_worker_and_a_clock_it_says_so(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    Pulse.objects.create(task="sweep_writes", at=timezone.now() - timedelta(minutes=5))
    code, found = examined(capsys)
    assert (code, set(found)) == (1, {"worker", "beat"})


def test_writes_that_failed_or_are_stuck_are_named(
    well: None, a1: Actor, clock: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    held = claims.claim(factories.write(a1, "The ferry leaves at nine.", wait=False).pk)
    assert held
    claims.fail(held, reason="broken")
    factories.write(a1, "The ferry has two decks.", wait=False)
    clock.now = timezone.now() + timedelta(hours=3, minutes=5)
    Pulse.objects.update(at=clock.now)
    _, found = examined(capsys)
    sentences = [each["sentence"] for each in found["writes"]]
    assert sentences[0].startswith("1 failed")
    assert "has waited for 3 hours" in sentences[1]
    assert Write.objects.count() == 2


def test_vectors_that_wait_and_a_broken_embedder_are_named(
    well: None, a1: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    with embeddings.override(BrokenEmbedder()):
        factories.fact(a1, "The lamp is lit.")
        code, found = examined(capsys)
    assert (code, set(found)) == (1, {"embedder", "vectors"})
    assert found["embedder"][0]["sentence"] == "The stub is told to fail."


def test_warnings_alone_are_no_failure_unless_asked_for(
    well: None, lighthouse: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    Source.objects.create(product=lighthouse, type=SourceType.FOLDER, name="one", failures=2)
    Source.objects.create(product=lighthouse, type=SourceType.FOLDER, name="two", state=SourceState.PAUSED)
    code, found = examined(capsys)
    assert (code, [each["sentence"] for each in found["sources"]]) == (0, ["1 fail.", "1 are paused."])
    assert examined(capsys, strict=True)[0] == 1


def test_keys_that_end_soon_are_named(well: None, a1: Actor, capsys: pytest.CaptureFixture[str]) -> None:
    AgentKey.objects.update(expires_at=timezone.now() + timedelta(days=3))
    _, found = examined(capsys)
    assert found["keys"][0]["sentence"] == "Keys of lighthouse/a1 end within 14 days."


def test_a_guard_that_somebody_took_away_is_named(well: None, capsys: pytest.CaptureFixture[str]) -> None:
    guards.execute("ALTER TABLE memories_product DISABLE TRIGGER USER")
    code, found = examined(capsys)
    assert (code, set(found)) == (1, {"guards"})
    assert "memories.Product:no_deletes" in found["guards"][0]["sentence"]


def test_an_index_that_was_not_finished_is_named(well: None, capsys: pytest.CaptureFixture[str]) -> None:
    guards.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'write_newest_first'::regclass")
    code, found = examined(capsys)
    assert (code, found["indexes"][0]["remedy"][:47]) == (1, "DROP INDEX CONCURRENTLY write_newest_first; if ")


def test_a_migration_that_waits_is_named(well: None, capsys: pytest.CaptureFixture[str]) -> None:
    newest = "SELECT max(id) FROM django_migrations WHERE app = 'memories'"
    guards.execute(f"DELETE FROM django_migrations WHERE id = ({newest})")  # noqa: S608  # our own words
    code, found = examined(capsys)
    assert (code, found["migrations"][0]["sentence"]) == (1, "1 wait.")


def test_a_long_queue_is_a_warning(
    well: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "queue_depths", lambda _: {"celery": 5_000})
    code, found = examined(capsys)
    assert (code, found["broker"][0]["sentence"]) == (0, "Messages wait: celery 5,000.")


def test_a_full_disk_and_readable_keys_are_problems(
    well: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "secret_key").write_text("x")
    (tmp_path / "secret_key").chmod(0o644)
    monkeypatch.setattr(machine, "TIGHT", 2**60)
    code, found = examined(capsys)
    assert (code, set(found)) == (1, {"disk", "data folder"})


def test_a_part_that_cannot_be_looked_at_stops_nothing(
    well: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: object) -> dict[str, int]:
        raise ConnectionRefusedError("redis://:secret@host")

    monkeypatch.setattr(metrics, "queue_depths", away)
    code, found = examined(capsys)
    assert (code, found["broker"][0]["sentence"]) == (1, "Could not be looked at: ConnectionRefusedError.")
    assert set(found) == {"broker"}
