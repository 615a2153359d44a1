"""`manage.py connect CLIENT`: the exact text that a client needs, with the agent's key in its place."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from memories import connecting
from memories.errors import InvalidInput
from memories.management.calm import CalmCommand
from memories.models import Agent
from memories.services import keys
from memories.services.products import product_named


class Command(CalmCommand):
    help = "Print how a client is connected, with the key in its place: a given one, or a new one of an agent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("client", choices=[str(each) for each in connecting.Client], metavar="CLIENT",
                            help=f"One of: {', '.join(connecting.Client)}.")  # fmt: skip
        parser.add_argument("--product", metavar="SLUG", help="Make a new key for an agent of this product.")
        parser.add_argument("--agent", metavar="NAME", help="Its agent; made if there is none. Default: CLIENT.")
        parser.add_argument("--key", metavar="KEY", help="Use this key instead of making one.")
        parser.add_argument("--url", default=settings.PUBLIC_URL, help="The server, as the client reaches it.")

    def handle(self, *_: Any, **options: Any) -> None:
        client = connecting.Client(options["client"])
        access = connecting.Access(
            url=options["url"].rstrip("/"), key=self._key(client, options), clone=str(settings.BASE_DIR)
        )
        for number, step in enumerate(connecting.steps(client, access), start=1):
            place = f", {step.where}" if step.where else ""
            self.stdout.write(f"# {number}. {step.title}{place}\n\n{step.text}\n")

    def _key(self, client: connecting.Client, options: dict[str, Any]) -> str:
        if given := options["key"]:
            if keys.verify(given) is None:
                raise InvalidInput.of("key", "This key is unknown, expired or revoked; make another with --product.")
            return str(given)
        if not options["product"]:
            raise InvalidInput.of("product", "Say --product SLUG to make a key there, or --key KEY to use one.")
        product, name = product_named(options["product"]), options["agent"] or str(client)
        agent = Agent.objects.filter(product=product, name=name).first()
        if agent is None:
            agent, secret = keys.create_agent(product=product, name=name, created_by="manage.py")
        else:
            _, secret = keys.issue(agent=agent, created_by="manage.py")
        self.stderr.write(f"Made a key of the agent {agent.name} of {product.slug}. It is shown this once.")
        return secret
