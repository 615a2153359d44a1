"""Settling as a person meets it: from the badge to the pair, an answer, its undo, and the history it leaves."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memories.actors import Actor
from memories.choices import Status, VerdictGiven
from memories.models import Memory
from memories.services import resolving
from tests import factories
from tests.browser.test_desk import log_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pair(a1: Actor, curator: Actor) -> Any:
    older = factories.fact(a1, "The server listens on port 8080.")
    newer = factories.fact(a1, "The server listens on port 9090.")
    resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)
    return newer.conflicts.get()


def status(content: str) -> str:
    return Memory.objects.get(content=content).status


def test_a_curator_settles_undoes_and_corrects(page: Page, live_server: Any, pair: Any) -> None:
    log_in(page, live_server.url, "curator")

    # two clicks from the badge beside Facts
    page.get_by_role("link", name="1 open conflict").click()
    page.get_by_role("link", name="The server listens on port 8080.").click()
    expect(page.locator("#older mark")).to_have_text("8080")
    expect(page.locator("#newer mark")).to_have_text("9090")
    expect(page.locator("#differs")).to_contain_text("Number")

    # the newer is true
    page.fill("#id_why", "I asked the server.")
    page.get_by_role("button", name="The newer is true").click()
    expect(page.get_by_text("Settled: the newer is true.")).to_be_visible()
    expect(page.locator("#settlement")).to_contain_text("curator")
    expect(page.locator("#settlement")).to_contain_text("I asked the server.")
    expect(page.locator(".desk-nav-badge")).to_have_count(0)
    assert status("The server listens on port 9090.") == Status.VERIFIED

    # it was a mistake
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: the pair is open again")).to_be_visible()
    assert status("The server listens on port 8080.") == Status.DISPUTED

    # neither is true, here is what is; an empty correction is asked for first
    page.locator("h2").first.click()
    page.keyboard.press("4")
    expect(page.locator("#id_correction")).to_be_focused()
    page.fill("#id_correction", "The server listens on port 7070.")
    page.fill("#id_why", "It was moved last night.")
    page.get_by_role("button", name="Neither is true, here is what is").click()
    expect(page.get_by_text("your correction is")).to_be_visible()
    page.get_by_role("link", name="The server listens on port 7070.").click()
    expect(page.locator("#history")).to_contain_text("curator")
    expect(page.locator("#history")).to_contain_text("It was moved last night.")
    assert status("The server listens on port 7070.") == Status.VERIFIED


def test_a_digit_answers_and_typing_does_not(page: Page, live_server: Any, pair: Any) -> None:
    log_in(page, live_server.url, "curator")
    page.goto(f"{live_server.url}/admin/conflicts/conflict/{pair.pk}/change/")
    page.locator("#id_why").press_sequentially("1 of 2")
    assert status("The server listens on port 8080.") == Status.DISPUTED
    page.locator("h2").first.click()
    page.keyboard.press("1")
    expect(page.get_by_text("Settled: the older is true.")).to_be_visible()
    assert status("The server listens on port 8080.") == Status.VERIFIED


@pytest.mark.parametrize(
    "address", ["conflicts/conflict/", "conflicts/conflict/persona/", "conflicts/conflict/{}/change/"]
)
def test_pages_fit_a_phone(page: Page, live_server: Any, pair: Any, address: str) -> None:
    log_in(page, live_server.url, "curator")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/admin/{address.format(pair.pk)}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
