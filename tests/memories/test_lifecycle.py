"""What is done to one memory afterwards: edited, confirmed, retired, restored; within authority, with history."""

from typing import Any

import pytest

from memories.actors import Actor
from memories.choices import Category, Kind, Outcome, Reason, Scope, Status, Tier, Verb
from memories.errors import Conflict, InvalidInput, NotFound
from memories.models import Evidence, Memory, MemoryEvent, Product
from memories.services import editing, history, lifecycle
from tests import factories
from tests.factories import fact

LAMP, OFF = "The lamp is lit.", "The lamp is off."


def moves(memory: Memory) -> list[tuple[str, str, str | None, str]]:
    return [(each.by_name, each.verb, each.from_, each.to) for each in history.of(memory)]


# --- editing ------------------------------------------------------------------------------------------


def test_an_edit_is_a_new_version(a1: Actor, a2: Actor) -> None:
    old = fact(a1, LAMP)
    edited = editing.revise(by=a2, memory_id=old.pk, content=OFF, why="Someone turned it off.")
    old.refresh_from_db()
    new = edited.fact
    assert (edited.outcome, edited.conflict) == (Outcome.EDITED, None)
    assert (old.content, old.status, old.replaced_by) == (LAMP, Status.SUPERSEDED, new)
    assert (new.content, new.status, new.agent_id) == (OFF, Status.UNVERIFIED, a2.agent_id)


def test_only_content_is_edited(a1: Actor) -> None:
    old = fact(
        a1, LAMP, category=Category.PERSONA, person="Ivo", tier=Tier.TEAM, scope=Scope.PRIVATE, tags=("ops", "net"),
        metadata={"n": 1},
    )  # fmt: skip
    new = editing.revise(by=a1, memory_id=old.pk, content=OFF, tier=Tier.POLICY).fact
    kept = ["category", "person", "tier", "scope", "owner_id", "tags", "metadata", "about_from", "about_until"]
    assert {name: getattr(new, name) for name in kept} == {name: getattr(old, name) for name in kept}


def test_the_history_names_who_why_and_both_texts(a1: Actor, curator: Actor) -> None:
    old = fact(a1, LAMP)
    new = editing.revise(by=curator, memory_id=old.pk, content=OFF, why="I saw it.").fact
    old.refresh_from_db()
    assert history.of(old) == history.of(new)
    found = sorted((each.content, each.by_type, each.by_name, each.verb, each.why, each.to) for each in history.of(new))
    assert found == [
        (LAMP, "agent", "a1", Verb.ADD, "", Status.VERIFIED),
        (LAMP, "person", "curator", Verb.EDIT, "I saw it.", Status.SUPERSEDED),
        (OFF, "person", "curator", Verb.ADD, "I saw it.", Status.VERIFIED),
    ]


@pytest.mark.parametrize(("confirmed", "status"), [(False, Status.UNVERIFIED), (True, Status.VERIFIED)])
def test_a_new_version_is_as_confirmed_as_the_edit(a1: Actor, confirmed: bool, status: Status) -> None:
    memory = fact(a1, LAMP)
    assert editing.revise(by=a1, memory_id=memory.pk, content=OFF, confirmed=confirmed).fact.status == status


@pytest.mark.parametrize("content", [None, LAMP])
@pytest.mark.parametrize(
    ("before", "confirmed", "outcome", "status"),
    [
        (False, True, Outcome.CONFIRMED, Status.VERIFIED),
        (False, False, Outcome.UNCHANGED, Status.UNVERIFIED),
        (True, True, Outcome.UNCHANGED, Status.VERIFIED),
    ],
)
def test_without_a_new_wording_an_edit_only_confirms(
    *, a1: Actor, content: str | None, before: bool, confirmed: bool, outcome: Outcome, status: Status
) -> None:
    memory = fact(a1, LAMP, confirmed=before)
    acted = editing.revise(by=a1, memory_id=memory.pk, content=content, confirmed=confirmed)
    memory.refresh_from_db()
    assert (acted.outcome, acted.fact, memory.status) == (outcome, memory, status)
    assert Memory.objects.count() == 1


def test_another_spelling_of_the_same_is_an_edit_too(a1: Actor) -> None:
    old = fact(a1, LAMP)
    edited = editing.revise(by=a1, memory_id=old.pk, content="The LAMP is  lit.", confirmed=True)
    assert (edited.outcome, edited.fact.content) == (Outcome.EDITED, "The LAMP is  lit.")
    assert list(Memory.objects.current()) == [edited.fact]


def test_an_edit_to_what_is_live_already_leads_there(a1: Actor) -> None:
    old, twin = fact(a1, LAMP), fact(a1, OFF)
    edited = editing.revise(by=a1, memory_id=old.pk, content=OFF)
    old.refresh_from_db()
    assert (edited.fact, old.replaced_by) == (twin, twin)
    assert list(Memory.objects.current()) == [twin]


@pytest.mark.parametrize("status", [Status.DISPUTED, Status.CONFLICTING, Status.SUPERSEDED, Status.RETIRED])
@pytest.mark.parametrize("content", [OFF, None])
def test_only_a_current_memory_is_edited(a1: Actor, curator: Actor, status: Status, content: str | None) -> None:
    memory = brought_to(status, a1, curator)
    count = Memory.objects.count()
    with pytest.raises(Conflict) as refused:
        editing.revise(by=a1, memory_id=memory.pk, content=content, confirmed=True)
    assert refused.value.current == (memory.replaced_by or memory)
    assert Memory.objects.count() == count


def brought_to(status: Status, by: Actor, curator: Actor) -> Memory:
    memory = fact(by, LAMP)
    if status == Status.DISPUTED:
        lifecycle.dispute(memory, by=by)
    if status == Status.SUPERSEDED:
        editing.revise(by=by, memory_id=memory.pk, content="The lamp glows.")
    if status in (Status.RETIRED, Status.CONFLICTING):
        editing.retire(by=curator, memory_id=memory.pk)
    if status == Status.CONFLICTING:
        memory = fact(by, LAMP)
    memory.refresh_from_db()
    return memory


@pytest.mark.usefixtures("stub_reader")
def test_a_raw_text_is_never_edited(a1: Actor) -> None:
    raw = factories.write(a1, LAMP).raw
    with pytest.raises(Conflict, match="raw text"):
        editing.revise(by=a1, memory_id=raw.pk, content=OFF)


@pytest.mark.parametrize("content", ["", "   ", "...", "a\0b"])
def test_an_edit_is_checked_like_a_fact(a1: Actor, content: str) -> None:
    memory = fact(a1, LAMP)
    with pytest.raises(InvalidInput) as refused:
        editing.revise(by=a1, memory_id=memory.pk, content=content)
    assert set(refused.value.fields) == {"content"}
    assert Memory.objects.get().status == Status.VERIFIED


# --- authority ----------------------------------------------------------------------------------------


def test_an_edit_of_a_lower_tier_is_stored_conflicting(a1: Actor, a2: Actor) -> None:
    old = fact(a1, LAMP, tier=Tier.POLICY)
    refused = editing.revise(by=a2, memory_id=old.pk, content=OFF, confirmed=True, tier=Tier.TEAM)
    old.refresh_from_db()
    assert (refused.outcome, old.status) == (Outcome.REFUSED, Status.VERIFIED)
    assert (refused.fact.content, refused.fact.status, refused.fact.tier) == (OFF, Status.CONFLICTING, Tier.TEAM)
    pair = refused.fact.conflicts.get()
    assert (pair.pk, pair.older, pair.reason) == (refused.conflict, old, Reason.AUTHORITY)


def test_the_same_refused_edit_again_changes_nothing(a1: Actor) -> None:
    old = fact(a1, LAMP, tier=Tier.POLICY)
    answers = [editing.revise(by=a1, memory_id=old.pk, content=OFF) for _ in range(2)]
    assert [each.outcome for each in answers] == [Outcome.REFUSED, Outcome.REFUSED]
    assert answers[0].fact == answers[1].fact
    assert answers[1].conflict == answers[0].conflict
    assert Memory.objects.count() == 2


def test_a_delete_of_a_lower_tier_changes_nothing(a1: Actor) -> None:
    memory = fact(a1, LAMP, tier=Tier.POLICY)
    refused = editing.retire(by=a1, memory_id=memory.pk)
    memory.refresh_from_db()
    assert (refused.outcome, memory.status) == (Outcome.REFUSED, Status.VERIFIED)
    assert MemoryEvent.objects.filter(pgh_obj=memory).count() == 1


@pytest.mark.parametrize("act", ["edit", "retire"])
def test_a_person_stands_above_tiers(a1: Actor, curator: Actor, act: str) -> None:
    memory = fact(a1, LAMP, tier=Tier.POLICY)
    if act == "edit":
        acted = editing.revise(by=curator, memory_id=memory.pk, content=OFF, tier=Tier.INFORMAL)
        assert (acted.outcome, acted.fact.tier) == (Outcome.EDITED, Tier.POLICY)
    else:
        assert editing.retire(by=curator, memory_id=memory.pk, tier=Tier.INFORMAL).outcome == Outcome.RETIRED
    memory.refresh_from_db()
    assert not memory.is_current


def test_a_source_or_cognition_is_bound_by_tiers_too(a1: Actor, lighthouse: Product) -> None:
    memory = fact(a1, LAMP)
    for by in (factories.source(lighthouse), factories.cognition(lighthouse)):
        assert editing.retire(by=by, memory_id=memory.pk, tier=Tier.TEAM).outcome == Outcome.REFUSED


# --- retiring, restoring, verifying ---------------------------------------------------------------------


def test_retiring_is_reversible_and_keeps_history(a1: Actor, curator: Actor) -> None:
    memory = fact(a1, LAMP)
    retired = editing.retire(by=a1, memory_id=memory.pk, why="Wrong.")
    restored = editing.restore(by=curator, memory_id=memory.pk)
    assert (retired.outcome, restored.outcome, restored.fact.status) == (
        Outcome.RETIRED,
        Outcome.RESTORED,
        Status.VERIFIED,
    )
    assert moves(memory) == [
        ("a1", Verb.ADD, None, Status.VERIFIED),
        ("a1", Verb.RETIRE, Status.VERIFIED, Status.RETIRED),
        ("curator", Verb.RESTORE, Status.RETIRED, Status.VERIFIED),
    ]


def test_retiring_again_gives_the_same_answer(a1: Actor) -> None:
    memory = fact(a1, LAMP)
    answers = [editing.retire(by=a1, memory_id=memory.pk) for _ in range(2)]
    assert [(each.outcome, each.fact.status) for each in answers] == [(Outcome.RETIRED, Status.RETIRED)] * 2
    assert MemoryEvent.objects.filter(pgh_obj=memory).count() == 2


@pytest.mark.parametrize("status", [Status.UNVERIFIED, Status.VERIFIED, Status.DISPUTED, Status.CONFLICTING])
def test_restoring_brings_back_the_status_it_had(a1: Actor, curator: Actor, status: Status) -> None:
    memory = brought_to(status, a1, curator) if status != Status.UNVERIFIED else fact(a1, LAMP, confirmed=False)
    editing.retire(by=curator, memory_id=memory.pk)
    assert editing.restore(by=a1, memory_id=memory.pk).fact.status == status


def test_restoring_is_refused_while_a_twin_lives(a1: Actor) -> None:
    memory = fact(a1, LAMP)
    editing.retire(by=a1, memory_id=memory.pk)
    twin = fact(a1, LAMP)
    with pytest.raises(Conflict, match="live already") as refused:
        editing.restore(by=a1, memory_id=memory.pk)
    assert refused.value.current == twin


@pytest.mark.parametrize("status", [Status.UNVERIFIED, Status.DISPUTED, Status.SUPERSEDED])
def test_only_a_retired_memory_is_restored(a1: Actor, curator: Actor, status: Status) -> None:
    memory = brought_to(status, a1, curator)
    with pytest.raises(Conflict, match="not retired"):
        editing.restore(by=a1, memory_id=memory.pk)


def test_a_superseded_memory_is_not_retired(a1: Actor, curator: Actor) -> None:
    memory = brought_to(Status.SUPERSEDED, a1, curator)
    with pytest.raises(Conflict):
        editing.retire(by=a1, memory_id=memory.pk)


@pytest.mark.usefixtures("stub_reader")
def test_a_raw_text_may_be_retired_and_restored(a1: Actor) -> None:
    raw = factories.write(a1, LAMP.casefold()).raw  # its one statement has the same key, and is no twin
    editing.retire(by=a1, memory_id=raw.pk)
    assert editing.restore(by=a1, memory_id=raw.pk).fact.kind == Kind.RAW


def test_verifying_settles_an_unverified_memory(a1: Actor, curator: Actor) -> None:
    memory = fact(a1, LAMP, confirmed=False)
    outcomes = [editing.verify(by=curator, memory_id=memory.pk, why="Seen.").outcome for _ in range(2)]
    assert outcomes == [Outcome.CONFIRMED, Outcome.UNCHANGED]
    assert moves(memory)[1:] == [("curator", Verb.VERIFY, Status.UNVERIFIED, Status.VERIFIED)]


def test_whoever_looked_before_it_moved_is_told(a1: Actor, curator: Actor) -> None:
    stale = fact(a1, LAMP, confirmed=False)
    editing.retire(by=curator, memory_id=stale.pk)
    with pytest.raises(Conflict, match="faster") as refused:
        lifecycle.verify(stale, by=a1)
    assert refused.value.current.status == Status.RETIRED
    assert MemoryEvent.objects.filter(pgh_obj=stale).count() == 2


# --- case 19: editing what does not exist edits nothing ---------------------------------------------------


@pytest.mark.parametrize("act", [editing.revise, editing.retire, editing.restore, editing.verify])
@pytest.mark.parametrize("unknown", ["0f2e8992-3d02-4963-bfbc-d56937c4f9d9", "Pump C", "", "beginning"])
def test_an_unknown_id_edits_nothing(a1: Actor, act: Any, unknown: str) -> None:
    pumps = [fact(a1, f"Pump {name} runs at night.") for name in "AB"]
    id_ = str(pumps[0].pk)[:8] if unknown == "beginning" else unknown
    more = {"content": OFF} if act is editing.revise else {}
    with pytest.raises(NotFound):
        act(by=a1, memory_id=id_, **more)
    assert [each.status for each in Memory.objects.all()] == [Status.VERIFIED] * 2
    assert (MemoryEvent.objects.count(), Evidence.objects.count()) == (2, 2)
