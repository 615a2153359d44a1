"""`manage.py backup [FILE]`: all of it in one file, while it runs."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.utils import timezone

from memories.management.calm import CalmCommand
from neuronz.backups.making import back_up
from neuronz.backups.manifest import KEYS


class Command(CalmCommand):
    help = (
        "Write the whole database into one file, of one moment, while the system runs; with the keys that the data "
        "folder made. Guard the file like the database: who has it can read everything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="Where to; a new file. Default: neuronz-TIME.backup.")
        parser.add_argument("--without-keys", action="store_true", help="Leave the data folder's keys out.")
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")

    def handle(self, *_: Any, **options: Any) -> None:
        path = options["file"] or Path(f"neuronz-{timezone.now():%Y-%m-%dT%H%M%SZ}.backup")
        made = back_up(path.absolute(), with_keys=not options["without_keys"])
        manifest = made.manifest
        if options["json"]:
            told = {"file": str(made.path), "bytes": made.bytes, "manifest": asdict(manifest)}
            self.stdout.write(json.dumps(told))
            return
        self.stdout.write(
            f"{made.path}: {made.bytes:,} bytes, {sum(manifest.rows.values()):,} rows in {len(manifest.rows)} tables, "
            f"of PostgreSQL {manifest.postgresql} with pgvector {manifest.pgvector}."
        )
        left = sorted(set(KEYS) - set(manifest.keys))
        self.stdout.write(f"Keys in it: {', '.join(manifest.keys) or 'none'}.")
        if left:
            self.stdout.write(f"Not in it: {', '.join(left)}. Keep them elsewhere, or the restored system has others.")
