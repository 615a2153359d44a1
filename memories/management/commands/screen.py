"""`manage.py screen`: look again at all that is stored for credentials, as new texts are looked at when they come.

For what was stored before screening was on, or before it knew a shape. Names the places and never the secret.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import QuerySet

from memories import screening
from memories.management.calm import CalmCommand
from memories.models import Memory
from memories.services.products import product_named

ROWS = 500
#: The exit code where something was found, as for `erase --verify`.
FOUND = 3


class Command(CalmCommand):
    help = "Look for credentials in everything that is stored; says which memories hold what, never the secret."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--product", metavar="SLUG", help="Only this one's.")

    def handle(self, *_: Any, **options: Any) -> None:
        rows = Memory.objects.filter(erased_at=None)
        if options["product"]:
            rows = rows.filter(product=product_named(options["product"]))
        held: list[UUID] = []
        for row in _rows(rows):
            kinds = Counter(each.kind for text in _texts(row) for each in screening.find(text))
            if kinds:
                held.append(row.pk)
                told = ", ".join(f"{kind} × {count}" if count > 1 else kind for kind, count in sorted(kinds.items()))
                self.stdout.write(f"{row.pk} ({row.product.slug}, {row.status} {row.get_kind_display()}): {told}")
        if held:
            raise CommandError(
                f"{len(held):,} memories hold what looks like a credential. Change it where it is used, then erase it: "
                "manage.py erase ID … --yes",
                returncode=FOUND,
            )
        self.stdout.write("Nothing that is stored looks like a credential.")


def _rows(rows: QuerySet[Memory]) -> Iterator[Memory]:
    """Whoever wrote them, private ones too: the text is looked at by rule and shown to nobody."""
    shown = rows.select_related("product").only("content", "tags", "metadata", "kind", "status", "product__slug")
    return shown.order_by("pk").iterator(ROWS)


def _texts(row: Memory) -> Iterator[str]:
    yield row.content
    yield from row.tags
    yield from _said_in(row.metadata)


def _said_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, str):  # `{"password": "…"}` is a secret by its name
                yield f"{name}: {inner}"
            else:
                yield name
                yield from _said_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _said_in(inner)
