"""The Persona page: what is held true of each person, and the traits that contradict each other."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from conflicts.admin.pair_page import STATE_COLOURS
from conflicts.choices import State
from memories.admin import labels
from memories.admin.base import products_where
from memories.choices import Role, Status
from memories.models import Memory
from memories.services import persona

MOST_PAIRS = 50


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait as it is listed."""

    memory: Memory
    colour: str
    tier: SafeString
    recorded: SafeString | str


@dataclass(frozen=True, slots=True)
class Person:
    """A person and their traits; the name is empty where the facts don't say whom they are about."""

    name: str
    initial: str
    traits: list[Trait]


def context(request: HttpRequest, pairs: Any) -> dict[str, Any]:
    """`pairs`: the person's own, as the gate let them through."""
    mine = Memory.objects.shown_to(request.user).filter(product__in=products_where(request, Role.CURATOR))
    people = persona.personas(mine.select_related("product"))
    unsettled = list(pairs.unsettled().filter(persona=True)[: MOST_PAIRS + 1])
    return {
        "title": "Persona",
        "people": [_person(each) for each in people],
        "is_cut": sum(len(each.traits) for each in people) >= persona.MOST_TRAITS,
        "most_traits": persona.MOST_TRAITS,
        "pairs": [(pair, STATE_COLOURS[State(pair.state)]) for pair in unsettled[:MOST_PAIRS]],
        "all_pairs": f"{reverse('admin:conflicts_conflict_changelist')}?about=persona",
        "several": len(products_where(request, Role.CURATOR)) > 1,
    }


def _person(found: persona.Persona) -> Person:
    return Person(found.person, found.person[:1].upper(), [_trait(each) for each in found.traits])


def _trait(memory: Memory) -> Trait:
    return Trait(
        memory, labels.STATUS_COLOURS[Status(memory.status)], labels.tier_label(memory.tier),
        labels.when_label(memory.recorded_at, day_only=True),
    )  # fmt: skip
