"""Settings, the data folder, room on the disk, and the clocks."""

import shutil
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core import checks
from django.db import connection
from django.utils import timezone

from neuronz import embedded
from neuronz.doctor import Finding, ok, problem, warning

#: A disk with less room than this will soon stop PostgreSQL.
TIGHT, LOW = 200 * 2**20, 2 * 2**30
#: Clocks that differ by more make claims and dates wrong.
MOST_DRIFT = timedelta(seconds=5)


def configured() -> Iterator[Finding]:
    """What `manage.py check` says; also what it says of a site that others reach."""
    is_public = settings.PUBLIC_URL.startswith("https://")
    found = checks.run_checks(include_deployment_checks=is_public)
    for message in found:
        if message.is_silenced() or message.level < checks.WARNING:
            continue
        as_finding = problem if message.level >= checks.ERROR else warning
        yield as_finding("settings", f"{message.msg} ({message.id})", message.hint or "See docs/operations.md.")
    if not found:
        yield ok("settings", "They fit together.")
    if not is_public and settings.HOST not in ("127.0.0.1", "localhost", "::1"):
        yield warning(
            "settings", f"It listens on {settings.HOST}, and NEURONZ_PUBLIC_URL does not begin with https://.",
            "Put a proxy that ends TLS before it and set NEURONZ_PUBLIC_URL; keys and passwords travel readable else.",
        )  # fmt: skip
    if settings.DEBUG:
        yield problem("settings", "NEURONZ_DEBUG is on: errors show settings and queries.", "Unset NEURONZ_DEBUG.")


def data_folder() -> Iterator[Finding]:
    folder: Path = settings.DATA_DIR
    try:
        embedded.make_data_dir(folder)
    except embedded.StartError as error:
        yield problem("data folder", str(error), "Make it writable for this user.")
        return
    for name in ("secret_key", "source_key", "erasure_key", "servers.password"):
        file = folder / name
        if file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
            yield problem("data folder", f"{file} can be read by others.", f"chmod 600 {file}")
    free = shutil.disk_usage(folder).free
    told = f"{free / 2**30:.1f} GiB are free for {folder}."
    remedy = "Make room, or move the data folder: PostgreSQL stops when its disk is full."
    if free < TIGHT:
        yield problem("disk", told, remedy)
    elif free < LOW:
        yield warning("disk", told, remedy)
    else:
        yield ok("disk", told)


def time() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone() or (timezone.now(),)
    drift = abs(timezone.now() - theirs)
    if drift > MOST_DRIFT:
        yield problem(
            "time", f"This machine's clock and the database's differ by {drift.total_seconds():.0f} seconds.",
            "Let both keep time by NTP: claims, schedules and about-times depend on it.",
        )  # fmt: skip
    else:
        yield ok("time", "This machine and the database agree.")
