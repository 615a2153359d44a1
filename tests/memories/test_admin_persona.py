"""Persona in the admin: traits by person, and the contradictions between them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from memories.actors import Actor
from memories.choices import Category, VerdictGiven
from memories.models import Memory
from memories.services import editing, resolving
from tests import desk, factories

#: Session, person, roles; traits with what they show; pairs; badges.
PAGE = 10


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def trait(by: Actor, content: str, person: str | None = "Kim") -> Memory:
    return factories.fact(by, content, category=Category.PERSONA, person=person)


def persona(client: Client) -> Any:
    return client.get(reverse("admin:conflicts_persona"))


def test_traits_stand_by_person_with_status_and_tier(ada: Client, a1: Actor) -> None:
    trait(a1, "Kim prefers tea.")
    trait(a1, "Kim works at night.", "kim")
    lamp = trait(a1, "Lee paints lamps.", "Lee")
    trait(a1, "Somebody sings.", None)
    page = persona(ada)
    found = {person.name: [each.memory.content for each in person.traits] for person in page.context["people"]}
    assert found == {
        "": ["Somebody sings."], "kim": ["Kim works at night.", "Kim prefers tea."], "Lee": ["Lee paints lamps."],
    }  # fmt: skip
    words = page.content.decode()
    for expected in (desk.page_of("fact", lamp), "Verified", "Official", "Nobody named"):
        assert expected in words


def test_only_current_traits_are_shown(ada: Client, a1: Actor, curator: Actor) -> None:
    editing.retire(by=curator, memory_id=trait(a1, "Kim prefers tea.").pk)
    factories.fact(a1, "The lamp is lit.")
    assert "No traits yet" in persona(ada).content.decode()


def test_contradictions_between_traits_stand_here_and_not_among_the_conflicts(ada: Client, a1: Actor) -> None:
    tea, coffee = trait(a1, "Kim prefers tea."), trait(a1, "Kim prefers coffee.")
    resolving.resolve(by=a1, newer_id=coffee.pk, older_id=tea.pk, verdict=VerdictGiven.CONTRADICTS)
    pair = coffee.conflicts.get()
    page = persona(ada)
    assert desk.page_of("conflict", pair) in page.content.decode()
    assert list(ada.get(desk.list_of("conflict")).context["cl"].result_list) == []
    assert list(ada.get(desk.list_of("conflict"), {"about": "persona"}).context["cl"].result_list) == [pair]
    badges = {
        item["title"]: item.get("badge") for group in page.context["sidebar_navigation"] for item in group["items"]
    }
    assert (badges["Facts"], badges["Persona"]) == (None, "1")
    answered = ada.post(desk.page_of("conflict", pair), {"answer": "newer"}, follow=True)
    assert desk.said(answered)[0].startswith("Settled: the newer is true.")
    assert "Kim prefers coffee." in persona(ada).content.decode()


def test_words_are_never_markup(ada: Client, a1: Actor) -> None:
    trait(a1, "<script>kim()</script> is Kim.", "<b>Kim</b>")
    words = persona(ada).content.decode()
    assert "<script>kim()" not in words
    assert "<b>Kim</b>" not in words


def test_persona_costs_so_many_queries(
    ada: Client, a1: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        trait(a1, f"Kim owns lamp {number}.", f"Kim {number}")
        tea, coffee = trait(a1, f"Lee {number} prefers tea."), trait(a1, f"Lee {number} prefers coffee.")
        resolving.resolve(by=a1, newer_id=coffee.pk, older_id=tea.pk, verdict=VerdictGiven.CONTRADICTS)
    with django_assert_num_queries(PAGE):
        persona(ada)
