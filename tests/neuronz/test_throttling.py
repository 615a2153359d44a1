"""A number of requests a minute for each key; what is too much is told when to come again."""

import logging

import pytest
from pytest_django import Settings

from memories.choices import Permission
from memories.models import Agent, Memory
from memories.services import keys
from neuronz import throttling
from tests.api.door import Door


class Watch:
    """The clock on the wall."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    monkeypatch.setattr(throttling, "time", watch)
    return watch


@pytest.fixture
def door(a1_key: str, settings: Settings) -> Door:
    settings.RATE_PER_MINUTE = 3
    return Door(a1_key)


def test_the_request_after_the_last_allowed_one_is_a_429(door: Door, watch: Watch) -> None:
    assert [door.get("whoami/").code for _ in range(4)] == [200, 200, 200, 429]
    refused = door.post("facts/", {"content": "The lamp is lit."})
    assert (refused.code, Memory.objects.count()) == (429, 0)


@pytest.mark.parametrize(("second", "wait"), [(0.0, 60), (1.0, 59), (30.25, 30), (59.5, 1)])
def test_retry_after_leads_into_the_next_minute(door: Door, watch: Watch, second: float, wait: int) -> None:
    watch.now = watch.now - watch.now % 60 + second
    for _ in range(3):
        door.get("whoami/")
    refused = door.get("whoami/")
    assert (refused.code, int(refused.headers["Retry-After"])) == (429, wait)
    watch.now += wait
    assert door.get("whoami/").code == 200


def test_each_key_is_counted_by_itself(door: Door, a2_key: str, watch: Watch) -> None:
    _, secret = keys.issue(agent=Agent.objects.get(name="a1"), permissions=(Permission.READ,))
    for each in (door, Door(secret), Door(a2_key)):
        assert [each.get("whoami/").code for _ in range(4)] == [200, 200, 200, 429]


def test_whoever_has_no_key_uses_up_nobodys(door: Door, watch: Watch) -> None:
    assert {Door("nz_x").get("whoami/").code for _ in range(9)} == {401}
    assert door.get("whoami/").code == 200


def test_a_dead_cache_stops_nobody_and_is_told_once(
    door: Door, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Dead:
        def __getattr__(self, name: str) -> object:
            raise ConnectionError("no cache here")

    monkeypatch.setattr(throttling, "cache", Dead())
    with caplog.at_level(logging.WARNING, logger="neuronz.throttling"):
        assert {door.get("whoami/").code for _ in range(9)} == {200}
    monkeypatch.undo()
    assert [record.name for record in caplog.records] == ["neuronz.throttling"]
    assert door.get("whoami/").code == 200
