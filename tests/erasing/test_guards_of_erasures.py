"""What is left of an erasure stays, and every guard that it lifted is back, whoever goes around the services."""

import pytest
from django.utils import timezone

from memories.actors import Actor
from memories.errors import Conflict
from memories.models import ErasedStatement, ErasureReceipt, Evidence, Memory
from memories.services import editing, erasure
from memories.services.erasure import Choice, ChosenBy
from tests import factories, guards
from tests.guards import refused_by

SECRET = "The lamp word is marigold."


def erased(by: Actor) -> Memory:
    memory = factories.fact(by, SECRET)
    guards.check_deferred()
    erasure.erase(by=by, choice=Choice(by.product_id, ChosenBy.MEMORY, ids=[memory.pk]))
    memory.refresh_from_db()
    return memory


def test_a_receipt_stays_and_does_not_tell_the_text(a1: Actor) -> None:
    erased(a1)
    receipt = ErasureReceipt.objects.get()
    assert "marigold" not in str(receipt.__dict__)
    with refused_by("ErasureReceipt:erasure_stays_as_told"):
        guards.set_column(receipt, "reason", "Another.")
    with refused_by("ErasureReceipt:no_deletes"):
        guards.delete(receipt)


def test_what_is_kept_out_stays_out(a1: Actor) -> None:
    erased(a1)
    kept_out = ErasedStatement.objects.get()
    with refused_by("ErasedStatement:erased_stays_erased"):
        guards.set_column(kept_out, "digest", b"other")
    with refused_by("ErasedStatement:no_deletes"):
        guards.delete(kept_out)
    kept_out.pk = None
    with refused_by("ErasedStatement:one_row_per_erased_statement"):
        kept_out.save(force_insert=True)
    with pytest.raises(Conflict, match="erased"):
        factories.fact(a1, SECRET)


def test_an_erased_memory_is_empty_for_good(a1: Actor) -> None:
    memory = erased(a1)
    assert (memory.content, memory.status) == ("", "retired")
    with refused_by("Memory:memory_erased_is_empty_for_good"):
        guards.set_column(memory, "status", "verified")
    with pytest.raises(Conflict, match="erased"):
        editing.restore(by=a1, memory_id=memory.pk)


def test_the_guards_that_were_lifted_are_back(a1: Actor) -> None:
    erased(a1)
    other = factories.fact(a1, "The lamp is green.")
    with refused_by("Memory:written_stays_written"):
        guards.set_column(other, "content", "Other.")
    with refused_by("Memory:written_stays_written"):
        guards.set_column(other, "erased_at", timezone.now())
    evidence = Evidence.objects.get(memory=other)
    with refused_by("Evidence:evidence_stays_written"):
        guards.set_column(evidence, "excerpt", "Other.")


def test_what_is_kept_out_of_a_product_rests_on_its_own_receipt_and_agents(a1: Actor, b1: Actor) -> None:
    erased(a1)
    receipt = ErasureReceipt.objects.get()
    theirs = {"product_id": b1.product_id, "digest": b"x" * 32}
    with refused_by("ErasedStatement:same_product"):
        ErasedStatement.objects.create(**theirs, receipt=receipt)
    mine = {"product_id": a1.product_id, "digest": b"x" * 32, "receipt": receipt}
    with refused_by("ErasedStatement:same_product"):
        ErasedStatement.objects.create(**mine, owner_id=b1.agent_id)
