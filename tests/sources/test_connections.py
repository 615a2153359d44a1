"""What staff enter for a source is checked before it is kept."""

import pytest

from memories.errors import InvalidInput
from memories.models import Product
from sources import connections
from sources.choices import SourceType
from sources.models import Source

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,hi", "git.example.org/handbook", "https://"]
)
def test_an_address_that_no_browser_should_open_is_refused_with_what_would_do(
    lighthouse: Product, address: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        connections.connect(
            product=lighthouse, type_=SourceType.FOLDER, name="docs", entered={"path": "/srv", "base_url": address}
        )
    assert "must begin with https:// or http://" in refused.value.sentence
    assert not Source.objects.exists()


def test_an_address_of_the_web_is_kept_with_its_place_for_the_commit(lighthouse: Product) -> None:
    address = "HTTPS://git.example.org/handbook/blob/{commit}/"
    source = connections.connect(
        product=lighthouse, type_=SourceType.FOLDER, name="docs", entered={"path": "/srv", "base_url": address}
    )
    assert source.values["base_url"] == address
