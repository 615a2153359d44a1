"""Saved views: one's own, for one list, kept as an address."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memories.actors import Actor
from memories.models import SavedView
from memories.services import erasure, views
from memories.services.erasure import Choice, ChosenBy
from tests import desk, factories

SAVE = "admin:memories_memory_save_view"


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def save(client: Client, name: str, query: str) -> Any:
    return client.post(reverse(SAVE), {"name": name, "query": query}, follow=True)


def test_a_view_is_saved_listed_opened_and_deleted(ada: Client, a1: Actor) -> None:
    factories.fact(a1, "The lamp is lit.", confirmed=False)
    answer = save(ada, "  To   confirm ", "status=unverified&q=lamp&p=3")
    assert desk.said(answer) == ["Saved as “To confirm”."]
    page = ada.get(desk.list_of("fact")).content.decode()
    assert 'href="?status=unverified&amp;q=lamp"' in page
    view = SavedView.objects.get()
    here = ada.get(desk.list_of("fact"), {"status": "unverified", "q": "lamp"})
    assert [row.content for row in here.context["cl"].result_list] == ["The lamp is lit."]
    assert 'aria-current="page" dir="auto">To confirm' in here.content.decode()
    ada.post(reverse("admin:memories_memory_delete_view", args=[view.pk]))
    assert not SavedView.objects.exists()


def test_the_same_name_again_replaces(ada: Client) -> None:
    save(ada, "Mine", "tier=policy")
    save(ada, "Mine", "tier=team")
    assert [view.query for view in SavedView.objects.all()] == ["tier=team"]


def test_a_view_is_seen_and_deleted_by_nobody_else(ada: Client, manager: Actor) -> None:
    save(ada, "Mine", "tier=policy")
    other = desk.at_desk(manager)
    assert ">Mine</a>" not in other.get(desk.list_of("fact")).content.decode()
    address = reverse("admin:memories_memory_delete_view", args=[SavedView.objects.get().pk])
    assert other.post(address).status_code == 404
    assert desk.superuser().post(address).status_code == 404
    assert desk.stranger().post(reverse(SAVE), {"name": "x", "query": ""}).status_code == 404
    assert SavedView.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "query", "sentence"),
    [("  ", "tier=team", "Give the view a name"), ("Long", "tag=" + "x" * 2000, "more filters than a view keeps")],
)
def test_what_cannot_be_kept_is_refused_with_a_sentence(ada: Client, name: str, query: str, sentence: str) -> None:
    assert sentence in desk.said(save(ada, name, query))[0]
    assert not SavedView.objects.exists()


def test_a_list_keeps_a_bounded_number(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_VIEWS", 2)
    for name in ("One", "Two", "Three"):
        answer = save(ada, name, "tier=team")
    assert "delete one first" in desk.said(answer)[0]
    assert SavedView.objects.count() == 2


def test_an_erasure_takes_the_view_that_searches_for_what_went(ada: Client, a1: Actor, curator: Actor) -> None:
    fact = factories.fact(a1, "The password hint is marigold seven.")
    save(ada, "Leak", "q=the+password+hint+is+marigold+seven")
    save(ada, "Other", "q=lamp")
    erasure.erase(by=curator, choice=Choice(curator.product_id, ChosenBy.MEMORY, ids=[fact.pk]))
    assert [view.name for view in SavedView.objects.all()] == ["Other"]
