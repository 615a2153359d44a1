"""`manage.py erase`: the text of memories goes for good. Without --yes it only shows what would go."""

import getpass
import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.http import QueryDict

from memories.actors import Actor
from memories.choices import Origin
from memories.errors import InvalidInput, NotFound
from memories.filters import Filters
from memories.management.calm import CalmCommand
from memories.models import Agent, Memory, Product
from memories.services import erasure
from memories.services.erasing import verification
from memories.services.erasure import Choice, ChosenBy
from memories.services.products import product_named
from memories.shapes import ListShape

AGAIN = "Run it again with --yes to erase. It can't be taken back."
COUNTS = ("statements", "texts", "texts_masked")
#: The exit code where text that was looked for is still there.
FOUND = 3


class Command(CalmCommand):
    help = (
        "Erase memories for good: their text disappears from facts, raw texts, history, vectors, the word index, the "
        "graph, receipts and everything else that repeats it, and is not stored again. Without --yes nothing changes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID", help="Memories, raw texts among them.")
        parser.add_argument("--product", metavar="SLUG", help="Whose; may be left out with ids.")
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--person", metavar="NAME", help="All that is about, names, or was said by this person.")
        chosen.add_argument("--agent", metavar="NAME", help="All that this agent wrote.")
        chosen.add_argument("--filter", action="append", metavar="NAME=VALUE", help="As in lists: tag=ops, person=Ada.")
        chosen.add_argument("--everything", action="store_true", help="All memories of the product.")
        chosen.add_argument("--verify", metavar="TEXT", help="Erase nothing: say where this text still stands.")
        parser.add_argument("--only-this", action="store_true", help="Leave other versions and copies.")
        parser.add_argument("--reason", default="", help="Why, for the receipt; never the text itself.")
        parser.add_argument("--yes", action="store_true", help="Erase. Without it, only look.")
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")

    def handle(self, *_: Any, **options: Any) -> None:
        if options["verify"] is not None:
            self._verify(options["verify"], as_json=options["json"])
            return
        choice, reason = _choice(options), erasure.check_reason(options["reason"])
        if not options["yes"]:
            self._show(erasure.preview(choice), as_json=options["json"])
            return
        by = Actor(Origin.PERSON, getpass.getuser(), choice.product_id)
        done = erasure.erase(by=by, choice=choice, reason=reason)
        if options["json"]:
            receipts = [str(each.pk) for each in done.receipts]
            answer = {"erased": True, "act": str(done.act), "receipts": receipts, "counts": dict(done.counts)}
            self.stdout.write(json.dumps(answer))
        else:
            self.stdout.write(f"Erased: {_counted(done.counts)}. Act {done.act}.")

    def _show(self, preview: erasure.Preview, *, as_json: bool) -> None:
        counts = {name: getattr(preview, name) for name in COUNTS}
        if as_json:
            rows = {"sample": _rows(preview.sample), "mentions": _rows(preview.mentions)}
            self.stdout.write(json.dumps({"erased": False, "would": {**counts, **rows}}))
            return
        self.stdout.write(f"Would erase: {_counted(counts)}.")
        for title, rows_ in (("Among them", preview.sample), ("Stays, though it repeats it", preview.mentions)):
            self.stdout.writelines(f"{title}: {each.pk} {each.content[:200]}\n" for each in rows_)
        self.stdout.write(AGAIN)

    def _verify(self, text: str, *, as_json: bool) -> None:
        if not text.strip():
            raise CommandError("Say which text to look for.")
        traces = verification.traces_of(text)
        if as_json:
            found = [{"table": each.table, "column": each.column, "rows": each.rows} for each in traces]
            self.stdout.write(json.dumps({"found": found}))
        else:
            self.stdout.writelines(f"{each.table}.{each.column}: {each.rows:,} rows\n" for each in traces)
        if traces:
            raise CommandError("The text still stands in the database.", returncode=FOUND)
        if not as_json:
            self.stdout.write("The text stands nowhere in the database.")


def _rows(rows: Sequence[Memory]) -> list[dict[str, str]]:
    return [{"id": str(each.pk), "content": each.content[:1_000]} for each in rows]


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items()) or "nothing"


def _choice(options: Mapping[str, Any]) -> Choice:
    ids = [_id(each) for each in options["ids"]]
    named = [name for name in ("person", "agent", "filter", "everything") if options[name]]
    if bool(ids) + len(named) != 1:
        raise CommandError("Say what to erase: ids, or one of --person, --agent, --filter, --everything.")
    product = _product(options["product"], ids)
    choice = Choice(
        product.pk, ChosenBy.MEMORY, ids=ids, person=options["person"] or "", is_of_machine=True,
        only_this=options["only_this"],
    )  # fmt: skip
    if options["person"]:
        return replace(choice, chosen_by=ChosenBy.PERSON)
    if options["agent"]:
        return replace(choice, chosen_by=ChosenBy.AGENT, agent_id=_agent(product, options["agent"]))
    if options["filter"]:
        return replace(choice, chosen_by=ChosenBy.FILTER, filters=_filters(product, options["filter"]))
    return replace(choice, chosen_by=ChosenBy.PRODUCT) if options["everything"] else choice


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is not the id of a memory.") from None


def _product(slug: str | None, ids: Sequence[UUID]) -> Product:
    if slug:
        return product_named(slug)
    if not ids:
        raise CommandError("Say whose memories: --product SLUG.")
    products = list(Product.objects.filter(pk__in=Memory.objects.filter(pk__in=ids).values("product")))
    if len(products) != 1:
        raise NotFound("These ids are not memories of one product; name it with --product SLUG.")
    return products[0]


def _agent(product: Product, name: str) -> UUID:
    agent = Agent.objects.filter(product=product, name=name).first()
    if agent is None:
        raise NotFound(f"The product {product.slug} has no agent {name!r}.")
    return agent.pk


def _filters(product: Product, told: Sequence[str]) -> Filters:
    """As a list would read them, over everything that was ever stored."""
    sent = QueryDict(mutable=True)
    for each in told:
        name, is_pair, value = each.partition("=")
        if not is_pair:
            raise InvalidInput(f"{each!r} is no filter; write NAME=VALUE.")
        sent.appendlist(name, value)
    shape = ListShape(data=sent, context={"zone": product.zone})
    if not shape.is_valid():
        name, sentences = next(iter(shape.errors.items()))
        raise InvalidInput(f"{name}: {sentences[0]}")
    return replace(shape.filters(), history=True)
