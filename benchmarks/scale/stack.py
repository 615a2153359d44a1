"""A throw-away platform for measuring inside one process: its own PostgreSQL, migrated."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def database(folder: Path) -> Iterator[None]:
    """Django on an embedded PostgreSQL in this folder; a folder that is there already is used again."""
    os.environ["NEURONZ_DATA_DIR"] = str(folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from neuronz.embedded.attachment import Attachment

    attachment = Attachment(settings.DATA_DIR, settings.EMBEDDED)
    try:
        call_command("migrate", verbosity=0)
        yield
    finally:
        attachment.release()
