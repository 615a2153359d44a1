"""Near-identical facts become one where that is certain, are proposed where it is not, and all of it can be undone."""

import pytest
from pytest_django import Settings

from memories.actors import Actor
from memories.choices import ProposalState, Scope, Status, Tier, Trigger
from memories.cognition import judging, runner
from memories.cognition.base import Budget
from memories.cognition.judging import Judged, Sameness
from memories.errors import Forbidden
from memories.models import Memory, Product, Proposal
from memories.services import editing, proposals
from memories.services.exchange import exporting
from memories.services.exchange.tables import Extent
from tests import factories
from tests.cognition.conftest import Think

pytestmark = pytest.mark.django_db

OLD, NEW = "The harbour office opens at 9 o'clock on weekdays.", "Harbour office opens at 9 o'clock on weekdays!"


def twins(a1: Actor, a2: Actor) -> tuple[Memory, Memory]:
    return factories.fact(a1, OLD), factories.fact(a2, NEW)


def fresh(*memories: Memory) -> tuple[Memory, ...]:
    for each in memories:
        each.refresh_from_db()
    return memories


def test_what_differs_in_form_alone_becomes_one_with_the_evidence_of_both(
    think: Think, a1: Actor, a2: Actor, lighthouse: Product
) -> None:
    old, new = fresh(*twins(a1, a2))
    assert think("consolidate")["consolidate"].written == 1
    fresh(old, new)
    assert (old.status, new.status) == (Status.VERIFIED, Status.SUPERSEDED)
    assert new.replaced_by_id == new.duplicate_of_id == old.pk
    assert {each.agent_id for each in old.evidence.all()} == {a1.agent_id, a2.agent_id}
    assert "articles" in new.events.latest("pgh_id").pgh_context["why"]
    again = think("consolidate")["consolidate"]
    assert (again.written, again.proposed) == (0, 0)
    assert list(exporting.lines(Extent(lighthouse)))


def test_the_text_of_the_other_wording_stays_in_search(think: Think, a1: Actor, a2: Actor, lighthouse: Product) -> None:
    factories.fact(a1, OLD)
    write = factories.write(a2, f"{NEW} The ferry has two decks.")
    think("consolidate")
    assert Memory.objects.recallable(lighthouse.pk).filter(pk=write.raw_id).exists()


def test_the_weightier_wording_stays_whichever_came_first(think: Think, a1: Actor, a2: Actor) -> None:
    old, new = factories.fact(a1, OLD, tier=Tier.TEAM), factories.fact(a2, NEW, tier=Tier.POLICY)
    think("consolidate")
    fresh(old, new)
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.VERIFIED)


def test_private_ones_are_never_compared(think: Think, a1: Actor, a2: Actor) -> None:
    pairs = [factories.fact(a1, OLD, scope=Scope.PRIVATE), factories.fact(a1, NEW)]
    pairs += [factories.fact(a2, OLD, scope=Scope.PRIVATE), factories.fact(a2, NEW, scope=Scope.PRIVATE)]
    row = think()["consolidate"]
    assert (row.written, row.proposed) == (0, 0)
    assert {each.status for each in fresh(*pairs)} == {Status.VERIFIED}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Valve V-1603 leaks at the flange.", "Valve V-1605 leaks at the flange."),
        ("The server moved from Bonn to Kiel.", "The server moved to Bonn from Kiel."),
        ("The server is down for repairs.", "The servers are down for repairs."),
        ("The gate is open at night.", "The gate is not open at night."),
        ("The pump needs 5 litres a day.", "The pump needs 15 litres a day."),
        ("Is the gate open at night?", "The gate is open at night."),
        ("Ana manages Ben at the quay.", "Ben manages Ana at the quay."),
    ],
)
def test_what_differs_in_more_than_form_is_never_the_same(one: str, other: str) -> None:
    assert not judging.is_same_but_for_form(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gate doesn't open at night.", "the gate does not open at night"),
        ("Releases happen on 2026-07-12.", "Releases happen on 12 July 2026."),
        ("Build takes 1,000 seconds.", "The build takes 1000 seconds."),
    ],
)
def test_form_is_articles_punctuation_and_spelling(one: str, other: str) -> None:
    assert judging.is_same_but_for_form(one, other)


def perhaps(asked: "list[judging.Wordings]", budget: Budget) -> list[Judged]:
    """A judge that is never sure."""
    return [Judged(Sameness.PERHAPS, 0.9, "They seem to say the same.") for _ in asked]


def nonsense(asked: "list[judging.Wordings]", budget: Budget) -> object:
    return {"merge": "everything"}


@pytest.fixture
def asked(settings: Settings, think: Think, a1: Actor, a2: Actor) -> tuple[Proposal, Memory, Memory]:
    """A proposal that waits."""
    settings.COGNITION_JUDGE = f"{__name__}.perhaps"
    old, new = twins(a1, a2)
    assert think("consolidate")["consolidate"].proposed == 1
    assert think("consolidate")["consolidate"].proposed == 0
    return Proposal.objects.get(), old, new


def test_what_is_not_sure_is_proposed_once_and_nothing_is_done(asked: tuple[Proposal, Memory, Memory]) -> None:
    proposal, old, new = asked
    assert (proposal.memory_id, proposal.other_memory_id, proposal.state) == (old.pk, new.pk, ProposalState.OPEN)
    assert {each.status for each in fresh(old, new)} == {Status.VERIFIED}


def test_a_person_accepts_and_undoes_and_it_is_not_asked_again(
    asked: tuple[Proposal, Memory, Memory], curator: Actor, think: Think
) -> None:
    proposal, old, new = asked
    assert proposals.accept(by=curator, ids=[proposal.pk], why="So it is.").done == 1
    assert [each.status for each in fresh(old, new)] == [Status.VERIFIED, Status.SUPERSEDED]
    assert proposals.accept(by=curator, ids=[proposal.pk]).refused
    assert proposals.undo(by=curator, ids=[proposal.pk]).done == 1
    fresh(old, new)
    assert (new.status, new.replaced_by_id, new.duplicate_of_id) == (Status.VERIFIED, None, None)
    assert think("consolidate")["consolidate"].proposed == 0


def test_what_was_rejected_is_not_asked_again_even_when_it_becomes_certain(
    asked: tuple[Proposal, Memory, Memory], curator: Actor, think: Think, settings: Settings
) -> None:
    proposal, old, new = asked
    assert proposals.reject(by=curator, ids=[proposal.pk]).done == 1
    settings.COGNITION_JUDGE = "memories.cognition.judging.plain"
    row = think("consolidate")["consolidate"]
    assert (row.written, row.proposed) == (0, 0)
    assert {each.status for each in fresh(old, new)} == {Status.VERIFIED}


def test_what_cognition_did_by_itself_is_undone_by_a_person_for_good(
    think: Think, a1: Actor, a2: Actor, curator: Actor
) -> None:
    old, new = twins(a1, a2)
    think("consolidate")
    done = Proposal.objects.get()
    assert (done.state, done.decided_by_name) == (ProposalState.ACCEPTED, "cognition")
    assert proposals.undo(by=curator, ids=[done.pk]).done == 1
    assert {each.status for each in fresh(old, new)} == {Status.VERIFIED}
    assert think("consolidate")["consolidate"].written == 0


def test_a_side_that_left_closes_the_proposal(
    asked: tuple[Proposal, Memory, Memory], a1: Actor, curator: Actor, think: Think
) -> None:
    proposal, _, new = asked
    editing.retire(by=a1, memory_id=new.pk)
    assert "not current" in proposals.accept(by=curator, ids=[proposal.pk]).refused[0]
    think("consolidate")
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.GONE


def test_agents_decide_no_proposal_and_strangers_see_none(
    asked: tuple[Proposal, Memory, Memory], a1: Actor, b1: Actor, orchard: Product
) -> None:
    proposal, _, _ = asked
    with pytest.raises(Forbidden):
        proposals.accept(by=a1, ids=[proposal.pk])
    stranger = factories.person(orchard, "eve")
    assert proposals.accept(by=stranger, ids=[proposal.pk]).done == 0


def test_a_judge_that_answers_nonsense_fails_the_step_and_changes_nothing(
    lighthouse: Product, a1: Actor, a2: Actor, settings: Settings
) -> None:
    """Case 29."""
    settings.COGNITION_JUDGE = f"{__name__}.nonsense"
    facts = [*twins(a1, a2), *(factories.fact(a1, f"Crane {number} stands on quay {number}.") for number in range(8))]
    rows = runner.run(lighthouse, trigger=Trigger.PERSON)
    assert rows
    told = {row.step: row for row in rows}
    assert (told["consolidate"].state, told["consolidate"].written) == ("failed", 0)
    assert "can't be understood" in told["consolidate"].error
    assert told["summaries"].state == "done"
    assert {each.status for each in fresh(*facts)} == {Status.VERIFIED}
    assert not Proposal.objects.exists()
