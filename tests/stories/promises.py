"""What must be true after every step, whoever did what: an oracle in plain Python over the rows."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from conflicts import listing
from conflicts.choices import State
from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import LIVE, Kind, Reason, Status
from memories.filters import NO_FILTERS, Filters, narrowed
from memories.models import Evidence, Memory, MemoryEvent
from memories.services import history, recall
from tests import guards


@dataclass
class World:
    """Where a life takes place, and whose eyes are looked through next."""

    product_ids: list[UUID]
    agents: list[Actor]
    eyes: Iterator[Actor]
    words: Iterator[str]


@dataclass
class Rows:
    """Everything of a world, as it is now."""

    world: World
    memories: dict[UUID, Memory] = field(init=False)
    pairs: list[Conflict] = field(init=False)

    def __post_init__(self) -> None:
        mine = {"product_id__in": self.world.product_ids}
        self.memories = Memory.objects.filter(**mine).defer("words", "weights", "metadata").in_bulk()
        self.pairs = list(Conflict.objects.filter(**mine))

    @cached_property
    def passages(self) -> dict[UUID, set[UUID]]:
        """Raw text → the statements it says."""
        said: dict[UUID, set[UUID]] = defaultdict(set)
        rows = Evidence.objects.filter(product_id__in=self.world.product_ids, raw__isnull=False)
        for raw_id, memory_id in rows.values_list("raw_id", "memory_id"):
            if raw_id != memory_id:
                said[raw_id].add(memory_id)
        return said

    @cached_property
    def unsettled(self) -> dict[UUID, list[Conflict]]:
        """Memory → the unsettled pairs it stands in."""
        found: dict[UUID, list[Conflict]] = defaultdict(list)
        for pair in self.pairs:
            if pair.state != State.SETTLED:
                found[pair.older_id].append(pair)
                found[pair.newer_id].append(pair)
        return found

    @cached_property
    def says_so_now(self) -> set[tuple[UUID, UUID | None, bytes, object, object]]:
        """What some current statement says."""
        statements = (each for each in self.memories.values() if each.kind != Kind.RAW)
        return {claim(each) for each in statements if each.is_current}

    def stands(self, memory: Memory) -> bool:
        """Whether what it says is current: by itself, or because another memory says the same."""
        if memory.is_current or claim(memory) in self.says_so_now:
            return True
        if memory.duplicate_of_id:
            return self.stands(self.memories[memory.duplicate_of_id])
        successor = self.memories.get(memory.replaced_by_id) if memory.replaced_by_id else None
        return successor is not None and bytes(successor.key) == bytes(memory.key) and self.stands(successor)


def claim(memory: Memory) -> tuple[UUID, UUID | None, bytes, object, object]:
    return memory.product_id, memory.owner_id, bytes(memory.key), memory.about_from, memory.about_until


def check(world: World) -> None:
    """The promises that are cheap enough for every step."""
    guards.check_deferred()
    rows = Rows(world)
    for memory in rows.memories.values():
        check_memory(memory, rows)
    check_pairs(rows)
    check_history_tells_the_status(rows)
    for agent in world.agents:
        check_list(agent, rows)
    check_search(next(world.eyes), next(world.words), rows)


def check_memory(memory: Memory, rows: Rows) -> None:
    assert (memory.status == Status.SUPERSEDED) == (memory.replaced_by_id is not None)
    for link in (memory.replaced_by_id, memory.duplicate_of_id, memory.raw_id):
        if link:
            other = rows.memories[link]  # a KeyError here is a link out of the world
            assert (other.product_id, other.owner_id) == (memory.product_id, memory.owner_id)
    if memory.status in (Status.DISPUTED, Status.CONFLICTING):
        assert rows.unsettled[memory.pk], f"{memory.status} without a pair that could be settled"


def check_pairs(rows: Rows) -> None:
    seen: set[frozenset[UUID]] = set()
    for pair in rows.pairs:
        older, newer = rows.memories[pair.older_id], rows.memories[pair.newer_id]
        assert (older.product_id, older.owner_id) == (newer.product_id, newer.owner_id)
        if pair.state == State.SETTLED:
            continue
        assert frozenset((older.pk, newer.pk)) not in seen
        seen.add(frozenset((older.pk, newer.pk)))
        if pair.reason == Reason.DISAGREEMENT:
            assert not older.is_current, "a disputed side is in recall"
            assert not newer.is_current, "a disputed side is in recall"
        if pair.reason == Reason.AUTHORITY:
            assert not newer.is_current, "a refused statement is in recall"


def check_history_tells_the_status(rows: Rows) -> None:
    last = MemoryEvent.objects.filter(pgh_obj__in=rows.memories).order_by("pgh_obj", "-pgh_id").distinct("pgh_obj")
    told = {pk: (status, successor) for pk, status, successor in last.values_list("pgh_obj", "status", "replaced_by")}
    assert told == {each.pk: (each.status, each.replaced_by_id) for each in rows.memories.values()}


def visible(agent: Actor, rows: Rows) -> dict[UUID, Memory]:
    return {
        pk: each
        for pk, each in rows.memories.items()
        if each.product_id == agent.product_id and each.owner_id in (None, agent.agent_id)
    }


def check_list(agent: Actor, rows: Rows) -> None:
    """The default list: every current statement, and each raw text that says nothing else."""
    listed = set(narrowed(agent, NO_FILTERS).values_list("pk", flat=True))
    mine = {pk: each for pk, each in visible(agent, rows).items() if each.is_current}
    assert listed <= set(mine)
    for pk, each in mine.items():
        said = [rows.memories[other] for other in rows.passages[pk]] if each.kind == Kind.RAW else []
        if all(other.is_current for other in said):
            assert pk in listed, "a current memory is missing"
        if pk in listed:
            assert all(rows.stands(other) for other in said), "a raw text still says what lost its currency"


def check_search(agent: Actor, word: str, rows: Rows) -> None:
    hits = {hit.memory.pk for hit in recall.search(by=agent, q=f"the {word}", limit=100).hits}
    listed = set(narrowed(agent, NO_FILTERS).values_list("pk", flat=True))
    assert hits <= listed
    about_it = {pk for pk in listed if word in rows.memories[pk].content.casefold()}
    assert about_it <= hits, "a search misses what it should find by words"


def check_in_the_end(world: World) -> None:
    """The promises that need a query a row."""
    rows = Rows(world)
    for memory in rows.memories.values():
        versions = {move.version: move.to for move in history.of(memory)}
        assert versions[memory.pk] == memory.status
        if memory.replaced_by_id:
            assert memory.pk in {move.version for move in history.of(rows.memories[memory.replaced_by_id])}
    for agent in world.agents:
        check_counts(agent, rows)


def check_counts(agent: Actor, rows: Rows) -> None:
    mine = visible(agent, rows)
    assert set(narrowed(agent, Filters(history=True)).values_list("pk", flat=True)) == set(mine)
    counts = {status: narrowed(agent, Filters(status=(status,))).count() for status in Status}
    assert counts == {**dict.fromkeys(Status, 0), **Counter(Status(each.status) for each in mine.values())}
    pairs = [pair for pair in rows.pairs if pair.newer_id in mine]
    for state in State:
        listed = set(listing.narrowed(agent, {"state": state}).values_list("pk", flat=True))
        assert listed == {pair.pk for pair in pairs if pair.state == state}
    live = [claim(each) for each in mine.values() if each.kind != Kind.RAW and each.status in LIVE]
    assert len(live) == len(set(live)), "one statement is live twice in one pool"
