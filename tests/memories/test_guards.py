"""The database itself keeps memories and their history, whoever goes around the services."""

from itertools import product as pairs_of

import pytest

from memories.actors import Actor
from memories.choices import Status
from memories.decisions import BIRTHS, MOVES
from memories.models import Memory, MemoryEvent
from memories.models.memory import FREE
from tests import factories, guards
from tests.guards import refused_by

MOVED_THROUGH = {
    Status.DISPUTED: Status.VERIFIED,
    Status.RETIRED: Status.UNVERIFIED,
    Status.SUPERSEDED: Status.VERIFIED,
}


def in_status(by: Actor, status: Status) -> Memory:
    """A row in this status, brought there by raw updates."""
    memory = factories.stored_row(by, status=MOVED_THROUGH.get(status, status))
    if status in MOVED_THROUGH:
        move(memory, status, by)
    memory.refresh_from_db()
    return memory


def move(memory: Memory, status: Status, by: Actor) -> None:
    successor = factories.stored_row(by, "The lamp is off.") if status == Status.SUPERSEDED else None
    Memory.objects.filter(pk=memory.pk).update(status=status, replaced_by=successor)


def test_the_free_columns_are_those_that_the_architecture_names() -> None:
    assert FREE == ["status", "replaced_by", "duplicate_of", "words", "weights"]


@pytest.mark.parametrize("column", guards.columns(Memory, without=tuple(FREE)))
def test_what_was_written_stays_as_written(a1: Actor, column: str) -> None:
    memory = factories.stored_row(a1)
    with refused_by("Memory:written_stays_written"):
        guards.set_column(memory, column, guards.other_value(memory, column))


def test_the_word_index_may_be_made_again(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    guards.set_column(memory, "words", "'lamp':1")
    memory.refresh_from_db()
    assert memory.words == "'lamp':1"


@pytest.mark.parametrize(("old", "new"), [each for each in pairs_of(Status, Status) if each in MOVES])
def test_every_legal_move_is_let_through(a1: Actor, old: Status, new: Status) -> None:
    memory = in_status(a1, old)
    move(memory, new, a1)
    memory.refresh_from_db()
    assert memory.status == new


@pytest.mark.parametrize(
    ("old", "new"), [(old, new) for old, new in pairs_of(Status, Status) if old != new and (old, new) not in MOVES]
)
def test_every_other_move_is_refused(a1: Actor, old: Status, new: Status) -> None:
    memory = in_status(a1, old)
    with refused_by("Memory:legal_moves_only"):
        move(memory, new, a1)
    memory.refresh_from_db()
    assert memory.status == old


def test_a_status_that_does_not_exist_is_refused(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    with refused_by("Memory:legal_moves_only"):
        guards.set_column(memory, "status", "forgotten")


@pytest.mark.parametrize("status", [*BIRTHS])
def test_a_memory_may_be_born_so(a1: Actor, status: Status) -> None:
    factories.stored_row(a1, status=status)
    assert Memory.objects.get().status == status


@pytest.mark.parametrize("status", ["forgotten", *(status for status in Status if status not in BIRTHS)])
def test_a_memory_is_never_born_so(a1: Actor, status: str) -> None:
    with refused_by("Memory:legal_births_only"):
        Memory.objects.bulk_create([factories.row(a1, status=status)])
    assert not Memory.objects.exists()


def test_a_memory_is_never_deleted(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    with refused_by("Memory:no_deletes"):
        guards.delete(memory)


def test_a_memory_is_superseded_only_with_a_successor(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    with refused_by("Memory:memory_superseded_names_its_successor"):
        guards.set_column(memory, "status", Status.SUPERSEDED)


def test_a_successor_stays(a1: Actor) -> None:
    old, new, other = (factories.stored_row(a1, f"The lamp is in room {number}.") for number in (1, 2, 3))
    Memory.objects.filter(pk=old.pk).update(status=Status.SUPERSEDED, replaced_by=new)
    with refused_by("Memory:successor_stays"):
        Memory.objects.filter(pk=old.pk).update(replaced_by=other)


def test_only_a_superseded_memory_has_a_successor(a1: Actor) -> None:
    memory, other = factories.stored_row(a1), factories.stored_row(a1, "The lamp is off.")
    with refused_by("Memory:memory_superseded_names_its_successor"):
        guards.set_column(memory, "replaced_by", other)


def test_a_memory_that_is_superseded_no_more_loses_its_successor(a1: Actor) -> None:
    memory = in_status(a1, Status.SUPERSEDED)
    with refused_by("Memory:memory_superseded_names_its_successor"):
        guards.set_column(memory, "status", Status.VERIFIED)


def test_a_memory_never_replaces_itself(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    with refused_by("Memory:memory_never_replaces_itself"):
        Memory.objects.filter(pk=memory.pk).update(status=Status.SUPERSEDED, replaced_by=memory)


def test_only_a_retired_memory_is_a_duplicate(a1: Actor) -> None:
    memory, kept = factories.stored_row(a1), factories.stored_row(a1, "The lamp is off.")
    with refused_by("Memory:memory_duplicate_is_retired"):
        guards.set_column(memory, "duplicate_of", kept)


def test_a_memory_is_no_duplicate_of_itself(a1: Actor) -> None:
    memory = in_status(a1, Status.RETIRED)
    with refused_by("Memory:memory_duplicate_is_retired"):
        guards.set_column(memory, "duplicate_of", memory)


@pytest.mark.parametrize("guard", ["Memory:added_insert", "Memory:moved_update"])
def test_history_is_written_by_triggers_even_for_raw_sql(a1: Actor, guard: str) -> None:
    memory = factories.stored_row(a1)
    if guard == "Memory:moved_update":
        guards.execute("UPDATE memories_memory SET status = 'verified' WHERE id = %s", memory.pk)
    label = guard.partition(":")[2].partition("_")[0]
    event = MemoryEvent.objects.filter(pgh_obj=memory).latest("pgh_id")
    memory.refresh_from_db()
    assert (event.pgh_label, event.status) == (label, memory.status)


def test_history_notes_every_row_of_a_bulk_insert(a1: Actor) -> None:
    Memory.objects.bulk_create([factories.row(a1, f"Lamp {number} is lit.") for number in range(3)])
    assert MemoryEvent.objects.filter(pgh_label="added").count() == 3


def test_history_leaves_out_what_moves_nothing(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    guards.set_column(memory, "words", "'lamp':1")
    assert memory.events.count() == 1


@pytest.mark.parametrize("column", ["status", "pgh_context", "pgh_created_at", "pgh_obj_id"])
def test_history_is_never_rewritten(a1: Actor, column: str) -> None:
    event = factories.stored_row(a1).events.get()
    with refused_by("MemoryEvent:append_only"):
        MemoryEvent.objects.filter(pgh_id=event.pgh_id).update(**{column: None})


def test_history_is_never_deleted(a1: Actor) -> None:
    event = factories.stored_row(a1).events.get()
    with refused_by("MemoryEvent:append_only"):
        guards.execute("DELETE FROM memories_memoryevent WHERE pgh_id = %s", event.pgh_id)
