"""`manage.py export --product SLUG [--out FILE]`: a whole product as JSON Lines, for an operator of this machine."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memories.management.calm import CalmCommand
from memories.services.exchange import exporting
from memories.services.exchange.tables import Extent
from memories.services.products import product_named


class Command(CalmCommand):
    help = (
        "Write everything of a product as JSON Lines: memories with their status, history, evidence, receipts and "
        "conflicts. The private memories of its agents are in it too, so treat the file like the database itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--product", required=True, metavar="SLUG", help="The product to take along.")
        parser.add_argument("--out", type=Path, metavar="FILE", help="Where to; default: standard output.")
        parser.add_argument("--shared-only", action="store_true", help="Leave the private memories of agents out.")

    def handle(self, *_: Any, **options: Any) -> None:
        extent = Extent(product_named(options["product"]), has_private=not options["shared_only"])
        out: Path | None = options["out"]
        if out is None:
            for line in exporting.lines(extent):
                sys.stdout.buffer.write(line.encode())
            return
        try:
            count = _write(out, extent)
        except OSError as error:
            raise CommandError(f"{out} can't be written: {(error.strerror or str(error)).lower()}.") from error
        self.stderr.write(f"Wrote {count:,} lines of {extent.product.slug} to {out}.")


def _write(out: Path, extent: Extent) -> int:
    """Beside it first, for this user's eyes alone: a file of the name is whole, or the one from before."""
    beside = out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            count = sum(1 for line in exporting.lines(extent) if file.write(line))
        beside.replace(out)
    finally:
        beside.unlink(missing_ok=True)
    return count
