"""`manage.py create_agent NAME --product SLUG`: the key alone on standard output, so that a script can take it."""

from argparse import ArgumentParser
from typing import Any

from memories.management.calm import CalmCommand
from memories.services.keys import create_agent
from memories.services.products import product_named


class Command(CalmCommand):
    help = "Make an agent and print its key, which is shown this once and kept nowhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="What the agent is called; one of a kind in its product.")
        parser.add_argument("--product", required=True, metavar="SLUG", help="The product it belongs to.")

    def handle(self, *_: Any, **options: Any) -> None:
        product = product_named(options["product"])
        agent, key = create_agent(product=product, name=options["name"], created_by="manage.py")
        self.stderr.write(f"Made the agent {agent.name} of {product.slug}. Its key is shown this once:")
        self.stdout.write(key)
