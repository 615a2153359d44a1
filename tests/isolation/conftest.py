"""Two products × two agents × private memories, all lived in; and the people of both products at their desks."""

from dataclasses import dataclass

import pytest
from django.test import Client

from memories.actors import Actor
from memories.choices import Role, Trigger
from memories.models import Memory, Product
from sources.choices import SourceType
from sources.models import AuthorityDefault, Source, SyncRun
from tests import desk, factories
from tests.api.door import Door
from tests.api.test_isolation import SECRET, SECRET_TEXT, SHARED, TEXT, Estate, settle_in


@dataclass(frozen=True, slots=True)
class World:
    shared: Estate
    private: Estate
    #: Words of the shared and of the private rows.
    said: list[str]
    whispered: list[str]


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.fixture
def world(door: Door, a2_key: str, b1_key: str, lighthouse: Product) -> World:
    """a1 has shared and private rows; a2 and b1 have something of their own."""
    shared, private = settle_in(door, "shared", SHARED, TEXT), settle_in(door, "private", SECRET, SECRET_TEXT)
    for neighbour in (Door(a2_key), Door(b1_key)):
        neighbour.save("The heron stands in the reeds.")
    source = Source.objects.get(product=lighthouse)
    SyncRun.objects.create(product=lighthouse, source=source, trigger=Trigger.PERSON)
    AuthorityDefault.objects.create(product=lighthouse, type=SourceType.FOLDER, tier="team")
    hidden = Memory.objects.filter(owner__isnull=False).values_list("content", flat=True)
    open_ = Memory.objects.filter(owner__isnull=True, product=lighthouse).exclude(content__contains="heron")
    said, whispered = (
        [each for each in rows if len(each) > 1]  # one letter stands in any answer
        for rows in (open_.values_list("content", flat=True), hidden)
    )
    return World(shared, private, said, whispered)


@pytest.fixture
def insider(manager: Actor) -> Client:
    """A manager of the product."""
    return desk.at_desk(manager)


@pytest.fixture
def outsider(orchard: Product) -> Client:
    """A manager of another product."""
    return desk.at_desk(factories.person(orchard, "olga", Role.MANAGER))
