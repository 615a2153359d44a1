"""What becomes of statements read from texts: decided by the system, subject to authority."""

from collections.abc import Callable
from typing import Any

import pytest

from memories import embeddings
from memories.actors import Actor
from memories.choices import Kind, Outcome, Reason, Scope, Status, Tier
from memories.models import Evidence, Memory, Product, WriteStatement
from memories.provenance import Provenance
from memories.reading import Verdict
from memories.services import editing, lifecycle, recall
from tests import factories
from tests.factories import add, fact, write
from tests.stubs import BrokenEmbedder, StubReader

IVO, TAMSIN = "The duty lead is Ivo.", "The duty lead is Tamsin."


def outcome_of(by: Actor, text: str = TAMSIN, **more: Any) -> WriteStatement:
    return write(by, text, **more).statements.get()


def pair_of(memory: Memory) -> tuple[Memory, str, str]:
    pair = memory.conflicts.get()
    return pair.older, pair.reason, pair.state


@pytest.mark.parametrize("verdict", [Verdict.REPLACES, Verdict.CONTRADICTS])
@pytest.mark.parametrize("tier", [Tier.OFFICIAL, Tier.POLICY])
def test_a_certain_replacement_supersedes(a1: Actor, stub_reader: StubReader, verdict: Verdict, tier: Tier) -> None:
    stub_reader.judge(TAMSIN, IVO, verdict)
    older = fact(a1, IVO)
    statement = outcome_of(a1, tier=tier)
    older.refresh_from_db()
    assert (statement.outcome, statement.against) == (Outcome.SUPERSEDED, older)
    assert (older.status, older.replaced_by) == (Status.SUPERSEDED, statement.memory)
    assert statement.memory.status == Status.UNVERIFIED
    assert not statement.memory.conflicts.exists()


@pytest.mark.parametrize("verdict", [Verdict.REPLACES, Verdict.CONTRADICTS])
def test_a_lower_tier_is_refused_and_stands_in_a_pair(a1: Actor, stub_reader: StubReader, verdict: Verdict) -> None:
    stub_reader.judge(TAMSIN, IVO, verdict)
    older = fact(a1, IVO, tier=Tier.POLICY)
    statement = outcome_of(a1)
    older.refresh_from_db()
    assert (statement.outcome, statement.against) == (Outcome.REFUSED, older)
    assert (older.status, statement.memory.status) == (Status.VERIFIED, Status.CONFLICTING)
    assert pair_of(statement.memory) == (older, Reason.AUTHORITY, "open")


@pytest.mark.parametrize("verdict", [Verdict.REPLACES, Verdict.CONTRADICTS])
@pytest.mark.parametrize("tier", [Tier.POLICY, Tier.INFORMAL])
def test_when_unsure_both_stay_current_and_a_person_is_asked(
    a1: Actor, stub_reader: StubReader, verdict: Verdict, tier: Tier
) -> None:
    stub_reader.judge(TAMSIN, IVO, verdict, certain=False)
    older = fact(a1, IVO)
    statement = outcome_of(a1, tier=tier)
    older.refresh_from_db()
    assert (statement.outcome, statement.against) == (Outcome.UNSURE, older)
    assert (older.status, statement.memory.status) == (Status.VERIFIED, Status.UNVERIFIED)
    assert pair_of(statement.memory) == (older, Reason.UNSURE, "open")


@pytest.mark.parametrize("verdict", [Verdict.NEAR, Verdict.UNRELATED])
def test_what_merely_stands_near_supersedes_nothing(a1: Actor, stub_reader: StubReader, verdict: Verdict) -> None:
    stub_reader.judge(TAMSIN, IVO, verdict)
    older = fact(a1, IVO)
    assert outcome_of(a1).outcome == Outcome.ADDED
    older.refresh_from_db()
    assert older.status == Status.VERIFIED


def test_a_single_fact_decides_nothing_for_the_agent(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    older = fact(a1, IVO)
    added = add(a1, TAMSIN)
    older.refresh_from_db()
    assert (added.outcome, older.status) == (Outcome.ADDED, Status.VERIFIED)
    assert added.similar is not None


def test_a_refusal_outweighs_a_replacement(a1: Actor, stub_reader: StubReader) -> None:
    """A statement that may replace one and may not replace another replaces neither."""
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    stub_reader.judge(TAMSIN, "The duty lead is Mo.", Verdict.REPLACES)
    weak, strong = fact(a1, IVO, tier=Tier.TEAM), fact(a1, "The duty lead is Mo.", tier=Tier.POLICY)
    statement = outcome_of(a1)
    weak.refresh_from_db()
    assert (statement.outcome, statement.against) == (Outcome.REFUSED, strong)
    assert weak.status == Status.VERIFIED


def test_one_statement_may_replace_several(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    stub_reader.judge(TAMSIN, "The duty lead is Mo.", Verdict.CONTRADICTS)
    older = [fact(a1, IVO), fact(a1, "The duty lead is Mo.")]
    statement = outcome_of(a1)
    assert {each.replaced_by_id for each in Memory.objects.filter(pk__in=[each.pk for each in older])} == {
        statement.memory_id
    }


def test_only_current_memories_are_displaced(a1: Actor, curator: Actor, stub_reader: StubReader) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    older = fact(a1, IVO)
    editing.retire(by=curator, memory_id=older.pk)
    assert outcome_of(a1).outcome == Outcome.ADDED
    older.refresh_from_db()
    assert older.status == Status.RETIRED


def test_two_statements_of_one_text_are_stored_in_order(a1: Actor, stub_reader: StubReader) -> None:
    written = write(a1, f"{IVO} {TAMSIN} {IVO}")
    statements = list(written.statements.order_by("position"))
    assert [each.outcome for each in statements] == [Outcome.ADDED, Outcome.ADDED, Outcome.KNOWN]
    assert statements[0].memory == statements[2].memory
    assert Evidence.objects.filter(memory=statements[0].memory).count() == 2


def test_what_is_known_already_is_named(a1: Actor, a2: Actor, stub_reader: StubReader) -> None:
    kept = fact(a1, IVO)
    statement = outcome_of(a2, IVO)
    assert (statement.outcome, statement.memory, statement.against) == (Outcome.KNOWN, kept, kept)


def test_a_private_text_never_touches_the_shared_pool(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    shared = fact(a1, IVO)
    statement = outcome_of(a1, scope=Scope.PRIVATE)
    shared.refresh_from_db()
    assert (statement.outcome, statement.memory.owner_id) == (Outcome.ADDED, a1.agent_id)
    assert shared.status == Status.VERIFIED


def test_a_shared_text_never_touches_a_private_pool(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    private = fact(a1, IVO, scope=Scope.PRIVATE)
    assert outcome_of(a1).outcome == Outcome.ADDED
    private.refresh_from_db()
    assert private.status == Status.VERIFIED


def test_a_source_speaks_verified_and_shared(lighthouse: Product, stub_reader: StubReader) -> None:
    handbook = factories.source(lighthouse)
    origin = Provenance(source_id=handbook.source_id, source_name="handbook", item_key="page-9")
    written = write(handbook, f"{IVO} {TAMSIN}", tier=Tier.TEAM, provenance=origin)
    memories = [each.memory for each in written.statements.all()]
    assert {(each.status, each.tier, each.owner_id, each.origin) for each in memories} == {
        (Status.VERIFIED, Tier.TEAM, None, "source")
    }
    told = Evidence.objects.filter(memory__in=memories).values_list("source_id", "source_name", "item_key")
    assert set(told) == {(handbook.source_id, "handbook", "page-9")}


def test_the_receipt_says_what_stands_close_and_what_differs(a1: Actor, stub_reader: StubReader) -> None:
    close = fact(a1, "The Harbor gateway listens on port 8443.")
    fact(a1, IVO)
    written = write(a1, "The Harbor gateway listens on port 9443. The Harbor gateway listens on port 8443.")
    new, known = written.statements.order_by("position")
    (similar,) = new.similar
    assert (similar["memory"], similar["similarity"] >= 0.8) == (str(close.pk), True)
    assert known.outcome == Outcome.KNOWN
    assert str(close.pk) not in [each["memory"] for each in known.similar]


def test_without_vectors_nothing_is_compared_and_nothing_lost(a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    older = fact(a1, IVO)
    with embeddings.override(BrokenEmbedder()):
        statement = outcome_of(a1)
    older.refresh_from_db()
    assert (statement.outcome, statement.similar, older.status) == (Outcome.ADDED, [], Status.VERIFIED)


# --- the raw text beside its statements ---------------------------------------------------------------


def found(by: Actor) -> set[tuple[str, str]]:
    hits = recall.search(by=by, q="duty lead").hits
    return {(hit.memory.kind, hit.memory.content) for hit in hits}


TEXT = f"{IVO} The lamp is lit."
RAW = (Kind.RAW, TEXT)


def test_a_raw_text_is_found_beside_its_statements(a1: Actor, stub_reader: StubReader) -> None:
    write(a1, TEXT)
    assert found(a1) >= {RAW, (Kind.FACT, IVO)}


@pytest.mark.parametrize("loss", ["edited", "retired", "superseded", "disputed"])
def test_a_raw_text_leaves_recall_when_one_of_its_statements_loses_currency(
    a1: Actor, curator: Actor, stub_reader: StubReader, loss: str
) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    memory = write(a1, TEXT).statements.order_by("position")[0].memory
    losses: dict[str, Callable[[], object]] = {
        "edited": lambda: editing.revise(by=a1, memory_id=memory.pk, content=TAMSIN),
        "retired": lambda: editing.retire(by=curator, memory_id=memory.pk),
        "superseded": lambda: write(a1, TAMSIN),
        "disputed": lambda: lifecycle.dispute(memory, by=a1),
    }
    losses[loss]()
    assert found(a1).isdisjoint({RAW, (Kind.FACT, IVO)})
    assert (Kind.FACT, "The lamp is lit.") in found(a1)


def test_it_comes_back_with_its_statement(a1: Actor, curator: Actor, stub_reader: StubReader) -> None:
    memory = write(a1, TEXT).statements.order_by("position")[0].memory
    editing.retire(by=curator, memory_id=memory.pk)
    editing.restore(by=curator, memory_id=memory.pk)
    assert RAW in found(a1)


def test_it_stays_when_a_stronger_copy_says_the_same(a1: Actor, stub_reader: StubReader) -> None:
    write(a1, TEXT, tier=Tier.TEAM)
    strong = add(a1, IVO, tier=Tier.POLICY)
    assert strong.outcome == Outcome.SUPERSEDED
    assert RAW in found(a1)


def test_it_leaves_when_the_stronger_copy_loses_currency(a1: Actor, curator: Actor, stub_reader: StubReader) -> None:
    write(a1, TEXT, tier=Tier.TEAM)
    editing.retire(by=curator, memory_id=fact(a1, IVO, tier=Tier.POLICY).pk)
    assert RAW not in found(a1)


def test_another_spelling_carries_the_raw_text_along(a1: Actor, curator: Actor, stub_reader: StubReader) -> None:
    memory = write(a1, TEXT).statements.order_by("position")[0].memory
    respelt = editing.revise(by=a1, memory_id=memory.pk, content=IVO.upper()).fact
    assert RAW in found(a1)
    editing.retire(by=curator, memory_id=respelt.pk)
    assert RAW not in found(a1)


def test_it_stays_when_its_statement_is_dropped_as_a_duplicate(a1: Actor, stub_reader: StubReader) -> None:
    memory = write(a1, TEXT).statements.order_by("position")[0].memory
    kept = fact(a1, "Ivo leads the duty.")
    lifecycle.set_aside(memory, by=a1, duplicate_of=kept)
    assert RAW in found(a1)


def test_a_second_raw_text_that_said_the_same_leaves_as_well(
    a1: Actor, a2: Actor, curator: Actor, stub_reader: StubReader
) -> None:
    memory = write(a1, TEXT).statements.order_by("position")[0].memory
    write(a2, f"Mind: the plan changed. {IVO}")
    editing.retire(by=curator, memory_id=memory.pk)
    assert Kind.RAW not in {kind for kind, _ in found(a1)}
