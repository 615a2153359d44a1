"""A restore rehearsed: what comes back answers like what was backed up, and is guarded like it."""

import hashlib
import json
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from memories.actors import Actor
from memories.choices import Scope, Status, VerdictGiven
from memories.models import Memory, MemoryEvent, Write
from memories.services import editing, history, recall, resolving
from neuronz.backups import BackupError, manifest, programs
from neuronz.backups.making import back_up
from neuronz.backups.restoring import look_into, restore
from tests import factories, guards
from tests.backups.conftest import Elsewhere

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def keys_are_made(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test's own, with the keys that it made."""
    settings.DATA_DIR = tmp_path
    for name in manifest.KEYS:
        (tmp_path / name).write_text(f"the {name}")
    settings.SECRET_KEY, settings.ERASURE_KEY = "the secret_key", "the erasure_key"
    settings.SOURCE_SECRET_KEYS = ["the source_key"]
    return tmp_path


def live(by: Actor, other: Actor) -> None:
    """Facts, versions, a pair, private ones, texts read and waiting, a settled name."""
    old = factories.fact(by, "The Harbor gateway listens on port 8443.")
    new = factories.fact(by, "The Harbor gateway listens on port 9443.")
    resolving.resolve(by=by, newer_id=new.pk, older_id=old.pk, verdict=VerdictGiven.CONTRADICTS)
    ferry = factories.fact(by, "The ferry leaves at nine.", tags=("ops",), metadata={"a": [1, None, {"b": "é"}]})
    editing.revise(by=by, memory_id=ferry.pk, content="The ferry leaves at ten.", why="late")
    factories.fact(other, "The safe word is kept by Ana Lima.", scope=Scope.PRIVATE)
    factories.write(by, "# Ports\n\nPiräus ist ein Hafen. 仓库钥匙放在前台抽屉里。")
    factories.write(by, "This text still waits for a reader.", wait=False)


def answers(*actors: Actor) -> dict[str, Any]:
    """What each would be told: searches with their order, and every row's history."""
    queries = ("gateway port", "when does the ferry leave", "Piräus", "前台抽屉", "safe word")
    found = {
        f"{by.name}: {query}": [(str(hit.memory.pk), hit.memory.content) for hit in recall.search(by=by, q=query).hits]
        for by in actors
        for query in queries
    }
    told = {
        str(memory.pk): [(str(move.at), move.verb, move.why, move.content) for move in history.of(memory)]
        for memory in Memory.objects.visible_to(actors[0])
    }
    return {"found": found, "history": told, "rows": manifest.row_counts(), "keepers": keepers()}


def keepers() -> dict[str, list[tuple[Any, ...]]]:
    """What the database keeps its promises with, and how far its sequences have come."""
    # By name: the same condition is written with other brackets once it has been dumped.
    queries = {
        "triggers": "SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal",
        "functions": "SELECT proname, md5(prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
        "constraints": "SELECT conrelid::regclass::text, conname, convalidated FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace",
        "indexes": "SELECT indrelid::regclass::text, indexrelid::regclass::text, indisvalid, indisunique FROM pg_index"
        " JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace",
        "sequences": "SELECT sequencename, last_value FROM pg_sequences",
    }
    found = {}
    with connection.cursor() as cursor:
        for name, query in queries.items():
            cursor.execute(query)
            found[name] = sorted(cursor.fetchall(), key=str)
    return found


def test_what_was_restored_answers_like_what_was_backed_up(
    a1: Actor, a2: Actor, b1: Actor, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    live(a1, a2)
    before = answers(a1, a2, b1)
    made = back_up(tmp_path / "all.backup")
    factories.fact(a1, "This came after the backup.")
    with elsewhere():
        done = restore(made.path)
        assert answers(a1, a2, b1) == before
        assert done.manifest == made.manifest == look_into(made.path)
        assert done.manifest.rows == before["rows"]
        assert done.migrations == 0


def test_what_was_restored_is_guarded_keeps_history_and_goes_on_counting(
    a1: Actor, a2: Actor, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    live(a1, a2)
    kept = Memory.objects.get(content="The ferry leaves at ten.")
    made = back_up(tmp_path / "all.backup")
    with elsewhere():
        restore(made.path)
        with guards.refused_by("Memory:written_stays_written"):
            Memory.objects.filter(pk=kept.pk).update(content="The ferry sank.")
        with guards.refused_by("Memory:no_deletes"):
            guards.delete(kept)
        events = MemoryEvent.objects.count()
        saved = factories.add(a1, "The Harbor gateway listens on port 8443.")
        assert saved.fact.status == Status.DISPUTED
        assert {trigger.get_installation_status(model) for model, trigger in pgtrigger.registered()} == {
            ("INSTALLED", True)
        }
        assert factories.fact(a1, "A new fact.").pk != kept.pk
        assert MemoryEvent.objects.count() > events


def test_a_text_that_waited_is_read_after_the_restore(
    a1: Actor, elsewhere: Elsewhere, tmp_path: Path, read_queued: Any
) -> None:
    factories.write(a1, "The ferry has two decks.", wait=False)
    made = back_up(tmp_path / "all.backup")
    with elsewhere():
        restore(made.path)
        assert read_queued() == 1
        assert factories.contents(Write.objects.get()) == ["The ferry has two decks."]
    assert Write.objects.unfinished().count() == 1


def test_a_key_of_an_agent_works_after_the_restore(a1_key: str, elsewhere: Elsewhere, tmp_path: Path) -> None:
    made = back_up(tmp_path / "all.backup")
    with elsewhere():
        restore(made.path)
        assert factories.caller(a1_key).name == "a1"


# --- what is in the file --------------------------------------------------------------------------------


def test_the_file_is_its_owners_alone_and_nothing_else_is_left(db: None, keys_are_made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    made = back_up(folder / "all.backup")
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in folder.iterdir()] == ["all.backup"]
    with tarfile.open(made.path) as archive:
        names = archive.getnames()
    assert names == ["manifest.json", "keys/secret_key", "keys/source_key", "keys/erasure_key", "database.dump"]
    assert "the erasure_key" not in json.dumps(made.manifest.marks)


def test_keys_go_along_into_the_new_data_folder(
    keys_are_made: Path, elsewhere: Elsewhere, tmp_path: Path, settings: Settings
) -> None:
    made = back_up(tmp_path / "all.backup")
    settings.DATA_DIR = tmp_path / "another"
    settings.DATA_DIR.mkdir()
    with elsewhere():
        assert restore(made.path).keys == sorted(manifest.KEYS)
    for name in manifest.KEYS:
        file = settings.DATA_DIR / name
        assert (file.read_text(), file.stat().st_mode & 0o777) == (f"the {name}", 0o600)


def test_keys_of_the_environment_stay_where_they_are_and_other_ones_are_named(
    keys_are_made: Path, elsewhere: Elsewhere, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEURONZ_ERASURE_KEY", "the erasure_key")
    made = back_up(tmp_path / "all.backup")
    assert made.manifest.keys == ["secret_key", "source_key"]
    settings.ERASURE_KEY = "another"
    with elsewhere():
        assert restore(made.path).other_keys == ["erasure_key"]


def test_keys_are_left_out_on_request_and_it_says_so(
    db: None, keys_are_made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("backup", str(tmp_path / "all.backup"), without_keys=True)
    told = capsys.readouterr().out
    assert "Keys in it: none." in told
    assert "Not in it: erasure_key, secret_key, source_key." in told


# --- refusals -------------------------------------------------------------------------------------------


def test_a_database_with_tables_in_it_is_never_overwritten(a1: Actor, tmp_path: Path) -> None:
    made = back_up(tmp_path / "all.backup")
    factories.fact(a1, "The lamp is lit.")
    with pytest.raises(CommandError, match="The database is not empty, and a restore never overwrites"):
        call_command("restore", str(made.path))
    assert Memory.objects.count() == 1


def test_a_file_that_is_there_is_not_overwritten(db: None, tmp_path: Path) -> None:
    (tmp_path / "all.backup").write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(tmp_path / "all.backup"))
    assert (tmp_path / "all.backup").read_text() == "mine"


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("postgresql", 99, r"The backup is of PostgreSQL 99 and this database is PostgreSQL \d+"),
        ("pgvector", "9.0", r"The backup is of pgvector 9.0 and this server has"),
        ("migrations", ["memories.9999_later"], r"made by a newer version of Neuronz \(memories.9999_later"),
        ("format", 2, "This backup is of a newer form"),
        ("sha256", "0" * 64, "Its dump is not the one that was written"),
        ("rows", {}, "these tables have another number of rows"),
    ],
)
def test_versions_that_do_not_fit_are_refused_with_a_sentence(
    elsewhere: Elsewhere, tmp_path: Path, column: str, value: Any, sentence: str
) -> None:
    made = back_up(tmp_path / "all.backup")
    changed = repack(made.path, tmp_path / "changed.backup", {column: value})
    with elsewhere(), pytest.raises(CommandError, match=sentence):
        call_command("restore", str(changed))


@pytest.mark.parametrize("content", [b"", b"PGDMP", b"\0" * 10_240])
def test_what_is_no_backup_is_refused(db: None, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd").write_bytes(content)
    with pytest.raises(BackupError, match="no backup of Neuronz"):
        restore(tmp_path / "odd")
    with pytest.raises(BackupError, match="can't be read"):
        restore(tmp_path / "nothing")


def test_a_dump_that_breaks_off_leaves_the_database_empty(a1: Actor, elsewhere: Elsewhere, tmp_path: Path) -> None:
    factories.fact(a1, "The lamp is lit.")
    made = back_up(tmp_path / "all.backup")
    whole = unpack(made.path)["database.dump"]
    half = whole[: len(whole) // 2]
    broken = repack(
        made.path, tmp_path / "half.backup", {"sha256": hashlib.sha256(half).hexdigest()}, {"database.dump": half}
    )
    with elsewhere():
        with pytest.raises(BackupError, match="pg_restore failed, and the database is as it was"):
            restore(broken)
        assert manifest.row_counts() == {}


def test_a_server_newer_than_every_program_is_refused(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "server_version", lambda: 99)
    with pytest.raises(BackupError, match="install the client programs of PostgreSQL 99"):
        programs.program("pg_dump")


def unpack(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        return {each.name: archive.extractfile(each).read() for each in archive}  # type: ignore[union-attr]  # files all


def repack(path: Path, to: Path, told: dict[str, Any], contents: dict[str, bytes] | None = None) -> Path:
    """The backup with something else in its manifest."""
    files = unpack(path) | (contents or {})
    files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | told).encode()
    with tarfile.open(to, "w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, BytesIO(content))
    return to
