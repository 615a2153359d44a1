"""A service as a connector sees it, a server that plays it, and a clock that nobody waits for."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from sources.connectors import http
from sources.connectors.clickup import ClickUp
from sources.connectors.github import GitHub
from sources.connectors.google_drive import GoogleDrive
from sources.connectors.http import Outbound
from tests.conftest import Clock
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.clickup import PERSONAL, FakeClickUp
from tests.sources.fakes.github import github
from tests.sources.fakes.github_hub import Hub
from tests.sources.fakes.github_store import Repo
from tests.sources.fakes.google_drive import ADDRESS, FakeGoogleDrive
from tests.sources.fakes.serving import SECRET, Answer, Answering, Server, serving

ONCALL = "# On call\n\nNoor leads the payments team.\n"


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


@pytest.fixture
def repo(clock: Clock) -> Repo:
    """A repository on a fixed day, with a little of everything."""
    clock.now = datetime(2026, 3, 1, 9, tzinfo=UTC)
    repo = Repo("octo/handbook", lambda: clock.now)
    repo.commit(files={"README.md": "# Handbook\n\nThe gateway listens on port 8443.\n", "docs/oncall.md": ONCALL,
                       "src/app.py": "print()\n"})  # fmt: skip
    repo.issue("Deploy fails", "The deploy job needs 4 GB of memory.")
    repo.issue("Use the large runner", "It moves the job.", pull=True)
    repo.release("v1.0", "The first release.")
    repo.discussion("Which editor?", "We use Vim for notes.")
    return repo


@pytest.fixture
def hub(repo: Repo, private_allowed: None, waits: list[float]) -> Iterator[Hub]:
    with github(repo) as hub:
        yield hub


@pytest.fixture
def shelf(hub: Hub) -> Shelf:
    return Shelf(GitHub, {"repository": "octo/handbook", "base_url": hub.server.url}, {"token": "good"})


@pytest.fixture
def clickup(private_allowed: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeClickUp]:
    """Waiting for it lets its minutes go by."""
    with FakeClickUp() as service:
        monkeypatch.setattr(http, "sleep", service.wait)
        monkeypatch.setattr("sources.connectors.clickup.api.sleep", service.wait)
        yield service


@pytest.fixture
def board(clickup: FakeClickUp) -> str:
    """A list in a workspace that the personal token opens."""
    workspace = clickup.store.workspace("Lighthouse")
    clickup.authorized[PERSONAL].add(workspace)
    return clickup.store.list_(clickup.store.space(workspace, "Engineering"), "Backend")


@pytest.fixture
def board_shelf(clickup: FakeClickUp, board: str) -> Shelf:
    (workspace,) = clickup.store.workspaces
    return Shelf(ClickUp, {"workspace": workspace, "api_url": clickup.url}, {"token": PERSONAL})
