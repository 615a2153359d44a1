"""How long does a prompt wait for its recall? POST recall/ through the real REST API over a pool of 100,000 memories.

    python -m benchmarks.recall [--memories 100000] [--calls 100] [--json FILE] [--folder DIR]

Starts a platform of its own in a throw-away folder (or in one that is kept, and used again), fills the product of its
demo agent around the services, and asks one prompt after the other. What is invented: all texts, and the vectors of
all memories but 1,000, which lie beside the real one of a like sentence. Real: the server, the database, its indexes,
the packaged embedder that reads each prompt. The time is what the client waits for, the network of this machine in it.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks import platform
from benchmarks.platform import Site
from benchmarks.recalling import texts

WARM_UP = 5
KEY = "bench.key"
TARGET_MS = 150


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    options.add_argument("--memories", type=int, default=100_000)
    options.add_argument("--calls", type=int, default=100, help="of each sort of prompt")
    options.add_argument("--json", type=Path, help="also write the figures to this file")
    options.add_argument("--folder", type=Path, help="keep the platform's data in this folder")
    chosen = options.parse_args()
    with ExitStack() as held:
        folder = chosen.folder or Path(held.enter_context(tempfile.TemporaryDirectory(prefix="neuronz-recall-")))
        folder.mkdir(parents=True, exist_ok=True)
        report = measured(folder, chosen.memories, chosen.calls)
    text = json.dumps(report, indent=1)
    if chosen.json:
        chosen.json.write_text(f"{text}\n")
    print(text)  # the result


def measured(folder: Path, count: int, calls: int) -> dict[str, Any]:
    kept = folder / KEY
    site = platform.start(folder, kept.read_text() if kept.exists() else "")
    kept.write_text(site.key)
    try:
        filling = prepared(folder, site, count)
        before = os.getloadavg()[0]
        asked = {sort: asked_of(site, prompts) for sort, prompts in texts.prompts(calls).items()}
    finally:
        platform.stop(site)
    return {
        "memories": count, "calls of each sort": calls, "target p95 ms": TARGET_MS, **filling, "recall": asked,
        "cores": os.cpu_count(), "load before and after": [round(before, 1), round(os.getloadavg()[0], 1)],
    }  # fmt: skip


def prepared(folder: Path, site: Site, count: int) -> dict[str, Any]:
    """Fill the demo agent's product, unless that was done before, and build what its size calls for."""
    os.environ["NEURONZ_DATA_DIR"] = str(folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    import django

    django.setup()
    from django.db import connection

    from benchmarks.recalling import filling
    from memories.models import Memory
    from memories.services import embedding_upkeep, word_upkeep

    with site.client() as client:
        who = client.get("/whoami/").json()
    product, agent = UUID(who["product"]["id"]), UUID(who["agent"]["id"])
    began = time.monotonic()
    there = Memory.objects.filter(product_id=product).count()
    if there <= count:  # the traits come last
        filling.fill(product, agent, count, there=there)
    loaded = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    word_upkeep.recount()
    built = list(embedding_upkeep.build_wanted_indexes())
    connection.close()
    time.sleep(65)  # the server believes what it counted of the pool for a minute, and its plan for half of one
    seconds = {"load": round(loaded - began), "count and index": round(time.monotonic() - loaded - 65)}
    return {"seconds to prepare": seconds, "vector indexes built now": len(built)}


def asked_of(site: Site, prompts: Sequence[str]) -> dict[str, Any]:
    """Each prompt once, in a session of its own; the first ones are asked before, so that nothing is loaded still."""
    took, spoke, tokens = [], 0, 0
    with site.client() as client:
        for prompt in prompts[:WARM_UP]:
            client.post("/recall/", json={"prompt": f"{prompt} "}).raise_for_status()
        for number, prompt in enumerate(prompts):
            began = time.perf_counter()
            answer = client.post("/recall/", json={"prompt": prompt, "session": f"{os.getpid()}-{number}"})
            took.append((time.perf_counter() - began) * 1000)
            body = answer.raise_for_status().json()
            spoke, tokens = spoke + bool(body["text"]), max(tokens, body["tokens"])
    took.sort()
    return {
        "p50 ms": round(took[len(took) // 2]), "p95 ms": round(took[int(len(took) * 0.95)]), "max ms": round(took[-1]),
        "answered with a text": spoke, "most tokens": tokens,
    }  # fmt: skip


if __name__ == "__main__":
    main()
