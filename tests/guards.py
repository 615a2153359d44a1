"""How tests show that the database itself refuses: which guard it was, and what a changed column looks like."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, InternalError, ProgrammingError, connection, models, transaction

#: The apps whose guards must be proven.
APPS = ("memories", "conflicts", "sources")


@contextmanager
def refused_by(guard: str) -> Iterator[None]:
    """Whatever happens inside is refused by this guard (`Model:name`) and by no other, now or when it commits."""
    name = guard.partition(":")[2]
    with pytest.raises(DatabaseError) as refusal, transaction.atomic():  # noqa: PT012  # the act is the caller's
        yield
        check_deferred()
    cause = refusal.value.__cause__
    assert isinstance(cause, psycopg.Error)
    if cause.diag.constraint_name:
        assert isinstance(refusal.value, IntegrityError)
        assert cause.diag.constraint_name == name
    else:
        assert isinstance(refusal.value, ProgrammingError | InternalError)
        assert f"pgtrigger_{name}_" in (cause.diag.context or "")


def check_deferred() -> None:
    """What would be checked when the transaction ends is checked now."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def execute(sql: str, *parameters: Any) -> None:
    """Around the models as well as around the services."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


def delete(row: models.Model) -> None:
    """Delete the row in SQL: the ORM would look for links first."""
    execute(f'DELETE FROM "{row._meta.db_table}" WHERE id = %s', row.pk)  # noqa: S608  # a table's own name


def set_column(row: models.Model, column: str, value: Any) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(**{column: value})


def columns(model: type[models.Model], *, without: tuple[str, ...] = ()) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if field.name not in without]


def other_value(row: models.Model, column: str) -> Any:
    """Another value of the column's type. A link leads nowhere: the guards under test come before foreign keys."""
    field: models.Field[Any, Any] = row._meta.get_field(column)  # type: ignore[assignment]  # a concrete column
    if isinstance(field, models.ForeignKey):
        field = field.target_field
    now = getattr(row, column)
    for kind, value in OTHER_VALUES:
        if isinstance(field, kind):
            return value(now)
    raise AssertionError(f"Say what another value of {field} is.")


OTHER_VALUES: "list[tuple[type[models.Field[Any, Any]], Any]]" = [
    (models.UUIDField, lambda now: uuid4()),
    (models.BooleanField, lambda now: not now),
    (models.IntegerField, lambda now: (now or 0) + 1),
    (models.DateTimeField, lambda now: datetime(1999, 12, 31, tzinfo=UTC)),
    (models.JSONField, lambda now: {"other": 1}),
    (models.BinaryField, lambda now: b"other"),
    (models.CharField, lambda now: f"{now}x"[-8:]),
    (models.TextField, lambda now: f"{now}x"),
    (models.Field, lambda now: ["other"]),
]


def declared() -> set[str]:
    """Every trigger and constraint of our models, as `Model:name`."""
    found = set()
    for label in APPS:
        for model in apps.get_app_config(label).get_models():
            guards = [*model._meta.constraints, *getattr(model._meta, "triggers", [])]
            found |= {f"{model.__name__}:{guard.name}" for guard in guards}
    return found
