"""`manage.py doctor`: looks at everything and says what to do. Exit code 1 where something does not work."""

import json
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from neuronz.doctor import Check, Finding, Level, examine, machine, problem, servers, work
from neuronz.embedded import StartError
from neuronz.embedded.attachment import Attachment

CHECKS: dict[str, Check] = {
    "settings": machine.configured,
    "data folder": machine.data_folder,
    "database": servers.database,
    "migrations": servers.migrations,
    "indexes": servers.indexes,
    "time": machine.time,
    "broker": servers.broker,
    "worker": servers.worker,
    "beat": servers.clock,
    "embedder": servers.embedder,
    "writes": work.writes,
    "sources": work.sources,
    "keys": work.keys,
}
SIGNS = {Level.OK: "ok     ", Level.WARNING: "WARNING", Level.PROBLEM: "PROBLEM"}


class Command(BaseCommand):
    help = "Look at servers, settings, queues, vectors, indexes, disk and keys; say what is wrong and what to do."
    requires_system_checks = []  # they are one of the checks

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")
        parser.add_argument("--strict", action="store_true", help="Exit with 1 for warnings too.")

    def handle(self, *_: Any, **options: Any) -> None:
        found = list(self._examine())
        if options["json"]:
            self.stdout.write(json.dumps([asdict(each) for each in found], indent=2))
        else:
            self.stdout.writelines(f"{line}\n" for each in found for line in _lines(each))
        counts = Counter(each.level for each in found)
        if not options["json"]:
            self.stdout.write(f"{counts[Level.PROBLEM]} problems, {counts[Level.WARNING]} warnings.")
        if counts[Level.PROBLEM] or (options["strict"] and counts[Level.WARNING]):
            raise SystemExit(1)

    def _examine(self) -> Any:
        """Embedded servers that don't run are started for as long as we look; if they can't, that is a finding."""
        try:
            attachment = Attachment(settings.DATA_DIR, settings.EMBEDDED)
        except StartError as error:
            yield problem("servers", str(error), "Read the log that it names.")
            yield from examine({name: CHECKS[name] for name in ("settings", "data folder")})
            return
        try:
            yield from examine(CHECKS)
        finally:
            attachment.release()


def _lines(each: Finding) -> list[str]:
    told = [f"{SIGNS[each.level]} {each.part}: {each.sentence}"]
    return [*told, f"        -> {each.remedy}"] if each.remedy else told
