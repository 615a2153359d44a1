"""Sources as they are shown: each with the tier in force and its last run, in a fixed number of queries."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db.models import OuterRef, Subquery

from memories.actors import Actor
from memories.errors import NotFound
from sources.models import AuthorityDefault, Source, SyncRun


def annotated(rows: Any) -> Any:
    """With the product's default tier and the id of the last run."""
    of_product = AuthorityDefault.objects.filter(product=OuterRef("product"), type=OuterRef("type")).values("tier")
    last = SyncRun.objects.filter(source=OuterRef("pk")).order_by("-id").values("pk")
    return rows.annotate(default_of_product=Subquery(of_product[:1]), last_run_id=Subquery(last[:1]))


def with_last_runs(rows: Sequence[Any]) -> dict[UUID, SyncRun]:
    """The last runs of some sources, by the id of the run."""
    return SyncRun.objects.in_bulk([row.last_run_id for row in rows if row.last_run_id])


def visible(by: Actor) -> Any:
    """Values, credentials and cursors are not even fetched."""
    return annotated(Source.objects.visible_to(by)).defer("values", "sealed", "cursor", "sweeps")


def one(by: Actor, id_: str) -> Any:
    try:
        return visible(by).get(pk=id_)
    except (ObjectDoesNotExist, ValidationError, ValueError):
        raise NotFound from None
