"""The database itself keeps sources and their items, whoever goes around the services."""

from typing import Any

import pytest

from memories.actors import Actor
from memories.choices import Kind
from memories.models import Memory, Product
from sources.choices import SourceType
from sources.models import Source, SourceItem
from tests import factories, guards
from tests.guards import refused_by


@pytest.fixture
def handbook(lighthouse: Product) -> Source:
    return Source.objects.create(product=lighthouse, type=SourceType.UPLOAD, name="handbook")


def a_raw(by: Actor) -> Memory:
    return factories.stored_row(by, "A page.", kind=Kind.RAW)


def an_item(source: Source, raw: Memory, **columns: Any) -> SourceItem:
    values = {"product": source.product, "source": source, "key": "page-1", "digest": b"", "raw": raw}
    return SourceItem.objects.create(**values | columns)


@pytest.mark.parametrize("column", ["product_id", "type"])
def test_a_source_stays_what_it_is(handbook: Source, column: str) -> None:
    with refused_by("Source:source_stays_in_its_product"):
        guards.set_column(handbook, column, guards.other_value(handbook, column))


def test_a_source_is_never_deleted(handbook: Source) -> None:
    with refused_by("Source:no_deletes"):
        guards.delete(handbook)


def test_a_product_has_one_source_of_a_name(handbook: Source, orchard: Product) -> None:
    Source.objects.create(product=orchard, type=SourceType.UPLOAD, name="handbook")
    with refused_by("Source:one_source_per_name_and_product"):
        Source.objects.create(product=handbook.product, type=SourceType.UPLOAD, name="handbook")


def test_an_item_is_never_deleted(handbook: Source, a1: Actor) -> None:
    item = an_item(handbook, a_raw(a1))
    with refused_by("SourceItem:no_deletes"):
        guards.delete(item)


def test_a_source_has_one_item_of_a_key(handbook: Source, a1: Actor) -> None:
    raw = a_raw(a1)
    an_item(handbook, raw)
    with refused_by("SourceItem:one_item_per_source_and_key"):
        an_item(handbook, raw)


@pytest.mark.parametrize("link", ["source", "raw"])
def test_an_item_stays_in_its_product(handbook: Source, orchard: Product, a1: Actor, b1: Actor, link: str) -> None:
    is_raw = link == "raw"
    with refused_by("SourceItem:same_product"):
        an_item(handbook, a_raw(b1), product=handbook.product if is_raw else orchard)
