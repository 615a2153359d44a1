"""The graph page as a person meets it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memories.actors import Actor
from memories.choices import EntityType
from memories.models import Memory
from memories.reading.entities import Found, Named, Related
from memories.services import linking
from memories.services.linking import Linked
from tests import desk, factories
from tests.browser.test_desk import log_in

pytestmark = pytest.mark.django_db(transaction=True)


def relate(fact: Memory, subject: str, relation: str, object_: str) -> None:
    ends = Named(subject, EntityType.PERSON), Named(object_, EntityType.SERVICE)
    linking.link([Linked(fact, Found(ends, (Related(ends[0], relation, ends[1], fact.content),)))])


def press(page: Page, name: str) -> None:
    """Click what has this name in the picture, where it is drawn."""
    page.wait_for_function("name => window.neuronzGraph?.nodes(`[name = '${name}']`).nonempty()", arg=name)
    page.wait_for_timeout(700)  # the layout moves for so long
    page.evaluate("name => { window.neuronzGraph.nodes(`[name = '${name}']`).select(); }", name)


def test_a_curator_finds_a_name_expands_it_and_reads_the_evidence_of_an_edge(
    page: Page, live_server: Any, curator: Actor, a1: Actor
) -> None:
    fact = factories.fact(a1, "Ana Lima owns ledger-api since spring.")
    relate(fact, "Ana Lima", "owns", "ledger-api")
    relate(factories.fact(a1, "ledger-api is watched by <b>Bo</b> Berg."), "Bo Berg", "watches", "ledger-api")
    log_in(page, live_server.url, "curator")
    page.get_by_role("link", name="Graph").click()
    expect(page.locator("#graph-said")).to_contain_text("names")

    # a name, its relations and its facts
    press(page, "Ana Lima")
    panel = page.locator("#graph-panel")
    expect(panel.get_by_role("heading", name="Ana Lima")).to_be_visible()
    expect(panel.get_by_role("link", name="Ana Lima owns ledger-api since spring.")).to_be_visible()

    # an edge, and what proves it
    panel.get_by_role("button", name="Ana Lima owns ledger-api").click()
    expect(panel.get_by_text("Stated by 1 fact")).to_be_visible()
    expect(panel.get_by_role("link", name="Ana Lima owns ledger-api since spring.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()

    # a search, and its widening
    page.fill("#graph-q", "Ana Lima")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator("#graph-said")).to_contain_text("2 names")
    press(page, "ledger-api")
    panel.get_by_role("button", name="Expand").click()
    page.wait_for_function("window.neuronzGraph.nodes(`[name = 'Bo Berg']`).nonempty()")
    expect(panel.get_by_role("link", name="ledger-api is watched by <b>Bo</b> Berg.")).to_be_visible()

    # the same as a list, and people alone
    page.get_by_text("As a list").click()
    expect(page.locator("#graph-rows tr").first).to_contain_text("owns")
    page.get_by_role("link", name="People").click()
    expect(page.get_by_role("heading", name="Social map")).to_be_visible()
    page.wait_for_function("window.neuronzGraph?.nodes().length === 2")
    page.goto(live_server.url + desk.page_of("fact", fact))
