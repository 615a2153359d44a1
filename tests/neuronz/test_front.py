"""The front page: it follows the product that was chosen, and counts and draws what the person may see."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from conflicts import services
from conflicts.choices import Answer
from memories.actors import Actor
from memories.choices import Reason, Scope, VerdictGiven
from memories.models import Product
from memories.services import claims, recalling, resolving, rules
from sources.models import Source
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor, orchard: Product) -> Client:
    """A curator of two products."""
    orchard.memberships.create(user=get_user_model().objects.get(username=curator.name), role="curator")
    return desk.at_desk(curator)


def look_at(client: Client, product: Product | None) -> Any:
    return client.post(reverse("look_at"), {"product": str(product.pk) if product else ""})


def numbers(client: Client) -> dict[str, str]:
    return {each.title: each.number for each in client.get(desk.FRONT).context["figures"]}


def shares(client: Client, title: str) -> dict[str, int]:
    found = client.get(desk.FRONT).context["drawn"].shares
    return {share.label: share.number for name, each in found if name == title for share in each}


def bars(client: Client, at: int) -> dict[str, int]:
    chart = client.get(desk.FRONT).context["drawn"].charts[at]
    return {each["label"]: sum(each["data"]) for each in json.loads(chart.data)["datasets"]} if chart.data else {}


def contradiction(by: Actor, older: str, newer: str) -> Any:
    first, second = factories.fact(by, older), factories.fact(by, newer)
    resolving.resolve(by=by, newer_id=second.pk, older_id=first.pk, verdict=VerdictGiven.CONTRADICTS)
    return second.conflicts.get()


def test_everything_follows_the_product_one_looks_at(
    ada: Client, a1: Actor, b1: Actor, lighthouse: Product, orchard: Product
) -> None:
    factories.fact(a1, "The lamp is lit.")
    factories.fact(b1, "The pears are ripe.", confirmed=False)
    contradiction(b1, "The gate is open.", "The gate is shut.")
    assert (numbers(ada)["Current facts"], numbers(ada)["Open conflicts"]) == ("2", "1")
    assert look_at(ada, lighthouse)["Location"] == desk.FRONT
    assert (numbers(ada)["Current facts"], numbers(ada)["Open conflicts"]) == ("1", "0")
    assert (shares(ada, "By status"), bars(ada, 1)) == ({"Verified": 1}, {})
    page = ada.get(desk.FRONT)
    assert "The pears are ripe." not in page.content.decode()
    assert all(f"product={lighthouse.pk}" in figure.link for figure in page.context["figures"])
    look_at(ada, orchard)
    assert shares(ada, "By status") == {"Disputed": 2, "Unverified": 1}
    look_at(ada, None)
    assert numbers(ada)["Current facts"] == "2"


def test_only_ones_own_products_can_be_looked_at(curator: Actor, a1: Actor, b1: Actor, orchard: Product) -> None:
    factories.fact(b1, "The pears are ripe.")
    client = desk.at_desk(curator)
    assert look_at(client, orchard).status_code == 404
    assert client.get(reverse("look_at")).status_code == 405
    assert "pears" not in client.get(desk.FRONT).content.decode()


def test_a_product_one_has_left_is_looked_at_no_more(ada: Client, a1: Actor, b1: Actor, orchard: Product) -> None:
    factories.fact(a1, "The lamp is lit.")
    factories.fact(b1, "The pears are ripe.")
    look_at(ada, orchard)
    orchard.memberships.all().delete()
    page = ada.get(desk.FRONT)
    assert "The lamp is lit." in page.content.decode()
    assert "pears" not in page.content.decode()


def test_each_queue_is_counted_and_leads_to_its_rows(ada: Client, a1: Actor, curator: Actor, clock: Any) -> None:
    failed = claims.claim(factories.write(a1, "The roof is red.", wait=False).pk)
    assert failed
    claims.fail(failed, reason="The reader is away.")
    rules.propose(by=a1, text="Test before you deploy.")
    factories.fact(a1, "The sea is calm.", confirmed=False)
    contradiction(a1, "The gate is open.", "The gate is shut.")
    pair = contradiction(a1, "The door is green.", "The door is blue.")
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NOT_NOW, until=clock.now + timedelta(days=5))
    factories.fact(a1, "The stairs are steep.").conflicts.open_against(
        factories.fact(a1, "The stairs are flat."), reason=Reason.UNSURE
    )
    asked = {
        "Open conflicts": 1, "Needs clarification": 0, "Suggested pairs": 1, "Back within a week": 1,
        "Facts to confirm": 1, "Rules to decide": 1, "Failed writes": 1, "Writes being read": 0,
    }  # fmt: skip
    figures = {each.title: each for each in ada.get(desk.FRONT).context["figures"]}
    for title, number in asked.items():
        assert figures[title].number == str(number), title
        assert len(ada.get(figures[title].link).context["cl"].result_list) == number, title
    assert "Sources in trouble" not in figures


def test_a_manager_sees_which_sources_fail(manager: Actor, lighthouse: Product, orchard: Product, a1: Actor) -> None:
    for product in (lighthouse, orchard):
        Source.objects.create(product=product, name="shelf", type="upload", failures=2)
    assert numbers(desk.at_desk(manager))["Sources in trouble"] == "1"


def test_what_came_in_is_drawn_by_writer_kind_tier_and_status(ada: Client, a1: Actor, lighthouse: Product) -> None:
    for number in range(3):
        factories.fact(a1, f"Lamp {number} is lit.")
    factories.fact(factories.source(lighthouse), "The door is green.", tier="policy")
    factories.fact(a1, "The safe is blue.", scope=Scope.PRIVATE)
    assert bars(ada, 0) == {"Agent": 3, "Source": 1}
    assert shares(ada, "Current, by tier") == {"Official": 3, "Policy": 1}
    assert sum(shares(ada, "Current, by kind").values()) == 4


def test_conflicts_are_drawn_as_they_come_and_go(ada: Client, a1: Actor, curator: Actor) -> None:
    pair = contradiction(a1, "The gate is open.", "The gate is shut.")
    contradiction(a1, "The door is green.", "The door is blue.")
    services.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    assert bars(ada, 1) == {"Opened": 2, "Settled": 1}


def test_texts_that_failed_are_drawn_and_what_recall_gave(ada: Client, a1: Actor) -> None:
    factories.write(a1, "The northern lamp is lit at dusk.")
    held = claims.claim(factories.write(a1, "The southern gate is closed.", wait=False).pk)
    assert held
    claims.fail(held, reason="The reader is away.")
    recalling.recall_for(by=a1, prompt="When is the northern lamp lit?", session="night")
    assert bars(ada, 2) == {"Read or waiting": 1, "Failed": 1}
    assert bars(ada, 3) == {"Given": 1}


def test_how_sources_are_is_drawn_for_managers_alone(
    ada: Client, manager: Actor, lighthouse: Product, a1: Actor
) -> None:
    factories.fact(a1, "The lamp is lit.")
    Source.objects.create(product=lighthouse, name="well", type="folder")
    Source.objects.create(product=lighthouse, name="ill", type="folder", failures=2)
    assert shares(desk.at_desk(manager), "Sources") == {"Well": 1, "Failing": 1}
    assert "Sources" not in [title for title, _ in ada.get(desk.FRONT).context["drawn"].shares]


def test_what_is_drawn_is_kept_for_a_while_for_the_same_products_alone(  # noqa: PLR0917  # fixtures
    ada: Client, curator: Actor, manager: Actor, a1: Actor, b1: Actor, lighthouse: Product
) -> None:
    factories.fact(a1, "The lamp is lit.")
    factories.fact(b1, "The pears are ripe.")
    look_at(ada, lighthouse)
    assert shares(ada, "By status") == {"Verified": 1}
    factories.fact(a1, "The door is green.")
    assert shares(ada, "By status") == {"Verified": 1}
    assert shares(desk.at_desk(manager), "By status") == {"Verified": 1}
    look_at(ada, None)
    assert shares(ada, "By status") == {"Verified": 3}


def test_a_dead_cache_stops_nobody(ada: Client, a1: Actor, settings: Settings) -> None:
    factories.fact(a1, "The lamp is lit.")
    dead = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {"default": dead}
    assert shares(ada, "By status") == {"Verified": 1}


def test_it_costs_the_same_however_much_is_stored(
    ada: Client, a1: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(9):
        factories.fact(a1, f"Lamp {number} is lit.")
    ada.get(desk.FRONT)
    with django_assert_num_queries(19) as asked:
        ada.get(desk.FRONT)
    assert all("LIMIT" in query["sql"] for query in asked if "COUNT(" in query["sql"])
