"""Two products, two agents, private and shared: whoever may not see a row can't tell it from one that never was."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth import get_user_model

from memories.actors import Actor
from memories.choices import Role, Scope, VerdictGiven
from memories.errors import NotFound
from memories.filters import Filters, narrowed
from memories.models import Evidence, Membership, Memory, MemoryEvent, Product, Write
from memories.provenance import Provenance
from memories.services import access, claims, editing, history, recall, resolving, similar
from tests import factories
from tests.factories import add, fact, write
from tests.stubs import StubReader

SHARED, PRIVATE = "The vault opens at nine.", "The vault code is under the mat."


@dataclass(frozen=True)
class World:
    """Shared and private memories on both sides of the wall, and everybody who acts."""

    shared: Memory
    private: Memory
    people: dict[str, Actor]

    def row(self, name: str) -> Memory:
        return self.shared if name == "shared" else self.private


@pytest.fixture
def world(*, lighthouse: Product, orchard: Product, a1: Actor, a2: Actor, b1: Actor, curator: Actor) -> World:
    people = {
        "a1": a1, "a2": a2, "b1": b1, "curator": curator, "stranger": factories.person(orchard, "stranger"),
        "source": factories.source(lighthouse), "cognition": factories.cognition(lighthouse),
    }  # fmt: skip
    rows = {name: fact(by, f"{name} says: {SHARED}") for name, by in people.items() if by.agent_id}
    own = {name: fact(by, f"{name} says: {PRIVATE}", scope=Scope.PRIVATE) for name, by in people.items() if by.agent_id}
    return World(rows["a1"], own["a1"], people)


#: Whose shared and whose private memories each of them sees.
SEES = {
    "a1": ({"a1", "a2"}, {"a1"}),
    "a2": ({"a1", "a2"}, {"a2"}),
    "b1": ({"b1"}, {"b1"}),
    "curator": ({"a1", "a2"}, set()),
    "stranger": ({"b1"}, set()),
    "source": ({"a1", "a2"}, set()),
    "cognition": ({"a1", "a2"}, set()),
}
#: Who may not see which of a1's two memories.
HIDDEN = [
    ("b1", "shared"), ("stranger", "shared"), ("a2", "private"), ("b1", "private"), ("curator", "private"),
    ("stranger", "private"), ("source", "private"), ("cognition", "private"),
]  # fmt: skip


def seen(rows: Any) -> tuple[set[str], set[str]]:
    found = [(memory.content.partition(" ")[0], memory.owner_id is not None) for memory in rows]
    return {name for name, is_private in found if not is_private}, {name for name, is_private in found if is_private}


@pytest.mark.parametrize("who", SEES)
def test_each_sees_the_shared_of_their_product_and_their_own(world: World, who: str) -> None:
    by = world.people[who]
    assert seen(Memory.objects.visible_to(by)) == SEES[who]
    assert seen(Memory.objects.visible_to(by).current()) == SEES[who]
    assert (
        seen(Memory.objects.visible_to(by).live().recallable(by.product_id).statements_only().for_show()) == SEES[who]
    )
    assert seen(narrowed(by, Filters(history=True))) == SEES[who]


@pytest.mark.parametrize("who", SEES)
def test_scope_narrows_to_the_shared_or_to_ones_own(world: World, who: str) -> None:
    shared, private = SEES[who]
    assert seen(narrowed(world.people[who], Filters(scope=Scope.SHARED))) == (shared, set())
    assert seen(narrowed(world.people[who], Filters(scope=Scope.PRIVATE))) == (set(), private)


@pytest.mark.parametrize("who", SEES)
def test_search_finds_only_what_one_may_see(world: World, who: str) -> None:
    for q in (SHARED, PRIVATE, f"a1 says: {PRIVATE}", "vault"):
        hits = recall.search(by=world.people[who], q=q, limit=100).hits
        assert seen(hit.memory for hit in hits) == SEES[who]


@pytest.mark.parametrize("who", ["a2", "b1", "curator"])
def test_what_one_may_not_see_changes_no_score_and_no_count(world: World, who: str) -> None:
    def answer() -> list[tuple[str, float]]:
        hits = recall.search(by=world.people[who], q="vault code").hits
        return [(hit.memory.content, round(hit.score, 6)) for hit in hits]

    before = answer()
    for number in range(8):
        fact(world.people["a1"], f"The vault code was {number} once.", scope=Scope.PRIVATE)
        if who == "b1":
            fact(world.people["a1"], f"The vault code was {number} twice.")
    assert answer() == before


CALLS: dict[str, Callable[[Actor, Any], object]] = {
    "get": access.memory,
    "lock": access.locked_memory,
    "edit": lambda by, id_: editing.revise(by=by, memory_id=id_, content="The vault is open."),
    "confirm": lambda by, id_: editing.revise(by=by, memory_id=id_, confirmed=True),
    "verify": lambda by, id_: editing.verify(by=by, memory_id=id_),
    "retire": lambda by, id_: editing.retire(by=by, memory_id=id_),
    "restore": lambda by, id_: editing.restore(by=by, memory_id=id_),
    "history": lambda by, id_: history.of(access.memory(by, id_)),
    "similar": lambda by, id_: similar.of_memory(access.memory(by, id_), by=by),
    "resolve": lambda by, id_: resolving.resolve(
        by=by, newer_id=id_, older_id=fact(by, "Mine.").pk, verdict=VerdictGiven.DUPLICATE
    ),
    "resolve against": lambda by, id_: resolving.resolve(
        by=by, newer_id=fact(by, "Mine.").pk, older_id=id_, verdict=VerdictGiven.REPLACES
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_hidden_id_answers_exactly_like_a_random_one(world: World, call: str) -> None:
    """Case 15."""
    before = snapshot(world)
    for who, row in HIDDEN:
        hidden, random = (refusal(world, who, call, id_) for id_ in (world.row(row).pk, uuid4()))
        assert (who, row, hidden) == (who, row, random)
    assert snapshot(world) == before


def refusal(world: World, who: str, call: str, id_: UUID) -> tuple[str, str, dict[str, Any]]:
    with pytest.raises(NotFound) as unknown:
        CALLS[call](world.people[who], id_)
    return unknown.value.sentence, unknown.value.code, unknown.value.data


def snapshot(world: World) -> list[Any]:
    ids = [world.shared.pk, world.private.pk]
    return [
        list(Memory.objects.filter(pk__in=ids).values()),
        MemoryEvent.objects.filter(pgh_obj__in=ids).count(),
        Evidence.objects.filter(memory__in=ids).count(),
    ]


@pytest.mark.parametrize("call", ["get", "history", "similar"])
@pytest.mark.parametrize(("who", "row"), [("a1", "shared"), ("a1", "private"), ("a2", "shared"), ("curator", "shared")])
def test_whoever_may_see_it_gets_an_answer(world: World, who: str, row: str, call: str) -> None:
    assert CALLS[call](world.people[who], world.row(row).pk) is not None


# --- similar facts ------------------------------------------------------------------------------------


def test_similar_facts_are_of_the_same_pool_only(world: World) -> None:
    Product.objects.update(fact_neighbor_floor=0.0)
    for name in ("a1", "a2", "b1"):
        by = world.people[name]
        assert seen(each.memory for each in add(by, f"new: {SHARED}").similar or []) == (SEES[name][0], set())
        private = add(by, f"new: {PRIVATE}", scope=Scope.PRIVATE)
        assert seen(each.memory for each in private.similar or []) == (set(), SEES[name][1])


def test_similar_to_a_stored_one_stays_in_its_pool(world: World) -> None:
    Product.objects.update(fact_neighbor_floor=0.0)
    a1 = world.people["a1"]
    shared = similar.of_memory(access.memory(a1, world.shared.pk), by=a1)
    private = similar.of_memory(access.memory(a1, world.private.pk), by=a1)
    assert (seen(each.memory for each in shared), private) == (({"a2"}, set()), [])


# --- filters that name somebody -----------------------------------------------------------------------


@pytest.mark.parametrize("who", ["b1", "stranger"])
def test_a_filter_reaches_over_no_wall(world: World, who: str) -> None:
    a1, by = world.people["a1"], world.people[who]
    origin = Provenance(source_id=uuid4(), source_name="handbook")
    fact(a1, "The vault is old.", provenance=origin, tags=("ops",))
    for filters in (
        Filters(agent="a1"), Filters(agent=str(a1.agent_id)), Filters(source="handbook"),
        Filters(source=str(origin.source_id)), Filters(tag=("ops",)),
    ):  # fmt: skip
        assert not narrowed(by, filters).exists()


# --- receipts -----------------------------------------------------------------------------------------


def test_receipts_are_an_agents_own_and_people_see_the_shared_ones(world: World, stub_reader: StubReader) -> None:
    people = world.people
    written = {
        (name, scope): write(people[name], f"{name} {scope}.", scope=scope)
        for name in ("a1", "a2", "b1")
        for scope in Scope
    }
    sees = {
        "a1": {("a1", "shared"), ("a1", "private")},
        "a2": {("a2", "shared"), ("a2", "private")},
        "b1": {("b1", "shared"), ("b1", "private")},
        "curator": {("a1", "shared"), ("a2", "shared")},
        "stranger": {("b1", "shared")},
    }
    for who, expected in sees.items():
        rows = set(Write.objects.visible_to(people[who]).values_list("pk", flat=True))
        assert rows == {written[name, Scope(scope)].pk for name, scope in expected}
        for (name, scope), each in written.items():
            if (name, scope) not in expected:
                for act in (access.write, lambda by, id_: claims.cancel(by=by, write_id=id_)):
                    with pytest.raises(NotFound):
                        act(people[who], each.pk)


# --- the admin ----------------------------------------------------------------------------------------


def test_people_are_shown_the_shared_memories_of_their_products(world: World, orchard: Product) -> None:
    users = get_user_model().objects
    curator, stranger = users.get(username="curator"), users.get(username="stranger")
    nobody = users.create_user("nobody", password=None, is_staff=True)
    root = users.create_superuser("root", password=None)
    assert seen(Memory.objects.shown_to(curator)) == ({"a1", "a2"}, set())
    assert seen(Memory.objects.shown_to(stranger)) == ({"b1"}, set())
    assert seen(Memory.objects.shown_to(nobody)) == (set(), set())
    assert seen(Memory.objects.shown_to(root)) == ({"a1", "a2", "b1"}, set())  # never private ones
    Membership.objects.create(user=curator, product=orchard, role=Role.MANAGER)
    assert seen(Memory.objects.shown_to(curator)) == ({"a1", "a2", "b1"}, set())


def test_people_are_shown_no_private_receipts(world: World, stub_reader: StubReader) -> None:
    for scope in Scope:
        write(world.people["a1"], f"{scope}.", scope=scope)
    root = get_user_model().objects.create_superuser("root", password=None)
    for user in (root, get_user_model().objects.get(username="curator")):
        assert [each.raw.scope for each in Write.objects.shown_to(user)] == [Scope.SHARED]
    assert not Write.objects.shown_to(get_user_model().objects.get(username="stranger")).exists()
