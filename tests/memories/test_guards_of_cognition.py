"""The database itself keeps the rows of cognition in order, whoever goes around the services."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from memories.actors import Actor
from memories.choices import ProposalKind, ProposalState, StepState, Trigger
from memories.models import CognitionRun, CognitionSettings, Conclusion, Entity, Product, Proposal
from tests import factories, guards

pytestmark = pytest.mark.django_db


def a_run(product: Product, **columns: Any) -> CognitionRun:
    return CognitionRun.objects.create(
        product=product, pass_id=uuid4(), trigger=Trigger.COMMAND, step="consolidate", **columns
    )


def over() -> dict[str, Any]:
    return {"state": StepState.DONE, "ended_at": timezone.now()}


def test_guards_of_a_step(lighthouse: Product) -> None:
    row = a_run(lighthouse)
    with guards.refused_by("CognitionRun:one_running_step_per_product"):
        a_run(lighthouse)
    with guards.refused_by("CognitionRun:cognition_run_is_over_when_ended"):
        guards.set_column(row, "state", StepState.DONE)
    with guards.refused_by("CognitionRun:cognition_run_stays_as_started"):
        guards.set_column(row, "step", "another")
    with guards.refused_by("CognitionRun:no_deletes"):
        guards.delete(row)
    ended = a_run(lighthouse, **over())
    with guards.refused_by("CognitionRun:ended_step_stays"):
        guards.set_column(ended, "written", 7)


def test_guards_of_the_settings(lighthouse: Product) -> None:
    row = CognitionSettings.objects.create(product=lighthouse)
    with guards.refused_by("CognitionSettings:cognition_claim_has_an_end"):
        guards.set_column(row, "claim", uuid4())
    with guards.refused_by("CognitionSettings:no_deletes"):
        guards.execute("DELETE FROM memories_cognitionsettings WHERE product_id = %s", row.pk)


def test_guards_of_a_conclusion(lighthouse: Product, a1: Actor, b1: Actor) -> None:
    fact, foreign = factories.fact(a1, "The lamp is red."), factories.fact(b1, "The lamp is red.")
    told = {"step": "summaries", "subject": "x", "digest": b"1"}
    row = Conclusion.objects.create(memory=fact, product=lighthouse, **told)
    with guards.refused_by("Conclusion:conclusion_keeps_its_subject"):
        guards.set_column(row, "subject", "y")
    with guards.refused_by("Conclusion:same_product"):
        Conclusion.objects.create(memory=foreign, product=lighthouse, **told)


def test_guards_of_a_proposal(lighthouse: Product, a1: Actor, b1: Actor) -> None:
    one, other = factories.fact(a1, "The lamp is red."), factories.fact(a1, "The lamp's red.")
    asked = {"product": lighthouse, "kind": ProposalKind.MERGE_FACTS, "reason": "alike"}
    row = Proposal.objects.create(memory=one, other_memory=other, **asked)
    with guards.refused_by("Proposal:one_proposal_for_two_facts"):
        Proposal.objects.create(memory=other, other_memory=one, **asked)
    with guards.refused_by("Proposal:proposal_has_two_sides_of_a_sort"):
        Proposal.objects.create(memory=one, **asked)
    with guards.refused_by("Proposal:proposal_decided_says_when"):
        guards.set_column(row, "state", ProposalState.REJECTED)
    with guards.refused_by("Proposal:same_product"):
        Proposal.objects.create(memory=one, other_memory=factories.fact(b1, "Far away."), **asked)


def test_guard_of_a_proposal_about_two_names(lighthouse: Product) -> None:
    one, other = (Entity.objects.create(product=lighthouse, key=key, name=key, terms=[]) for key in ("ada", "eve"))
    asked = {"product": lighthouse, "kind": ProposalKind.MERGE_ENTITIES, "reason": "alike"}
    row = Proposal.objects.create(entity=one, other_entity=other, **asked)
    Proposal.objects.filter(pk=row.pk).update(state=ProposalState.REJECTED, decided_at=timezone.now())
    with guards.refused_by("Proposal:one_proposal_for_two_names"):
        Proposal.objects.create(entity=other, other_entity=one, **asked)
