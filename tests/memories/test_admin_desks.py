"""Putting facts and pairs on a colleague's desk: beside the memories, walled, and taken back as one act."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Scope, Tier
from memories.models import Assignment, Memory, MemoryEvent, Product
from memories.services import editing
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def put(client: Client, to: Actor, rows: list[Any], *, page: str = "fact", note: str = "") -> Any:
    ids = ",".join(str(row.pk) for row in rows)
    return client.post(desk.act_of(page, "desk"), {"ids": ids, "to": to.user_id, "note": note}, follow=True)


def on_desk(client: Client, page: str = "fact") -> list[str]:
    return [str(row) for row in client.get(desk.list_of(page), {"desk": "mine"}).context["cl"].result_list]


def pair(a1: Actor) -> Conflict:
    fact = factories.fact(a1, "The lamp is lit.", tier=Tier.POLICY)
    editing.revise(by=a1, memory_id=fact.pk, content="The lamp is dark.", tier=Tier.TEAM)
    found: Conflict = Conflict.objects.get()
    return found


def test_facts_go_to_a_colleague_who_finds_them_on_the_front_page(ada: Client, a1: Actor, manager: Actor) -> None:
    facts = [factories.fact(a1, f"Lamp {number} is lit.") for number in range(2)]
    moves = MemoryEvent.objects.count()
    asked = desk.tick(ada, "fact", "put_on_desk_selected", facts)
    assert "Put 2 facts on a desk" in asked.content.decode()
    put(ada, manager, facts, note="Do you know these?")
    theirs = desk.at_desk(manager)
    assert on_desk(theirs) == ["Lamp 1 is lit.", "Lamp 0 is lit."]
    assert on_desk(ada) == []
    page = theirs.get(desk.FRONT).content.decode()
    assert "Facts on my desk" in page
    assert "Do you know these?" in theirs.get(desk.list_of("fact"), {"desk": "mine"}).content.decode()
    assert MemoryEvent.objects.count() == moves, "nothing about a memory changed"


def test_pairs_too(ada: Client, a1: Actor, manager: Actor) -> None:
    put(ada, manager, [pair(a1)], page="conflict")
    theirs = desk.at_desk(manager)
    assert len(on_desk(theirs, "conflict")) == 1
    assert "Conflicts on my desk" in theirs.get(desk.FRONT).content.decode()


def test_an_act_is_undone_and_gives_back_where_things_lay(
    ada: Client, a1: Actor, curator: Actor, manager: Actor
) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    put(ada, curator, [fact])
    answer = put(ada, manager, [fact])
    assert on_desk(ada) == []
    ada.post(answer.redirect_chain[-1][0])
    assert on_desk(ada) == ["The lamp is lit."]
    assert on_desk(desk.at_desk(manager)) == []


def test_what_is_taken_off_lies_nowhere(ada: Client, a1: Actor, curator: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    put(ada, curator, [fact])
    desk.tick(ada, "fact", "take_off_desk_selected", [fact], query="?desk=mine")
    assert on_desk(ada) == []


def test_a_person_of_another_product_gets_nothing(ada: Client, a1: Actor, orchard: Product) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    mallory = factories.person(orchard, "mallory")
    answer = put(ada, mallory, [fact])
    assert "Select a valid choice" in answer.content.decode() or "valid choice" in answer.content.decode()
    assert not Assignment.objects.exists()


def test_nothing_behind_a_wall_is_put_on_a_desk(ada: Client, a1: Actor, b1: Actor, curator: Actor) -> None:
    hidden = [factories.fact(a1, "The lamp is lit.", scope=Scope.PRIVATE), factories.fact(b1, "The apples are ripe.")]
    assert put(ada, curator, hidden).status_code == 404
    assert not Assignment.objects.exists()


def test_an_act_is_seen_and_undone_by_its_person_alone(ada: Client, a1: Actor, manager: Actor) -> None:
    answer = put(ada, manager, [factories.fact(a1, "The lamp is lit.")])
    address = answer.redirect_chain[-1][0]
    for other in (desk.at_desk(manager), desk.superuser(), desk.stranger()):
        assert other.get(address).status_code == 404
        assert other.post(address).status_code == 404
    assert Assignment.objects.filter(ended_by_act=None).exists()


def test_whoever_left_the_product_sees_nothing_of_it_on_their_desk(ada: Client, a1: Actor, manager: Actor) -> None:
    put(ada, manager, [factories.fact(a1, "The lamp is lit.")])
    gone = desk.at_desk(manager)
    get_user_model().objects.get(username=manager.name).memberships.all().delete()
    assert gone.get(desk.list_of("fact"), {"desk": "mine"}).status_code == 403
    assert Memory.objects.count() == 1


def test_the_address_of_an_act_that_never_was_is_not_found(ada: Client) -> None:
    unknown = reverse("admin:memories_memory_put", args=["00000000-0000-0000-0000-000000000001"])
    assert ada.get(unknown).status_code == 404
