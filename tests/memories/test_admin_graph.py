"""The graph page: what it draws, who may ask for it, and that it is bounded."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from memories import picture
from memories.actors import Actor
from memories.choices import EntityType, Scope
from memories.models import Entity, Memory
from memories.reading.entities import Found, Named, Related
from memories.services import editing, linking
from memories.services.linking import Linked
from tests import desk, factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def relate(fact: Memory, subject: str, relation: str, object_: str) -> None:
    """What a reader says of a fact, as linking gets it."""
    ends = Named(subject, EntityType.PERSON), Named(object_, EntityType.SERVICE)
    linking.link([Linked(fact, Found(ends, (Related(ends[0], relation, ends[1], fact.content),)))])


def owned(by: Actor, who: str, what: str, **labels: Any) -> Memory:
    fact = factories.fact(by, f"{who} owns {what}, as everybody knows.", **labels)
    relate(fact, who, "owns", what)
    return fact


def drawn(client: Client, product: Any, **asked: Any) -> Any:
    answer = client.get(reverse("admin:memories_entity_picture"), {"product": str(product), **asked})
    return answer.json() if answer.status_code == 200 else answer.status_code


def names(found: Any) -> set[str]:
    return {each["name"] for each in found["entities"]}


def triples(found: Any) -> set[tuple[str, str, str]]:
    named = {each["id"]: each["name"] for each in found["entities"]}
    return {(named[each["subject"]], each["relation"], named[each["object"]]) for each in found["relations"]}


def facts_of(client: Client, product: Any, **asked: Any) -> Any:
    answer = client.get(reverse("admin:memories_entity_facts"), {"product": str(product), **asked})
    return [each["content"] for each in answer.json()["facts"]] if answer.status_code == 200 else answer.status_code


def test_it_draws_names_and_how_they_relate(ada: Client, a1: Actor) -> None:
    fact = owned(a1, "Ana Lima", "ledger-api")
    found = drawn(ada, a1.product_id)
    assert {"Ana Lima", "ledger-api"} <= names(found)
    assert ("Ana Lima", "owns", "ledger-api") in triples(found)
    edge = next(each for each in found["relations"] if each["relation"] == "owns")
    assert facts_of(ada, a1.product_id, id=edge["evidence"]) == [fact.content]
    entity = next(each for each in found["entities"] if each["name"] == "Ana Lima")
    assert facts_of(ada, a1.product_id, entity=entity["id"]) == [fact.content]


def test_private_memories_are_in_no_picture(ada: Client, a1: Actor) -> None:
    fact = owned(a1, "Ana Lima", "ledger-api", scope=Scope.PRIVATE)
    hidden = Entity.objects.get(key="ana lima")
    for client in (ada, desk.superuser()):
        assert drawn(client, a1.product_id)["entities"] == []
        assert drawn(client, a1.product_id, q="Ana Lima")["entities"] == []
        assert facts_of(client, a1.product_id, id=str(fact.pk)) == []
        assert facts_of(client, a1.product_id, entity=str(hidden.pk)) == []
        assert client.get(around(hidden), {"product": str(a1.product_id)}).status_code == 404


def around(entity: Entity) -> str:
    return reverse("admin:memories_entity_around", args=[entity.pk])


def test_what_no_current_fact_proves_leaves_the_picture(ada: Client, a1: Actor, curator: Actor) -> None:
    editing.retire(by=curator, memory_id=owned(a1, "Ana Lima", "ledger-api").pk)
    assert drawn(ada, a1.product_id) == {"entities": [], "relations": [], "is_cut": False}


def test_another_products_graph_is_not_there(ada: Client, a1: Actor, b1: Actor) -> None:
    theirs = owned(b1, "Bo Berg", "vault-api")
    owned(a1, "Ana Lima", "ledger-api")
    entity = Entity.objects.get(key="bo berg")
    assert "Bo Berg" not in names(drawn(ada, a1.product_id))
    assert drawn(ada, b1.product_id) == drawn(ada, uuid4()) == drawn(ada, "nonsense") == 404
    assert facts_of(ada, b1.product_id, id=str(theirs.pk)) == 404
    assert facts_of(ada, a1.product_id, id=str(theirs.pk)) == []
    assert ada.get(around(entity), {"product": str(a1.product_id)}).status_code == 404
    assert ada.get(desk.list_of("graph"), {"product": str(b1.product_id)}).status_code == 404


@pytest.mark.parametrize("page", ["changelist", "picture", "facts"])
def test_only_members_of_a_product_may_ask(page: str, a1: Actor) -> None:
    address = reverse(f"admin:memories_entity_{page}")
    assert desk.stranger().get(address, {"product": str(a1.product_id)}).status_code == 403
    assert Client().get(address, {"product": str(a1.product_id)}).status_code == 302


def test_nothing_can_be_sent_to_it(ada: Client, a1: Actor) -> None:
    for page in ("changelist", "picture", "facts"):
        assert ada.post(reverse(f"admin:memories_entity_{page}"), {"product": str(a1.product_id)}).status_code == 405


def test_odd_questions_are_not_found_or_empty(ada: Client, a1: Actor) -> None:
    owned(a1, "Ana Lima", "ledger-api")
    assert facts_of(ada, a1.product_id, id="nonsense") == 404
    assert drawn(ada, a1.product_id, q="\0")["entities"] != []
    assert drawn(ada, a1.product_id, q="' OR 1=1 --")["entities"] == []
    assert drawn(ada, a1.product_id, type="nonsense")["entities"] == []


def test_the_social_map_holds_people_alone(ada: Client, a1: Actor) -> None:
    owned(a1, "Ana Lima", "ledger-api")
    people = Named("Ana Lima", EntityType.PERSON), Named("Bo Berg", EntityType.PERSON)
    met = factories.fact(a1, "Ana Lima works with Bo Berg on most days.")
    linking.link([Linked(met, Found(people, (Related(people[0], "works_with", people[1], met.content),)))])
    found = drawn(ada, a1.product_id, type="person")
    assert names(found) == {"Ana Lima", "Bo Berg"}
    assert triples(found) == {("Ana Lima", "works_with", "Bo Berg")}
    page = ada.get(desk.list_of("graph"), {"type": "person"})
    assert page.context["title"] == "Social map"


def test_a_search_draws_what_it_names_and_what_that_relates_to(ada: Client, a1: Actor) -> None:
    owned(a1, "Ana Lima", "ledger-api")
    owned(a1, "Bo Berg", "vault-api")
    assert {"Ana Lima", "ledger-api"} <= names(drawn(ada, a1.product_id, q="ana"))
    assert "Bo Berg" not in names(drawn(ada, a1.product_id, q="ana"))


def test_a_name_expands_to_its_neighbours(ada: Client, a1: Actor) -> None:
    owned(a1, "Ana Lima", "ledger-api")
    owned(a1, "Bo Berg", "ledger-api")
    answer = ada.get(around(Entity.objects.get(key="ana lima")), {"product": str(a1.product_id)}).json()
    assert {"Ana Lima", "ledger-api"} <= names(answer)
    assert "Bo Berg" not in names(answer)


def test_a_picture_is_bounded_and_shows_what_hangs_together(a1: Actor) -> None:
    for number in range(6):
        factories.fact(a1, f"Everybody has heard of Solo{number}X by now.")
    owned(a1, "Ana Lima", "ledger-api")
    rows = Memory.objects.visible_to(a1)
    found = picture.whole(rows, tuple(EntityType), most=4)
    assert (len(found.entities), found.is_cut) == (4, True)
    assert {"Ana Lima", "ledger-api"} <= {each.name for each in found.entities}


def test_the_page_has_no_script_of_its_own_and_asks_no_other_server(ada: Client, a1: Actor) -> None:
    words = ada.get(desk.list_of("graph")).content.decode()
    inside = words[words.index('id="graph"') :]
    assert "onclick" not in inside
    assert 'src="http' not in words
    assert 'href="http' not in words
