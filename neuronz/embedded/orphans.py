"""Servers that no keeper runs any more, and the files with their process numbers."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from neuronz.embedded.servers import Server

STOP_PATIENCE = 30.0
#: A process number that no system gives out.
NOBODYS_PID = "99999999"
#: The program of a process that has ended, and whose number is kept because its parent has not noticed yet.
ZOMBIE = "(ended)"


def settle_pid_file(server: Server) -> None:
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
