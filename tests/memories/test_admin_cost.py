"""What each page of the admin costs in queries: a change is a decision, seen in the diff."""

from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from pytest_django import DjangoAssertNumQueries

from memories.actors import Actor
from memories.choices import Tier
from memories.models import Product
from memories.services import editing, rules
from tests import desk, factories

#: Session, person and roles are three of each, the badges another five, one's saved views one.
LISTS = {"fact": 16, "raw text": 14, "write": 14, "conflict": 14, "agent": 11, "key": 10, "source": 11, "product": 10,
    "audit": 13, "audit of rules": 13}  # fmt: skip
PAGES = {"fact": 20, "raw text": 12, "write": 13, "conflict": 11, "agent": 11, "product": 11}
FRONT = 28


@pytest.fixture
def furnished(lighthouse: Product, a1: Actor, manager: Actor) -> dict[str, Any]:
    """Rows for every page, several of each, by writers of every sort."""
    by = factories.source(lighthouse)
    for number in range(5):
        fact = factories.fact(a1, f"Lamp {number} is lit.", tags=("light",))
        factories.fact(by, f"Door {number} is green.")
        stairs = factories.fact(factories.agent(lighthouse, f"helper-{number}"), f"Stair {number} is steep.")
        editing.revise(by=manager, memory_id=stairs.pk, content=f"Stair {number} is mended.")
        editing.revise(by=a1, memory_id=fact.pk, content=f"Lamp {number} is dark.", tier=Tier.INFORMAL)
        rules.propose(by=a1, text=f"Never dim lamp {number}.")
        write = factories.write(a1, f"Roof {number} is red. Wall {number} is white.")
        lighthouse.sources.create(name=f"shelf {number}", type="upload")
    # Django remembers these for the life of the process, whichever page asked first.
    ContentType.objects.clear_cache()
    return {
        "fact": fact, "raw text": write.raw, "write": write, "conflict": fact.conflicts_as_older.get(),
        "agent": fact.agent, "product": lighthouse,
    }  # fmt: skip


@pytest.mark.parametrize("page", LISTS)
def test_a_list_costs_so_many_queries(
    furnished: dict[str, Any], manager: Actor, page: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = desk.at_desk(manager)
    with django_assert_num_queries(LISTS[page]):
        answer = client.get(desk.list_of(page))
    assert len(answer.context["cl"].result_list) >= (1 if page == "product" else 5)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_costs_so_many_queries(
    furnished: dict[str, Any], manager: Actor, page: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = desk.at_desk(manager)
    with django_assert_num_queries(PAGES[page]):
        client.get(desk.page_of(page, furnished[page]))


def test_nothing_is_counted_further_than_a_person_reads(
    furnished: dict[str, Any], manager: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = desk.at_desk(manager)
    with django_assert_num_queries(FRONT) as asked:
        client.get(desk.FRONT)
    counts = [query["sql"] for query in asked if "COUNT(" in query["sql"]]
    assert counts
    assert all("LIMIT" in sql for sql in counts)


@pytest.mark.parametrize("page", ["fact", "raw text", "write", "conflict", "audit"])
def test_a_list_of_a_large_table_is_not_counted(
    furnished: dict[str, Any], manager: Actor, page: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = desk.at_desk(manager)
    with django_assert_num_queries(LISTS[page]) as asked:
        client.get(desk.list_of(page))
    whole = [query["sql"] for query in asked if "COUNT(*)" in query["sql"] and "LIMIT" not in query["sql"]]
    assert not whole
