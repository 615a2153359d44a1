"""Personas: the current traits of each person."""

import pytest

from memories.actors import Actor
from memories.choices import Category, Scope
from memories.models import Memory
from memories.services import editing, intake
from memories.services.drafts import Label
from memories.services.persona import personas

pytestmark = pytest.mark.django_db


def trait(by: Actor, content: str, person: str | None, scope: Scope = Scope.SHARED) -> Memory:
    return intake.add_fact(
        by=by, content=content, category=Category.PERSONA, person=person, label=Label(scope=scope)
    ).fact


def test_traits_are_gathered_by_person_whatever_the_case_of_the_name(a1: Actor) -> None:
    older, newer = trait(a1, "Tamsin likes tea.", "Tamsin"), trait(a1, "Tamsin speaks Welsh.", "tamsin")
    other = trait(a1, "Ivo rows on Sundays.", "Ivo")
    found = personas(Memory.objects.visible_to(a1))
    assert [(each.person, list(each.traits)) for each in found] == [("Ivo", [other]), ("tamsin", [newer, older])]


@pytest.mark.parametrize(
    ("said", "person"), [("Tamsin prefers green tea.", "Tamsin"), ("The user prefers short answers.", "user")]
)
@pytest.mark.parametrize("category", [Category.PERSONA, None])
def test_whom_a_trait_is_about_is_read_from_it_unless_it_is_said(
    a1: Actor, said: str, person: str, category: Category | None
) -> None:
    added = intake.add_fact(by=a1, content=said, category=category).fact
    assert (added.category, added.person) == (Category.PERSONA, person)
    assert trait(a1, "Tamsin prefers quiet rooms.", "Ivo").person == "Ivo"


def test_what_is_no_trait_is_about_nobody(a1: Actor) -> None:
    assert intake.add_fact(by=a1, content="Tamsin prefers green tea.", category=Category.FACT).fact.person is None


def test_a_trait_without_a_name_is_kept_apart(a1: Actor) -> None:
    nameless = trait(a1, "Answers should be short.", None)
    assert [(each.person, list(each.traits)) for each in personas(Memory.objects.visible_to(a1))] == [("", [nameless])]


def test_a_retired_trait_is_no_trait(a1: Actor) -> None:
    editing.retire(by=a1, memory_id=trait(a1, "Tamsin likes tea.", "Tamsin").pk)
    assert personas(Memory.objects.visible_to(a1)) == []


def test_a_private_trait_is_its_owners_alone(a1: Actor, a2: Actor, b1: Actor) -> None:
    trait(a1, "Tamsin dislikes calls.", "Tamsin", Scope.PRIVATE)
    assert [len(personas(Memory.objects.visible_to(by))) for by in (a1, a2, b1)] == [1, 0, 0]
