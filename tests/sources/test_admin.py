"""The pages of sources: who may do what there, and that a credential never comes out again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from memories.actors import Actor
from memories.choices import Trigger
from memories.models import Product
from sources import connections
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SyncRun
from sources.syncing import engine
from tests import desk
from tests.sources.feeds import TOKEN, Feed, page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def feeds(monkeypatch: pytest.MonkeyPatch, sent: list[Any]) -> None:
    for place in ("syncing.engine", "connections", "admin.forms"):
        monkeypatch.setattr(f"sources.{place}.connector_of", lambda _: Feed)
    monkeypatch.setattr("sources.admin.forms.connected_types", lambda: [SourceType.FOLDER, SourceType.CLICKUP])
    monkeypatch.setattr("sources.tasks.sync_source.delay", lambda *arguments: sent.append(arguments))


@pytest.fixture
def sent() -> list[Any]:
    return []


@pytest.fixture
def feed(lighthouse: Product) -> Source:
    return connections.connect(
        product=lighthouse, type_=SourceType.CLICKUP, name="lists", entered={"list": "9", "token": TOKEN}
    )


@pytest.fixture
def people(curator: Actor, manager: Actor, orchard: Product) -> dict[str, Client]:
    return {"curator": desk.at_desk(curator), "manager": desk.at_desk(manager), "stranger": desk.stranger()}


def address(name: str, source: Source | None = None) -> str:
    return reverse(f"admin:sources_source_{name}", args=[source.pk] if source else [])


FORM = {"name": "tasks", "value_list": "9", "value_token": TOKEN, "tier": "", "times": "06:00, 18:00"}


def test_a_manager_connects_a_source(people: dict[str, Client], lighthouse: Product, sent: list[Any]) -> None:
    manager = people["manager"]
    assert "ClickUp" in manager.get(address("add")).content.decode()
    answer = manager.post(address("add") + "?type=clickup", {**FORM, "product": lighthouse.pk}, follow=True)
    source = Source.objects.get(name="tasks")
    assert (source.values, [f"{each:%H}" for each in source.times]) == ({"list": "9"}, ["06", "18"])
    assert connections.secrets_of(source) == {"token": TOKEN}
    assert TOKEN not in answer.content.decode()
    assert sent == [(str(source.pk), Trigger.PERSON, "manager")]


def test_a_product_behind_a_wall_is_no_choice(people: dict[str, Client], orchard: Product) -> None:
    people["manager"].post(address("add") + "?type=clickup", {**FORM, "product": orchard.pk})
    assert not Source.objects.exists()


def test_a_form_that_lacks_something_says_where_to_get_it_and_shows_no_secret(
    people: dict[str, Client], lighthouse: Product
) -> None:
    sent = {**FORM, "product": lighthouse.pk, "times": "late", "value_token": TOKEN}
    shown = people["manager"].post(address("add") + "?type=clickup", sent).content.decode()
    assert "Times of day look like 06:00" in shown
    assert "From its settings page; reading is enough." in shown
    assert TOKEN not in shown


def test_a_folder_is_a_superusers_to_choose_unless_the_folders_are_narrowed(
    people: dict[str, Client], settings: Settings
) -> None:
    assert "?type=folder" not in people["manager"].get(address("add")).content.decode()
    assert "?type=folder" in desk.superuser().get(address("add")).content.decode()
    settings.FOLDER_ROOTS = ["/srv"]
    assert "?type=folder" in people["manager"].get(address("add")).content.decode()


def test_a_stored_credential_is_never_shown_and_kept_when_left_empty(people: dict[str, Client], feed: Source) -> None:
    manager = people["manager"]
    shown = manager.get(address("change", feed)).content.decode()
    assert "It is set, and never shown." in shown
    assert TOKEN not in shown
    manager.post(address("change", feed), {**FORM, "name": "lists", "value_token": "", "tier": "policy"})
    changed = Source.objects.get(pk=feed.pk)
    assert (changed.tier, connections.secrets_of(changed)) == ("policy", {"token": TOKEN})


def test_the_connection_is_tried_with_what_stands_in_the_form(people: dict[str, Client], feed: Source) -> None:
    said = people["manager"].post(address("test_one", feed), {"value_list": "9", "value_token": ""}).content.decode()
    assert "The token … opens one list." in said
    missing = people["manager"].post(address("test") + "?type=clickup", {"value_list": "9"}).content.decode()
    assert "Token is needed." in missing
    assert Source.objects.count() == 1


@pytest.mark.parametrize("who", ["curator", "stranger"])
def test_only_managers_touch_sources(people: dict[str, Client], feed: Source, who: str, sent: list[Any]) -> None:
    client = people[who]
    answers = [
        client.get(address("add")),
        client.post(address("add") + "?type=clickup", FORM),
        client.get(address("change", feed)),
        client.get(address("now", feed)),
        client.post(address("test") + "?type=clickup", {"value_token": "x"}),
        client.post(address("test_one", feed), {"value_token": "x"}),
        client.post(address("retry", feed), {"key": "a"}),
        *(desk.confirm(client, address(act, feed)) for act in ("sync_now", "dry_run", "pause", "list_again")),
    ]
    assert {answer.status_code for answer in answers} <= {403, 404}
    assert sent == []
    assert Source.objects.get().state == SourceState.ACTIVE


def test_a_manager_of_another_product_finds_nothing(feed: Source, orchard: Product, sent: list[Any]) -> None:
    from memories.choices import Role
    from tests import factories

    neighbour = desk.at_desk(factories.person(orchard, "neighbour", Role.MANAGER))
    for name in ("change", "now"):
        assert neighbour.get(address(name, feed)).status_code == 404
    assert neighbour.post(address("retry", feed)).status_code == 404
    assert desk.confirm(neighbour, address("sync_now", feed)).status_code in (403, 404)
    assert sent == []


def test_a_manager_runs_pauses_resumes_and_retries(people: dict[str, Client], feed: Source, sent: list[Any]) -> None:
    manager = people["manager"]
    desk.confirm(manager, address("sync_now", feed))
    manager.post(address("retry", feed), {"key": ["a"]})
    assert len(sent) == 2
    desk.confirm(manager, address("pause", feed), why="Spring cleaning")
    paused = Source.objects.get()
    assert (paused.state, paused.reason) == (SourceState.PAUSED, "Spring cleaning")
    desk.confirm(manager, address("resume", feed))
    assert Source.objects.get().state == SourceState.ACTIVE


def test_a_dry_run_lists_and_writes_nothing(people: dict[str, Client], feed: Source) -> None:
    from tests.sources.feeds import item

    Feed.runs = [[page(item("a", "The lamp is lit."), begins="", ends="")]]
    shown = desk.confirm(people["manager"], address("dry_run", feed)).content.decode()
    assert "1 new" in shown
    assert (SyncRun.objects.count(), feed.items.count()) == (0, 0)


def test_trouble_is_counted_in_the_sidebar_and_told_in_the_list(people: dict[str, Client], feed: Source) -> None:
    from sources.connectors.base import ConnectorError

    Feed.runs = [[ConnectorError("The token was taken back.", permanent=True)]]
    run = engine.sync(feed.pk, trigger=Trigger.SCHEDULE)
    assert run is not None
    assert run.state == RunState.FAILED
    shown = people["manager"].get(desk.list_of("source")).content.decode()
    assert "The token was taken back." in shown
    assert "desk-health-danger" in shown
