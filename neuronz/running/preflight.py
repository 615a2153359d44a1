"""What has to be so before Neuronz can start. Each check passes silently or ends the start with one sentence."""

import errno
import socket
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from kombu import Connection

from neuronz.embedded import POSTGRES, VALKEY, StartError

#: NULLS NOT DISTINCT, which keeps one live row per statement and pool, came with this version.
OLDEST_POSTGRES = 15
#: Iterative scans of an index, which find enough rows behind any filter, came with this version.
OLDEST_PGVECTOR = (0, 8)


def require_address(host: str, port: int) -> None:
    """The web server will be able to listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise StartError(_why_not_listen(host, port, error)) from error


def _why_not_listen(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use by another program; choose another with --port or NEURONZ_PORT."
    if error.errno == errno.EACCES:
        return f"Only root may listen on port {port}; choose one from 1024 on with --port or NEURONZ_PORT."
    return f"Cannot listen on {host}: {error.strerror}; choose an address of this machine with --host or NEURONZ_HOST."


def require_database() -> None:
    """It answers, and is a PostgreSQL that can hold the tables."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
            vectors = cursor.fetchone()
            version = cursor.connection.info.server_version // 10_000
    except DatabaseError as error:
        remedy = _remedy(POSTGRES, "DATABASE_URL")
        raise StartError(f"The database {_database()} does not answer ({_first_line(error)}). {remedy}") from error
    if version < OLDEST_POSTGRES:
        raise StartError(
            f"The database {_database()} is PostgreSQL {version}; it has to be {OLDEST_POSTGRES} or newer."
        )
    if not vectors:
        raise StartError(f"The database {_database()} has no pgvector; install it on that server.")
    if tuple(map(int, vectors[0].split(".")[:2])) < OLDEST_PGVECTOR:
        raise StartError(f"The database {_database()} has pgvector {vectors[0]}; it has to be 0.8 or newer.")


def _database() -> str:
    """Which one, without its password."""
    parts: dict[str, Any] = connection.settings_dict
    return f"{parts['NAME']} at {parts['HOST'] or 'localhost'}:{parts['PORT'] or 5432}"


def require_broker() -> None:
    """It answers."""
    broker = Connection(
        settings.CELERY_BROKER_URL, connect_timeout=3, transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS
    )
    try:
        with broker:
            broker.connect()
    except Exception as error:  # every transport has errors of its own
        remedy = _remedy(VALKEY, "CELERY_BROKER_URL")
        raise StartError(f"The broker {broker.as_uri()} does not answer ({_first_line(error)}). {remedy}") from error


def _remedy(server: str, variable: str) -> str:
    if server in settings.EMBEDDED:
        return f"Its log is {settings.DATA_DIR / 'logs' / f'{server}.log'}."
    return f"Correct {variable}, or unset it to use the embedded one."


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].strip().rstrip(".")
