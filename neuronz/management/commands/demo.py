"""`manage.py demo`: a product and an agent to try things with."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from memories.models import Agent, Product
from memories.services.keys import create_agent
from memories.services.products import create_product

NAME = "demo"
ANOTHER_KEY = f".venv/bin/python manage.py create_agent NAME --product {NAME}"


class Command(BaseCommand):
    help = "Make the demo product with its agent, and print the agent's key. Once: the key is not kept."

    def handle(self, *_: Any, **__: Any) -> None:
        key = make_demo()
        if key is None:
            self.stderr.write(f"The demo was made before, and its key shown then. Another key: {ANOTHER_KEY}")
        else:
            self.stdout.write(key)


@transaction.atomic
def make_demo() -> str | None:
    """The key of the demo agent, or None where the demo was made before."""
    product = Product.objects.filter(slug=NAME).first() or create_product(slug=NAME, name="Demo")
    if Agent.objects.filter(product=product).exists():
        return None
    return create_agent(product=product, name=NAME)[1]
