# ruff: noqa: N999  # a command is called like its module
"""`manage.py import PATH… --from KIND --product SLUG`: memories in files of another make, or in our own export."""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memories.choices import Outcome, Tier
from memories.errors import InvalidInput
from memories.management.calm import CalmCommand
from memories.services.exchange import restoring
from memories.services.products import product_named
from sources import importing
from sources.importing import FAILED, NOTHING, Line
from sources.kinds import KINDS
from sources.uploaders import uploader

#: Our own export: not read for facts but put back as it was.
OWN = "neuronz"
OUTCOMES = (Outcome.ADDED, Outcome.KNOWN, Outcome.SUPERSEDED, Outcome.REFUSED, Outcome.UNSURE, NOTHING, FAILED)


class Command(CalmCommand):
    help = (
        "Import memories of another make (or, with --from neuronz, a whole product that was exported). "
        "It may be run again at any time: what was imported before is known and left alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="Files and folders.")
        parser.add_argument("--from", dest="kind", required=True, choices=[OWN, *KINDS], help="What made the files.")
        parser.add_argument("--product", required=True, metavar="SLUG", help="The product to import into.")
        parser.add_argument("--agent", default="", metavar="NAME", help="In the name of this agent, not of a source.")
        parser.add_argument("--tier", choices=Tier.values, help="Default: team; official for an agent.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would happen to each line; write nothing.")
        parser.add_argument("--new-ids", action="store_true", help="For neuronz: a copy beside the original.")
        parser.add_argument("--json", action="store_true", help="The report as one JSON object.")

    def handle(self, *_: Any, **options: Any) -> None:
        if options["kind"] == OWN:
            self._restore(options)
            return
        if options["new_ids"]:
            raise InvalidInput.of("new_ids", "--new-ids goes with --from neuronz; other files bring no ids.")
        product = product_named(options["product"])
        tier = Tier(options["tier"]) if options["tier"] else None
        named = importing.planned if options["dry_run"] else uploader
        to = named(product=product, agent=options["agent"], tier=tier)
        run = importing.plan if options["dry_run"] else importing.bring_in
        counts = self._report(run(options["paths"], kind=options["kind"], to=to), options)
        if counts[FAILED]:
            raise CommandError(f"{counts[FAILED]:,} lines could not be imported; the reasons stand above.")

    # --- files of another make

    def _report(self, lines: Iterator[Line], options: dict[str, Any]) -> Counter[str]:
        counts: Counter[str] = Counter()
        told: list[dict[str, Any]] = []
        for line in lines:
            counts[line.outcome] += 1
            if options["json"]:
                told.append(asdict(line))
            elif options["dry_run"] or line.outcome == FAILED:
                self.stdout.write("\n".join(_sentences(line)))
        if options["json"]:
            shown = {"dry_run": options["dry_run"], "counts": _counts(counts), "lines": told}
            self.stdout.write(json.dumps(shown, ensure_ascii=False))
        else:
            done = "Would import" if options["dry_run"] else "Imported"
            self.stdout.write(f"{done}: " + ", ".join(f"{n:,} {name}" for name, n in _counts(counts).items()) + ".")
        return counts

    # --- our own export

    def _restore(self, options: dict[str, Any]) -> None:
        if len(options["paths"]) > 1 or options["agent"] or options["tier"]:
            raise InvalidInput.of("from", "With --from neuronz name one file, and neither --agent nor --tier.")
        product = product_named(options["product"])
        path: Path = options["paths"][0]
        try:
            with sys.stdin.buffer if str(path) == "-" else path.open("rb") as lines:
                restored = restoring.restore(
                    product=product, lines=lines, has_new_ids=options["new_ids"], is_dry_run=options["dry_run"]
                )
        except OSError as error:
            raise CommandError(f"{path} can't be read: {(error.strerror or str(error)).lower()}.") from error
        if options["json"]:
            self.stdout.write(json.dumps({"dry_run": options["dry_run"], "counts": dict(restored.counts)}))
            return
        done = "Would put back" if options["dry_run"] else "Put back"
        self.stdout.write(
            f"{done} into {product.slug}: " + ", ".join(f"{count:,} {name}" for name, count in restored.counts.items())
        )
        if not options["dry_run"]:
            self.stdout.write(
                "Vectors and the word index are made by the worker in the background. Keys, people's memberships and "
                "the credentials of sources were not in the file."
            )


def _counts(counts: Counter[str]) -> dict[str, int]:
    """Every outcome that can be, so that a program finds each name."""
    return {str(name): counts[name] for name in OUTCOMES} | {
        name: count for name, count in counts.items() if name not in OUTCOMES
    }


def _sentences(line: Line) -> Iterator[str]:
    yield f"{line.file}:{line.line}: {line.outcome}" + "".join(
        f": {each}" for each in (line.content, line.reason) if each
    )
    if line.against:
        yield f"    against {line.against.id}: {line.against.content}"
    for near in line.similar:
        yield f"    similar {near.similarity:.2f} {near.id}: {near.content}"
