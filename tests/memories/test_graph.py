"""The knowledge graph: what facts name, and how those things hang together, as far as a caller may see."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest

from memories.actors import Actor
from memories.choices import EntityType, Scope, Status, VerdictGiven
from memories.models import Entity, Memory, Mention, Product, Relation
from memories.reading.entities import Found, Named, Related, name_key
from memories.services import editing, linking, resolving
from memories.services.linking import Linked
from tests import factories
from tests.api.door import Answer, Door

pytestmark = pytest.mark.django_db


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.fixture
def other(a2_key: str) -> Door:
    return Door(a2_key)


@pytest.fixture
def stranger(b1_key: str) -> Door:
    return Door(b1_key)


def names(answer: Answer) -> list[str]:
    return [entity["name"] for entity in answer["entities"]]


def entity(door: Door, name: str) -> dict[str, Any]:
    found = {each["name"]: each for each in door.get("graph/search/", q=name)["entities"]}
    return dict(found[name])


def contents(door: Door, ids: list[str]) -> set[str]:
    return {door.get(f"facts/{id_}/")["content"] for id_ in ids}


def relate(fact: Memory, subject: str, relation: str, object_: str) -> None:
    """What a reader says of a fact, as linking gets it."""
    ends = Named(subject, EntityType.PERSON), Named(object_, EntityType.SERVICE)
    linking.link([Linked(fact, Found(ends, (Related(ends[0], relation, ends[1], fact.content),)))])


# --- names


def test_look_alike_codes_stay_apart(door: Door) -> None:
    for content in (
        "Valve V-1603 leaks at the flange.",
        "Valve V-1605 was replaced in January.",
        "Route use-001 is closed.",
        "Route use-002 is open.",
    ):
        door.fact(content)
    for code, content in (
        ("V-1603", "Valve V-1603 leaks at the flange."),
        ("V-1605", "Valve V-1605 was replaced in January."),
        ("use-001", "Route use-001 is closed."),
        ("use-002", "Route use-002 is open."),
    ):
        around = door.get(f"graph/entities/{entity(door, code)['id']}/")
        linked = {id_ for relation in around["relations"] for id_ in relation["evidence"]}
        assert contents(door, list(linked)) <= {content}
        assert entity(door, code)["memories"] == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana Lima", "ana  lima"),
        ("Ana Lima", "Ana Lima's"),
        ("ＡＣＭＥ", "acme"),
        ("Zoë", "Zoe\u0308"),
    ],
)
def test_spellings_of_one_name_are_one(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("V-1603", "V-1605"), ("use-001", "use-002"), ("v1.2", "v12"), ("Muller", "Müller"), ("C", "C++"), ("C#", "C")],
)
def test_look_alikes_are_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_name_is_found_by_a_part_of_it_and_the_exact_one_comes_first(door: Door) -> None:
    door.fact("We asked Ana Lima Santos about it.")
    door.fact("We asked Ana Lima about it.")
    assert names(door.get("graph/search/", q="ana lima"))[:2] == ["Ana Lima", "Ana Lima Santos"]
    assert names(door.get("graph/search/", q="Santos")) == ["Ana Lima Santos"]
    assert names(door.get("graph/search/", q="Ben")) == []


def test_other_spellings_are_its_aliases(door: Door) -> None:
    door.fact("We asked Ana Lima about it.")
    door.fact("We told Ana Lima about it.")
    door.fact("They met ANA LIMA there.")
    found = entity(door, "Ana Lima")
    assert (found["aliases"], found["memories"]) == (["ANA LIMA"], 3)


def test_a_trait_names_its_person(door: Door) -> None:
    door.fact("Prefers short answers.", category="persona", person="Ana Lima")
    assert entity(door, "Ana Lima")["type"] == "person"
    assert names(door.get("graph/entities/", type="person")) == ["Ana Lima"]
    assert names(door.get("graph/entities/", type="place")) == []


def test_a_type_that_is_learned_later_is_kept(a1: Actor) -> None:
    fact = factories.fact(a1, "We asked Ana Lima about it.")
    before = Entity.objects.get(key="ana lima").type
    linking.link([Linked(fact, Found((Named("Ana Lima", EntityType.PERSON),)))])
    linking.link([Linked(fact, Found((Named("Ana Lima", EntityType.PLACE),)))])
    assert before in (EntityType.OTHER, EntityType.PERSON)
    assert Entity.objects.get(key="ana lima").type == EntityType.PERSON


# --- what no current memory proves is not there


def test_an_edit_moves_the_graph_along(door: Door) -> None:
    fact = door.fact("We asked Ana Lima about it.")
    door.patch(f"facts/{fact}/", {"content": "We asked Ben Ito about it."})
    assert names(door.get("graph/entities/")) == ["Ben Ito"]


def test_what_is_retired_disappears_and_comes_back(door: Door) -> None:
    fact = door.fact("We asked Ana Lima about it.")
    id_ = entity(door, "Ana Lima")["id"]
    door.delete(f"facts/{fact}/")
    assert names(door.get("graph/search/", q="Ana Lima")) == []
    assert door.send("GET", f"graph/entities/{id_}/").code == 404
    door.post(f"facts/{fact}/restore/", {})
    assert names(door.get(f"graph/entities/{id_}/")) == ["Ana Lima"]


def test_what_is_disputed_disappears(a1: Actor, door: Door) -> None:
    older, newer = factories.fact(a1, "Ana Lima owns Harbor."), factories.fact(a1, "Ben Ito owns Harbor.")
    resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)
    assert door.get("graph/entities/")["entities"] == []


def test_a_relation_rests_on_its_facts_and_goes_with_them(a1: Actor, door: Door) -> None:
    first, second = factories.fact(a1, "Ana Lima owns Harbor."), factories.fact(a1, "Harbor belongs to Ana Lima.")
    for fact in (first, second):
        relate(fact, "Ana Lima", "owns", "Harbor")
    edge = next(each for each in door.get("graph/search/", q="Harbor")["relations"] if each["relation"] == "owns")
    assert set(edge["evidence"]) == {str(first.pk), str(second.pk)}
    assert edge["words"] == "Ana Lima owns Harbor."
    editing.retire(by=a1, memory_id=first.pk)
    edge = next(each for each in door.get("graph/search/", q="Harbor")["relations"] if each["relation"] == "owns")
    assert edge["evidence"] == [str(second.pk)]
    editing.retire(by=a1, memory_id=second.pk)
    assert door.get("graph/search/", q="Harbor").body == {"entities": [], "relations": []}


# --- ways


def test_the_shortest_way_is_found_within_three_relations(a1: Actor, door: Door) -> None:
    chain = ["Ana Lima", "Harbor", "Ben Ito", "Kestrel", "Tarnvik"]
    for one, other_ in pairwise(chain):
        relate(factories.fact(a1, f"So {one} knows {other_}."), one, "knows", other_)
    found = door.get("graph/path/", **{"from": "Ana Lima", "to": "Kestrel"})
    assert names(found) == chain[:4]
    assert [each["relation"] for each in found["relations"]] == ["knows"] * 3
    assert door.get("graph/path/", **{"from": "Ana Lima", "to": "Tarnvik"}).body == {"entities": [], "relations": []}
    assert names(door.get("graph/path/", **{"from": "harbor", "to": "Harbor"})) == ["Harbor"]


def test_depth_says_how_far_to_look(a1: Actor, door: Door) -> None:
    chain = ["Ana Lima", "Harbor", "Ben Ito", "Kestrel"]
    for one, other_ in pairwise(chain):
        relate(factories.fact(a1, f"So {one} knows {other_}."), one, "knows", other_)
    around = [set(names(door.get("graph/entities/Ana Lima/", depth=depth))) for depth in (1, 2, 3)]
    assert around == [set(chain[:2]), set(chain[:3]), set(chain)]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("graph/search/", {}),
        ("graph/search/", {"q": "x", "limit": 0}),
        ("graph/search/", {"q": "x", "type": "wizard"}),
        ("graph/path/", {"from": "Ana"}),
        ("graph/path/", {"from": "Ana", "to": "Ben", "via": "Cy"}),
        ("graph/entities/Ana/", {"depth": 4}),
        ("graph/entities/", {"sort": "name"}),
    ],
)
def test_bad_questions_are_refused_by_name(door: Door, path: str, query: dict[str, object]) -> None:
    assert door.send("GET", f"{path}?{urlencode(query)}").code == 400


def test_an_unknown_name_is_not_there(door: Door) -> None:
    door.fact("We asked Ana Lima about it.")
    for path in ("graph/entities/Nobody/", "graph/entities/018f0000-0000-7000-8000-000000000000/"):
        assert door.send("GET", path).code == 404
    assert door.send("GET", "graph/path/?from=Ana+Lima&to=Nobody").code == 404


def test_a_statement_that_lists_many_names_joins_none_of_them(door: Door) -> None:
    door.fact("Present were " + ", ".join(f"Kim Person{letter}" for letter in "abcdefghijkl") + ".")
    assert door.get("graph/entities/")["entities"]
    assert door.get("graph/search/", q="Kim")["relations"] == []


# --- walls


def test_what_a_private_fact_names_is_its_owners_alone(door: Door, other: Door, stranger: Door) -> None:
    door.fact("We met ANA LIMA beside Tarnvik.", scope="private")
    door.fact("We asked Ana Lima about it.")
    assert set(names(door.get("graph/entities/"))) == {"ANA LIMA", "Tarnvik"}
    assert entity(other, "Ana Lima")["aliases"] == []
    assert names(other.get("graph/entities/")) == ["Ana Lima"]
    assert other.get("graph/entities/Ana Lima/")["relations"] == []
    assert names(stranger.get("graph/entities/")) == []


def test_one_name_in_two_products_is_two_things(door: Door, stranger: Door) -> None:
    door.fact("We asked Ana Lima about it.")
    stranger.fact("We told Ana Lima about it.")
    assert entity(door, "Ana Lima")["id"] != entity(stranger, "Ana Lima")["id"]
    assert entity(door, "Ana Lima")["memories"] == 1


# --- upkeep


def test_linking_anew_changes_nothing_the_second_time(a1: Actor, lighthouse: Product) -> None:
    factories.fact(a1, "We asked Ana Lima about Valve V-1603.")
    factories.fact(a1, "Ben Ito keeps it.", scope=Scope.PRIVATE)
    Mention.objects.all().delete()
    assert linking.relink(lighthouse) == 2
    first = set(Mention.objects.values_list("memory", "entity__key", "words"))
    assert {key for _, key, _ in first} >= {"ana lima", "v-1603", "ben ito"}
    linking.relink(lighthouse)
    assert set(Mention.objects.values_list("memory", "entity__key", "words")) == first


@pytest.mark.django_db(transaction=True)  # the walls are looked at when each chunk is committed
def test_linking_anew_drops_what_nothing_names(a1: Actor, lighthouse: Product) -> None:
    fact = factories.fact(a1, "We asked Ana Lima about it.")
    relate(fact, "Ana Lima", "owns", "A service that no fact names")
    linking.relink(lighthouse)
    assert not Entity.objects.filter(name="A service that no fact names").exists()
    assert not Relation.objects.filter(relation="owns").exists()


def test_reading_a_text_links_its_statements(door: Door, read_queued: Callable[[], int]) -> None:
    door.write("We asked Ana Lima about it. Valve V-1603 leaks at the flange.")
    assert {"Ana Lima", "V-1603"} <= set(names(door.get("graph/entities/")))
    assert Memory.objects.get(content="Valve V-1603 leaks at the flange.").status == Status.UNVERIFIED
    assert not Mention.objects.filter(memory__kind="Raw").exists()
