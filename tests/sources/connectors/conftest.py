"""A service as a connector sees it, a server that plays it, and a clock that nobody waits for."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from sources.connectors import http
from sources.connectors.google_drive import GoogleDrive
from sources.connectors.http import Outbound
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.google_drive import ADDRESS, FakeGoogleDrive
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


@pytest.fixture
def google(private_allowed: None, waits: list[float]) -> Iterator[FakeGoogleDrive]:
    with FakeGoogleDrive() as drive:
        yield drive


@pytest.fixture
def handbook(google: FakeGoogleDrive) -> str:
    """A folder that is shared with the service account; beside it lies what is not."""
    top = google.store.folder("Handbook")
    google.store.share(top, ADDRESS)
    return top


@pytest.fixture
def drive_shelf(google: FakeGoogleDrive, handbook: str) -> Shelf:
    return Shelf(GoogleDrive, {"folder": handbook, "api_url": google.url}, {"service_account": google.key_file()})
