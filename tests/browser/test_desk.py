"""The admin as a person meets it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect

from memories.actors import Actor
from memories.choices import Status, WriteState
from memories.models import Memory, Write
from memories.services import claims
from tests import factories

PASSWORD = "lamp-at-dusk-7"

pytestmark = pytest.mark.django_db(transaction=True)


def log_in(page: Page, address: str, name: str) -> None:
    person = get_user_model().objects.get(username=name)
    person.set_password(PASSWORD)
    person.save()
    page.goto(f"{address}/admin/")
    page.fill("#id_username", name)
    page.fill("#id_password", PASSWORD)
    page.click("text=Log in")
    expect(page.get_by_role("link", name="Front page")).to_be_visible()


def answer_dialog(page: Page, button: str, why: str = "") -> None:
    page.get_by_role("link", name=button).click()
    dialog = page.locator("#dialog")
    if why:
        dialog.locator("#id_why").fill(why)
    dialog.get_by_role("button", name=button).click()


def failed_write(by: Actor) -> Write:
    write = factories.write(by, "The southern gate is closed at night.", wait=False)
    held = claims.claim(write.pk)
    assert held
    claims.fail(held, reason="ConnectionError: the reader is away.")
    return write


def test_a_curator_corrects_verifies_retires_restores_and_retries(
    page: Page, live_server: Any, curator: Actor, a1: Actor, read_queued: Callable[[], int]
) -> None:
    factories.fact(a1, "The lamp is lit.", confirmed=False)
    write = failed_write(a1)
    log_in(page, live_server.url, "curator")

    # from the front page to the fact
    page.get_by_role("link", name="Facts to confirm").click()
    page.get_by_role("link", name="The lamp is lit.").click()

    # verify, with a reason
    answer_dialog(page, "Verify", why="I can see it.")
    expect(page.locator("#history")).to_contain_text("I can see it.")

    # correct the words: a new version, and the old one in the history
    page.fill("#id_content", "The lamp is dark.")
    page.fill("#id_why", "The bulb broke.")
    page.click("text=Save as a new version")
    expect(page.get_by_text("Saved as a new version.")).to_be_visible()
    expect(page.locator("#history")).to_contain_text("The lamp is lit.")
    expect(page.locator("#history")).to_contain_text("Edited by curator")
    expect(page.locator("#history")).to_contain_text("The bulb broke.")

    # retire and restore
    answer_dialog(page, "Retire")
    expect(page.get_by_text("it is in no list, search or recall")).to_be_visible()
    answer_dialog(page, "Restore")
    expect(page.get_by_text("Restored.", exact=True)).to_be_visible()
    assert Memory.objects.get(content="The lamp is dark.").status == Status.VERIFIED

    # the failed write, by its badge
    page.get_by_role("link", name="Writes").click()
    page.get_by_role("link", name="The southern gate is closed at night.").click()
    expect(page.get_by_text("the reader is away")).to_be_visible()
    answer_dialog(page, "Retry")
    expect(page.get_by_text("Queued again; reload to see how it went.")).to_be_visible()
    assert read_queued() == 1
    page.reload()
    expect(page.get_by_role("link", name="The southern gate is closed at night.")).to_be_visible()
    assert Write.objects.get(pk=write.pk).state == WriteState.DONE


def test_a_manager_makes_an_agent_and_sees_its_key_once(page: Page, live_server: Any, manager: Actor) -> None:
    log_in(page, live_server.url, "manager")
    page.get_by_role("link", name="Agents").first.click()
    page.get_by_role("link", name="New agent").click()
    dialog = page.locator("#dialog")
    dialog.locator("#id_name").fill("scribe")
    dialog.get_by_role("button", name="New agent").click()
    secret = page.locator("#secret").inner_text()
    assert factories.caller(secret).name == "scribe"
    page.get_by_role("link", name="I have kept it").click()
    expect(page.get_by_text("Valid")).to_be_visible()
    assert secret not in page.content()


def test_a_manager_connects_a_program(page: Page, live_server: Any, manager: Actor, a1: Actor) -> None:
    log_in(page, live_server.url, "manager")
    page.get_by_role("link", name="Agents").first.click()
    page.get_by_role("link", name="Connect a program").click()
    page.locator("#id_client").select_option("codex")
    page.get_by_role("button", name="Make a key and show the configuration").click()
    expect(page.get_by_text("has a new key")).to_be_visible()
    shown = page.locator("pre").all_inner_texts()
    assert any(f'url = "{live_server.url}/mcp"' in text for text in shown)
    secret = shown[0].rsplit("=", 1)[1]
    assert factories.caller(secret).name == "a1"


def test_rows_are_ticked_and_retired_together(page: Page, live_server: Any, curator: Actor, a1: Actor) -> None:
    for number in range(3):
        factories.fact(a1, f"Lamp {number} is lit.")
    log_in(page, live_server.url, "curator")
    page.goto(f"{live_server.url}/admin/memories/memory/")
    page.locator("input.action-select").nth(0).check()
    page.locator("input.action-select").nth(1).check()
    page.select_option("select[name=action]", "retire_selected")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Nothing has changed yet.")).to_be_visible()
    page.get_by_role("button", name="Retire 2 facts").click()
    expect(page.get_by_text("2 retired.")).to_be_visible()
    assert Memory.objects.filter(status=Status.RETIRED).count() == 2
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 taken back.")).to_be_visible()
    assert not Memory.objects.filter(status=Status.RETIRED).exists()


def test_250_are_retired_across_pages_with_progress_and_undone(
    page: Page, live_server: Any, curator: Actor, a1: Actor
) -> None:
    for number in range(250):
        factories.fact(a1, f"Lamp {number} is lit.", confirmed=False)
    log_in(page, live_server.url, "curator")
    page.goto(f"{live_server.url}/admin/memories/memory/?status=unverified")
    page.locator("#action-toggle").check()
    page.get_by_role("link", name="Select all that match, on every page").click()
    expect(page.get_by_text("All that match are selected")).to_be_visible()
    page.select_option("select[name=action]", "retire_selected")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Retire 250 facts").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("heading", name="Retired 250 facts")).to_be_visible(timeout=60_000)
    assert Memory.objects.filter(status=Status.RETIRED).count() == 250
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("250 taken back.")).to_be_visible(timeout=60_000)
    assert Memory.objects.filter(status=Status.UNVERIFIED).count() == 250


@pytest.mark.parametrize(
    "address", ["", "memories/memory/", "memories/rawtext/", "memories/write/", "conflicts/conflict/"]
)
def test_pages_fit_a_phone(page: Page, live_server: Any, curator: Actor, a1: Actor, address: str) -> None:
    factories.write(a1, "The northern lamp is lit at dusk. " * 4)
    page.set_viewport_size({"width": 390, "height": 844})
    person = get_user_model().objects.get(username="curator")
    person.set_password(PASSWORD)
    person.save()
    page.goto(f"{live_server.url}/admin/login/?next=/admin/{address}")
    page.fill("#id_username", "curator")
    page.fill("#id_password", PASSWORD)
    page.click("text=Log in")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
