"""Runs one server for as long as anybody uses it: the last one out turns off the light.

Users hold a shared lock on one file. The kernel lets a lock go however its holder dies, so after a `kill -9` of the
supervisor, a command or the tests, the keeper still stops the server in order, and no count of users can go wrong.
If the keeper itself is killed, Linux tells the server to stop.

Run as a script by `attachment.py`, isolated and with the standard library only, so that it stays small.
"""

import argparse
import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable

PATROL = 0.2  # seconds between two looks at the users and the server
PATIENCE = 30.0  # seconds a server gets to stop in order
MOST_FAILURES = 4  # this many starts in a row that end within a minute: give up and leave the reason in the log
PR_SET_PDEATHSIG = 1


def main() -> int:
    options = read_arguments()
    own = lock_patiently(options.own)
    if own is None:
        return 0  # another keeper has it
    users = os.open(options.users, os.O_RDWR | os.O_CREAT, 0o600)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        return keep(options, users)
    finally:
        if options.remove:
            shutil.rmtree(options.remove, ignore_errors=True)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--own", required=True)
    parser.add_argument("--users", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--signal", type=int, required=True)
    parser.add_argument("--uid", type=int)
    parser.add_argument("--gid", type=int)
    parser.add_argument("--remove", default="")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def lock_patiently(path: str) -> int | None:
    """The lock of the only keeper; tried for a second, because others probe it for a moment."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    for _ in range(20):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
        else:
            return descriptor
    return None


def keep(options: argparse.Namespace, users: int) -> int:
    """Start the server again whenever it ends by itself; stop it when nobody is left."""
    failures = 0
    while True:
        started = time.monotonic()
        with start(options) as server:
            try:
                unused = watch(server, users)
            finally:
                stop(server, options.signal)
        if unused:
            return 0
        failures = failures + 1 if time.monotonic() - started < 60 else 1
        say(options.log, f"{options.command[0]} ended by itself with code {server.returncode}.")
        if failures == MOST_FAILURES:
            return 1
        time.sleep(min(0.2 * 2**failures, 5.0))


def start(options: argparse.Namespace) -> subprocess.Popen[bytes]:
    with open(options.log, "ab") as log:  # noqa: PTH123 -- no pathlib: it would be a third of the start-up time
        return subprocess.Popen(  # noqa: S603 -- the command comes from neuronz.embedded
            options.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=options.folder,
            user=options.uid,
            group=options.gid,
            extra_groups=None if options.uid is None else [],
            start_new_session=True,
            preexec_fn=stop_with_parent(options.signal),  # noqa: PLW1509 -- the keeper has one thread
        )


def stop_with_parent(signal_number: int) -> Callable[[], None] | None:
    """Ask Linux to signal the server when this process dies; elsewhere the next start finds the orphan."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal_number)


def watch(server: subprocess.Popen[bytes], users: int) -> bool:
    """True once nobody uses the server, False if it ended by itself."""
    while server.poll() is None:
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(PATROL)
        else:
            return True
    return False


def stop(server: subprocess.Popen[bytes], signal_number: int) -> None:
    for number, patience in ((signal_number, PATIENCE), (signal.SIGKILL, None)):
        if server.poll() is not None:
            return
        server.send_signal(number)
        try:
            server.wait(patience)
        except subprocess.TimeoutExpired:
            continue


def say(log: str, sentence: str) -> None:
    with open(log, "a", encoding="utf-8") as file:  # noqa: PTH123 -- as above
        file.write(f"keeper: {sentence}\n")


if __name__ == "__main__":
    sys.exit(main())
