"""Is an acknowledged write ever lost, or stored twice? Writes while parts of the platform are killed at random.

    python -m benchmarks.faults [--writes 2000] [--kills 30] [--seed 1] [--json FILE]

Starts a platform of its own in a throw-away folder (with all of PostgreSQL's durability on). Four clients write facts
and texts, each with an Idempotency-Key, and repeat whatever was not acknowledged until it is. Meanwhile web, worker,
Valkey and PostgreSQL get `kill -9` at random moments. At the end it is proven, in the database itself, that every
acknowledged write is there exactly once, that every reading finished, and that no write is there that nobody sent.
"""

import argparse
import json
import os
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg

from benchmarks.platform import Site, processes, start, stop, until

CLIENTS = 4
PARTS = ("web", "worker", "valkey", "postgres")
WORDS = {"web": "uvicorn neuronz.asgi", "worker": "celery -A neuronz worker"}
#: A client gives up, and the run fails, when one write is not acknowledged for so long.
PATIENCE_SECONDS = 300.0


@dataclass
class Run:
    site: Site
    folder: Path
    writes: int
    kills: int
    random: random.Random
    acknowledged: dict[int, str] = field(default_factory=dict)
    repeats: Counter[str] = field(default_factory=Counter)
    killed: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def sentence(self, number: int) -> str:
        return f"Buoy B-{number:05d} carries lamp L-{number * 7919 % 100_000:05d}."


def write_all(run: Run) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda first: write_some(run, range(first, run.writes, CLIENTS)), range(CLIENTS)))


def write_some(run: Run, numbers: range) -> None:
    headers = {"Authorization": f"Bearer {run.site.key}"}
    with httpx.Client(base_url=f"{run.site.url}/api/v1", headers=headers, timeout=90) as client:
        for number in numbers:
            acknowledge(run, client, number)


def acknowledge(run: Run, client: httpx.Client, number: int) -> None:
    """Send one write until somebody says that it is stored. A third each: fact, text read at once, text queued."""
    sentence = run.sentence(number)
    path, body = [
        ("/facts/", {"content": sentence}),
        ("/memories/", {"text": sentence, "wait": True}),
        ("/memories/", {"text": sentence, "wait": False}),
    ][number % 3]
    headers, end = {"Idempotency-Key": str(uuid4())}, time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            answer = client.post(path, json=body, headers=headers)
        except httpx.HTTPError as error:
            note_repeat(run, type(error).__name__)
        else:
            if answer.is_success:
                with run.lock:
                    run.acknowledged[number] = id_of(answer.json())
                return
            if answer.status_code not in (409, 429) and answer.status_code < 500:
                raise RuntimeError(f"Write {number} was refused: {answer.status_code} {answer.text}")
            note_repeat(run, str(answer.status_code))
        time.sleep(0.2)
    raise TimeoutError(f"Write {number} was not acknowledged for {PATIENCE_SECONDS:.0f} seconds.")


def id_of(answer: dict[str, Any]) -> str:
    return str(answer["fact"]["id"] if "fact" in answer else answer["raw"])


def note_repeat(run: Run, why: str) -> None:
    with run.lock:
        run.repeats[why] += 1


def kill_at_random(run: Run, is_over: threading.Event) -> None:
    """Each kill once so many writes are acknowledged, and a random moment later."""
    for threshold in sorted(run.random.sample(range(run.writes * 9 // 10), run.kills)):
        while len(run.acknowledged) < threshold and not is_over.is_set():
            time.sleep(0.05)
        time.sleep(run.random.uniform(0, 1.5))
        part = run.random.choice(PARTS)
        while not (found := pids(run, part)) and not is_over.is_set():
            time.sleep(0.1)  # it was killed a moment ago and is not back yet
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        run.killed[part] += 1


def pids(run: Run, part: str) -> list[int]:
    if part in WORDS:
        return processes(run.site, WORDS[part])
    file = run.folder / ("postgres/postmaster.pid" if part == "postgres" else "run/valkey.pid")
    with suppress(OSError, ValueError, IndexError):
        pid = int(file.read_text().split()[0])
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        return [pid] if name.startswith(part) else []
    return []


def proof(run: Run, database: str) -> dict[str, Any]:
    """What the database says, against what was acknowledged."""
    with psycopg.connect(database) as connection:
        stored = rows(connection, "kind <> 'Raw'")
        texts = rows(connection, "kind = 'Raw'")
        by_state = "SELECT state, count(*) FROM memories_write GROUP BY state"
        states: dict[str, int] = dict(connection.execute(by_state).fetchall())
        evidence = connection.execute(
            "SELECT count(*) FROM memories_write w LEFT JOIN memories_writestatement s ON s.write_id = w.id"
            " GROUP BY w.id HAVING count(s.id) <> 1"
        ).fetchall()
    numbers, said, kept = range(run.writes), Counter(stored.values()), Counter(texts.values())
    as_text = [number for number in numbers if number % 3]
    return {
        "acknowledged": len(run.acknowledged),
        "acknowledged and not there": [
            number for number, id_ in run.acknowledged.items() if id_ not in (texts if number % 3 else stored)
        ],
        "statements missing": sum(1 for number in numbers if said[run.sentence(number)] == 0),
        "statements twice": sum(1 for number in numbers if said[run.sentence(number)] > 1),
        "raw texts missing": sum(1 for number in as_text if kept[run.sentence(number)] == 0),
        "raw texts twice": sum(1 for number in as_text if kept[run.sentence(number)] > 1),
        "rows that nobody sent": len(set(stored.values()) - {run.sentence(number) for number in numbers}),
        "writes by state": states,
        "receipts without exactly one statement": len(evidence),
    }


def rows(connection: "psycopg.Connection[Any]", condition: str) -> dict[str, str]:
    query = f"SELECT id::text, content FROM memories_memory WHERE {condition}"  # noqa: S608  # our own words
    return dict(connection.execute(query.encode()).fetchall())


def is_kept(report: dict[str, Any], writes: int) -> bool:
    found = report["proof"]
    zero = ("statements missing", "statements twice", "raw texts missing", "raw texts twice", "rows that nobody sent",
            "receipts without exactly one statement")  # fmt: skip
    return (
        found["acknowledged"] == writes
        and not found["acknowledged and not there"]
        and not any(found[name] for name in zero)
        and set(found["writes by state"]) == {"done"}
    )


def measure(folder: Path, *, writes: int, kills: int, seed: int) -> dict[str, Any]:
    from neuronz import embedded  # reads the folder

    database = embedded.database_url(folder)
    site = start(folder)
    run = Run(site, folder, writes, kills, random.Random(seed))  # noqa: S311  # no secret hangs on it
    is_over, began = threading.Event(), time.monotonic()
    killer = threading.Thread(target=kill_at_random, args=[run, is_over])
    killer.start()
    try:
        write_all(run)
        is_over.set()
        killer.join()
        written = time.monotonic()
        until(lambda: httpx.get(f"{site.url}/readyz", timeout=10).status_code == 200)
        until(lambda: unfinished(database) == 0)
        finished = time.monotonic()
        return {
            "seconds writing": round(written - began, 1), "seconds until all was read": round(finished - written, 1),
            "kills": dict(run.killed), "repeats by cause": dict(run.repeats), "proof": proof(run, database),
        }  # fmt: skip
    finally:
        is_over.set()
        stop(site)


def unfinished(database: str) -> int:
    query = "SELECT count(*) FROM memories_write WHERE state IN ('received', 'reading')"
    try:
        with psycopg.connect(database) as connection:
            row = connection.execute(query).fetchone()
    except psycopg.OperationalError:
        return -1
    return int(row[0]) if row else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neuronz-faults-") as name:
        os.environ["NEURONZ_DATA_DIR"] = name
        report = measure(Path(name), writes=options.writes, kills=options.kills, seed=options.seed)
    report["nothing lost, nothing doubled"] = is_kept(report, options.writes)
    told = json.dumps(report, indent=2)
    print(told)
    if options.json:
        options.json.write_text(f"{told}\n")
    if not report["nothing lost, nothing doubled"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
