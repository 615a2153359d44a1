"""`manage.py create_product SLUG`: a new, empty pool of memories."""

from argparse import ArgumentParser
from typing import Any

from memories.management.calm import CalmCommand
from memories.services.products import create_product


class Command(CalmCommand):
    help = "Make a product: one pool of memories, which no other product sees."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="Its short name in commands and addresses.")
        parser.add_argument("--name", default="", help="Its name for people; made from the slug when left out.")

    def handle(self, *_: Any, **options: Any) -> None:
        product = create_product(slug=options["slug"], name=options["name"].strip())
        self.stdout.write(f"Made the product {product.slug} ({product.name}).")
        self.stdout.write(f"A key for an agent of it: manage.py create_agent NAME --product {product.slug}")
