"""Similar facts: listed for the agent, from the product's floor upwards, with what differs. Nothing is decided."""

from memories.actors import Actor
from memories.choices import Outcome, Status
from memories.models import Product
from memories.services import editing, lifecycle
from tests.factories import add, fact


def test_similar_facts_are_listed_and_nothing_is_decided(a1: Actor) -> None:
    """Case 1."""
    first = fact(a1, "The Harbor gateway listens on port 8443.")
    second = add(a1, "The Harbor gateway listens on port 9443.")
    first.refresh_from_db()
    assert second.outcome == Outcome.ADDED
    assert second.similar is not None
    assert [(each.memory, each.similarity > 0.8) for each in second.similar] == [(first, True)]
    assert (first.status, second.fact.status) == (Status.VERIFIED, Status.VERIFIED)


def test_a_low_floor_lists_what_is_far_as_well(lighthouse: Product, a1: Actor) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(fact_neighbor_floor=0.05)
    far = fact(a1, "The Harbor gateway listens on port 8443.")
    (similar,) = add(a1, "Harbor master.").similar or []
    assert (similar.memory, 0.05 <= similar.similarity < 0.45) == (far, True)


def test_only_live_facts_are_similar(a1: Actor, curator: Actor) -> None:
    """A disputed one is live: whoever says something like it should know."""
    retired, edited, disputed = (fact(a1, f"The Harbor gateway listens on port {port}.") for port in (1, 2, 3))
    editing.retire(by=curator, memory_id=retired.pk)
    newest = editing.revise(by=a1, memory_id=edited.pk, content="The Harbor gateway listens on port 4.").fact
    lifecycle.dispute(disputed, by=a1)
    similar = add(a1, "The Harbor gateway listens on port 5.").similar or []
    assert {each.memory for each in similar} == {newest, disputed}


def test_similar_facts_say_what_differs(a1: Actor) -> None:
    fact(a1, "The Harbor gateway listens on port 8443.")
    (similar,) = add(a1, "The Harbor gateway listens on port 9443.").similar or []
    assert [(each.what, each.this, each.other) for each in similar.differs] == [("number", "9443", "8443")]


def test_a_product_sets_how_close_is_similar(lighthouse: Product, a1: Actor) -> None:
    fact(a1, "The Harbor gateway listens on port 8443.")
    Product.objects.filter(pk=lighthouse.pk).update(fact_neighbor_floor=1.0)
    assert add(a1, "The Harbor gateway listens on port 9443.").similar == []
    Product.objects.filter(pk=lighthouse.pk).update(fact_neighbor_floor=0.0)
    assert len(add(a1, "The Harbor gateway listens on port 7443.").similar or []) == 2
