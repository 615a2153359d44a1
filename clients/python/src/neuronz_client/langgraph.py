"""A LangGraph `BaseStore` whose items are facts of Neuronz: versioned, searchable by meaning, never overwritten.

| LangGraph | Neuronz |
| --- | --- |
| item | one current fact: `namespace / key: value as JSON` |
| namespace | tags: `ns:` and each beginning of it, so that a prefix is one tag; words in `metadata.langgraph` |
| key | the tag `key:` with the namespace before it |
| put of an existing key | a new version; the old one is superseded and stays in the history |
| put of None, delete | the fact is retired, its history kept |
| search with a query | search by meaning and by words |
| `created_at`, `updated_at` | when the key was first put; when this version was recorded |

What the server refuses (a fact of a higher tier, a disputed one) is raised as `StoreRefused`. Facts that a person took
out of recall are not items any more. `index` and `ttl` of a put are not used: all of it is indexed, nothing expires.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, TypeVar, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from neuronz_client._async import AsyncNeuronz
from neuronz_client._errors import NeuronzError
from neuronz_client._langgraph_items import (
    ALL,
    Namespace,
    fits,
    is_in,
    is_of,
    item,
    key_tag,
    matches,
    namespace_of,
    ns_tag,
    tags_of,
    value_of,
    written,
)
from neuronz_client._sync import Neuronz
from neuronz_client.shapes import Memory, Scope, Tier

T = TypeVar("T")

#: The server's limit.
MOST_HITS = 100


class StoreRefused(NeuronzError):
    """The server keeps what is there: it weighs more than this agent's word, or waits for a person."""


@dataclass(frozen=True)
class Ask:
    """One thing to ask of a client, by the name of its method; a listing is asked for whole."""

    method: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    is_listing: bool = False


#: Asks, gets answers, and returns: run by a client that waits or by one that awaits.
Talk = Generator[Ask, Any, T]


def ask(method: str, *arguments: Any, **options: Any) -> Ask:
    return Ask(method, arguments, options)


class NeuronzStore(BaseStore):
    """`NeuronzStore(client)` for graphs that are invoked, `NeuronzStore(async_client=client)` for awaited ones.

    With a client that waits alone, the methods that are awaited run it in a thread.
    """

    def __init__(
        self,
        client: Neuronz | None = None,
        *,
        async_client: AsyncNeuronz | None = None,
        scope: Scope = "shared",
        tier: Tier = "official",
    ) -> None:
        """`scope` and `tier` are those of new items; `private` keeps them from other agents and from people."""
        if client is None and async_client is None:
            raise ValueError("Give a Neuronz client, an AsyncNeuronz, or both.")
        self.client = client
        self.async_client = async_client
        self.scope = scope
        self.tier = tier

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        if self.client is None:
            raise RuntimeError("This store has an AsyncNeuronz alone; await its methods that begin with a.")
        return _run(self._all(list(ops)), self.client)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        if self.async_client is None:
            return await asyncio.to_thread(self.batch, list(ops))
        return await _arun(self._all(list(ops)), self.async_client)

    # --- what is asked, once for both

    def _all(self, ops: Sequence[Op]) -> Talk[list[Result]]:
        """Reads see what was there before; of several puts of one key the last counts, as in LangGraph's own store."""
        results: list[Result] = [None] * len(ops)
        puts: dict[tuple[Namespace, str], PutOp] = {}
        for place, op in enumerate(ops):
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
            else:
                results[place] = yield from self._read(op)
        for op in puts.values():
            yield from self._put(op)
        return results

    def _read(self, op: Op) -> Talk[Result]:
        if isinstance(op, GetOp):
            found = yield from self._fact(op.namespace, op.key)
            return item(found) if found else None
        if isinstance(op, SearchOp):
            return (yield from self._search(op))
        if isinstance(op, ListNamespacesOp):
            return (yield from self._namespaces(op))
        raise TypeError(f"This store knows no {type(op).__name__}.")

    def _fact(self, namespace: Namespace, key: str) -> Talk[Memory | None]:
        found = yield Ask("facts", (), {"tag": key_tag(namespace, key), "scope": self.scope}, is_listing=True)
        return next((each for each in cast("list[Memory]", found) if is_of(each, namespace, key)), None)

    def _search(self, op: SearchOp) -> Talk[list[SearchItem]]:
        tag = ns_tag(op.namespace_prefix) if op.namespace_prefix else ALL
        if op.query:
            hits = yield ask("search", op.query, tag=tag, scope=self.scope, raw="none", limit=MOST_HITS)
            scored = [(each["memory"], each["score"]) for each in hits]
        else:
            facts = yield Ask("facts", (), {"tag": tag, "scope": self.scope}, is_listing=True)
            scored = [(each, None) for each in facts]
        items = [item(memory, score) for memory, score in scored if is_in(memory, op.namespace_prefix)]
        fitting = [each for each in items if all(matches(each.value.get(k), v) for k, v in (op.filter or {}).items())]
        return fitting[op.offset : op.offset + op.limit]

    def _namespaces(self, op: ListNamespacesOp) -> Talk[list[Namespace]]:
        facts = yield Ask("facts", (), {"tag": ALL, "scope": self.scope}, is_listing=True)
        found = {namespace for each in cast("list[Memory]", facts) if (namespace := namespace_of(each)) is not None}
        fitting = {each for each in found if all(fits(each, wanted) for wanted in op.match_conditions or ())}
        cut = sorted({each[: op.max_depth] for each in fitting} if op.max_depth is not None else fitting)
        return cut[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp) -> Talk[None]:
        there = yield from self._fact(op.namespace, op.key)
        if op.value is None:
            if there:
                retired = yield ask("retire", there["id"], tier=self.tier, why="Deleted from the store.")
                _accepted(retired, op)
            return
        content = written(op.namespace, op.key, op.value)
        if there is None:
            yield from self._add(op, content)
        elif value_of(there) != op.value:
            edited = yield ask("edit", there["id"], content, tier=self.tier)
            if value_of(edited["fact"]) != op.value and edited["outcome"] != "refused":
                # Alike but for case or spaces: a version of its own all the same.
                again = written(op.namespace, op.key, op.value, mark=True)
                edited = yield ask("edit", there["id"], again, tier=self.tier)
            _accepted(edited, op)

    def _add(self, op: PutOp, content: str) -> Talk[None]:
        tags = tags_of(op.namespace, op.key)
        now = datetime.now(timezone.utc).isoformat()
        told = {"namespace": list(op.namespace), "key": op.key, "created_at": now}
        added = yield ask(
            "add_fact", content, category="other", confirmed=True, scope=self.scope, tier=self.tier, tags=tags,
            metadata={"langgraph": told},
        )  # fmt: skip
        _accepted(added, op)


def _accepted(answer: Any, op: PutOp) -> None:
    is_put = op.value is not None
    if answer["outcome"] == "refused" or (is_put and not answer["fact"]["current"]):
        place = " / ".join((*op.namespace, op.key))
        raise StoreRefused(
            f"{place} stays as it is: it has a higher tier, or a person has to settle it first.", code="refused"
        )


# --- two ways to run a talk -----------------------------------------------------------------------


def _run(talk: Talk[T], client: Neuronz) -> T:
    answer: Any = None
    while True:
        try:
            asked = talk.send(answer)
        except StopIteration as end:
            return cast("T", end.value)
        answer = getattr(client, asked.method)(*asked.arguments, **asked.options)
        if asked.is_listing:
            answer = list(answer)


async def _arun(talk: Talk[T], client: AsyncNeuronz) -> T:
    answer: Any = None
    while True:
        try:
            asked = talk.send(answer)
        except StopIteration as end:
            return cast("T", end.value)
        answer = getattr(client, asked.method)(*asked.arguments, **asked.options)
        answer = [each async for each in answer] if asked.is_listing else await answer


__all__ = ["Item", "NeuronzStore", "StoreRefused"]
