"""Detached capture: every message once, verbatim; only what is said there becomes a fact, and as a claim."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.actors import Actor
from memories.choices import Kind, Scope, SecretPolicy, Status, Tier, WriteState
from memories.errors import Forbidden, InvalidInput
from memories.models import CapturedMessage, Evidence, Memory, Product, Write
from memories.services import captures, claims
from memories.services.captures import Captured, Message
from tests import factories

PORT = "The Harbor gateway listens on port 8443."


def said(content: str, id_: str = "m1", role: str = "user", **more: Any) -> Message:
    return Message(id_, role, content, **more)


def capture(by: Actor, *messages: Message, wait: bool = True, session: str = "s1", **more: Any) -> Captured:
    return captures.capture(by=by, session=session, messages=messages, wait=wait, **more)


def statements() -> list[str]:
    return list(Memory.objects.statements_only().order_by("pk").values_list("content", flat=True))


def test_a_message_is_kept_verbatim_and_read_into_unverified_informal_facts(a1: Actor) -> None:
    text = f"  Hello!\n\n{PORT}  "
    captured = capture(a1, said(text, speaker="Mara"))
    raw = Memory.objects.get(kind=Kind.RAW)
    fact = Memory.objects.statements_only().get()
    assert (raw.content, captured.state) == (text, WriteState.DONE)
    assert (fact.content, fact.status, fact.tier, fact.scope) == (PORT, Status.UNVERIFIED, Tier.INFORMAL, Scope.SHARED)
    origin = Evidence.objects.get(memory=fact)
    assert (origin.session, origin.message, origin.speaker, origin.raw_id) == ("s1", "m1", "Mara", raw.pk)


def test_a_tier_and_a_scope_that_are_stated_bind(a1: Actor) -> None:
    capture(a1, said(PORT), tier=Tier.TEAM, scope=Scope.PRIVATE)
    fact = Memory.objects.statements_only().get()
    assert (fact.tier, fact.owner_id) == (Tier.TEAM, a1.agent_id)


def test_the_same_message_again_is_kept_once_and_the_first_words_stand(a1: Actor) -> None:
    first = capture(a1, said(PORT))
    again = capture(a1, said("The Harbor gateway listens on port 9443."), said("The lamp is green.", "m2"))
    assert [each.is_new for each in again.kept] == [False, True]
    assert again.kept[0].write == first.kept[0].write
    assert statements() == [PORT, "The lamp is green."]
    assert Write.objects.count() == 2


def test_an_id_that_comes_twice_in_one_capture_counts_once(a1: Actor) -> None:
    captured = capture(a1, said(PORT), said("The lamp is green.", "m2"), said("The lamp is red.", "m1"))
    assert [each.id for each in captured.kept] == ["m1", "m2"]
    assert statements() == [PORT, "The lamp is green."]


def test_sessions_and_agents_have_ids_of_their_own(a1: Actor, a2: Actor, b1: Actor) -> None:
    for by, session in ((a1, "s1"), (a1, "s2"), (a2, "s1"), (b1, "s1")):
        assert capture(by, said(PORT), session=session).kept[0].is_new
    assert CapturedMessage.objects.count() == 4


def test_without_wait_a_worker_reads_the_session_in_its_order(a1: Actor) -> None:
    messages = [said(f"The lamp number {place} is green.", f"m{place}") for place in range(3)]
    captured = capture(a1, *messages, wait=False)
    ids = [write.pk for write in captured.writes]
    assert (captured.state, factories.queued) == (WriteState.RECEIVED, [])  # queued once it is committed
    assert claims.claim(ids[1]) is None, "the message before is not read yet"
    assert claims.claim(ids[0]) is not None


@pytest.mark.django_db(transaction=True)
def test_whoever_reads_a_message_hands_on_the_next(a1: Actor, read_queued: Callable[[], int]) -> None:
    from memories.services import statements

    captured = capture(a1, *[said(f"The lamp number {n} is green.", f"m{n}") for n in range(3)], wait=False)
    ids = [write.pk for write in captured.writes]
    assert factories.queued == ids[:1]
    for id_ in ids:
        assert statements.read_write(factories.queued[-1])
        assert Write.objects.get(pk=id_).state == WriteState.DONE
    assert factories.queued == ids
    assert claims.forgotten() == []


def test_the_sweep_queues_only_the_first_message_of_a_session(a1: Actor, clock: Any) -> None:
    captured = capture(a1, said(PORT), said("The lamp is green.", "m2"), wait=False)
    clock.pass_(minutes=5)
    assert claims.forgotten() == [captured.writes[0].pk]


def test_waiting_reads_what_waited_before_in_the_session(a1: Actor) -> None:
    capture(a1, said("The lamp is green.", "m1"), wait=False)
    captured = capture(a1, said("The door is shut.", "m2"))
    assert captured.state == WriteState.DONE
    assert statements() == ["The lamp is green.", "The door is shut."]


def test_a_recalled_block_is_kept_and_not_read(a1: Actor) -> None:
    text = f"<neuronz_memory>\n- {PORT}\n</neuronz_memory>\nThe lamp is green."
    capture(a1, said(text))
    assert Memory.objects.get(kind=Kind.RAW).content == text
    assert statements() == ["The lamp is green."]
    assert Evidence.objects.get(memory__content="The lamp is green.", raw__isnull=False).start == text.index("The lamp")


@pytest.mark.parametrize("role", ["tool", "tool_result", "system", "Function"])
def test_what_machines_say_is_kept_and_not_read(a1: Actor, role: str) -> None:
    capture(a1, said(PORT, role=role))
    assert statements() == []
    assert Memory.objects.get().kind == Kind.RAW


def test_credentials_are_masked(a1: Actor) -> None:
    captured = capture(a1, said("The password is: hunter2hunter2, token ghp_abcdefghijklmnopqrstuvwxyz0123456789AB."))
    assert captured.writes[0].masked
    assert "ghp_abc" not in Memory.objects.get(kind=Kind.RAW).content


def test_a_product_that_refuses_credentials_keeps_the_other_messages(a1: Actor, lighthouse: Product) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(secrets=SecretPolicy.REFUSE)
    secret = said("The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789AB.", "m2")
    captured = capture(a1, said(PORT), secret)
    assert [bool(each.write) for each in captured.kept] == [True, False]
    assert "credentials" in captured.reason
    assert statements() == [PORT]
    with pytest.raises(InvalidInput):
        capture(a1, secret)


def test_only_agents_capture(curator: Actor) -> None:
    with pytest.raises(Forbidden):
        capture(curator, said(PORT))


def test_two_thousand_messages_are_taken_in_a_fixed_number_of_statements(a1: Actor) -> None:
    def queries(number: int, session: str) -> int:
        messages = [said(f"The lamp number {place} is green.", f"m{place}") for place in range(number)]
        with CaptureQueriesContext(
            connection,
        ) as counted:
            capture(a1, *messages, wait=False, session=session)
        return len(counted)

    few, many = queries(10, "few"), queries(2_000, "many")
    assert few <= 20
    assert many <= few + 4 * 3  # four tables in statements of 500 rows
    assert CapturedMessage.objects.count() == 2_010
