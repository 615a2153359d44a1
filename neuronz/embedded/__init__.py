"""The data folder, and the addresses of the embedded servers in it.

Used when DATABASE_URL or CELERY_BROKER_URL is not set. Addresses follow from the data folder alone, so settings can
name them before anything runs; `attachment.py` makes the servers run.

    DATA_DIR/secret_key, servers.password    postgres/, valkey/   what they store
             run/     sockets                locks/   who uses what               logs/   what they say
"""

import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from django.core.exceptions import ImproperlyConfigured

from neuronz.embedded.locks import is_held

POSTGRES, VALKEY = "postgres", "valkey"
DATABASE = "neuronz"
#: A Unix socket's path may hold 107 bytes on Linux and 103 on macOS.
LONGEST_SOCKET_PATH = 100
LARGEST_LOG = 5 * 2**20


class StartError(ImproperlyConfigured):
    """The data folder or a server in it cannot be used; the text is a sentence for the person who started it."""


def secret_key(data_dir: Path) -> str:
    """Django's SECRET_KEY, made once per data folder."""
    return _kept_secret(data_dir, "secret_key")


def source_key(data_dir: Path) -> str:
    """What the credentials of sources are encrypted with, where no key is configured; made once per data folder."""
    return _kept_secret(data_dir, "source_key")


def erasure_key(data_dir: Path) -> str:
    """What erased statements are hashed with, where no key is configured; made once per data folder."""
    return _kept_secret(data_dir, "erasure_key")


def metrics_dir(configured: str, data_dir: Path) -> str:
    """The folder in which processes share their counts, made if it is missing; empty where it can't be made."""
    folder = Path(configured) if configured else data_dir / "metrics"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(folder)


def database_url(data_dir: Path) -> str:
    if sockets_fit(data_dir):
        return f"postgresql://postgres@{quote(str(data_dir / 'run'), safe='')}/{DATABASE}"
    return f"postgresql://postgres:{password(data_dir)}@127.0.0.1:{port(data_dir, POSTGRES)}/{DATABASE}"


def broker_url(data_dir: Path) -> str:
    if sockets_fit(data_dir):
        return f"redis+socket://{quote(str(valkey_socket(data_dir)))}?virtual_host=0"
    return f"redis://:{password(data_dir)}@127.0.0.1:{port(data_dir, VALKEY)}/0"


def sockets_fit(data_dir: Path) -> bool:
    """Sockets are guarded by the folder's permissions; where the path is too long, ports and a password do it."""
    return len(os.fsencode(data_dir / "run" / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH


def valkey_socket(data_dir: Path) -> Path:
    return data_dir / "run" / "valkey.sock"


def password(data_dir: Path) -> str:
    return _kept_secret(data_dir, "servers.password")


def port(data_dir: Path, name: str) -> int:
    """The port recorded for a server, or a free one if there is none yet or a stranger took it meanwhile."""
    make_data_dir(data_dir)
    record = data_dir / f"{name}.port"
    with suppress(OSError, ValueError):
        recorded = int(record.read_text())
        if is_held(keeper_lock(data_dir, name)) or port_is_free("127.0.0.1", recorded):
            return recorded
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = int(probe.getsockname()[1])
    record.write_text(str(free))
    return free


def port_is_free(host: str, number: int) -> bool:
    family = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0][0]
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, number))
        except OSError:
            return False
    return True


def keeper_lock(data_dir: Path, name: str) -> Path:
    """Held by the one process that runs the server."""
    return data_dir / "locks" / f"{name}.keeper"


def users_lock(data_dir: Path, name: str) -> Path:
    """Held, shared, by every process that wants the server to run."""
    return data_dir / "locks" / f"{name}.users"


def make_data_dir(data_dir: Path) -> None:
    """Make the data folder, private to its owner, and see that it can be written."""
    try:
        if not data_dir.exists():
            data_dir.mkdir(mode=0o700, parents=True)
        for name in ("locks", "logs"):
            (data_dir / name).mkdir(mode=0o700, exist_ok=True)  # a log may quote what was stored
        (data_dir / "locks" / "start").touch()
    except OSError as error:
        raise _unusable(data_dir, error) from error


def log_file(data_dir: Path, name: str) -> Path:
    """Where a part writes from now on; a log that has grown large is put aside first."""
    path = data_dir / "logs" / f"{name}.log"
    with suppress(FileNotFoundError):
        if path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
    return path


def _kept_secret(data_dir: Path, name: str) -> str:
    """A random text made once; of two processes that make it at the same time, one wins and both read the winner's."""
    path = data_dir / name
    try:
        if not path.exists():
            make_data_dir(data_dir)
            draft = data_dir / f"{name}.{os.getpid()}"
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(48))
            with suppress(FileExistsError):
                os.link(draft, path)
            draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise _unusable(data_dir, error) from error


def _unusable(data_dir: Path, error: OSError) -> StartError:
    return StartError(
        f"The data folder {data_dir} cannot be used ({error.strerror}: {error.filename}); "
        "set NEURONZ_DATA_DIR to a folder that you may write."
    )
