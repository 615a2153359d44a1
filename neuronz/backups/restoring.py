"""Put a backup back into an empty database, whole or not at all."""

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from neuronz import env
from neuronz.backups import BackupError, programs
from neuronz.backups.making import CHUNK, digest_of, last_line
from neuronz.backups.manifest import KEYS, NO_BACKUP, Manifest, applied, known, marks, read, row_counts


@dataclass(frozen=True, slots=True)
class Restored:
    manifest: Manifest
    #: Names of the keys that were put into the data folder.
    keys: list[str]
    #: Names of the keys in use that are not those of the backup.
    other_keys: list[str]
    #: How many migrations brought an older backup up to date.
    migrations: int


def look_into(path: Path) -> Manifest:
    with _opened(path) as archive:
        return read(_content(archive, "manifest.json").read())


def restore(path: Path) -> Restored:
    """The database has to be empty, and of versions that can take this backup; else nothing is touched."""
    with _opened(path) as archive:
        manifest = read(_content(archive, "manifest.json").read())
        require_fitting(manifest)
        if digest_of(_content(archive, "database.dump")) != manifest.sha256:
            raise BackupError(f"{NO_BACKUP} Its dump is not the one that was written.")
        _fill(archive)
        wrong = {table for table, rows in row_counts().items() if manifest.rows.get(table) != rows}
        if wrong:
            raise BackupError(f"Restored, but these tables have another number of rows: {', '.join(sorted(wrong))}.")
        keys = _put_back_keys(archive, manifest)
    others = sorted(name for name, mark in marks().items() if manifest.marks.get(name) != mark and name not in keys)
    before = len(applied())
    call_command("migrate", interactive=False, verbosity=0)
    return Restored(manifest, keys, others, len(applied()) - before)


def require_fitting(manifest: Manifest) -> None:
    server = programs.server_version()
    if server < manifest.postgresql:
        raise BackupError(
            f"The backup is of PostgreSQL {manifest.postgresql} and this database is PostgreSQL {server}, which may "
            f"not understand it; restore it into PostgreSQL {manifest.postgresql} or newer."
        )
    here = programs.pgvector_version()
    if _numbers(here) < _numbers(manifest.pgvector):
        raise BackupError(f"The backup is of pgvector {manifest.pgvector} and this server has {here}; update it first.")
    newer = sorted(set(manifest.migrations) - known())
    if newer:
        raise BackupError(
            f"The backup was made by a newer version of Neuronz ({newer[0]} is unknown here); restore it with that "
            "version or a later one."
        )
    if row_counts():
        raise BackupError(
            "The database is not empty, and a restore never overwrites. Set NEURONZ_DATA_DIR to a new folder, or "
            "DATABASE_URL to an empty database."
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in version.split(".") if each.isdecimal())


def _fill(archive: tarfile.TarFile) -> None:
    """In one transaction: a restore that fails leaves the database as empty as it was."""
    where, environment = programs.address()
    connection.close()
    with tempfile.NamedTemporaryFile("wb") as wanted:
        # A comment on the extension is its owner's to make, who is somebody else on rented servers. Other comments
        # are needed: django-pgtrigger keeps in them which version of a trigger is installed.
        listed = _piped(archive, ["--list"], environment).splitlines(keepends=True)
        wanted.writelines(line for line in listed if b"COMMENT - EXTENSION" not in line)
        wanted.flush()
        command = [*where, "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
        _piped(archive, [*command, "--use-list", wanted.name], environment)


def _piped(archive: tarfile.TarFile, arguments: list[str], environment: dict[str, str]) -> bytes:
    """What pg_restore says when it reads the dump."""
    command, dump = [programs.program("pg_restore"), *arguments], _content(archive, "database.dump")
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complaint:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=complaint, env=environment)  # noqa: S603
        stdin: IO[bytes] = process.stdin  # type: ignore[assignment]  # it is a pipe
        with suppress(BrokenPipeError):  # it has read enough, or has given up and says why
            while chunk := dump.read(CHUNK):
                stdin.write(chunk)
        with suppress(BrokenPipeError):
            stdin.close()
        if process.wait():
            complaint.seek(0)
            raise BackupError(f"pg_restore failed, and the database is as it was: {last_line(complaint.read())}")
        said.seek(0)
        return said.read()


def _put_back_keys(archive: tarfile.TarFile, manifest: Manifest) -> list[str]:
    """Into the data folder, where the environment does not name other ones. They belong to the rows just restored."""
    put = [name for name in manifest.keys if name in KEYS and not env.text(KEYS[name])]
    for name in put:
        file = settings.DATA_DIR / name
        draft = file.with_name(f"{name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_bytes(_content(archive, f"keys/{name}").read())
        draft.replace(file)
    return put


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path, mode="r:") as archive:
            yield archive
    except tarfile.TarError as error:
        raise BackupError(NO_BACKUP) from error
    except OSError as error:
        raise BackupError(f"{path} can't be read ({error.strerror}).") from error


def _content(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        found = archive.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        raise BackupError(NO_BACKUP)
    return found
