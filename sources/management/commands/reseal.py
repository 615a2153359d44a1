"""`manage.py reseal`: put the credentials of all sources under the newest key."""

from typing import Any

from django.core.management.base import CommandError

from memories.management.calm import CalmCommand
from sources import connections, secrets


class Command(CalmCommand):
    help = (
        "Encrypt the credentials of all sources with the first key of NEURONZ_SECRET_KEYS. Put a new key in front, run "
        "this, then take the old key away."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        try:
            count = connections.reseal_all()
        except secrets.Sealed as error:
            raise CommandError(error.sentence) from None
        self.stdout.write(f"The credentials of {count:,} sources are under the first key now.")
