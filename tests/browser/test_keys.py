"""Working through queues by keyboard alone."""

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


def status(content: str) -> str:
    return Memory.objects.get(content=content).status


def test_facts_are_worked_through_by_keyboard(page: Page, live_server: Any, a1: Actor, curator: Actor) -> None:
    for content in ("The sea is calm.", "The lamp is lit.", "The door is green."):
        factories.fact(a1, content, confirmed=False)
    log_in(page, live_server.url, "curator")
    page.goto(f"{live_server.url}/admin/memories/memory/?status=unverified")
    said = page.locator("#desk-said[aria-live=polite]")

    # what one types is no command
    page.fill("#searchbar", "")
    page.locator("#searchbar").press_sequentially("jvr?")
    expect(page.locator("#searchbar")).to_have_value("jvr?")
    page.fill("#searchbar", "")
    page.locator("#searchbar").evaluate("box => box.blur()")

    # the keys are told; then down the list, and up
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="By keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="The door is green.")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(said).to_have_text("Row 1 of 3")

    # verify one, retire the next, take that back
    page.keyboard.press("v")
    expect(said).to_contain_text("Verified. u takes it back.")
    assert status("The door is green.") == Status.VERIFIED
    expect(page.get_by_role("link", name="The lamp is lit.")).to_be_focused()
    page.keyboard.press("r")
    expect(said).to_contain_text("Retired. u takes it back.")
    assert status("The lamp is lit.") == Status.RETIRED
    page.keyboard.press("u")
    expect(said).to_have_text("Taken back.")
    assert status("The lamp is lit.") == Status.UNVERIFIED

    # open it
    page.keyboard.press("Enter")
    expect(page.get_by_label("What it says")).to_have_value("The lamp is lit.")


def test_a_pair_is_settled_and_undone_by_keyboard(page: Page, live_server: Any, a1: Actor, curator: Actor) -> None:
    older, newer = factories.fact(a1, "The gate is open."), factories.fact(a1, "The gate is shut.")
    resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)
    log_in(page, live_server.url, "curator")
    page.goto(f"{live_server.url}/admin/conflicts/conflict/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_text("Settled: the newer is true.")).to_be_visible()
    assert status("The gate is open.") == Status.RETIRED
    page.keyboard.press("u")
    expect(page.get_by_text("Undone: the pair is open again")).to_be_visible()
    assert status("The gate is open.") == Status.DISPUTED
