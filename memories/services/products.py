"""Products: made by staff, found by their slug."""

import re

from memories import limits
from memories.errors import Conflict, InvalidInput, NotFound
from memories.models import Product

SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def create_product(*, slug: str, name: str = "") -> Product:
    """A new, empty pool of memories."""
    if not SLUG.fullmatch(slug):
        raise InvalidInput.of(
            "slug", "A slug has 1 to 64 small letters, digits, - or _, and begins with a letter or digit."
        )
    if len(name) > limits.PRODUCT_NAME_CHARACTERS or not name.isprintable():
        raise InvalidInput.of(
            "name", f"A product's name has at most {limits.PRODUCT_NAME_CHARACTERS} printable characters."
        )
    product, is_new = Product.objects.get_or_create(
        slug=slug, defaults={"name": name or slug.replace("-", " ").title()}
    )
    if not is_new:
        raise Conflict(f"There is a product {slug!r} already.", product)
    return product


def product_named(slug: str) -> Product:
    try:
        return Product.objects.get(slug=slug)
    except Product.DoesNotExist:
        raise NotFound(f"There is no product {slug!r}; make it with `manage.py create_product {slug}`.") from None
