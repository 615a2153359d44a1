"""Made from `_async.py` by `unasync.py`. Don't edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from neuronz_client import _wire
from neuronz_client import shapes as s
from neuronz_client._sync_http import Door
from neuronz_client._errors import UnexpectedAnswer
from neuronz_client._wire import UNSET, Unset

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers alone: httpx is all that is needed


class Neuronz(Door):
    """One agent at one server. Ids are strings, answers are the dictionaries of `shapes`.

    `retries` counts how often a request is sent again after no answer, a 429 or a 502 to 504, with growing pauses, or
    after as long as `Retry-After` says. Only reads are, and POSTs, which get an Idempotency-Key unless you give one.
    """

    # --- facts

    def add_fact(
        self,
        content: str,
        *,
        category: s.Category | Unset = UNSET,
        person: str | Unset | None = UNSET,
        confirmed: bool | Unset = UNSET,
        tier: s.Tier | Unset = UNSET,
        scope: s.Scope | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        metadata: dict[str, Any] | Unset = UNSET,
        about: s.AboutGiven | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> s.FactAdded:
        """Save one self-contained fact, as given. The similar ones are listed; say with `resolve` how they stand."""
        body = {
            "content": content, "category": category, "person": person, "confirmed": confirmed, "tier": tier,
            "scope": scope, "tags": tags, "metadata": metadata, "about": about,
        }  # fmt: skip
        return cast("s.FactAdded", self._post("facts/", body, idempotency_key))

    def resolve(
        self,
        fact: str,
        other: str,
        verdict: s.Verdict,
        *,
        tier: s.Tier | Unset = UNSET,
        why: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> s.Resolved:
        """Say how a newer fact stands to an older one (`other`)."""
        body = {"other": other, "verdict": verdict, "tier": tier, "why": why}
        return cast("s.Resolved", self._post(f"facts/{fact}/resolve/", body, idempotency_key))

    def fact(self, id_: str) -> s.Memory:
        """One memory, current or not."""
        return cast("s.Memory", self._get(f"memories/{id_}/"))

    def edit(
        self,
        id_: str,
        content: str | Unset = UNSET,
        *,
        confirmed: bool | Unset = UNSET,
        tier: s.Tier | Unset = UNSET,
        why: str | Unset = UNSET,
    ) -> s.Acted:
        """A new version of a fact, or its confirmation. Never repeated by itself."""
        body = {"content": content, "confirmed": confirmed, "tier": tier, "why": why}
        return cast("s.Acted", self._send(_wire.request("PATCH", f"facts/{id_}/", body=body)))

    def retire(self, id_: str, *, tier: s.Tier | Unset = UNSET, why: str | Unset = UNSET) -> s.Acted:
        """Take a fact out: reversible, its history is kept. Never repeated by itself."""
        body = {"tier": tier, "why": why}
        return cast("s.Acted", self._send(_wire.request("DELETE", f"facts/{id_}/", body=body)))

    def restore(self, id_: str, *, why: str | Unset = UNSET, idempotency_key: str | None = None) -> s.Acted:
        """Bring a retired fact back to the status it had."""
        return cast("s.Acted", self._post(f"facts/{id_}/restore/", {"why": why}, idempotency_key))

    def history(self, id_: str) -> list[s.History]:
        """Every move of every version, oldest first."""
        return cast("list[s.History]", (self._get(f"memories/{id_}/history/"))["results"])

    def similar(self, id_: str) -> list[s.Similar]:
        """Live facts close in meaning, and what differs."""
        return cast("list[s.Similar]", (self._get(f"memories/{id_}/similar/"))["results"])

    def evidence(self, id_: str) -> list[s.EvidenceRow]:
        """Every occurrence a memory rests on, oldest first."""
        return cast("list[s.EvidenceRow]", (self._get(f"memories/{id_}/evidence/"))["results"])

    def facts(self, *, page_size: int = 200, **filters: Unpack[s.ListFilters]) -> Iterator[s.Memory]:
        """All facts that the filters let through, newest first, page by page."""
        for each in self._pages("facts/", page_size, filters):
            yield cast("s.Memory", each)

    def memories(self, *, page_size: int = 200, **filters: Unpack[s.ListFilters]) -> Iterator[s.Memory]:
        """The same with raw texts."""
        for each in self._pages("memories/", page_size, filters):
            yield cast("s.Memory", each)

    # --- texts

    def remember(
        self,
        text: str,
        *,
        confirmed: bool | Unset = UNSET,
        tier: s.Tier | Unset = UNSET,
        scope: s.Scope | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        metadata: dict[str, Any] | Unset = UNSET,
        about: s.AboutGiven | Unset = UNSET,
        wait: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> s.Write:
        """Keep a text as it is and have its statements read, before the answer (`wait`) or in a worker."""
        body = {
            "text": text, "confirmed": confirmed, "tier": tier, "scope": scope, "tags": tags, "metadata": metadata,
            "about": about, "wait": wait,
        }  # fmt: skip
        return cast("s.Write", self._post("memories/", body, idempotency_key))

    def remember_batch(
        self, items: Sequence[s.TextToRemember], *, idempotency_key: str | None = None
    ) -> list[s.Write | s.BatchRefusal]:
        """Several texts, each on its own: a write, or the error this item alone would have got."""
        answer = self._post("memories/batch/", {"items": list(items)}, idempotency_key)
        return cast("list[s.Write | s.BatchRefusal]", answer["results"])

    def write(self, id_: str) -> s.Write:
        """A receipt."""
        return cast("s.Write", self._get(f"writes/{id_}/"))

    def writes(self, *, page_size: int = 200) -> Iterator[s.Write]:
        """Own receipts, newest first."""
        for each in self._pages("writes/", page_size, {}):
            yield cast("s.Write", each)

    def retry_write(self, id_: str, *, idempotency_key: str | None = None) -> s.Write:
        """Have a failed text read again; nothing is doubled."""
        return cast("s.Write", self._post(f"writes/{id_}/retry/", None, idempotency_key))

    def cancel_write(self, id_: str, *, idempotency_key: str | None = None) -> s.Write:
        """Give up a text that still waits; the text itself stays."""
        return cast("s.Write", self._post(f"writes/{id_}/cancel/", None, idempotency_key))

    def capture(
        self,
        session: str,
        messages: Sequence[s.MessageToCapture],
        *,
        tier: s.Tier | Unset = UNSET,
        scope: s.Scope | Unset = UNSET,
        wait: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Any:
        """Keep messages of a session, each once, and have them read for what is worth keeping."""
        body = {"session": session, "messages": list(messages), "tier": tier, "scope": scope, "wait": wait}
        return self._post("captures/", body, idempotency_key)

    # --- finding

    def search(
        self,
        q: str,
        *,
        limit: int | Unset = UNSET,
        raw: str | Unset = UNSET,
        explain: bool | Unset = UNSET,
        rerank: bool | Unset = UNSET,
        **filters: Unpack[s.Filters],
    ) -> list[s.Hit]:
        """By meaning and by words, best first. `raw`: include, only or none."""
        body = {"q": q, "limit": limit, "raw": raw, "explain": explain, "rerank": rerank, **filters}
        answer = self._send(_wire.request("POST", "search/", body=body, only_reads=True))
        return cast("list[s.Hit]", answer["results"])

    def recall(self, prompt: str, *, max_tokens: int | Unset = UNSET, session: str | Unset = UNSET) -> s.Recalled:
        """The block of memories that a prompt needs, within a budget of tokens.

        A session notes what it was given, so a lost answer is asked for again under an Idempotency-Key.
        """
        body = {"prompt": prompt, "max_tokens": max_tokens, "session": session}
        sent = _wire.request("POST", "recall/", body=body, only_reads=isinstance(session, Unset))
        return cast("s.Recalled", self._send(sent))

    def personas(self) -> list[s.Persona]:
        """Traits by person."""
        return cast("list[s.Persona]", (self._get("persona/"))["results"])

    def graph_search(self, q: str) -> s.Graph:
        """Entities and relations that answer a query."""
        return cast("s.Graph", self._get("graph/search/", {"q": q}))

    def entities(self, q: str | Unset = UNSET, *, type_: str | Unset = UNSET) -> s.Graph:
        """Entities by name and type."""
        return cast("s.Graph", self._get("graph/entities/", {"q": q, "type": type_}))

    def entity(self, id_: str, *, depth: int = 1) -> s.Graph:
        """What stands around an entity, up to three steps away."""
        return cast("s.Graph", self._get(f"graph/entities/{id_}/", {"depth": depth}))

    def graph_path(self, from_: str, to: str) -> s.Graph:
        """How two entities hang together."""
        return cast("s.Graph", self._get("graph/path/", {"from": from_, "to": to}))

    # --- conflicts and rules

    def conflicts(
        self, *, page_size: int = 200, **filters: Unpack[s.ConflictFilters]
    ) -> Iterator[s.ConflictPair]:
        """Pairs that disagree; open ones unless another state is named."""
        for each in self._pages("conflicts/", page_size, filters):
            yield cast("s.ConflictPair", each)

    def conflict(self, id_: str) -> s.ConflictPair:
        """One pair."""
        return cast("s.ConflictPair", self._get(f"conflicts/{id_}/"))

    def settle(
        self,
        conflict: str,
        answer: s.SettlingAnswer,
        *,
        correction: str | Unset = UNSET,
        until: str | Unset = UNSET,
        tier: s.Tier | Unset = UNSET,
        why: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> s.Settled:
        """Say which side of a pair is true."""
        body = {"answer": answer, "correction": correction, "until": until, "tier": tier, "why": why}
        return cast("s.Settled", self._post(f"conflicts/{conflict}/resolve/", body, idempotency_key))

    def rules(self, *, page_size: int = 200) -> Iterator[s.Rule]:
        """Approved rules and own proposals."""
        for each in self._pages("rules/", page_size, {}):
            yield cast("s.Rule", each)

    def propose_rule(self, text: str, *, why: str | Unset = UNSET, idempotency_key: str | None = None) -> s.Rule:
        """Propose a rule; only a person approves it."""
        return cast("s.Rule", self._post("rules/", {"text": text, "why": why}, idempotency_key))

    # --- who, and everything

    def whoami(self) -> s.Whoami:
        """Whose key this is, and what it may."""
        return cast("s.Whoami", self._get("whoami/"))

    def export(self) -> Iterator[dict[str, Any]]:
        """Everything this key may read, record by record. Raises where the stream was cut off."""
        has_ended = False
        with self._stream("export/") as response:
            for line in response.iter_lines():
                told = _wire.record(line)
                has_ended = told.get("record") == "end"
                yield told
        if not has_ended:
            raise UnexpectedAnswer("The export was cut off before its end.")
