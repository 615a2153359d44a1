"""Work that outlives the hook: what a session has to upload, kept until the server has it."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import config

#: A job that nobody could upload for so long is given up, and so is the oldest of too many.
KEPT_SECONDS = 14 * 24 * 3600
MOST_JOBS = 500


def put(job: dict[str, Any]) -> None:
    folder = _folder("jobs")
    path = folder / f"{time.time_ns():020d}-{uuid4().hex[:8]}.json"
    _write(path, job)


def waiting() -> list[tuple[Path, dict[str, Any]]]:
    """The jobs, oldest first. What can't be read or is too old is dropped."""
    found = []
    paths = sorted(_folder("jobs").glob("*.json"))
    for path in paths[:-MOST_JOBS]:
        done(path)
    for path in paths[-MOST_JOBS:]:
        job = _read(path)
        if job and time.time() - path.stat().st_mtime < KEPT_SECONDS:
            found.append((path, job))
        else:
            done(path)
    return found


def done(path: Path) -> None:
    path.unlink(missing_ok=True)


def offset(session: str, transcript: str) -> int:
    """How many bytes of this transcript the server has."""
    place: int = _read(_place(session, transcript)).get("offset", 0)
    return place


def set_offset(session: str, transcript: str, value: int) -> None:
    _write(_place(session, transcript), {"offset": value})


@contextmanager
def alone() -> Iterator[None]:
    """One uploader at a time: two would send the same lines. The kernel frees the lock of one that died."""
    with (config.notes_dir() / "upload.lock").open("w") as file:
        try:
            import fcntl  # noqa: PLC0415  # not on Windows; the server knows messages again anyway
        except ImportError:
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _place(session: str, transcript: str) -> Path:
    name = sha256(f"{session}\0{transcript}".encode()).hexdigest()[:32]
    return _folder("sessions") / f"{name}.json"


def _folder(name: str) -> Path:
    folder = config.notes_dir() / name
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        read = json.loads(path.read_text())
        if isinstance(read, dict):
            return read
    return {}


def _write(path: Path, value: dict[str, Any]) -> None:
    """Whole or not at all, and for this user alone."""
    draft = path.with_suffix(".new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(value, file)
    draft.replace(path)
