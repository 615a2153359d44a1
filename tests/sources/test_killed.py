"""A syncing process that is killed in the middle: the next run goes on, and nothing is there twice."""

from pathlib import Path

import pytest

from memories.models import Product
from memories.services import products
from sources import connections
from sources.choices import SourceType
from sources.models import Source
from tests.sources import killing

pytestmark = pytest.mark.django_db(transaction=True)

ITEMS = 40


@pytest.fixture
def lighthouse() -> Product:
    return products.create_product(slug="lighthouse")


def connected(product: Product, type_: SourceType, **entered: str) -> Source:
    return connections.connect(product=product, type_=type_, name="stations", entered=entered)


def test_a_killed_sync_is_taken_up_again_without_doubles(lighthouse: Product, tmp_path: Path) -> None:
    for number in range(ITEMS):
        (tmp_path / f"{number:03}.md").write_text(f"Station {number} listens on port {1000 + number}.\n")
    source = connected(lighthouse, SourceType.FOLDER, path=str(tmp_path))

    killing.kill_in_the_middle(source, items=ITEMS)

    assert killing.resume(source).seen == ITEMS
    killing.assert_all_is_there_once(source, items=ITEMS)
