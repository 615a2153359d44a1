"""The process that reads a service is killed in the middle: the next run goes on, and nothing is there twice."""

import pytest
from django.utils import timezone

from memories.models import Product
from memories.services import products
from sources import connections
from sources.choices import SourceType
from sources.models import Source
from tests.sources import killing
from tests.sources.fakes.clickup import PERSONAL, FakeClickUp
from tests.sources.fakes.github import github
from tests.sources.fakes.github_store import Repo
from tests.sources.fakes.google_drive import FakeGoogleDrive

pytestmark = pytest.mark.django_db(transaction=True)

ITEMS = 30


@pytest.fixture
def lighthouse() -> Product:
    return products.create_product(slug="lighthouse")


def said(number: int) -> str:
    return f"Station {number} listens on port {1000 + number}.\n"


def taken_up(source: Source) -> None:
    killing.kill_in_the_middle(source, items=ITEMS)
    killing.resume(source)
    killing.assert_all_is_there_once(source, items=ITEMS)


def test_github(lighthouse: Product, private_allowed: None) -> None:
    repo = Repo("octo/handbook", timezone.now)  # on no fixed day: the claim of a killed reader lapses with time
    repo.commit(files={f"stations/{number:02}.md": said(number) for number in range(ITEMS)})
    with github(repo) as hub:
        entered = {"repository": "octo/handbook", "token": "good", "base_url": hub.server.url, "parts": ["docs"],
                   "patterns": "stations/*.md"}  # fmt: skip
        taken_up(connections.connect(product=lighthouse, type_=SourceType.GITHUB, name="handbook", entered=entered))


def test_google_drive(lighthouse: Product, google: FakeGoogleDrive, handbook: str) -> None:
    for number in range(ITEMS):
        google.store.file(f"{number:02}.txt", handbook, said(number).encode())
    entered = {"folder": handbook, "api_url": google.url, "service_account": google.key_file()}
    taken_up(connections.connect(product=lighthouse, type_=SourceType.GOOGLE_DRIVE, name="handbook", entered=entered))


def test_clickup(lighthouse: Product, clickup: FakeClickUp, board: str) -> None:
    (workspace,) = clickup.store.workspaces
    doc = clickup.store.doc(workspace, "Stations")
    for number in range(ITEMS):
        clickup.store.page(doc, f"Station {number}", said(number))
    entered = {"workspace": workspace, "api_url": clickup.url, "token": PERSONAL, "docs": True}
    taken_up(connections.connect(product=lighthouse, type_=SourceType.CLICKUP, name="board", entered=entered))
