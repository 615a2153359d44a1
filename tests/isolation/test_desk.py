"""Every address of a row in the admin, read off the URL table: nobody meets under it what is private."""

import re
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models
from django.test import Client
from django.urls import get_resolver

from conflicts.models import Conflict
from memories.models import Memory, MemoryEvent, Write
from tests.api.addresses import _walk
from tests.api.test_isolation import snapshot
from tests.isolation.conftest import World

pytestmark = pytest.mark.django_db
PARAMETER = re.compile(r"<[^>]+>")
#: They lead on to a row of the site or catch all the rest; there is no row in them.
NO_ROWS = ("admin/r/", "admin/(?P", "admin/^")
#: Receipts and verbs of acts upon ticked rows: the acts have tests of their own.
OTHER_PARAMETERS = ("<str:receipt>", "<str:verb>")
ROWS_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Address:
    route: str

    @property
    def model(self) -> type[models.Model]:
        app, name = self.route.removeprefix("admin/").split("/")[:2]
        return apps.get_model(app, name)

    def path(self, pk: Any) -> str:
        return "/" + PARAMETER.sub(str(pk), self.route)


def addresses(*, with_rows: bool) -> list[Address]:
    routes = [route for route, _ in _walk("", get_resolver().url_patterns) if route.startswith("admin/")]
    found = [route for route in routes if not route.startswith(NO_ROWS) and bool(PARAMETER.search(route)) == with_rows]
    return [Address(route) for route in found if not any(each in route for each in OTHER_PARAMETERS)]


def pks(model: type[models.Model], **where: Any) -> list[Any]:
    return list(model._default_manager.filter(**where).order_by("pk").values_list("pk", flat=True)[:ROWS_AT_MOST])


def random_pk(model: type[models.Model]) -> Any:
    return uuid4() if isinstance(model._meta.pk, models.UUIDField) else 987_654_321


def answers(client: Client, address: Address, pk: Any) -> list[tuple[int, str]]:
    """Status and body of reading it and of acting on it; the id itself is taken out of the text."""
    sent = (client.get(address.path(pk)), client.post(address.path(pk), {"post": "yes"}))
    return [(each.status_code, each.content.decode().replace(str(pk), "ID")) for each in sent]


PRIVATE = {Memory: "owner", Write: "raw__owner", MemoryEvent: "pgh_obj__owner", Conflict: "newer__owner"}


def test_nobody_meets_what_is_private_under_any_address(world: World, insider: Client, admin_client: Client) -> None:
    before = snapshot()
    for address in addresses(with_rows=True):
        base = address.model._meta.concrete_model or address.model
        owner = next((path for model, path in PRIVATE.items() if base is model), None)
        for pk in pks(address.model, **{f"{owner}__isnull": False}) if owner else []:
            for client in (insider, admin_client):
                unknown = [code for code, _ in answers(client, address, random_pk(address.model))]
                met = answers(client, address, pk)
                assert (address.route, [code for code, _ in met]) == (address.route, unknown)
                assert (address.route, told(met, world.whispered)) == (address.route, [])
    assert snapshot() == before


def told(met: list[tuple[int, str]], words: list[str]) -> list[str]:
    return [word for word in words for _, body in met if len(word) > 1 and word in body]
