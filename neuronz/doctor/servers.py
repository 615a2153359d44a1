"""The database and what it holds of ours, the broker, the worker, the clock, and the embedding model."""

from collections.abc import Iterator
from datetime import timedelta

import pgtrigger
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from memories import embeddings
from memories.errors import EmbedderDown
from memories.services import standing
from neuronz import metrics
from neuronz.celery import app
from neuronz.doctor import Finding, ok, problem, warning
from neuronz.embedded import StartError
from neuronz.running import preflight

PATIENCE_SECONDS = 2
#: The sweep runs every 15 seconds: a silence of so long is no coincidence.
SILENT = timedelta(minutes=2)
#: A queue this long is more than a worker reads in minutes.
LONG_QUEUE = 1_000
#: This part of the connections in use leaves little for a rush.
CROWDED = 0.8


def database() -> Iterator[Finding]:
    try:
        preflight.require_database()
    except StartError as error:
        yield problem("database", str(error), "Nothing works without it.")
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),"
            " (SELECT count(*) FROM pg_stat_activity), current_setting('max_connections')::int,"
            " pg_database_size(current_database())"
        )
        version, vector, used, most, size = cursor.fetchone() or ("", "", 0, 1, 0)
    yield ok("database", f"PostgreSQL {version}, pgvector {vector or 'not made yet'}, {size / 2**20:,.0f} MiB.")
    if used > CROWDED * most:
        yield warning(
            "database", f"{used} of {most} connections are in use.", "Raise max_connections, or run fewer processes."
        )


def migrations() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        yield problem("migrations", f"{len(waiting)} wait.", "Run ./bin/up, or `manage.py migrate`.")
        return
    yield ok("migrations", "All are applied.")
    missing = sorted(
        f"{model._meta.label}:{trigger.name}"
        for model, trigger in pgtrigger.registered()
        if trigger.get_installation_status(model) != ("INSTALLED", True)
    )
    if missing:
        yield problem(
            "guards", f"{len(missing)} triggers are missing, changed or switched off: {', '.join(missing[:5])}.",
            "Run `manage.py pgtrigger install` and `pgtrigger enable`; somebody took them away by hand.",
        )  # fmt: skip
    else:
        yield ok("guards", "Every trigger stands.")


def indexes() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1")
        broken = [name for (name,) in cursor.fetchall()]
    for name in broken:
        yield problem(
            "indexes", f"The index {name} is not valid: its making was interrupted.",
            f"DROP INDEX CONCURRENTLY {name}; if it begins with embedding_hnsw, the worker makes it anew by itself.",
        )  # fmt: skip
    if not broken:
        yield ok("indexes", "All are valid.")


def broker() -> Iterator[Finding]:
    try:
        preflight.require_broker()
    except StartError as error:
        yield problem("broker", str(error), "Writes are kept meanwhile, and read when it is back.")
        return
    depths = metrics.queue_depths(app)
    told = ", ".join(f"{name} {number:,}" for name, number in sorted(depths.items()))
    if any(number > LONG_QUEUE for number in depths.values()):
        yield warning("broker", f"Messages wait: {told}.", "Start more workers, or wait until they have caught up.")
    else:
        yield ok("broker", f"It answers; messages that wait: {told}.")


def worker() -> Iterator[Finding]:
    answers = app.control.ping(timeout=PATIENCE_SECONDS)
    if answers:
        yield ok("worker", f"{len(answers)} answer.")
    else:
        yield problem("worker", "None answers.", "Start ./bin/up, or a worker (docs/operations.md).")


def clock() -> Iterator[Finding]:
    last = standing.last_pulse("sweep_writes")
    if last is None or timezone.now() - last > SILENT:
        since = f"since {last:%Y-%m-%d %H:%M:%S} UTC" if last else "ever"
        yield problem(
            "beat", f"No task of the clock has run {since}.",
            "Start ./bin/up, or one `celery beat` and a worker: without them forgotten writes stay forgotten.",
        )  # fmt: skip
    else:
        yield ok("beat", "The clock ticks.")


def embedder() -> Iterator[Finding]:
    serving = embeddings.current()
    try:
        length = len(serving.embed(["Is anybody there?"])[0])
    except EmbedderDown as error:
        yield problem(
            "embedder", error.sentence, f"NEURONZ_EMBEDDER is {settings.EMBEDDER!r}; search goes on by words meanwhile."
        )
    else:
        yield ok("embedder", f"{serving.name} gives vectors of {length} dimensions.")
