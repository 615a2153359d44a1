"""`manage.py cognition run PRODUCT`: what the clock starts by itself, now and in this process, with its counts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memories.choices import StepState, Trigger
from memories.cognition import runner
from memories.management.calm import CalmCommand
from memories.services.products import product_named

BUSY = "Cognition of this product is running already; wait for it, or see its page in the admin."


class Command(CalmCommand):
    help = "Run the steps of cognition in a product now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verb", choices=["run"])
        parser.add_argument("product", metavar="PRODUCT", help="Its short name.")
        parser.add_argument("--step", action="append", default=[], help="Only this one; may be given several times.")

    def handle(self, *_: Any, **options: Any) -> None:
        product = product_named(options["product"])
        rows = runner.run(product, trigger=Trigger.COMMAND, by="command", only=options["step"])
        if rows is None:
            raise CommandError(BUSY)
        for row in rows:
            counts = f"read {row.read:,}, wrote {row.written:,}, proposed {row.proposed:,}, skipped {row.skipped:,}"
            self.stdout.write(f"{row.step}: {row.get_state_display().lower()}; {counts}; {row.seconds:.1f} s")
            if row.error:
                self.stderr.write(f"{row.step}: {row.error}")
        if any(row.state == StepState.FAILED for row in rows):
            raise CommandError("A step failed; the others did their work.")
