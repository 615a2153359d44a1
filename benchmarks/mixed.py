"""Do many callers at once meet deadlocks, errors or lies? A random mix of everything, with a latency table.

    python -m benchmarks.mixed [--minutes 10] [--clients 16] [--seed 1] [--json FILE]

Starts a platform of its own in a throw-away folder. Sixteen clients, as four agents of two products, save facts, write
texts, search, recall, edit, retire, resolve and settle, often the same few facts at once; beside them a folder of files
that keeps changing is synced again and again, and the tasks of the clock run. At the end: latencies by call, every
answer that was neither a success nor a documented refusal, deadlocks in PostgreSQL's own count, and whether the
database still holds what must always hold.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg

from benchmarks.platform import ROOT, Site, start, stop

#: Facts about so few things that callers meet each other all the time.
THINGS = 40
#: Documented answers that are no success: someone was faster, a state forbids it, it is not there (any more).
REFUSALS = {404, 409}

#: What must hold in the database whatever happened; each query counts offences.
INVARIANTS = {
    "live twins in one pool": "SELECT count(*) FROM (SELECT 1 FROM memories_memory WHERE kind <> 'Raw' AND status IN"
    " ('unverified', 'verified', 'disputed', 'conflicting') GROUP BY product_id, owner_id, key, about_from, about_until"
    " HAVING count(*) > 1) AS twins",
    "superseded without a successor": "SELECT count(*) FROM memories_memory WHERE (status = 'superseded') <>"
    " (replaced_by_id IS NOT NULL) AND erased_at IS NULL",
    "disputed without an unsettled pair": "SELECT count(*) FROM memories_memory m WHERE status = 'disputed' AND NOT"
    " EXISTS (SELECT 1 FROM conflicts_conflict c WHERE c.state <> 'settled' AND m.id IN (c.older_id, c.newer_id))",
    "two unsettled pairs of the same two": "SELECT count(*) FROM (SELECT 1 FROM conflicts_conflict WHERE state <>"
    " 'settled' GROUP BY least(older_id, newer_id), greatest(older_id, newer_id) HAVING count(*) > 1) AS pairs",
    "pairs across products": "SELECT count(*) FROM conflicts_conflict c JOIN memories_memory a ON a.id = c.older_id"
    " JOIN memories_memory b ON b.id = c.newer_id WHERE a.product_id <> b.product_id",
}


class Load:
    def __init__(self, site: Site, keys: list[str], seed: int) -> None:
        self.site, self.keys, self.seed = site, keys, seed
        self.latencies: dict[str, list[float]] = defaultdict(list)
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.lock = threading.Lock()
        self.is_over = threading.Event()

    def run_client(self, number: int) -> None:
        chance = random.Random(self.seed * 1_000 + number)  # noqa: S311  # no secret hangs on it
        headers = {"Authorization": f"Bearer {self.keys[number % len(self.keys)]}"}
        with httpx.Client(base_url=f"{self.site.url}/api/v1", headers=headers, timeout=120) as client:
            act = Acts(self, client, chance)
            while not self.is_over.is_set():
                chance.choices(list(act.all), list(act.all.values()))[0]()

    def call(self, client: httpx.Client, name: str, method: str, path: str, body: Any = None) -> Any:
        """One call, measured; the body of its answer where it succeeded."""
        began = time.perf_counter()
        try:
            answer = client.request(method, path, json=body)
        except httpx.HTTPError as error:
            with self.lock:
                self.wrong.append(f"{name}: {type(error).__name__}")
            return None
        with self.lock:
            self.latencies[name].append((time.perf_counter() - began) * 1000)
            self.answers[f"{name} {answer.status_code}"] += 1
            if not answer.is_success and answer.status_code not in REFUSALS:
                self.wrong.append(f"{name}: {answer.status_code} {answer.text[:200]}")
            if answer.status_code == 409 and "message" not in answer.json().get("error", {}):
                self.wrong.append(f"{name}: a 409 without a sentence")
        return answer.json() if answer.is_success else None


class Acts:
    """What one client does; how often stands in `all`."""

    def __init__(self, load: Load, client: httpx.Client, chance: random.Random) -> None:
        self.load, self.client, self.chance = load, client, chance
        self.all: dict[Callable[[], None], int] = {
            self.save: 25, self.write: 10, self.search: 25, self.recall: 8, self.edit: 7, self.retire: 4,
            self.resolve: 10, self.settle: 6, self.look: 5,
        }  # fmt: skip

    def call(self, name: str, method: str, path: str, body: Any = None) -> Any:
        return self.load.call(self.client, name, method, path, body)

    def sentence(self) -> str:
        thing, port = self.chance.randrange(THINGS), self.chance.randrange(8000, 8010)
        return f"The gateway of pier {thing} listens on port {port}."

    def some_fact(self) -> dict[str, Any] | None:
        found = self.call("list", "GET", f"/facts/?limit=20&tag=t{self.chance.randrange(4)}")
        return self.chance.choice(found["results"]) if found and found["results"] else None

    def save(self) -> None:
        scope = "private" if self.chance.random() < 0.1 else "shared"
        body = {"content": self.sentence(), "tags": [f"t{self.chance.randrange(4)}"], "scope": scope}
        self.call("save a fact", "POST", "/facts/", body | {"confirmed": self.chance.random() < 0.3})

    def write(self) -> None:
        text = " ".join(self.sentence() for _ in range(self.chance.randrange(1, 6)))
        self.call("write a text", "POST", "/memories/", {"text": text, "wait": self.chance.random() < 0.5})

    def search(self) -> None:
        self.call("search", "POST", "/search/", {"q": f"port of the gateway of pier {self.chance.randrange(THINGS)}"})

    def recall(self) -> None:
        prompt = f"On which port does the gateway of pier {self.chance.randrange(THINGS)} listen?"
        self.call("recall", "POST", "/recall/", {"prompt": prompt})

    def edit(self) -> None:
        if fact := self.some_fact():
            self.call("edit", "PATCH", f"/facts/{fact['id']}/", {"content": self.sentence()})

    def retire(self) -> None:
        if fact := self.some_fact():
            self.call("retire", "DELETE", f"/facts/{fact['id']}/")
            if self.chance.random() < 0.5:
                self.call("restore", "POST", f"/facts/{fact['id']}/restore/")

    def resolve(self) -> None:
        first, second = self.some_fact(), self.some_fact()
        if first and second and first["id"] != second["id"] and first["scope"] == second["scope"]:
            verdict = self.chance.choice(["duplicate", "replaces", "contradicts", "contradicts"])
            body = {"other": second["id"], "verdict": verdict}
            self.call("resolve", "POST", f"/facts/{first['id']}/resolve/", body)

    def settle(self) -> None:
        found = self.call("list pairs", "GET", "/conflicts/?limit=10")
        if found and found["results"]:
            pair = self.chance.choice(found["results"])
            answer = self.chance.choice(["older", "newer", "neither", "correction", "not_now"])
            body = {"answer": answer} | ({"correction": self.sentence()} if answer == "correction" else {})
            self.call("settle", "POST", f"/conflicts/{pair['id']}/resolve/", body)

    def look(self) -> None:
        if fact := self.some_fact():
            part = self.chance.choice(["history", "similar", "evidence"])
            self.call(part, "GET", f"/facts/{fact['id']}/{part}/")


def sync_again_and_again(load: Load, folder: Path, environment: dict[str, str]) -> None:
    """A folder whose files change, read by `manage.py sync` beside everything else; and the clock's tasks, by hand."""
    chance = random.Random(load.seed)  # noqa: S311  # as above
    while not load.is_over.is_set():
        for number in range(10):
            lines = [f"The gateway of pier {number} listens on port {chance.randrange(8000, 8010)}." for _ in range(5)]
            (folder / f"pier-{number}.md").write_text("\n\n".join(lines))
        for command in (["sync", "--product", "p0", "--folder", str(folder), "--name", "piers"], *upkeep()):
            began = time.perf_counter()
            done = subprocess.run(  # noqa: S603  # our own command
                [sys.executable, str(ROOT / "manage.py"), *command], check=False, capture_output=True, text=True,
                cwd=ROOT, env=environment,
            )  # fmt: skip
            with load.lock:
                load.latencies[f"manage.py {command[0]}"].append((time.perf_counter() - began) * 1000)
                if done.returncode:
                    load.wrong.append(f"manage.py {command[0]}: {done.stderr[-300:]}")
            if load.is_over.wait(2):
                return


def upkeep() -> list[list[str]]:
    """Cognition over every product, where this version has a command for it."""
    return [["cognition", "--product", "p0"]] if any(ROOT.glob("*/management/commands/cognition.py")) else []


def table(latencies: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    told: dict[str, dict[str, float]] = {}
    for name, values in sorted(latencies.items()):
        ordered = sorted(values)
        at = {part: ordered[min(len(ordered) - 1, int(len(ordered) * part / 100))] for part in (50, 95, 99)}
        told[name] = {"calls": len(ordered), **{f"p{part} ms": round(value) for part, value in at.items()},
                      "most ms": round(ordered[-1])}  # fmt: skip
    return told


def measure(folder: Path, *, minutes: float, clients: int, seed: int) -> dict[str, Any]:
    from neuronz import embedded  # reads the folder

    site = start(folder)
    environment = {**os.environ, "NEURONZ_DATA_DIR": str(folder)}
    try:
        load = Load(site, agents(environment), seed)
        piers = folder.parent / f"{folder.name}-piers"
        piers.mkdir()
        threads = [threading.Thread(target=load.run_client, args=[number]) for number in range(clients)]
        threads.append(threading.Thread(target=sync_again_and_again, args=[load, piers, environment]))
        for thread in threads:
            thread.start()
        time.sleep(minutes * 60)
        load.is_over.set()
        for thread in threads:
            thread.join()
        wait_until_read(embedded.database_url(folder))
        return report(load, embedded.database_url(folder), minutes)
    finally:
        stop(site)


def agents(environment: dict[str, str]) -> list[str]:
    """The keys of two agents in each of two products."""
    found = []
    for product in ("p0", "p1"):
        for command in (["create_product", product], *(["create_agent", each, "--product", product] for each in "ab")):
            done = subprocess.run(  # noqa: S603  # our own command
                [sys.executable, str(ROOT / "manage.py"), *command], check=True, capture_output=True, text=True,
                cwd=ROOT, env=environment,
            )  # fmt: skip
            found += [line for line in done.stdout.splitlines() if line.startswith("nz_")]
    return found


def wait_until_read(database: str) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        with suppress(psycopg.OperationalError), psycopg.connect(database) as connection:
            left = connection.execute("SELECT count(*) FROM memories_write WHERE state IN ('received', 'reading')")
            if left.fetchone() == (0,):
                return
        time.sleep(1)


def report(load: Load, database: str, minutes: float) -> dict[str, Any]:
    with psycopg.connect(database) as connection:
        offences = {name: connection.execute(query.encode()).fetchone()[0] for name, query in INVARIANTS.items()}  # type: ignore[index]  # counts
        deadlocks = connection.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        by_state = "SELECT state, count(*) FROM memories_write GROUP BY state"
        states: dict[str, int] = dict(connection.execute(by_state).fetchall())
        counted = connection.execute("SELECT status, count(*) FROM memories_memory GROUP BY status").fetchall()
        return {
            "minutes": minutes, "calls": sum(map(len, load.latencies.values())), "latencies": table(load.latencies),
            "answers": dict(sorted(load.answers.items())), "wrong answers": dict(Counter(load.wrong).most_common(20)),
            "deadlocks": deadlocks.fetchone()[0], "offences": offences, "writes by state": states,  # type: ignore[index]  # one row
            "memories by status": dict(counted),
        }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neuronz-mixed-") as outer:
        os.environ["NEURONZ_DATA_DIR"] = f"{outer}/data"
        (Path(outer) / "data").mkdir()
        told = measure(Path(outer) / "data", minutes=options.minutes, clients=options.clients, seed=options.seed)
    text = json.dumps(told, indent=2)
    print(text)
    if options.json:
        options.json.write_text(f"{text}\n")
    if told["wrong answers"] or told["deadlocks"] or any(told["offences"].values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
