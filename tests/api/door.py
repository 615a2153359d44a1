"""The REST door as an agent meets it: JSON in, JSON out. Every answer is held against api.md as it comes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.test import Client

from tests.api import contract

ROOT = "/api/v1/"


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    body: Any
    headers: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.body[name]

    @property
    def fields(self) -> set[str]:
        """The names of what a 400 complains about."""
        return set(self.body["error"]["fields"])


def _body_of(response: Any) -> Any:
    """A stream of JSON Lines is the list of what its lines say."""
    if response.streaming:
        return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    return json.loads(response.content)


class Door:
    """An agent with its key; without one, anybody. Whatever the server doesn't foresee is raised here."""

    def __init__(self, key: str | None) -> None:
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.client = Client()

    def get(self, path: str, **query: Any) -> Answer:
        """`query` may hold lists: one parameter several times."""
        return self.send("GET", f"{path}?{urlencode(query, doseq=True, errors='surrogatepass')}" if query else path)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None) -> Answer:
        return self.send("PATCH", path, body)

    def delete(self, path: str, body: Any = None) -> Answer:
        return self.send("DELETE", path, body)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """A body of bytes goes as it is; anything else becomes JSON. `Idempotency_Key=…` is a header."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        response = self.client.generic(
            method, ROOT + path, sent, content_type="application/json", headers=self.headers | named
        )
        answer = Answer(response.status_code, _body_of(response), dict(response.headers))
        breaches = contract.breaches(method, urlsplit(path).path, answer.code, answer.body)
        assert not breaches, f"{method} {path} → {answer.code}: {breaches[:5]}"
        return answer

    # --- what stories say in one word; each expects it to work

    def save(self, content: str, **more: Any) -> Any:
        """Save one fact, confirmed and of category fact unless said otherwise (cases.md); the answer's body."""
        answer = self.post("facts/", {"content": content, "category": "fact", "confirmed": True, **more})
        assert answer.code in (200, 201), answer
        return answer.body

    def fact(self, content: str, **more: Any) -> str:
        """Save one fact and return its id."""
        return str(self.save(content, **more)["fact"]["id"])

    def write(self, text: str, **more: Any) -> Any:
        """Submit a text and return its receipt, read."""
        answer = self.post("memories/", {"text": text, "wait": True, **more})
        assert answer.code == 201, answer
        return answer.body

    def memory(self, id_: str) -> Any:
        answer = self.get(f"memories/{id_}/")
        assert answer.code == 200, answer
        return answer.body

    def status(self, id_: str) -> str:
        return str(self.memory(id_)["status"])

    def history(self, id_: str) -> list[Any]:
        return list(self.get(f"memories/{id_}/history/")["results"])

    def verdict(self, newer: str, verdict: str, older: str, **more: Any) -> Any:
        answer = self.post(f"facts/{newer}/resolve/", {"other": older, "verdict": verdict, **more})
        assert answer.code == 200, answer
        return answer.body

    def settle(self, pair: str, answer: str, **more: Any) -> Any:
        settled = self.post(f"conflicts/{pair}/resolve/", {"answer": answer, **more})
        assert settled.code == 200, settled
        return settled.body

    def listed(self, path: str = "facts/", **filters: Any) -> list[str]:
        """The contents of a list's first page."""
        return [memory["content"] for memory in self.page(path, **filters)]

    def page(self, path: str = "facts/", **filters: Any) -> list[Any]:
        answer = self.get(path, **filters)
        assert answer.code == 200, answer
        return list(answer["results"])

    def found(self, q: str, **more: Any) -> list[str]:
        """The contents that a search finds, best first."""
        answer = self.get("search/", q=q, **more)
        assert answer.code == 200, answer
        return [hit["memory"]["content"] for hit in answer["results"]]

    def pairs(self, **filters: Any) -> list[Any]:
        return self.page("conflicts/", **filters)

    def follow(self, link: str) -> Answer:
        """Go where `next` or `previous` leads."""
        parts = urlsplit(link)
        assert parts.path.startswith(ROOT), link
        query: dict[str, list[str]] = {}
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            query.setdefault(name, []).append(value)
        return self.get(parts.path.removeprefix(ROOT), **query)
