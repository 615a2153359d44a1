"""File locks that the kernel lets go when their holder dies, however it dies."""

import fcntl
import os
from pathlib import Path
from typing import Self


class BusyError(Exception):
    """Somebody else holds the lock."""


class FileLock:
    """An flock on one file, exclusive or shared, held until `release` or the end of the process."""

    def __init__(self, path: Path, *, shared: bool = False, wait: bool = True) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._descriptor, kind if wait else kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise BusyError(str(path)) from None

    def release(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(path: Path, *, exclusively: bool = False) -> bool:
    """Whether somebody holds the lock; `exclusively` overlooks shared holders."""
    try:
        FileLock(path, shared=exclusively, wait=False).release()
    except BusyError:
        return True
    return False
