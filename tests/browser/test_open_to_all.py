"""Every page for everyone: with a screen reader and by keyboard (axe-core), on a phone, in light and in dark.

With PHOTOS_OF_THE_DESK=DIR each page is photographed as well, to be looked at by people.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth import get_user_model
from playwright.sync_api import Browser, Page

from memories.actors import Actor
from memories.models import Product
from tests.browser.furnished import furnish, pages
from tests.browser.test_desk import PASSWORD

SERIOUS = ("serious", "critical")
#: How wide the window is, and in which colours.
LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "light": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
}

pytestmark = pytest.mark.django_db(transaction=True)


def enter(page: Page, address: str) -> None:
    get_user_model().objects.create_superuser("root", password=PASSWORD)
    page.goto(f"{address}/admin/")
    page.fill("#id_username", "root")
    page.fill("#id_password", PASSWORD)
    page.click("text=Log in")
    page.wait_for_load_state("networkidle")


def photograph(page: Page, look: str, name: str) -> None:
    folder = os.environ.get("PHOTOS_OF_THE_DESK")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name.replace(' ', '-')}-{look}.png"), full_page=True)


def faults(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {(node['any'] or node['all'] or [{}])[0].get('message', '')[:160]}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"][:3]
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_is_open_to_everyone(
    chromium: Browser, live_server: Any, lighthouse: Product, a1: Actor, look: str
) -> None:
    rows = furnish(lighthouse, a1)
    context = chromium.new_context(**LOOKS[look])
    page = context.new_page()
    wrong: dict[str, list[str]] = {}
    enter(page, live_server.url)
    for name, address in pages(rows).items():
        answer = page.goto(f"{live_server.url}{address}", wait_until="load")
        assert answer
        assert answer.ok, name
        photograph(page, look, name)
        said = faults(page)
        if page.evaluate("document.documentElement.scrollWidth") > page.evaluate("window.innerWidth"):
            said.append("it scrolls sideways")
        if said:
            wrong[name] = said
    context.close()
    assert wrong == {}
