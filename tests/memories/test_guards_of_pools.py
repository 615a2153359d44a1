"""The database keeps pools apart and each statement in them once, whoever goes around the services."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memories.actors import Actor
from memories.choices import Kind, Origin, Scope, Status
from memories.models import Memory, TermCounts
from tests import factories, guards
from tests.guards import refused_by

FIRST, LATER = datetime(2026, 7, 12, tzinfo=UTC), datetime(2026, 7, 13, tzinfo=UTC)


def private(by: Actor, **columns: Any) -> dict[str, Any]:
    return {"scope": Scope.PRIVATE, "owner_id": by.agent_id, **columns}


# --- one live row per statement and pool ------------------------------------------------------------

ONE_ROW = "Memory:one_live_memory_per_statement_and_pool"


@pytest.mark.parametrize("status", [Status.UNVERIFIED, Status.VERIFIED, Status.CONFLICTING])
@pytest.mark.parametrize(
    "about",
    [
        {},
        {"about_from": FIRST},
        {"about_until": LATER},
        {"about_from": FIRST, "about_until": LATER},
    ],
)
def test_a_second_live_row_that_says_the_same_is_refused(a1: Actor, a2: Actor, status: Status, about: Any) -> None:
    factories.stored_row(a1, status=status, **about)
    with refused_by(ONE_ROW):
        Memory.objects.bulk_create([factories.row(a2, **about)])


def test_a_second_live_row_is_refused_in_a_private_pool_as_well(a1: Actor) -> None:
    factories.stored_row(a1, **private(a1))
    with refused_by(ONE_ROW):
        factories.stored_row(a1, **private(a1))


def test_a_disputed_row_is_live_as_well(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    guards.set_column(memory, "status", Status.DISPUTED)
    with refused_by(ONE_ROW):
        factories.stored_row(a1)


@pytest.mark.parametrize(
    ("first", "second"), [({}, {"about_from": FIRST}), ({"about_from": FIRST}, {"about_until": FIRST})]
)
def test_another_time_makes_another_statement(a1: Actor, first: Any, second: Any) -> None:
    factories.stored_row(a1, **first)
    factories.stored_row(a1, **second)
    assert Memory.objects.live().count() == 2


def test_each_pool_holds_its_own_copy(a1: Actor, a2: Actor, b1: Actor) -> None:
    for by, columns in [(a1, {}), (a1, private(a1)), (a2, private(a2)), (b1, {}), (b1, private(b1))]:
        factories.stored_row(by, **columns)
    assert Memory.objects.live().count() == 5


def test_a_retired_or_superseded_twin_is_no_hindrance(a1: Actor) -> None:
    for number in range(2):
        memory = factories.stored_row(a1)
        successor = factories.stored_row(a1, f"The lamp is off, {number}.") if number else None
        status = Status.SUPERSEDED if number else Status.RETIRED
        Memory.objects.filter(pk=memory.pk).update(status=status, replaced_by=successor)
    factories.stored_row(a1)
    assert Memory.objects.filter(content="The lamp is lit.").count() == 3


def test_a_retired_row_stays_retired_while_its_twin_lives(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    guards.set_column(memory, "status", Status.RETIRED)
    factories.stored_row(a1)
    with refused_by(ONE_ROW):
        guards.set_column(memory, "status", Status.UNVERIFIED)


def test_raw_texts_may_repeat_themselves_and_their_one_statement(a1: Actor) -> None:
    factories.stored_row(a1)
    factories.stored_row(a1, kind=Kind.RAW)
    factories.stored_row(a1, kind=Kind.RAW)
    assert Memory.objects.live().count() == 3


# --- private and shared -----------------------------------------------------------------------------


def test_a_private_memory_has_an_owner(a1: Actor) -> None:
    with refused_by("Memory:memory_private_has_an_owner"):
        factories.stored_row(a1, scope=Scope.PRIVATE)


def test_a_shared_memory_has_none(a1: Actor) -> None:
    with refused_by("Memory:memory_private_has_an_owner"):
        factories.stored_row(a1, owner_id=a1.agent_id)


def test_a_private_memory_belongs_to_the_agent_that_wrote_it(a1: Actor, a2: Actor) -> None:
    with refused_by("Memory:memory_private_is_its_writers"):
        factories.stored_row(a1, **private(a2))


@pytest.mark.parametrize("origin", [Origin.SOURCE, Origin.COGNITION, Origin.PERSON])
def test_only_agents_write_privately(a1: Actor, origin: Origin) -> None:
    by = Actor(type=origin, name="someone", product_id=a1.product_id)
    with refused_by("Memory:memory_private_is_its_writers"):
        factories.stored_row(by, **private(a1))


def test_a_memory_of_an_agent_names_it(a1: Actor) -> None:
    with refused_by("Memory:memory_of_agent_names_the_agent"):
        factories.stored_row(a1, agent_id=None)


def test_only_a_memory_of_an_agent_names_one(a1: Actor, curator: Actor) -> None:
    with refused_by("Memory:memory_of_agent_names_the_agent"):
        factories.stored_row(curator, agent_id=a1.agent_id)


# --- the shape of a statement -----------------------------------------------------------------------


def test_a_statement_says_something(a1: Actor) -> None:
    factories.stored_row(a1, "", kind=Kind.RAW)
    with refused_by("Memory:memory_has_content_unless_raw"):
        factories.stored_row(a1, "")


def test_the_time_it_is_about_runs_forward(a1: Actor) -> None:
    factories.stored_row(a1, about_from=FIRST, about_until=FIRST)
    with refused_by("Memory:memory_about_runs_forward"):
        factories.stored_row(a1, about_from=LATER, about_until=FIRST)


# --- linked rows share one product, and successors one pool -------------------------------------------

LINKS = "Memory:same_product"


def test_the_writer_is_of_the_same_product(a1: Actor, b1: Actor) -> None:
    with refused_by(LINKS):
        factories.stored_row(a1, agent_id=b1.agent_id)


def test_the_owner_is_of_the_same_product(a1: Actor, b1: Actor) -> None:
    with refused_by(LINKS):
        factories.stored_row(b1, product_id=a1.product_id, **private(b1))


@pytest.mark.parametrize("link", ["raw", "replaced_by", "duplicate_of"])
@pytest.mark.parametrize("pool", ["another product", "private beside shared", "shared beside private"])
def test_links_stay_in_one_pool(a1: Actor, b1: Actor, link: str, pool: str) -> None:
    far = factories.stored_row(
        b1 if pool == "another product" else a1, "Far away.", **private(a1) if pool.startswith("private") else {}
    )
    near = private(a1) if pool.startswith("shared") else {}
    with refused_by(LINKS):
        linked(a1, link, far, **near)


@pytest.mark.parametrize("link", ["raw", "replaced_by", "duplicate_of"])
@pytest.mark.parametrize("scope", [Scope.SHARED, Scope.PRIVATE])
def test_links_inside_a_pool_are_let_through(a1: Actor, link: str, scope: Scope) -> None:
    pool = private(a1) if scope == Scope.PRIVATE else {}
    far = factories.stored_row(a1, "Far away.", **pool)
    memory = linked(a1, link, far, **pool)
    guards.check_deferred()
    memory.refresh_from_db()
    assert getattr(memory, link) == far


def linked(by: Actor, link: str, far: Memory, **columns: Any) -> Memory:
    """A row with this link. Only a raw text is named from the beginning, the other two links come with a status."""
    if link == "raw":
        return factories.stored_row(by, raw=far, **columns)
    memory = factories.stored_row(by, **columns)
    status = Status.SUPERSEDED if link == "replaced_by" else Status.RETIRED
    Memory.objects.filter(pk=memory.pk).update(status=status, **{link: far})
    return memory


def test_a_memory_may_name_its_successor_before_that_one_is_stored(a1: Actor) -> None:
    older, newer = factories.stored_row(a1), factories.row(a1, "The lamp is off.")
    Memory.objects.filter(pk=older.pk).update(status=Status.SUPERSEDED, replaced_by=newer)
    newer.save(force_insert=True)
    guards.check_deferred()
    older.refresh_from_db()
    assert older.replaced_by == newer


def test_the_terms_of_a_pool_are_counted_once(a1: Actor) -> None:
    TermCounts.objects.create(product_id=a1.product_id, rows=1)
    with refused_by("TermCounts:one_count_of_terms_per_pool"):
        TermCounts.objects.create(product_id=a1.product_id, rows=1)


def test_terms_are_counted_for_agents_of_the_product_alone(a1: Actor, b1: Actor) -> None:
    with refused_by("TermCounts:same_product"):
        TermCounts.objects.create(product_id=a1.product_id, owner_id=b1.agent_id, rows=1)
