"""A service as a connector sees it, a server that plays it, and a clock that nobody waits for."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from sources.connectors import http
from sources.connectors.http import Outbound
from tests.sources.fakes.serving import SECRET, Answer, Answering, Server, serving


@pytest.fixture
def private_allowed(settings: Settings) -> None:
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nobody really waits: the waits are noted."""
    waits: list[float] = []
    monkeypatch.setattr(http, "sleep", waits.append)
    return waits


@pytest.fixture
def answering() -> Iterator[Answering]:
    """A server that gives these answers in turn, and the last one for ever."""
    running = []

    def start(*answers: Answer, host: str = "127.0.0.1") -> Server:
        left = list(answers)
        context = serving(lambda asked: left.pop(0) if len(left) > 1 else left[0], host)
        running.append(context)
        return context.__enter__()

    yield start
    for context in running:
        context.__exit__(None, None, None)


@pytest.fixture
def service() -> Iterator[Outbound]:
    outbound = Outbound("GitLike", headers={"Authorization": f"Bearer {SECRET}", "X-Api-Key": SECRET})
    yield outbound
    outbound.close()
