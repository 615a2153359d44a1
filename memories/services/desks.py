"""Putting facts and pairs on a colleague's desk, and taking them off again. It edits nothing and tells no memory."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q

from memories.actors import Actor
from memories.errors import InvalidInput
from memories.models import Assignment, Memory
from memories.models.ids import new_id

#: As many things as one act reaches.
MOST_AT_ONCE = 1_000
NOTE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Things:
    """Facts or pairs, by their ids."""

    facts: Sequence[UUID] = ()
    pairs: Sequence[UUID] = ()

    def __len__(self) -> int:
        return len(self.facts) + len(self.pairs)

    def held(self) -> Q:
        return Q(memory__in=self.facts) | Q(pair__in=self.pairs)


@dataclass(frozen=True, slots=True)
class Put:
    """How many were put there, and the act that undo names."""

    act: UUID
    number: int


def colleagues(products: Iterable[UUID]) -> Any:
    """Who may work in all of these products, by name. Superusers may, everywhere."""
    rows = get_user_model().objects.filter(is_active=True, is_staff=True)
    belongs = Q()
    for product in products:
        belongs &= Q(pk__in=get_user_model().objects.filter(memberships__product=product).values("pk"))
    return rows.filter(belongs | Q(is_superuser=True)).order_by("username")


def put(*, by: Actor, things: Things, to: Any, note: str = "", act: UUID | None = None) -> Put:
    """On their desk; what lay on another moves. The caller has looked that the things are the person's to see."""
    if len(things) > MOST_AT_ONCE:
        raise InvalidInput.of("ids", f"At most {MOST_AT_ONCE:,} things are put on a desk at once; choose fewer.")
    if not colleagues([by.product_id]).filter(pk=to.pk).exists():
        raise InvalidInput.of("to", "This person doesn't belong to the product; choose a colleague who does.")
    act = act or new_id()
    seen = Memory.objects.visible_to(by).filter(pk__in=things.facts).order_by("pk").values_list("pk", flat=True)
    told = {"person": to, "by_id": by.user_id, "note": note[:NOTE_CHARACTERS], "act": act}
    with transaction.atomic():
        facts = list(seen.select_for_update(no_key=True))
        _end(Things(facts, things.pairs), act)
        Assignment.objects.bulk_create(
            [
                *(Assignment(memory_id=each, **told) for each in facts),
                *(Assignment(pair=each, **told) for each in things.pairs),
            ]
        )
    return Put(act, len(facts) + len(things.pairs))


def take_off(*, things: Things, act: UUID | None = None) -> Put:
    """Off whatever desk they lie on."""
    act = act or new_id()
    return Put(act, _end(things, act))


def take_back(*, act: UUID, person: Any) -> int:
    """As it was before this person's act, for everything that nobody moved on since."""
    with transaction.atomic():
        mine = Assignment.objects.filter(act=act, by=person, ended_by_act=None).select_for_update()
        things = Things(
            [each.memory_id for each in mine if each.memory_id], [each.pair for each in mine if each.pair]
        )  # fmt: skip
        number = len(things)
        undone = new_id()
        _end(things, undone)
        Assignment.objects.filter(things.held(), ended_by_act=act).update(ended_by_act=None)
    return number


def _end(things: Things, act: UUID) -> int:
    return Assignment.objects.filter(things.held(), ended_by_act=None).update(ended_by_act=act)
