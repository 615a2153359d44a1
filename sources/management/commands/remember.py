"""`manage.py remember PATH… --product SLUG`: documents, folders and chat transcripts become memories."""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from memories.choices import Tier
from memories.management.calm import STOPPED, CalmCommand
from memories.services.products import product_named
from sources import files, services
from sources.files import Found, LeftOut
from sources.tally import Tally
from sources.uploaders import Uploader, uploader

#: A terminal sees the bar move; a log gets a line now and then.
REDRAW_SECONDS, REDRAW_SECONDS_IN_A_LOG = 0.1, 30.0


class Command(CalmCommand):
    help = (
        "Remember Markdown and text files, folders of them, and chat transcripts in JSON Lines. "
        "What was remembered before and has not changed is passed over, so it may be run again at any time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="Files and folders.")
        parser.add_argument("--product", required=True, metavar="SLUG", help="The product to remember in.")
        parser.add_argument(
            "--agent", default="", metavar="NAME", help="Write as this agent, not as a source of uploads."
        )
        parser.add_argument("--tier", choices=Tier.values, help="Default: team; official for an agent.")
        parser.add_argument("--queue", action="store_true", help="Let the worker read the texts; return at once.")

    def handle(self, *_: Any, **options: Any) -> None:
        tier = Tier(options["tier"]) if options["tier"] else None
        to = uploader(
            product=product_named(options["product"]), agent=options["agent"], tier=tier,
            wait=not options["queue"],
        )  # fmt: skip
        tally, started = Tally(), time.monotonic()
        was_stopped = _upload(list(files.find(options["paths"])), to, tally)
        self._account(tally, to, time.monotonic() - started)
        if was_stopped:
            raise CommandError("Stopped. What was remembered is kept; run the same again to go on.", returncode=STOPPED)
        if tally.failures:
            raise CommandError(f"{tally.failures:,} could not be remembered; the reasons stand above.")

    def _account(self, tally: Tally, to: Uploader, seconds: float) -> None:
        self.stdout.write(f"Remembered in {to.product.slug} by {to.by.type} {to.by.name}, tier {to.tier}:")
        for line in tally.lines(services.outcomes(tally.write_ids), seconds=seconds):
            self.stdout.write(line)
        if tally.queued:
            self.stdout.write("What is queued is read by the worker, and can be found when it is done.")
        self.stdout.write(
            f"Ask for it with the key of an agent (manage.py create_agent NAME --product {to.product.slug}):"
        )
        self.stdout.write(
            f'  curl -sG {settings.PUBLIC_URL}/api/v1/search/ -H "Authorization: Bearer $NEURONZ_API_KEY" '
            '--data-urlencode "q=what I want to know"'
        )


def _upload(found: Sequence[Found | LeftOut], to: Uploader, tally: Tally) -> bool:
    """Upload all of it, and say whether somebody stopped it."""
    total = sum(files.length(each) if isinstance(each, Found) else 1 for each in found)
    redraw = REDRAW_SECONDS if sys.stderr.isatty() else REDRAW_SECONDS_IN_A_LOG
    with tqdm(total=total, unit="text", desc="Remembering", file=sys.stderr, mininterval=redraw) as bar:
        try:
            for step in services.upload(found, to=to):
                tally.add(step)
                bar.update()
        except KeyboardInterrupt:
            return True
    return False
