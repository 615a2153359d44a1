"""The database keeps the desk in order, whoever goes around the services."""

from uuid import uuid4

from memories.actors import Actor
from memories.models import Assignment, SavedView
from tests import factories
from tests.guards import refused_by


def person(actor: Actor) -> int:
    assert actor.user_id is not None
    return actor.user_id


def test_an_assignment_is_of_one_thing(a1: Actor, curator: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    for things in ({}, {"memory": fact, "pair": uuid4()}):
        with refused_by("Assignment:assignment_is_of_one_thing"):
            Assignment.objects.create(person_id=person(curator), act=uuid4(), **things)


def test_a_thing_lies_on_one_desk(a1: Actor, curator: Actor, manager: Actor) -> None:
    fact, pair = factories.fact(a1, "The lamp is lit."), uuid4()
    for thing in ({"memory": fact}, {"pair": pair}):
        Assignment.objects.create(person_id=person(curator), act=uuid4(), **thing)
    with refused_by("Assignment:a_fact_lies_on_one_desk"):
        Assignment.objects.create(person_id=person(manager), act=uuid4(), memory=fact)
    with refused_by("Assignment:a_pair_lies_on_one_desk"):
        Assignment.objects.create(person_id=person(manager), act=uuid4(), pair=pair)


def test_a_name_is_one_view_of_a_list(curator: Actor) -> None:
    SavedView.objects.create(person_id=person(curator), page="memories_memory", name="Mine")
    with refused_by("SavedView:one_view_per_name_person_and_page"):
        SavedView.objects.create(person_id=person(curator), page="memories_memory", name="Mine")
