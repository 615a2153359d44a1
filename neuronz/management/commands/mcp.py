"""`manage.py mcp`: the tools over standard input and output."""

from typing import Any

import anyio
from django.core.management.base import CommandError
from django.db import connections

from memories.management.calm import CalmCommand
from memories.services import keys
from neuronz import env
from neuronz.mcp import stdio

NAME = "NEURONZ_API_KEY"
REMEDY = "Staff make keys in the admin or with: manage.py create_agent NAME --product SLUG"


class Command(CalmCommand):
    help = f"Serve MCP on standard input and output, for a client that starts this command. The key: {NAME}."
    requires_system_checks = []  # their warnings are nothing to an agent that waits for its tools

    def handle(self, *_: Any, **__: Any) -> None:
        key = env.text(NAME)
        if not key:
            raise CommandError(f"Set {NAME} to an agent's key (nz_…). {REMEDY}")
        if keys.verify(key) is None:
            raise CommandError(f"{NAME} holds no valid key: it is unknown, expired or revoked. {REMEDY}")
        connections.close_all()  # the threads that serve have connections of their own
        anyio.run(stdio.serve, key)
