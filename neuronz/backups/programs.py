"""PostgreSQL's own pg_dump and pg_restore: which ones, and how they reach the database that Django uses."""

import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from neuronz.backups import BackupError
from neuronz.embedded import StartError
from neuronz.embedded.servers import postgres_programs

#: What libpq understands of the connection's parameters; the rest is psycopg's own.
LIBPQ = {each.keyword.decode() for each in Conninfo.get_defaults()}
#: An older pg_restore than this writes nothing that an older server refuses.
ODD_SINCE = 17


def program(name: str) -> str:
    """pg_dump or pg_restore for the server: the shell's own where it is of the same version, else the packaged one.

    A newer program reads an older server; but what pg_restore 17 and newer begin with, servers before 17 refuse.
    """
    server = server_version()
    found = {version_of(path): path for path in _candidates(name)}
    if server in found:
        return str(found[server])
    fitting = [version for version in found if version > server and (name == "pg_dump" or server >= ODD_SINCE)]
    if not fitting:
        raise BackupError(
            f"The database is PostgreSQL {server}, and there is no {name} for it: install the client programs of "
            f"PostgreSQL {server}, so that `{name} --version` in this shell says {server}."
        )
    return str(found[min(fitting)])


def _candidates(name: str) -> list[Path]:
    paths = [Path(each) for each in (shutil.which(name),) if each]
    with suppress(StartError):  # it is not installed, where only other servers are used
        paths.append(postgres_programs() / name)
    # Debian's pg_dump chooses by the cluster it talks to; its real programs lie elsewhere.
    debians = (path / "bin" / name for path in Path("/usr/lib/postgresql").glob("*"))
    return [path for path in (*debians, *paths) if path.exists()]


def version_of(path: Path) -> int:
    said = subprocess.run([path, "--version"], check=False, capture_output=True, text=True).stdout  # noqa: S603
    number = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(number[1]) if number else 0


def server_version() -> int:
    connection.ensure_connection()
    return int(connection.connection.info.server_version) // 10_000


def pgvector_version() -> str:
    """The extension's version in this database, or what the server would install."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(installed_version, default_version) FROM pg_available_extensions WHERE name = 'vector'"
        )
        row = cursor.fetchone()
    if row is None:
        raise BackupError("The database has no pgvector; install it on that server.")
    return str(row[0])


def address() -> tuple[list[str], dict[str, str]]:
    """The arguments that name the database, and an environment with the password: arguments are seen by everybody."""
    told = {key: value for key, value in connection.get_connection_params().items() if key in LIBPQ and value}
    password = told.pop("password", None)
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    return ["--dbname", make_conninfo("", **told)], environment
