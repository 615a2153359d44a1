"""A manager connects a folder in a real browser: form, test of the connection, dry run, run, and what is shown."""

import os
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from memories.choices import Trigger
from memories.models import Product
from memories.services import products
from sources.models import Source
from sources.syncing import engine

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long word for tests"
#: A folder for pictures of the pages, when somebody wants to look at them.
PICTURES = os.environ.get("PICTURES", "")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "ports.md").write_text("The gateway listens on port 8443.\n")
    (tmp_path / "docs" / "image.md").write_bytes(b"\0\1\2")
    return tmp_path / "docs"


@pytest.fixture
def root(page: Page, live_server: LiveServer, settings: Settings) -> Page:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    get_user_model().objects.create_superuser("root", password=PASSWORD)
    page.goto(f"{live_server.url}/admin/")
    page.fill("#id_username", "root")
    page.fill("#id_password", PASSWORD)
    page.click("button[type=submit]")
    return page


def picture(page: Page, name: str) -> None:
    if PICTURES:
        for scheme in ("light", "dark"):
            page.evaluate(f"document.documentElement.classList.toggle('dark', {str(scheme == 'dark').lower()})")
            page.screenshot(path=f"{PICTURES}/{name}-{scheme}.png", full_page=True)


def test_a_folder_is_connected_tried_out_previewed_and_read(
    root: Page, live_server: LiveServer, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sources.tasks.sync_source.delay", lambda *_: None)  # the broker
    products.create_product(slug="lighthouse")
    root.goto(f"{live_server.url}/admin/sources/source/add/")
    picture(root, "choose")
    root.click("a.desk-choose >> text=Folder")
    root.fill("[name=name]", "handbook")
    root.fill("[name=value_path]", str(docs / "nowhere"))
    root.click("text=Test connection")
    root.wait_for_selector("#tested .desk-notice-danger")
    picture(root, "tested-badly")
    root.fill("[name=value_path]", str(docs))
    root.click("text=Test connection")
    root.wait_for_selector("#tested :text('2 files match')")
    root.fill("[name=every_minutes]", "60")
    picture(root, "form")
    root.click("[name=_save]")
    root.wait_for_selector("text=Not read yet")
    assert Product.objects.get().sources.get().every_minutes == 60
    root.click("text=Dry run")
    root.locator("#dialog button[type=submit]").click()
    root.wait_for_selector("text=Nothing was written")
    picture(root, "dry-run")
    source = Source.objects.get()
    engine.sync(source.pk, trigger=Trigger.PERSON, by="root")
    root.goto(f"{live_server.url}/admin/sources/source/{source.pk}/change/")
    root.wait_for_selector("text=Healthy")
    picture(root, "source")
    root.goto(f"{live_server.url}/admin/sources/source/")
    root.wait_for_selector("text=2 seen: 1 new, 1 skipped")
    picture(root, "list")
    root.goto(f"{live_server.url}/admin/sources/syncrun/")
    picture(root, "runs")
    root.click("#result_list a >> nth=0")
    root.wait_for_selector("text=it is binary, or not in UTF-8")
    picture(root, "run")
