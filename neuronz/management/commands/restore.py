"""`manage.py restore FILE`: a backup back into an empty database."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memories.management.calm import CalmCommand
from neuronz.backups.restoring import look_into, restore

#: What it means to have another key than the one that the rows were written with.
LOSSES = {
    "secret_key": "people have to sign in again",
    "source_key": "credentials of sources can't be read and have to be entered again",
    "erasure_key": "erased statements are not known again and would be let back in",
}


class Command(CalmCommand):
    help = (
        "Put a backup back into an empty database: a new NEURONZ_DATA_DIR, or an empty DATABASE_URL. Refuses versions "
        "that can't take it. An older backup is brought up to date."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--look", action="store_true", help="Only say what is in the file.")
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")

    def handle(self, *_: Any, **options: Any) -> None:
        if options["look"]:
            self.stdout.write(json.dumps(asdict(look_into(options["file"])), indent=2))
            return
        done = restore(options["file"])
        if options["json"]:
            self.stdout.write(json.dumps(asdict(done)))
            return
        self.stdout.write(
            f"Restored {sum(done.manifest.rows.values()):,} rows in {len(done.manifest.rows)} tables, as they were on "
            f"{done.manifest.made_at}; {done.migrations} migrations brought them up to date."
        )
        self.stdout.write(f"Keys put into the data folder: {', '.join(done.keys) or 'none'}.")
        for name in done.other_keys:
            self.stdout.write(f"The {name} is not that of the backup: {LOSSES[name]}.")
