"""Does the platform keep its promises under stress? Starts its own in a throw-away folder, and ends by itself.

    python -m benchmarks.platform

Measures the time to the first answer (cold and warm), 20 clients writing at once, and a worker that is killed in the
middle of reading 200 documents. Everything stays on this machine's loopback address.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg

ROOT = Path(__file__).resolve().parent.parent
CLIENTS, WRITES_EACH = 20, 25
DOCUMENTS, SENTENCES = 200, 20
PATIENCE_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Site:
    """A running platform, its address, and the demo agent's key."""

    process: "subprocess.Popen[str]"
    url: str
    key: str
    seconds_to_healthz: float
    seconds_to_answer: float
    seconds_to_ready: float

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"{self.url}/api/v1", headers={"Authorization": f"Bearer {self.key}"}, timeout=120)


def start(folder: Path, key: str = "") -> Site:
    """Start it as a person would, and wait until every part is ready."""
    port = free_port()
    began = time.monotonic()
    process = subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, str(ROOT / "manage.py"), "up"], cwd=ROOT, text=True,
        env={**os.environ, "NEURONZ_DATA_DIR": str(folder), "NEURONZ_PORT": str(port), "NEURONZ_RATE": "1000000"},
        stdout=(folder / "banner").open("w"), stderr=subprocess.STDOUT,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    healthy = until(lambda: httpx.get(f"{url}/healthz").status_code == 200) - began
    until(lambda: "Try it" in (folder / "banner").read_text())
    found = re.search(r"nz_[0-9a-f]{12}_[\w-]{43}", (folder / "banner").read_text())
    key = found[0] if found else key
    headers = {"Authorization": f"Bearer {key}"}
    answered = until(lambda: httpx.get(f"{url}/api/v1/facts/", headers=headers, timeout=60).status_code == 200) - began
    ready = until(lambda: httpx.get(f"{url}/readyz", timeout=10).status_code == 200) - began
    return Site(process, url, key, healthy, answered, ready)


def stop(site: Site) -> float:
    began = time.monotonic()
    site.process.send_signal(signal.SIGINT)
    site.process.wait(timeout=60)
    return time.monotonic() - began


def until(holds: Any) -> float:
    """Wait until it holds, and say when."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with suppress(httpx.HTTPError, OSError):
            if holds():
                return time.monotonic()
        time.sleep(0.05)
    raise TimeoutError("It took longer than anybody would wait.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_in_parallel(site: Site, database: str) -> dict[str, Any]:
    """Twenty clients, each saving its own facts one after another."""

    def one(number: int) -> Counter[int]:
        with site.client() as client:
            facts = [f"Client {number} noted that pump {number}-{place} runs at night." for place in range(WRITES_EACH)]
            return Counter(client.post("/facts/", json={"content": fact}).status_code for fact in facts)

    began = time.monotonic()
    with ThreadPoolExecutor(CLIENTS) as pool:
        counts = sum(pool.map(one, range(CLIENTS)), Counter())
    seconds = time.monotonic() - began
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT count(*) FROM memories_memory WHERE content LIKE 'Client %'").fetchone()
        open_ = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = 'neuronz'").fetchone()
    return {"answers": dict(counts), "rows": rows, "facts a second": round(CLIENTS * WRITES_EACH / seconds, 1),
            "connections open": open_}  # fmt: skip


def kill_the_worker(site: Site, database: str) -> dict[str, Any]:
    """Queue 200 documents, kill -9 the worker once it has begun, and wait until everything is read."""
    with site.client() as client:
        ids = [
            client.post("/memories/", json={"text": document(each), "wait": False}).json()["id"]
            for each in range(DOCUMENTS)
        ]
        until(lambda: count(database, "state = 'done'") >= DOCUMENTS // 10)
        for worker in processes(site, "celery -A neuronz worker"):
            os.kill(worker, signal.SIGKILL)
        killed = time.monotonic()
        at_kill = count(database, "state = 'done'")
        until(lambda: count(database, "state = 'done'") == DOCUMENTS)
        seconds = time.monotonic() - killed
        writes = [client.get(f"/writes/{id_}/").json() for id_ in ids]
    statements = Counter(len(write["statements"]) for write in writes)
    with psycopg.connect(database) as connection:
        twins = connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM memories_memory WHERE kind <> 'Raw' AND content LIKE 'Document %'"
            " GROUP BY content HAVING count(*) > 1) AS twins"
        ).fetchone()
    return {"done when killed": at_kill, "seconds from the kill to the last": round(seconds, 1),
            "raw records": count(database, "TRUE"), "statements a document": dict(statements),
            "doubled statements": twins}  # fmt: skip


def document(number: int) -> str:
    lines = [
        f"Document {number} says in line {line} that valve {number}-{line} is closed." for line in range(SENTENCES)
    ]
    return f"# Report {number}\n\n" + "\n\n".join(lines)


def count(database: str, condition: str) -> int:
    with psycopg.connect(database) as connection:
        row = connection.execute(
            "SELECT count(*) FROM memories_write JOIN memories_memory m ON m.id = memories_write.raw_id"  # noqa: S608  # our own words
            f" WHERE m.content LIKE '# Report %' AND {condition}"
        ).fetchone()
    return int(row[0]) if row else 0


def processes(site: Site, words: str) -> list[int]:
    """The supervisor's children whose command line holds these words."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            parent = int(re.search(r"PPid:\s+(\d+)", (folder / "status").read_text())[1])  # type: ignore[index]  # always there
            if words in command and parent == site.process.pid:
                found.append(int(folder.name))
    return found


def memory_of_processes(site: Site) -> dict[str, int]:
    """Megabytes resident, by process."""
    names = {"web": "uvicorn", "worker": "celery -A neuronz worker", "beat": "celery -A neuronz beat"}
    ids = {name: processes(site, words) for name, words in names.items()} | {"supervisor": [site.process.pid]}
    sizes = {}
    for name, found in ids.items():
        status = (Path("/proc") / str(found[0]) / "status").read_text()
        sizes[name] = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024  # type: ignore[index]  # always there
    return sizes


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="neuronz-bench-") as name:
        folder = Path(name)
        os.environ["NEURONZ_DATA_DIR"] = name
        from neuronz import embedded  # reads the folder

        database = embedded.database_url(folder)
        cold = start(folder)
        report: dict[str, Any] = {"cold": seconds_of(cold), "20 clients": write_in_parallel(cold, database)}
        report["killed worker"] = kill_the_worker(cold, database)
        report["megabytes"] = memory_of_processes(cold)
        report["seconds to stop"] = round(stop(cold), 1)
        warm = start(folder, cold.key)
        report["warm"] = seconds_of(warm)
        stop(warm)
    print(json.dumps(report, indent=2))  # the result


def seconds_of(site: Site) -> dict[str, float]:
    return {
        "to /healthz": round(site.seconds_to_healthz, 1),
        "to the first answer": round(site.seconds_to_answer, 1),
        "to /readyz": round(site.seconds_to_ready, 1),
    }


if __name__ == "__main__":
    main()
