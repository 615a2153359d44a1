"""Makes the embedded servers of a data folder run, for as long as anybody is attached to them.

Any number of processes may attach: `manage.py up`, a command beside it, a command alone. Whoever comes first starts a
keeper (see `keeper.py`), which stops the server after the last one has gone.
"""

import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from neuronz import embedded
from neuronz.embedded import POSTGRES, StartError
from neuronz.embedded.cluster import prepare
from neuronz.embedded.locks import FileLock, is_held
from neuronz.embedded.orphans import settle_pid_file
from neuronz.embedded.servers import Server, postgres, valkey

#: Seconds until a server answers; PostgreSQL replays its log after a crash before it does.
START_PATIENCE = 120.0
STOP_PATIENCE = 30.0

_MOST_TRIES = 3


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
        keeper, tries = self._keepers.get(name), 1
        while not server.answers():
            ended = keeper.poll() is not None if keeper else not is_held(lock)
            if time.monotonic() > deadline or (ended and tries == _MOST_TRIES):
                raise _no_answer(self._data_dir, name)
            if ended:  # it met what one that was killed had left behind
                tries += 1
                keeper = self._keepers[name] = self._start_keeper(server)
            time.sleep(0.05)

    def _server(self, name: str) -> Server:
        return postgres(self._data_dir, careless=self._throw_away) if name == POSTGRES else valkey(self._data_dir)

    def _start_keeper(self, server: Server) -> subprocess.Popen[bytes]:
        account = prepare(self._data_dir)
        settle_pid_file(server)
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


def _no_answer(data_dir: Path, name: str) -> StartError:
    log = data_dir / "logs" / f"{name}.log"
    with suppress(OSError):
        lines = log.read_text(errors="replace").splitlines()
        last = " ".join([line for line in lines if not line.startswith("keeper:")][-2:])
        return StartError(f"The embedded {name} did not start; its log {log} ends with: {last}")
    return StartError(f"The embedded {name} did not start, and left no log in {log.parent}.")
