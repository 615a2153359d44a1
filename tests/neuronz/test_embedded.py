"""The data folder's addresses, and its servers through all the ways in which they and their users can die."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import pytest
from kombu import Connection

from neuronz import embedded, env
from neuronz.embedded import POSTGRES, VALKEY, StartError
from neuronz.embedded.attachment import Attachment
from neuronz.embedded.locks import is_held
from neuronz.embedded.orphans import ZOMBIE, program_of


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A short path, as sockets need one; pytest's own temporary folders are long."""
    folder = Path(tempfile.mkdtemp(prefix="nz "))
    yield folder / "Data é%20"
    shutil.rmtree(folder, ignore_errors=True)


def is_running(data_dir: Path, name: str) -> bool:
    return data_dir.exists() and is_held(embedded.keeper_lock(data_dir, name))


def wait_until(claim: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def ask(data_dir: Path, query: str) -> list[tuple[object, ...]]:
    described = env.database("DATABASE_URL", embedded.database_url(data_dir))
    with psycopg.connect(
        host=described["HOST"],
        port=described["PORT"] or None,
        user=described["USER"],
        password=described["PASSWORD"] or None,
        dbname=described["NAME"],
        autocommit=True,
    ) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall() if cursor.description else []


def processes_of(data_dir: Path) -> dict[str, int]:
    """The keepers and servers of the folder, by what they are."""
    found = {}
    for name, program in ((POSTGRES, "postmaster.pid"), (VALKEY, "valkey.pid")):
        file = data_dir / (POSTGRES if name == POSTGRES else "run") / program
        found[name] = int(file.read_text().split()[0])
        found[f"{name} keeper"] = parent_of(found[name])
    return found


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_the_secret_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    key = embedded.secret_key(tmp_path / "data")

    assert embedded.secret_key(tmp_path / "data") == key
    assert len(key) >= 50
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_addresses_need_no_running_server_and_stay_the_same(data_dir: Path) -> None:
    url = urlsplit(embedded.database_url(data_dir))

    assert unquote(url.netloc) == f"postgres@{data_dir / 'run'}"
    assert embedded.broker_url(data_dir) == embedded.broker_url(data_dir)
    assert not data_dir.exists()


def test_a_folder_that_cannot_be_written_is_refused_with_a_sentence() -> None:
    with pytest.raises(StartError, match=r"The data folder /dev/null/x cannot be used .* set NEURONZ_DATA_DIR"):
        embedded.secret_key(Path("/dev/null/x"))


def test_servers_run_while_anybody_uses_them(data_dir: Path) -> None:
    first = Attachment(data_dir, [POSTGRES, VALKEY])
    second = Attachment(data_dir, [POSTGRES])

    first.release()
    assert ask(data_dir, "SELECT current_setting('fsync')") == [("on",)]
    assert not is_running(data_dir, VALKEY)

    second.release()
    assert not is_running(data_dir, POSTGRES)
    with pytest.raises(psycopg.OperationalError):
        ask(data_dir, "SELECT 1")


def test_the_database_takes_vectors_and_the_broker_takes_messages(data_dir: Path) -> None:
    attachment = Attachment(data_dir, [POSTGRES, VALKEY])

    ask(data_dir, "CREATE EXTENSION vector")
    assert ask(data_dir, "SELECT '[1,2]'::vector <-> '[1,2]'") == [(0.0,)]
    with Connection(embedded.broker_url(data_dir)) as broker, broker.SimpleQueue("letters") as queue:
        queue.put("hello")
        assert queue.get(timeout=5).payload == "hello"
    attachment.release()


def test_a_path_too_long_for_sockets_gets_ports_and_a_password(data_dir: Path) -> None:
    deep = data_dir.parent / ("deep" * 20) / "data"
    attachment = Attachment(deep, [POSTGRES, VALKEY])

    assert "@127.0.0.1:" in embedded.database_url(deep)
    assert ask(deep, "SELECT 1") == [(1,)]
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(host="127.0.0.1", port=embedded.port(deep, POSTGRES), user="postgres", password="guess")
    with Connection(embedded.broker_url(deep)) as broker:
        broker.connect()
    attachment.release()


def test_after_everything_was_killed_the_next_start_finds_what_was_written(data_dir: Path) -> None:
    user = start_user(data_dir)
    ask(data_dir, "CREATE TABLE kept AS SELECT 42 AS answer")
    with Connection(embedded.broker_url(data_dir)) as broker, broker.SimpleQueue("letters") as queue:
        queue.put("kept")
        time.sleep(1.1)  # Valkey writes its log to disk every second
    for pid in (user.pid, *processes_of(data_dir).values()):
        os.kill(pid, signal.SIGKILL)
    user.wait()

    attachment = Attachment(data_dir, [POSTGRES, VALKEY])

    assert ask(data_dir, "SELECT answer FROM kept") == [(42,)]
    with Connection(embedded.broker_url(data_dir)) as broker, broker.SimpleQueue("letters") as queue:
        assert queue.get(timeout=5).payload == "kept"
    attachment.release()


def test_servers_stop_in_order_when_their_only_user_is_killed(data_dir: Path) -> None:
    user = start_user(data_dir)
    user.kill()
    user.wait()

    wait_until(lambda: not is_running(data_dir, POSTGRES) and not is_running(data_dir, VALKEY))
    assert "database system is shut down" in (data_dir / "logs" / "postgres.log").read_text()


def test_a_server_that_dies_is_started_again_by_its_keeper(data_dir: Path) -> None:
    attachment = Attachment(data_dir, [POSTGRES, VALKEY])
    before = processes_of(data_dir)

    os.kill(before[POSTGRES], signal.SIGKILL)

    wait_until(lambda: answers(data_dir))
    assert processes_of(data_dir)["postgres keeper"] == before["postgres keeper"]
    attachment.release()


def test_a_keeper_that_dies_takes_its_server_along_and_ensure_starts_both_again(data_dir: Path) -> None:
    attachment = Attachment(data_dir, [POSTGRES, VALKEY])
    before = processes_of(data_dir)

    os.kill(before["postgres keeper"], signal.SIGKILL)

    wait_until(lambda: not is_alive(before[POSTGRES]))
    assert attachment.ensure() == [POSTGRES]
    assert attachment.ensure() == []
    assert answers(data_dir)
    attachment.release()


def test_a_stale_number_that_now_is_another_process_does_not_prevent_the_start(data_dir: Path) -> None:
    Attachment(data_dir, [POSTGRES]).release()
    stale = [str(os.getpid()), str(data_dir / POSTGRES), "1", "5432", str(data_dir / "run"), "", "0 0", "ready"]
    (data_dir / POSTGRES / "postmaster.pid").write_text("\n".join(stale) + "\n")

    attachment = Attachment(data_dir, [POSTGRES])

    assert answers(data_dir)
    attachment.release()


def test_a_first_start_that_was_interrupted_is_begun_again(data_dir: Path) -> None:
    embedded.make_data_dir(data_dir)
    (data_dir / "postgres.draft").mkdir()
    (data_dir / "postgres.draft" / "PG_VERSION").write_text("18")

    attachment = Attachment(data_dir, [POSTGRES])

    assert answers(data_dir)
    attachment.release()


def test_a_server_that_cannot_start_is_reported_with_the_end_of_its_log(data_dir: Path) -> None:
    Attachment(data_dir, [POSTGRES]).release()
    with (data_dir / POSTGRES / "postgresql.conf").open("a") as settings:
        settings.write("nonsense = on\n")

    with pytest.raises(StartError, match=r"The embedded postgres did not start; its log .*nonsense"):
        Attachment(data_dir, [POSTGRES])


def test_files_of_another_postgresql_are_refused_with_the_way_out(data_dir: Path) -> None:
    Attachment(data_dir, [POSTGRES]).release()
    (data_dir / POSTGRES / "PG_VERSION").write_text("17\n")

    with pytest.raises(StartError, match=r"made by PostgreSQL 17, .* `manage.py backup`, .* `manage.py restore`"):
        Attachment(data_dir, [POSTGRES])


def test_the_log_never_quotes_what_was_being_stored(data_dir: Path) -> None:
    attachment = Attachment(data_dir, [POSTGRES])
    ask(data_dir, "CREATE TABLE kept (word text UNIQUE)")
    for _ in range(2):
        with suppress(psycopg.Error):
            ask(data_dir, "INSERT INTO kept VALUES ('marigold-77')")
    attachment.release()

    log = (data_dir / "logs" / "postgres.log").read_text()
    assert "duplicate key value violates" in log
    assert "INSERT INTO" not in log
    assert "(word)=(marigold-77)" not in log


def start_user(data_dir: Path) -> subprocess.Popen[str]:
    """Another process that uses the servers, until it is killed."""
    code = (
        "import sys, time; from pathlib import Path; from neuronz.embedded.attachment import Attachment;"
        "held = Attachment(Path(sys.argv[1]), ['postgres', 'valkey']); print('ready', flush=True); time.sleep(60)"
    )
    user = subprocess.Popen([sys.executable, "-c", code, str(data_dir)], stdout=subprocess.PIPE, text=True)
    assert user.stdout
    assert user.stdout.readline() == "ready\n"
    user.stdout.close()
    return user


def answers(data_dir: Path) -> bool:
    try:
        return ask(data_dir, "SELECT 1") == [(1,)]
    except psycopg.OperationalError:
        return False


def is_alive(pid: int) -> bool:
    return program_of(pid) not in ("", ZOMBIE)
