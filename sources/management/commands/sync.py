"""`manage.py sync [SOURCE…]`: read sources now, in this process, and say what came of it."""

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memories.choices import Tier, Trigger
from memories.errors import NeuronzError
from memories.management.calm import STOPPED, CalmCommand
from memories.services.products import product_named
from sources import connections
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SyncRun
from sources.syncing import engine
from sources.syncing.claims import Pass

COUNTS = ("seen", "new", "changed", "unchanged", "moved", "removed", "restored", "skipped", "failed")
MEMORIES = (("added", "added"), ("superseded", "superseded"), ("retired", "retired"), ("brought_back", "brought back"))
EXAMPLES = 20


class Command(CalmCommand):
    help = (
        "Read sources now: those named, or all that are active. "
        "With --folder, connect a folder of files first; it is read again whenever its name is given."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sources", nargs="*", metavar="SOURCE", help="Names or ids. Default: all active ones.")
        parser.add_argument("--product", metavar="SLUG", help="Only sources of this product.")
        parser.add_argument("--folder", type=Path, metavar="PATH", help="Connect this folder (needs --product).")
        parser.add_argument("--name", default="", help="With --folder: the source's name; default: the folder's.")
        parser.add_argument("--tier", choices=Tier.values, default="", help="With --folder: what it weighs.")
        parser.add_argument("--every", type=int, metavar="MINUTES", help="With --folder: also read it by the clock.")

    def handle(self, *_: Any, **options: Any) -> None:
        chosen = [self._connected(options)] if options["folder"] else _chosen(options["sources"], options["product"])
        if not chosen:
            raise CommandError("There is no source to read; connect one in the admin, or with --folder PATH.")
        failed = [source.name for source in chosen if not self._read(source)]
        if failed:
            raise CommandError(f"Not read to the end: {', '.join(failed)}; the reasons stand above.")

    def _connected(self, options: dict[str, Any]) -> Source:
        if not options["product"]:
            raise CommandError("Say which product the folder belongs to: --product SLUG.")
        product, path = product_named(options["product"]), options["folder"].expanduser().resolve()
        name = options["name"] or path.name
        known = Source.objects.filter(
            product=product, name=name, type=SourceType.FOLDER, values__path=str(path)
        ).first()
        if known:
            return known
        try:
            return connections.connect(
                product=product, type_=SourceType.FOLDER, name=name, entered={"path": str(path)}, tier=options["tier"],
                every_minutes=options["every"],
            )  # fmt: skip
        except NeuronzError as error:
            raise CommandError(error.sentence) from None

    def _read(self, source: Source) -> bool:
        try:
            run = engine.sync(source.pk, trigger=Trigger.COMMAND, by=getpass.getuser(), watch=self._watch())
        except KeyboardInterrupt:
            raise CommandError(
                "Stopped. What was read is kept; run the same again to go on.", returncode=STOPPED
            ) from None
        if run is None:
            self.stdout.write(f"{source.name}: another process is reading it now.")
            return False
        for line in account(source, run):
            self.stdout.write(line)
        return run.state == RunState.DONE

    def _watch(self) -> Any:
        if not sys.stderr.isatty():
            return None

        def watch(held: Pass) -> None:
            self.stderr.write(f"\r{held.source.name}: {held.counts['seen']:,} seen", ending="")

        return watch


def _chosen(names: list[str], slug: str | None) -> list[Source]:
    rows = Source.objects.exclude(type=SourceType.UPLOAD).select_related("product")
    rows = rows.filter(product=product_named(slug)) if slug else rows
    if not names:
        return list(rows.filter(state=SourceState.ACTIVE))
    found = []
    for name in names:
        matching = [each for each in rows if name in (each.name, str(each.pk))]
        if not matching:
            raise CommandError(f"There is no source {name!r} that is read by a connector.")
        if len(matching) > 1:
            raise CommandError(f"Several products have a source {name!r}; say --product SLUG, or its id.")
        found += matching
    return found


def account(source: Source, run: SyncRun) -> list[str]:
    """What a person who waits for it is told."""
    seconds = (run.finished_at - run.started_at).total_seconds() if run.finished_at else 0
    counts = [f"{getattr(run, name):,} {name}" for name in COUNTS if getattr(run, name)]
    lines = [
        f"{source.name} ({source.product.slug}, tier {source.in_force.tier}): {run.get_state_display().lower()}",
        f"  items       {', '.join(counts) or 'none'}",
        f"  memories    {', '.join(f'{getattr(run, column):,} {said}' for column, said in MEMORIES)}",
        *(f"  {each.kind:<11} {each.key}: {each.reason}" for each in run.problems.all()[:EXAMPLES]),
        f"  seconds     {seconds:,.1f}",
    ]
    return [*lines, f"  error       {run.error}"] if run.error else lines
