"""What a backup says of itself: when it was made, of which versions, with how many rows and which keys."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from neuronz.backups import BackupError, programs

#: Raised when a backup's form changes so that older programs can't read it.
FORMAT = 1
#: Files of the data folder that the database is worth little without, and where each is configured instead.
KEYS = {
    "secret_key": "NEURONZ_SECRET_KEY", "source_key": "NEURONZ_SECRET_KEYS", "erasure_key": "NEURONZ_ERASURE_KEY",
}  # fmt: skip
NO_BACKUP = "This file is no backup of Neuronz, or it is damaged."


@dataclass(frozen=True, slots=True)
class Manifest:
    format: int
    made_at: str
    postgresql: int
    pgvector: str
    #: "app.name" of every migration that was applied.
    migrations: list[str]
    #: By table, in the moment of the dump.
    rows: dict[str, int]
    #: Marks of the keys in use, by which another machine's can be told apart; not the keys.
    marks: dict[str, str]
    #: Names of the keys that lie in the backup.
    keys: list[str]
    sha256: str

    def dumped(self) -> bytes:
        return json.dumps(asdict(self), indent=2).encode()


def read(text: bytes) -> Manifest:
    try:
        told: Any = json.loads(text)
        if told["format"] > FORMAT:
            raise BackupError("This backup is of a newer form; restore it with the version of Neuronz that made it.")
        return Manifest(**told)
    except (ValueError, TypeError, KeyError) as error:
        raise BackupError(NO_BACKUP) from error


def of_now(*, made_at: datetime, rows: Mapping[str, int], keys: list[str], sha256: str) -> Manifest:
    return Manifest(
        FORMAT, made_at.isoformat(), programs.server_version(), programs.pgvector_version(), applied(), dict(rows),
        marks(), keys, sha256,
    )  # fmt: skip


def applied() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def known() -> set[str]:
    """The migrations that this version of the program has."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


def marks() -> dict[str, str]:
    secrets = {"secret_key": settings.SECRET_KEY, "source_key": settings.SOURCE_SECRET_KEYS[0],
               "erasure_key": settings.ERASURE_KEY}  # fmt: skip
    return {name: mark(secret) for name, secret in secrets.items()}


def mark(secret: str) -> str:
    """Slow to try secrets against, since a configured one may be a mere word."""
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), b"neuronz backup", 200_000).hex()[:16]


def row_counts() -> dict[str, int]:
    """Of every table, in the transaction that is open."""
    with connection.cursor() as cursor:
        tables = sorted(each.name for each in connection.introspection.get_table_list(cursor) if each.type == "t")
        counts = {}
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608  # a table's name
            counts[table] = int(cursor.fetchone()[0])
    return counts
