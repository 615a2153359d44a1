"""The LangGraph store on the running site, by itself and inside a compiled graph."""

import asyncio
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, PutOp
from neuronz_client import AsyncNeuronz, Neuronz
from neuronz_client._langgraph_items import key_tag
from neuronz_client.langgraph import NeuronzStore, StoreRefused

from memories.choices import Status
from memories.models import Memory

pytestmark = pytest.mark.django_db(transaction=True)
ADA = ("users", "ada")


@pytest.fixture
def store(memory: Neuronz) -> NeuronzStore:
    return NeuronzStore(memory)


def test_what_was_put_is_there(store: NeuronzStore) -> None:
    value = {"text": "Likes ramen — ラーメン", "n": 1.5, "deep": {"a": [1, None, True]}, "odd: {": "}"}
    store.put(ADA, "food", value)
    item = store.get(ADA, "food")
    assert item
    assert (item.value, item.key, item.namespace) == (value, "food", ADA)
    assert item.created_at.tzinfo
    assert store.get(ADA, "drink") is None
    assert store.get(("users",), "food") is None


def test_putting_again_is_a_new_version_and_nothing_is_overwritten(store: NeuronzStore, memory: Neuronz) -> None:
    store.put(ADA, "food", {"text": "ramen"})
    first = store.get(ADA, "food")
    store.put(ADA, "food", {"text": "soba"})
    store.put(ADA, "food", {"text": "SOBA"})
    store.put(ADA, "food", {"text": "SOBA"})
    second = store.get(ADA, "food")
    assert first
    assert second
    assert second.value == {"text": "SOBA"}
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at
    (fact,) = memory.facts(tag=key_tag(ADA, "food"))
    versions = {move["content"].partition(" (version")[0] for move in memory.history(fact["id"])}
    assert versions == {f'users / ada / food: {{"text": "{each}"}}' for each in ("ramen", "soba", "SOBA")}
    store.put(ADA, "food", {"text": "ramen"})
    assert store.get(ADA, "food").value == {"text": "ramen"}  # type: ignore[union-attr]  # it is there


def test_deleting_retires(store: NeuronzStore) -> None:
    store.put(ADA, "food", {"text": "ramen"})
    store.delete(ADA, "food")
    store.delete(ADA, "food")
    assert store.get(ADA, "food") is None
    assert Memory.objects.get().status == Status.RETIRED
    store.put(ADA, "food", {"text": "ramen"})
    assert store.get(ADA, "food")


def test_search_by_prefix_filter_and_meaning(store: NeuronzStore) -> None:
    for key, text, rating in (("food", "Ada likes ramen noodles", 5), ("pet", "Ada has a grey cat", 3)):
        store.put((*ADA, "likes"), key, {"text": text, "rating": rating})
    store.put(("users", "adam"), "food", {"text": "Adam likes ramen noodles", "rating": 4})

    assert {each.key for each in store.search(ADA)} == {"food", "pet"}
    assert len(store.search(("users",))) == len(store.search(())) == 3
    assert [each.key for each in store.search(ADA, filter={"rating": {"$gte": 4}})] == ["food"]
    assert [each.key for each in store.search(ADA, filter={"rating": 3})] == ["pet"]
    found = store.search(("users",), query="who keeps a grey cat", limit=1)
    assert [each.key for each in found] == ["pet"]
    assert found[0].score
    assert len(store.search(("users",), limit=2, offset=2)) == 1
    with pytest.raises(ValueError, match=r"no operator \$near"):
        store.search(ADA, filter={"rating": {"$near": 4}})


def test_namespaces_are_listed(store: NeuronzStore) -> None:
    for namespace in (("users", "ada", "likes"), ("users", "bo"), ("docs", "ada")):
        store.put(namespace, "k", {"a": 1})
    assert store.list_namespaces() == [("docs", "ada"), ("users", "ada", "likes"), ("users", "bo")]
    assert store.list_namespaces(prefix=("users",), max_depth=1) == [("users",)]
    assert store.list_namespaces(suffix=("ada",)) == [("docs", "ada")]
    assert store.list_namespaces(prefix=("*", "ada")) == [("docs", "ada"), ("users", "ada", "likes")]
    assert store.list_namespaces(limit=1, offset=1) == [("users", "ada", "likes")]


def test_a_batch_reads_what_was_there_before_and_keeps_the_last_put(store: NeuronzStore) -> None:
    store.put(ADA, "food", {"text": "ramen"})
    results = store.batch(
        [PutOp(ADA, "food", {"text": "soba"}), GetOp(ADA, "food"), PutOp(ADA, "food", {"text": "udon"})]
    )
    assert [getattr(each, "value", None) for each in results] == [None, {"text": "ramen"}, None]
    assert store.get(ADA, "food").value == {"text": "udon"}  # type: ignore[union-attr]  # it is there


def test_long_and_odd_names_are_kept_apart(store: NeuronzStore) -> None:
    odd = [("a/b", "c"), ("a", "b/c"), ("a", "x" * 80), ("a", "x" * 81), (" a", "c")]
    for number, namespace in enumerate(odd):
        store.put(namespace, "k", {"n": number})
    assert [store.get(namespace, "k").value["n"] for namespace in odd] == [0, 1, 2, 3, 4]  # type: ignore[union-attr]  # all are there
    assert {each.namespace for each in store.search(("a",))} == {namespace for namespace in odd if namespace[0] == "a"}


def test_what_weighs_more_is_not_replaced(store: NeuronzStore) -> None:
    store.put(ADA, "food", {"text": "ramen"})
    low = NeuronzStore(store.client, tier="informal")
    with pytest.raises(StoreRefused, match="users / ada / food stays"):
        low.put(ADA, "food", {"text": "soba"})
    with pytest.raises(StoreRefused):
        low.delete(ADA, "food")
    assert store.get(ADA, "food").value == {"text": "ramen"}  # type: ignore[union-attr]  # it is there


def test_private_items_are_the_agents_own(memory: Neuronz, other: Neuronz) -> None:
    NeuronzStore(memory, scope="private").put(ADA, "food", {"text": "ramen"})
    assert NeuronzStore(other, scope="private").get(ADA, "food") is None
    assert NeuronzStore(other).search(()) == []


def test_the_async_store_and_the_thread_behind_a_sync_one(site: str, a1_key: str, store: NeuronzStore) -> None:
    async def live() -> list[Any]:
        async with AsyncNeuronz(site, key=a1_key) as client:
            own = NeuronzStore(async_client=client)
            await own.aput(ADA, "food", {"text": "ramen"})
            found = await own.asearch(ADA, query="ramen")
            again = await store.aget(ADA, "food")
            with pytest.raises(RuntimeError, match="await"):
                own.batch([])
            return [found[0].value, again.value if again else None, await own.alist_namespaces()]

    assert asyncio.run(live()) == [{"text": "ramen"}, {"text": "ramen"}, [ADA]]


class State(TypedDict):
    question: str
    answer: str


def remembering(state: State, *, store: BaseStore) -> dict[str, str]:
    known = store.search(("facts",), query=state["question"], limit=1)
    store.put(("facts",), f"q{len(store.search(('facts',)))}", {"text": state["question"]})
    return {"answer": known[0].value["text"] if known else "nothing yet"}


@pytest.fixture
def graph(store: NeuronzStore) -> Any:
    builder = StateGraph(State)
    builder.add_node("remembering", remembering)
    builder.add_edge(START, "remembering")
    builder.add_edge("remembering", END)
    return builder.compile(store=store)


def test_a_compiled_graph_remembers_between_its_runs(graph: Any) -> None:
    assert graph.invoke({"question": "The ferry leaves at nine.", "answer": ""})["answer"] == "nothing yet"
    assert (
        graph.invoke({"question": "When does the ferry leave?", "answer": ""})["answer"] == "The ferry leaves at nine."
    )
