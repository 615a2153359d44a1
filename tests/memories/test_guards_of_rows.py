"""The database itself keeps receipts, evidence, vectors, keys and products, whoever goes around the services."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product as pairs_of
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import models

from memories.actors import Actor
from memories.choices import Kind, Outcome, WriteState
from memories.models import (
    Agent,
    AgentKey,
    Embedding,
    Evidence,
    IdempotentAnswer,
    Membership,
    Memory,
    Product,
    Write,
    WriteStatement,
)
from memories.models.write import STATES
from tests import factories, guards
from tests.guards import refused_by


def a_row(model: type[models.Model], by: Actor) -> models.Model:
    """One stored row of the model, with everything it needs, around the services."""
    makers: dict[type[models.Model], Callable[[Actor], models.Model]] = {
        Write: a_write,
        WriteStatement: a_statement,
        Evidence: an_evidence,
        Agent: lambda by: Agent.objects.get(),
        AgentKey: lambda by: AgentKey.objects.get(),
        Product: lambda by: Product.objects.get(),
    }
    return makers[model](by)


def a_raw(by: Actor) -> Memory:
    return factories.stored_row(by, "A text.", kind=Kind.RAW)


def a_write(by: Actor, **columns: Any) -> Write:
    raw = columns.pop("raw", None) or a_raw(by)
    return Write.objects.create(**{"product_id": by.product_id, "agent_id": by.agent_id, "raw": raw} | columns)


def a_statement(by: Actor, **columns: Any) -> WriteStatement:
    write = columns.pop("write", None) or a_write(by)
    memory = columns.pop("memory", None) or factories.stored_row(by)
    return WriteStatement.objects.create(write=write, memory=memory, position=0, outcome=Outcome.ADDED, **columns)


def an_evidence(by: Actor, **columns: Any) -> Evidence:
    memory = columns.pop("memory", None) or factories.stored_row(by)
    return Evidence.objects.create(product_id=by.product_id, memory=memory, excerpt="A text.", **columns)


# --- what was written stays as written ----------------------------------------------------------------

FIXED: dict[str, tuple[type[models.Model], list[str]]] = {
    "Evidence:evidence_stays_written": (Evidence, guards.columns(Evidence)),
    "WriteStatement:outcome_stays_written": (WriteStatement, guards.columns(WriteStatement)),
    "Write:receipt_stays_written": (
        Write, ["product_id", "agent_id", "raw_id", "follows_id", "confirmed", "masked", "replaced_characters",
                "request", "request_place", "created_at"],
    ),
    "AgentKey:key_stays_as_issued": (AgentKey, ["agent_id", "prefix", "digest", "permissions", "rotated_from_id"]),
    "Agent:agent_stays_in_its_product": (Agent, ["product_id"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("guard", "column"), [(guard, column) for guard, (_, all_) in FIXED.items() for column in all_]
)
def test_a_fixed_column_never_changes(a1: Actor, guard: str, column: str) -> None:
    row = a_row(FIXED[guard][0], a1)
    with refused_by(guard):
        guards.set_column(row, column, guards.other_value(row, column))


LASTING: dict[str, type[models.Model]] = {
    "Write:no_deletes": Write,
    "WriteStatement:no_deletes": WriteStatement,
    "Evidence:no_deletes": Evidence,
    "Agent:no_deletes": Agent,
    "AgentKey:no_deletes": AgentKey,
    "Product:no_deletes": Product,
}


@pytest.mark.parametrize("guard", LASTING)
def test_a_row_is_never_deleted(a1: Actor, guard: str) -> None:
    row = a_row(LASTING[guard], a1)
    with refused_by(guard):
        guards.delete(row)


# --- the states of a write ----------------------------------------------------------------------------

#: How a row reaches each state along legal moves.
PATHS = {
    WriteState.RECEIVED: [],
    WriteState.READING: [WriteState.READING],
    WriteState.DONE: [WriteState.READING, WriteState.DONE],
    WriteState.FAILED: [WriteState.READING, WriteState.FAILED],
    WriteState.CANCELLED: [WriteState.CANCELLED],
}


@pytest.mark.parametrize(("old", "new"), [each for each in pairs_of(WriteState, WriteState) if each[0] != each[1]])
def test_a_write_takes_only_the_moves_of_the_table(a1: Actor, old: WriteState, new: WriteState) -> None:
    write = a_write(a1, claim=uuid4())
    for step in PATHS[old]:
        guards.set_column(write, "state", step)
    if (old, new) in STATES:
        guards.set_column(write, "state", new)
    else:
        with refused_by("Write:legal_states_only"):
            guards.set_column(write, "state", new)
    write.refresh_from_db()
    assert write.state == (new if (old, new) in STATES else old)


def test_a_write_that_is_read_names_its_reader(a1: Actor) -> None:
    write = a_write(a1)
    with refused_by("Write:write_reading_is_claimed"):
        guards.set_column(write, "state", WriteState.READING)


def test_a_statement_has_one_place_in_its_write(a1: Actor) -> None:
    first = a_statement(a1)
    with refused_by("WriteStatement:one_row_per_write_and_position"):
        a_statement(a1, write=first.write, memory=first.memory)


@pytest.mark.parametrize(("start", "end"), [(4, 3), (4, None), (None, 3)])
def test_a_passage_runs_forward(a1: Actor, start: int | None, end: int | None) -> None:
    memory = factories.stored_row(a1)
    an_evidence(a1, memory=memory, start=3, end=3)
    with refused_by("Evidence:evidence_span_runs_forward"):
        an_evidence(a1, memory=memory, start=start, end=end)


# --- linked rows share one product --------------------------------------------------------------------


@pytest.mark.parametrize("link", ["agent_id", "raw_id"])
def test_a_receipt_stays_in_its_product(a1: Actor, b1: Actor, link: str) -> None:
    foreign = {"agent_id": b1.agent_id} if link == "agent_id" else {"raw": a_raw(b1)}
    with refused_by("Write:same_product"):
        a_write(a1, **foreign)


@pytest.mark.parametrize("link", ["memory", "raw", "write", "agent_id"])
def test_evidence_stays_in_its_product(a1: Actor, b1: Actor, link: str) -> None:
    makers: dict[str, Callable[[Actor], Any]] = {
        "memory": factories.stored_row,
        "raw": a_raw,
        "write": a_write,
        "agent_id": lambda by: by.agent_id,
    }
    foreign = makers[link](b1)
    with refused_by("Evidence:same_product"):
        an_evidence(a1, **{link: foreign})


@pytest.mark.parametrize("link", ["memory", "against"])
def test_an_outcome_stays_in_the_product_of_its_write(a1: Actor, b1: Actor, link: str) -> None:
    foreign = factories.stored_row(b1)
    with refused_by("WriteStatement:same_product"):
        a_statement(a1, **{link: foreign})


def test_a_vector_stays_in_the_product_of_its_memory(a1: Actor, b1: Actor) -> None:
    memory = factories.stored_row(a1)
    with refused_by("Embedding:same_product"):
        Embedding.objects.create(product_id=b1.product_id, memory=memory, model="stub")


# --- vectors ------------------------------------------------------------------------------------------


def test_a_memory_has_one_vector_in_each_model(a1: Actor) -> None:
    memory = factories.stored_row(a1)
    columns = {"product_id": a1.product_id, "memory": memory}
    Embedding.objects.create(model="one", **columns)
    Embedding.objects.create(model="other", **columns)
    with refused_by("Embedding:one_vector_per_memory_and_model"):
        Embedding.objects.create(model="one", **columns)


@pytest.mark.parametrize(("vector", "dimensions"), [([1.0, 0.0], 3), ([1.0, 0.0], None), (None, 2)])
def test_a_vector_has_the_dimensions_it_says(a1: Actor, vector: Any, dimensions: Any) -> None:
    columns = {"product_id": a1.product_id, "memory": factories.stored_row(a1), "model": "stub"}
    with refused_by("Embedding:embedding_vector_has_its_dimensions"):
        Embedding.objects.create(vector=vector, dimensions=dimensions, **columns)


# --- products, people, agents, keys -------------------------------------------------------------------


@pytest.mark.parametrize("floor", [-0.01, 1.01])
def test_the_floor_of_similar_facts_is_a_similarity(lighthouse: Product, floor: float) -> None:
    with refused_by("Product:product_floor_is_a_similarity"):
        guards.set_column(lighthouse, "fact_neighbor_floor", floor)


def test_a_person_belongs_to_a_product_once(lighthouse: Product, curator: Actor) -> None:
    with refused_by("Membership:one_membership_per_person_and_product"):
        Membership.objects.create(user=get_user_model().objects.get(), product=lighthouse)


def test_a_product_has_one_agent_of_a_name(lighthouse: Product, orchard: Product, a1: Actor) -> None:
    Agent.objects.create(product=orchard, name="a1")
    with refused_by("Agent:one_agent_per_name_and_product"):
        Agent.objects.create(product=lighthouse, name="a1")


@pytest.mark.parametrize("prefix", ["", "0123456789ag", "0123456789aB", "0123456789a"])
def test_a_prefix_is_12_hex_digits(a1: Actor, prefix: str) -> None:
    with refused_by("AgentKey:key_prefix_is_12_hex_digits"):
        guards.execute(
            "INSERT INTO memories_agentkey (id, agent_id, prefix, digest, permissions, created_by, revoked_by) "
            "VALUES (gen_random_uuid(), %s, %s, '', '{}', '', '')", a1.agent_id, prefix,
        )  # fmt: skip


def test_an_agent_has_one_answer_under_a_key(a1: Actor) -> None:
    columns = {"agent_id": a1.agent_id, "key": "once", "fingerprint": b""}
    IdempotentAnswer.objects.create(**columns, created_at=datetime(2026, 3, 1, tzinfo=UTC))
    with refused_by("IdempotentAnswer:one_answer_per_agent_and_key"):
        IdempotentAnswer.objects.create(**columns)


def test_a_text_of_a_request_is_kept_once(a1: Actor) -> None:
    first, other = (factories.stored_row(a1, f"The lamp is {state}.", kind=Kind.RAW) for state in ("lit", "off"))
    Write.objects.create(product_id=a1.product_id, raw=first, request=7)
    with refused_by("Write:one_write_per_request_and_place"):
        Write.objects.create(product_id=a1.product_id, raw=other, request=7)


def test_a_key_follows_one_of_the_same_agent(a1: Actor, a2: Actor) -> None:
    mine, theirs = (AgentKey.objects.get(agent_id=str(by.agent_id)) for by in (a1, a2))
    with refused_by("AgentKey:a_key_follows_one_of_the_same_agent"):
        AgentKey.objects.create(agent=mine.agent, prefix="0" * 12, digest=b"x" * 32, rotated_from=theirs)
