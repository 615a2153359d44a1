"""Summaries: in the words of what they rest on, fresh only when that changed, gone with it."""

import pytest

from memories.actors import Actor
from memories.choices import Kind, Origin, Scope, Status, Tier
from memories.models import Conclusion, Memory, Product
from memories.services import editing, erasure
from memories.services.erasing.targets import Choice, ChosenBy
from memories.services.erasing.verification import traces_of
from tests import factories
from tests.cognition.conftest import Think

pytestmark = pytest.mark.django_db

FACTS = [
    "Ana Lima leads the harbour survey in Tarnvik.",
    "Ana Lima keeps the tide tables for the eastern quay.",
    "Ana Lima ordered twelve new buoys in March 2026.",
    "Ana Lima trains the pilots of the northern channel.",
    "Ana Lima repaired the fog horn on the long pier.",
    "Ana Lima signs the dredging contracts with Brinkhof.",
    "Ana Lima speaks Finnish and Portuguese at the desk.",
    "Ana Lima wrote the storm handbook for the crews.",
    "Ana Lima moored the survey boat at berth seven.",
]


@pytest.fixture
def facts(a1: Actor) -> list[Memory]:
    return [factories.fact(a1, each) for each in FACTS]


def summaries(product: Product) -> list[Memory]:
    return list(Memory.objects.filter(product=product, kind=Kind.SUMMARY).current().order_by("pk"))


def test_a_thing_of_many_facts_gets_one_that_rests_on_them(
    think: Think, facts: list[Memory], lighthouse: Product
) -> None:
    assert think("summaries")["summaries"].written == 1
    (made,) = summaries(lighthouse)
    assert made.content.startswith("Summary of Ana Lima, as of ")
    assert (made.origin, made.scope, made.status, made.tier) == ("cognition", "shared", "unverified", "official")
    rests = [each.rests_on for each in made.evidence.all()]
    assert 3 <= len(rests) < len(FACTS)
    assert all(each and each.content in made.content for each in rests)


def test_run_again_it_writes_nothing(think: Think, facts: list[Memory]) -> None:
    think()
    again = think()
    assert {name: (row.written, row.proposed) for name, row in again.items() if row.written or row.proposed} == {}


def test_private_facts_are_never_in_one(think: Think, facts: list[Memory], a1: Actor, lighthouse: Product) -> None:
    for number in range(20):
        factories.fact(a1, f"Ana Lima hides letter {number} in the tower.", scope=Scope.PRIVATE)
    think()
    assert "hides" not in " ".join(each.content for each in Memory.objects.filter(origin=Origin.COGNITION))


def test_it_weighs_no_more_than_the_weakest_it_rests_on(think: Think, a1: Actor, lighthouse: Product) -> None:
    for each in FACTS:
        factories.fact(a1, each, tier=Tier.INFORMAL)
    think("summaries")
    assert summaries(lighthouse)[0].tier == Tier.INFORMAL


def test_when_a_ground_falls_it_leaves_search_at_once_and_is_replaced_by_the_next_run(
    think: Think, facts: list[Memory], a1: Actor, lighthouse: Product
) -> None:
    think("summaries")
    (old,) = summaries(lighthouse)
    ground = old.evidence.order_by("id")[0].rests_on
    assert ground
    editing.revise(by=a1, memory_id=ground.pk, content="Ana Lima has left the harbour for good.")
    assert not Memory.objects.recallable(lighthouse.pk).filter(pk=old.pk).exists()
    think("summaries")
    (new,) = summaries(lighthouse)
    old.refresh_from_db()
    assert (old.status, old.replaced_by_id) == (Status.SUPERSEDED, new.pk)
    assert ground.content not in new.content
    assert Memory.objects.recallable(lighthouse.pk).filter(pk=new.pk).exists()


def test_a_fact_more_that_changes_nothing_writes_nothing(
    think: Think, facts: list[Memory], a1: Actor, lighthouse: Product
) -> None:
    think("summaries")
    factories.fact(a1, "Ana Lima?")
    assert think("summaries")["summaries"].written == 0


def test_it_goes_when_too_little_is_left(think: Think, facts: list[Memory], a1: Actor, lighthouse: Product) -> None:
    think("summaries")
    for each in facts[3:]:
        editing.retire(by=a1, memory_id=each.pk)
    think("summaries")
    assert summaries(lighthouse) == []


def test_with_its_step_switched_off_it_is_let_go_when_nothing_is_left(
    think: Think, facts: list[Memory], a1: Actor, lighthouse: Product
) -> None:
    think("summaries")
    for each in facts:
        editing.retire(by=a1, memory_id=each.pk)
    assert think("letting_go")["letting_go"].written == 1
    assert summaries(lighthouse) == []


def test_what_a_person_took_out_or_changed_is_left_to_them(
    think: Think, facts: list[Memory], curator: Actor, lighthouse: Product
) -> None:
    think("summaries")
    (made,) = summaries(lighthouse)
    editing.revise(by=curator, memory_id=made.pk, content="Ana Lima runs the harbour of Tarnvik.")
    row = think("summaries")["summaries"]
    assert row.written == 0
    theirs = Memory.objects.get(content="Ana Lima runs the harbour of Tarnvik.")
    editing.retire(by=curator, memory_id=theirs.pk)
    Conclusion.objects.get(memory=made)
    assert theirs.origin == Origin.PERSON


def test_a_long_text_gets_one_and_loses_it_when_it_is_withdrawn(think: Think, a1: Actor, lighthouse: Product) -> None:
    names = ["pump", "crane", "lamp", "gate", "buoy", "ramp", "horn", "mast", "rope", "dock", "raft", "sluice", "bell"]
    names += ["winch", "tower", "shed", "ferry"]
    text = "# Harbour equipment\n\n" + " ".join(
        f"The {name} in hall {number} was inspected by crew {number} on 3 May 2026."
        for number, name in enumerate(names)
    )
    write = factories.write(a1, text)
    think("summaries")
    made = [each for each in summaries(lighthouse) if "Harbour equipment" in each.content]
    assert len(made) == 1
    for row in Memory.objects.filter(raw=write.raw_id):
        editing.retire(by=a1, memory_id=row.pk)
    think()
    assert summaries(lighthouse) == []


@pytest.mark.django_db(transaction=True)
def test_erasing_a_ground_erases_what_was_made_of_it(
    think: Think, facts: list[Memory], curator: Actor, lighthouse: Product
) -> None:
    """Case 25."""
    think()
    (made,) = summaries(lighthouse)
    ground = made.evidence.order_by("id")[0].rests_on
    assert ground
    words = ground.content
    erasure.erase(by=curator, choice=Choice(lighthouse.pk, ChosenBy.MEMORY, ids=[ground.pk]))
    made.refresh_from_db()
    assert (made.content, made.status) == ("", Status.RETIRED)
    assert traces_of(words) == []
    think()
    assert traces_of(words) == []
    others = Memory.objects.filter(pk__in=[each.pk for each in facts if each.pk != ground.pk])
    assert {each.status for each in others} == {Status.VERIFIED}
    assert all(words not in each.content for each in summaries(lighthouse))
    assert len(summaries(lighthouse)) == 1
