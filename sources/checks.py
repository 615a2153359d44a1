"""What `manage.py check` says of the settings of sources."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning  # noqa: A004  # Django's names

SHORTEST = 20


def check_secret_keys(**_: Any) -> list[CheckMessage]:
    """A database of one's own is shared by machines, and a key that lies in one data folder is not."""
    found: list[CheckMessage] = []
    if any(len(key) < SHORTEST for key in settings.SOURCE_SECRET_KEYS):
        found.append(
            Error(f"A key of NEURONZ_SECRET_KEYS is shorter than {SHORTEST} characters.", id="sources.E001",
                  hint="Use long random texts: they encrypt the credentials of sources.")
        )  # fmt: skip
    if "postgres" not in settings.EMBEDDED and settings.SOURCE_SECRET_KEYS_ARE_MADE:
        found.append(
            Warning("DATABASE_URL is set and NEURONZ_SECRET_KEYS is not.", id="sources.W001",
                    hint="The key in this data folder encrypts the credentials of sources; other machines lack it.")
        )  # fmt: skip
    return found
