"""The Python client against the running site: every call that the server has, by both clients."""

import asyncio
from pathlib import Path
from uuid import UUID

import pytest
from neuronz_client import (
    AsyncNeuronz,
    Conflict,
    ConnectionFailed,
    InvalidInput,
    Neuronz,
    NotFound,
    TooLarge,
    Unauthenticated,
)
from neuronz_client import shapes as s

from memories.actors import Actor
from memories.choices import RuleStatus
from memories.models import Memory, Product, Write
from memories.services import rules
from tests.neuronz.test_up import free_port

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]


def test_a_fact_lives_through_all_its_calls(memory: Neuronz) -> None:
    added = memory.add_fact(
        "The gateway listens on port 8443.", tags=["ops", "net"], metadata={"a": 1}, about="2026-07-12", confirmed=True,
        category="fact",
    )  # fmt: skip
    id_ = added["fact"]["id"]
    assert added["outcome"] == "added"
    assert added["fact"]["about"] == {"from": "2026-07-12T00:00:00Z", "until": "2026-07-12T23:59:59.999999Z"}
    assert memory.add_fact("the gateway listens on PORT 8443.", about="2026-07-12")["outcome"] == "known"
    edited = memory.edit(id_, "The gateway listens on port 9443.", why="It moved.")
    new = edited["fact"]["id"]
    assert edited["outcome"] == "edited"
    assert [move["verb"] for move in memory.history(new)] == ["add", "edit", "add"]
    assert memory.fact(id_)["replaced_by"] == new
    assert memory.search("gateway port")[0]["memory"]["id"] == new
    assert len(memory.evidence(new)) == 1
    assert memory.similar(new) == []
    assert memory.retire(new, why="Gone.")["outcome"] == "retired"
    assert list(memory.facts()) == []
    assert memory.restore(new)["outcome"] == "restored"
    assert [each["id"] for each in memory.facts(tag=["ops", "none"], status="unverified", history=True)] == [new]


def test_verdicts_and_conflicts(memory: Neuronz) -> None:
    older, newer = (memory.add_fact(f"The gate is {state}.")["fact"]["id"] for state in ("open", "shut"))
    resolved = memory.resolve(newer, older, "contradicts", why="One of them.")
    assert resolved["outcome"] == "disputed"
    (pair,) = memory.conflicts(state="open", persona=False)
    assert memory.conflict(pair["id"])["reason"] == "disagreement"
    assert memory.settle(pair["id"], "correction", correction="The gate is ajar.")["outcome"] == "settled"
    with pytest.raises(Conflict) as refused:
        memory.settle(pair["id"], "newer")
    assert refused.value.current["id"] == pair["id"]


def test_texts_batches_and_receipts(memory: Neuronz) -> None:
    write = memory.remember("The mill stands. The dam holds.", wait=True, tags=["river"])
    assert [each["outcome"] for each in write["statements"]] == ["added", "added"]
    assert memory.write(write["id"])["state"] == "done"
    first, second = memory.remember_batch([{"text": "The weir is old."}, {"text": "x", "tier": "royal"}])  # type: ignore[typeddict-item]  # a mistake
    assert first.keys() >= {"id", "state"}
    assert second.keys() == {"error"}
    assert len(list(memory.writes(page_size=1))) == 2
    queued = memory.remember("The lock is shut.", wait=False)
    assert memory.cancel_write(queued["id"])["state"] == "cancelled"
    with pytest.raises(Conflict):
        memory.retry_write(queued["id"])
    assert len([each for each in memory.memories() if each["kind"] == "Raw"]) >= 2


def test_pages_are_followed_to_the_end(memory: Neuronz) -> None:
    for number in range(7):
        memory.add_fact(f"Lamp number {number} is lit.")
    assert len(list(memory.facts(page_size=2))) == 7


def test_captures_personas_and_whoami(memory: Neuronz) -> None:
    messages = [{"id": "1", "role": "user", "content": "I live in Oslo and my dog is called Miso."}]
    memory.capture("s-1", messages, wait=True)  # type: ignore[arg-type]  # a list of plain dicts
    memory.capture("s-1", messages, wait=True)  # type: ignore[arg-type]  # again: nothing is doubled
    assert Write.objects.count() == 1
    memory.add_fact("Ada likes tea.", category="persona", person="Ada")
    assert "Ada" in [each["person"] for each in memory.personas()]
    assert memory.whoami()["agent"]["name"] == "a1"


def test_recall_and_rules(memory: Neuronz, other: Neuronz, curator: Actor) -> None:
    fact = memory.add_fact("The gateway listens on port 8443.", confirmed=True)["fact"]["id"]
    proposed = memory.propose_rule("Never open the gateway at night.", why="It was found open twice.")
    assert (proposed["status"], proposed["proposed_by"]) == ("proposed", "a1")
    assert list(other.rules()) == []
    rules.decide(by=curator, rule_id=UUID(proposed["id"]), to=RuleStatus.APPROVED)
    assert [each["status"] for each in other.rules(page_size=1)] == ["approved"]
    recalled = other.recall("On which port does the gateway listen?", session="s-1", max_tokens=400)
    assert [each["id"] for each in recalled["memories"]] == [fact]
    assert [each["text"] for each in recalled["rules"]] == ["Never open the gateway at night."]
    assert 0 < recalled["tokens"] <= 400
    assert other.recall("On which port does the gateway listen?", session="s-1")["text"] == ""
    with pytest.raises(TooLarge):
        memory.recall("x" * 200_001)


def test_the_graph(memory: Neuronz) -> None:
    memory.add_fact("Ana Lima showed Valve V-1603 to Ben Ito.")
    found = {each["name"]: each["id"] for each in memory.entities("Ana Lima")["entities"]}
    assert "Ana Lima" in found
    around = memory.entity(found["Ana Lima"], depth=2)
    others = {each["name"]: each["id"] for each in around["entities"]}
    assert "Ben Ito" in others
    assert memory.graph_search("V-1603")["entities"]
    assert memory.graph_path(found["Ana Lima"], others["Ben Ito"])["entities"]
    with pytest.raises(NotFound):
        memory.entity(str(UUID(int=42)))


def test_a_session_is_captured_in_its_order_and_recalled_in_the_next(memory: Neuronz) -> None:
    said = ["The gateway listens on port 8443.", "Thanks!", "The ferry leaves at nine."]
    sent = [s.MessageToCapture(id=str(place), role="user", content=each) for place, each in enumerate(said)]
    captured = memory.capture("s-1", sent, wait=True)
    assert [each["outcome"] for each in captured["messages"]] == ["kept"] * 3
    assert memory.recall("On which port does the gateway listen?", session="s-1")["text"] == ""
    assert said[0] in memory.recall("On which port does the gateway listen?", session="s-2")["text"]


def test_the_export_comes_record_by_record(memory: Neuronz, other: Neuronz) -> None:
    memory.add_fact("Mine alone.", scope="private")
    memory.add_fact("Ours — 我们的.")
    assert [each["content"] for each in memory.export() if each["record"] == "memory"] == [
        "Mine alone.",
        "Ours — 我们的.",
    ]
    assert [each["content"] for each in other.export() if each["record"] == "memory"] == ["Ours — 我们的."]


def test_errors_say_what_would_have_worked(memory: Neuronz, other: Neuronz, site: str) -> None:
    with pytest.raises(InvalidInput, match=r".") as invalid:
        memory.add_fact("…", tier="official")
    assert invalid.value.fields.keys() == {"content"}
    with pytest.raises(TooLarge) as large:
        memory.add_fact("x" * 9000)
    assert large.value.limit == 8000
    private = memory.add_fact("Mine alone.", scope="private")["fact"]["id"]
    with pytest.raises(NotFound):
        other.fact(private)
    with Neuronz(site, key="nz_no") as nobody, pytest.raises(Unauthenticated):
        nobody.whoami()
    with Neuronz(f"http://127.0.0.1:{free_port()}", key="nz_no", retries=0) as nowhere, pytest.raises(ConnectionFailed):
        nowhere.whoami()


def test_the_same_idempotency_key_writes_once(memory: Neuronz) -> None:
    first = memory.add_fact("The oven is hot.", idempotency_key="k-1")
    assert memory.add_fact("The oven is hot.", idempotency_key="k-1") == first
    assert Memory.objects.get().evidence.count() == 1


def test_the_async_client_does_the_same(site: str, a1_key: str, lighthouse: Product) -> None:
    async def live() -> tuple[int, list[str], str, int]:
        async with AsyncNeuronz(site, key=a1_key) as memory:
            await asyncio.gather(*(memory.add_fact(f"Lamp number {number} is lit.") for number in range(5)))
            facts = [each async for each in memory.facts(page_size=2)]
            hits = await memory.search("lamp number 3")
            records = [each async for each in memory.export()]
            return (
                len(facts),
                [each["memory"]["content"] for each in hits[:1]],
                (await memory.whoami())["product"]["slug"],
                len(records),
            )

    facts, best, slug, records = asyncio.run(live())
    assert (facts, best, slug) == (5, ["Lamp number 3 is lit."], "lighthouse")
    assert records > 5 * 3
