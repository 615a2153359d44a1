"""The database counts a product's tokens once a day, and never less than none."""

from memories.models import ModelUse, Product
from memories.services import spending
from tests.guards import refused_by


def use(product: Product, tokens: int) -> ModelUse:
    return ModelUse.objects.create(product=product, day=spending.today(), tokens=tokens)


def test_a_product_has_one_count_a_day(lighthouse: Product) -> None:
    use(lighthouse, 1)
    with refused_by("ModelUse:one_count_of_tokens_per_product_and_day"):
        use(lighthouse, 2)


def test_no_count_is_less_than_none(lighthouse: Product) -> None:
    with refused_by("ModelUse:tokens_are_never_less_than_none"):
        use(lighthouse, -1)
