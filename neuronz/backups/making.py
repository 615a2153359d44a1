"""Make a backup of a running system: one file, of one moment."""

import hashlib
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from neuronz import env
from neuronz.backups import BackupError, programs
from neuronz.backups.manifest import KEYS, Manifest, of_now, row_counts

CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    manifest: Manifest
    bytes: int


def back_up(path: Path, *, with_keys: bool = True) -> Backup:
    """Write the file, complete or not at all. The system may run and write meanwhile."""
    if path.exists():
        raise BackupError(f"{path} is there already; name another file.")
    draft, dump = path.with_name(f".{path.name}.part"), path.with_name(f".{path.name}.dump")
    try:
        with _private(draft) as whole:
            made_at, rows = timezone.now(), _dump(dump)
            keys = made_keys() if with_keys else {}
            manifest = of_now(made_at=made_at, rows=rows, keys=sorted(keys), sha256=digest_of(dump.open("rb")))
            _pack(whole, manifest, dump, keys)
        draft.rename(path)
    except OSError as error:
        raise BackupError(f"{path} could not be written ({error.strerror}).") from error
    finally:
        draft.unlink(missing_ok=True)
        dump.unlink(missing_ok=True)
    return Backup(path, manifest, path.stat().st_size)


def made_keys() -> dict[str, bytes]:
    """The keys that the data folder made and that are in use; those of the environment are kept elsewhere."""
    files = {name: settings.DATA_DIR / name for name, variable in KEYS.items() if not env.text(variable)}
    return {name: file.read_bytes() for name, file in files.items() if file.exists()}


def digest_of(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    with file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _dump(to: Path) -> dict[str, int]:
    """Dump the database, and count its rows in the same moment."""
    with _snapshot() as snapshot:
        with _private(to) as file:
            where, environment = programs.address()
            command = [programs.program("pg_dump"), *where, "--format", "custom", "--snapshot", snapshot]
            command += ["--no-owner", "--no-privileges"]
            done = subprocess.run(command, check=False, stdout=file, stderr=subprocess.PIPE, env=environment)  # noqa: S603
        if done.returncode:
            raise BackupError(f"pg_dump failed: {last_line(done.stderr)}")
        return row_counts()


@contextmanager
def _snapshot() -> Iterator[str]:
    """One moment, which pg_dump can look at too."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            row = cursor.fetchone()
        yield str(row[0])


def _pack(whole: IO[bytes], manifest: Manifest, dump: Path, keys: dict[str, bytes]) -> None:
    when = int(datetime.fromisoformat(manifest.made_at).timestamp())
    with tarfile.open(fileobj=whole, mode="w") as archive:
        texts = {"manifest.json": manifest.dumped(), **{f"keys/{name}": key for name, key in keys.items()}}
        for name, content in texts.items():
            archive.addfile(_member(name, len(content), when), BytesIO(content))
        with dump.open("rb") as file:
            archive.addfile(_member("database.dump", dump.stat().st_size, when), file)


def _member(name: str, size: int, when: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = size, when, 0o600
    return member


@contextmanager
def _private(path: Path) -> Iterator[IO[bytes]]:
    """A new file that nobody else may read, from its first byte on."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    with path.open("wb") as file:
        yield file


def last_line(said: bytes) -> str:
    lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing."
