"""The people of every access test, and the edges that are faked: the embedder and the broker."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import cast

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories import reader
from memories.actors import Actor
from memories.choices import Role
from memories.models import Product, Write
from memories.search import people, planning, rarity
from memories.services import products, statements
from tests import factories
from tests.stubs import StubReader


@pytest.fixture(autouse=True)
def edges(settings: Settings) -> None:
    """No model is loaded and no broker is needed: hashed vectors, and queued writes are only noted."""
    settings.EMBEDDER = "hashing:64"
    settings.ENQUEUE_READING = "tests.factories.note_queued"
    planning.forget()
    rarity.forget()
    people.forget()
    factories.queued.clear()


@pytest.fixture
def lighthouse(db: None) -> Product:
    return products.create_product(slug="lighthouse")


@pytest.fixture
def orchard(db: None) -> Product:
    """The other side of the wall."""
    return products.create_product(slug="orchard")


@pytest.fixture
def a1_key(lighthouse: Product) -> str:
    return factories.agent_key(lighthouse, "a1")


@pytest.fixture
def a2_key(lighthouse: Product) -> str:
    return factories.agent_key(lighthouse, "a2")


@pytest.fixture
def b1_key(orchard: Product) -> str:
    return factories.agent_key(orchard, "b1")


@pytest.fixture
def a1(a1_key: str) -> Actor:
    return factories.caller(a1_key)


@pytest.fixture
def a2(a2_key: str) -> Actor:
    """Another agent of the same product."""
    return factories.caller(a2_key)


@pytest.fixture
def b1(b1_key: str) -> Actor:
    """A stranger: an agent of another product."""
    return factories.caller(b1_key)


@pytest.fixture
def curator(lighthouse: Product) -> Actor:
    return factories.person(lighthouse, "curator")


@pytest.fixture
def manager(lighthouse: Product) -> Actor:
    return factories.person(lighthouse, "manager", Role.MANAGER)


@pytest.fixture
def read_queued(db: None) -> Callable[[], int]:
    """Do a worker's part: read what waits, oldest first, and say how many writes that were."""

    def read() -> int:
        waiting = Write.objects.unfinished().order_by("id").values_list("pk", flat=True)
        return sum(statements.read_write(write_id) for write_id in list(waiting))

    return read


class Clock:
    """What `timezone.now()` says. The database's own clock goes on."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def pass_(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(timezone.now())
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


@pytest.fixture
def stub_reader(settings: Settings) -> StubReader:
    """Every sentence is a statement, and verdicts are what the test says."""
    settings.READER = "tests.stubs.StubReader"
    stub = cast("StubReader", reader.reader())
    stub.reset()
    return stub
