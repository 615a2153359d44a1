"""`manage.py reembed`: to another embedding model, while the old one goes on serving.

1. reembed --to MODEL            makes its vectors beside the old ones; stop it and run it again as you like
2. NEURONZ_EMBEDDER=MODEL        and restart: from now on the new ones are searched
3. reembed --prune               forgets the old ones
"""

import sys
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from memories import embeddings
from memories.embeddings import Embedder
from memories.errors import EmbedderDown
from memories.management.calm import STOPPED, CalmCommand
from memories.services import embedding_upkeep
from memories.services.products import product_named


class Command(CalmCommand):
    help = "Make the vectors of an embedding model for all live memories, beside those that serve now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--to", metavar="MODEL", help="As NEURONZ_EMBEDDER takes it; default: the one configured.")
        what.add_argument("--prune", action="store_true", help="Forget the vectors of all but the configured model.")
        parser.add_argument("--product", metavar="SLUG", help="Only this product's memories; default: all products.")

    def handle(self, *_: Any, **options: Any) -> None:
        product_id = product_named(options["product"]).pk if options["product"] else None
        if options["prune"]:
            self._prune(product_id)
        else:
            self._move(options["to"] or settings.EMBEDDER, product_id)

    def _prune(self, product_id: UUID | None) -> None:
        gone = embedding_upkeep.prune(product_id=product_id)
        self.stdout.write(f"Forgot {gone:,} vectors of other models than {embeddings.current().name}.")

    def _move(self, chosen: str, product_id: UUID | None) -> None:
        embedder = embeddings.built(chosen) if chosen != settings.EMBEDDER else embeddings.current()
        _try_out(embedder, chosen)
        try:
            made = _embed(embedder, product_id)
        except EmbedderDown as error:
            raise CommandError(f"{error.sentence} What was made is kept; run this again to go on.") from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. What was made is kept; run this again to go on.", returncode=STOPPED) from None
        self.stdout.write(f"Made {made:,} vectors of {embedder.name}.")
        self.stdout.write(_what_next(chosen, embedder))


def _try_out(embedder: Embedder, chosen: str) -> None:
    """Before anything is begun, so that a mistyped name says so."""
    try:
        embedder.warm()
    except EmbedderDown as error:
        raise CommandError(
            f"{chosen!r} can't be used: {error.sentence} A model is `packaged`, the folder of one, "
            "or the name of one that sentence-transformers finds on this machine."
        ) from error


def _embed(embedder: Embedder, product_id: UUID | None) -> int:
    total = embedding_upkeep.waiting(product_id, model=embedder.name).total
    with tqdm(total=total, unit="memory", desc=embedder.name, file=sys.stderr) as bar:
        for count in embedding_upkeep.embed_all(embedder, product_id=product_id):
            bar.update(count)
        return int(bar.n)


def _what_next(chosen: str, embedder: Embedder) -> str:
    left = embedding_upkeep.waiting(model=embedder.name).total
    if left:
        return f"{left:,} live memories have none yet; run this again, without --product, before you change models."
    if embedder.name == embeddings.current().name:
        return "Every live memory has one, and this is the model in service: there is nothing else to do."
    return (
        f"Every live memory has one. Set NEURONZ_EMBEDDER={chosen} and restart; "
        "then `manage.py reembed --prune` forgets the old ones."
    )
