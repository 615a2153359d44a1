"""Guards that several models share: the database refuses whatever slipped past the services."""

from typing import Any

import pgtrigger


class NoDeletes(pgtrigger.Protect):
    """ "Retired, never deleted.\""""

    def __init__(self) -> None:
        super().__init__(name="no_deletes", operation=pgtrigger.Delete)


class Agree(pgtrigger.Trigger):
    """Two values that a row leads to agree: the owners of a pair's sides, the agents of a key and the one before.

    Looked at when the row arrives: the columns it reads are fixed from then on.
    """

    when = pgtrigger.Before
    operation = pgtrigger.Insert

    def __init__(self, name: str, one: str, other: str, *, unless: str = "FALSE") -> None:
        """`one`, `other` and `unless` are SQL over the row NEW."""
        self.one, self.other, self.unless = one, other, unless
        super().__init__(name=name)

    def get_func(self, model: Any) -> str:
        sentence = f"{model._meta.db_table}: {str(self.name).replace('_', ' ')}"
        return (
            f"IF NOT ({self.unless}) AND ({self.one}) IS DISTINCT FROM ({self.other}) THEN "
            f"RAISE EXCEPTION '{sentence}'; END IF; RETURN NEW;"
        )


class SameProduct(pgtrigger.Trigger):
    """Linked rows share one product; with `pool`, one owner too, so private and shared never mix.

    Deferred to the end of the transaction: a memory may name its successor before that one is inserted.
    """

    when = pgtrigger.After
    operation = pgtrigger.Insert | pgtrigger.Update
    timing = pgtrigger.Deferred

    def __init__(self, *links: str, pool: tuple[str, ...] = (), through: str = "") -> None:
        """`through` names the link whose product a row without a product of its own belongs to."""
        self.links = links
        self.pool = pool
        self.through = through
        super().__init__(name="same_product")

    def get_func(self, model: Any) -> str:  # a model class, whatever the stubs of pgtrigger say
        product = "NEW.product_id"
        if self.through:
            field = model._meta.get_field(self.through)
            table = field.related_model._meta.db_table
            product = f'(SELECT product_id FROM "{table}" WHERE id = NEW.{field.column})'  # noqa: S608  # names out of models
        checks = [self._check(model, link, f"product_id = {product}") for link in self.links]
        same_pool = "product_id = NEW.product_id AND owner_id IS NOT DISTINCT FROM NEW.owner_id"
        checks += [self._check(model, link, same_pool) for link in self.pool]
        return "\n".join([*checks, "RETURN NULL;"])

    def _check(self, model: Any, link: str, condition: str) -> str:
        field = model._meta.get_field(link)
        table = field.related_model._meta.db_table
        return (
            f'IF NEW.{field.column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "{table}" '  # noqa: S608  # names out of models
            f"WHERE id = NEW.{field.column} AND {condition}) THEN "
            f"RAISE EXCEPTION '{model._meta.db_table}: {link} belongs to another product or pool'; END IF;"
        )
