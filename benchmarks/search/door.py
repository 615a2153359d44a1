"""A running platform as an agent sees it: pools are filled and questions asked by REST alone."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.platform import ROOT, Site
from benchmarks.search.sets import ROLES, Message, Pool

#: Facts of one batch, messages of one capture.
BATCH = 100
PATIENCE_SECONDS = 3 * 60 * 60


@dataclass(frozen=True, slots=True)
class Door:
    """One agent in a product of its own."""

    client: httpx.Client

    def fill(self, pool: Pool) -> float:
        """Everything of a pool, read to the end; how many seconds that took."""
        began = time.monotonic()
        for session, messages in pool.sessions().items():
            for start in range(0, len(messages), BATCH):
                told = [_told(each) for each in messages[start : start + BATCH]]
                self._post("captures/", {"session": session, "messages": told, "wait": True})
        for id_, text in pool.facts.items():
            self._post("facts/", {"content": text, "metadata": {"id": id_}})
        while self._unfinished():
            if time.monotonic() - began > PATIENCE_SECONDS:
                raise TimeoutError(f"{pool.name} is not read to the end.")
            time.sleep(2)
        return time.monotonic() - began

    def found(self, question: str, *, limit: int) -> tuple[list[str], float]:
        """The messages or facts behind the hits, each once, in order; and the milliseconds until the answer."""
        began = time.perf_counter()
        answer = self.client.get("search/", params={"q": question, "limit": limit})
        took = (time.perf_counter() - began) * 1000
        answer.raise_for_status()
        memories = [hit["memory"] for hit in answer.json()["results"]]
        named = [(each["said"] or {}).get("message") or each["metadata"].get("id") or each["id"] for each in memories]
        return list(dict.fromkeys(named)), took

    def is_silent(self, prompt: str) -> bool:
        """Whether recall gives no memory for a prompt."""
        answer = self.client.post("recall/", json={"prompt": prompt})
        answer.raise_for_status()
        return not answer.json()["memories"]

    def _post(self, path: str, body: object) -> None:
        self.client.post(path, json=body).raise_for_status()

    def _unfinished(self) -> bool:
        answer = self.client.get("writes/", params={"limit": 200})
        answer.raise_for_status()
        return any(each["state"] in ("received", "reading") for each in answer.json()["results"])


def door(site: Site, folder: Path, product: str) -> Door:
    """A new product with one agent, made as staff would make them."""
    environment = {**os.environ, "NEURONZ_DATA_DIR": str(folder)}

    def run(*arguments: str) -> str:
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603  # our own command
        return done.stdout.strip()

    run("create_product", product)
    key = run("create_agent", "bench", "--product", product)
    headers = {"Authorization": f"Bearer {key}"}
    return Door(httpx.Client(base_url=f"{site.url}/api/v1/", headers=headers, timeout=PATIENCE_SECONDS))


def _told(message: Message) -> dict[str, object]:
    is_role = message.speaker in ROLES
    told: dict[str, object] = {
        "id": message.id,
        "role": message.speaker if is_role else "user",
        "content": message.text,
    }
    if not is_role:
        told["speaker"] = message.speaker
    if message.at:
        told["at"] = message.at
    return told
