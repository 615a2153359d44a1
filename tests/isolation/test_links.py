"""No row leads into another product: the database refuses it, and no task of the clock makes such a link."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

from memories.models.guards import SameProduct
from neuronz.celery import app
from tests import guards
from tests.isolation.conftest import World

pytestmark = pytest.mark.django_db

#: Links that need no guard, each with its reason.
UNGUARDED: dict[str, str] = {}
#: Tasks that take an id: what they do with one is told by the tests of their services.
WITH_AN_ID = {"memories.tasks.read_write", "sources.tasks.sync_source"}


def links() -> Iterator[tuple[type[models.Model], "models.ForeignKey[Any, Any]"]]:
    """Every foreign key between rows that each belong to a product."""
    for label in guards.APPS:
        for model in apps.get_app_config(label).get_models():
            if model._meta.proxy or not has_product(model):
                continue
            for field in model._meta.concrete_fields:
                if isinstance(field, models.ForeignKey) and has_product(field.related_model):
                    yield model, field


def has_product(model: Any) -> bool:
    return any(field.name == "product" for field in model._meta.concrete_fields)


def test_every_link_between_rows_of_products_is_guarded() -> None:
    """A new foreign key needs its name in a SameProduct, or a reason above."""
    unguarded = {
        f"{model.__name__}.{field.name}"
        for model, field in links()
        if not any(
            isinstance(trigger, SameProduct) and field.name in (*trigger.links, *trigger.pool)
            for trigger in getattr(model._meta, "triggers", [])
        )
    }
    assert unguarded == set(UNGUARDED)


def crossing() -> dict[str, int]:
    """Rows that lead into another product, by link."""
    found = {}
    with connection.cursor() as cursor:
        for model, field in links():
            table, other = model._meta.db_table, field.related_model._meta.db_table
            cursor.execute(
                f'SELECT count(*) FROM "{table}" a JOIN "{other}" b ON b.id = a."{field.column}"'  # noqa: S608  # names
                " WHERE a.product_id <> b.product_id"
            )
            found[f"{model.__name__}.{field.name}"] = int(cursor.fetchone()[0])
    return {name: number for name, number in found.items() if number}


def test_no_task_of_the_clock_links_products(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    app.loader.import_default_modules()
    ours = {name: task for name, task in app.tasks.items() if name.startswith(("memories.", "conflicts.", "sources."))}
    for name, task in ours.items():
        if name in WITH_AN_ID or "index" in name:  # an index is built outside of any transaction
            continue
        try:
            task.run()
        except TypeError:  # takes an argument
            logging.getLogger(__name__).info("%s takes an argument.", name)
    assert len(ours) >= 8
    assert crossing() == {}
