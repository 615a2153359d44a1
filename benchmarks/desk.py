"""How long do people wait for the desk? The admin's lists and pages over a pool of 100,000 memories.

    python -m benchmarks.desk [--memories 100000] [--times 20] [--json FILE] [--folder DIR]

The pages are asked through Django's own test client, in this process: the time is that of the middleware, the view, the
database and the template, without network and browser. Texts and vectors are invented (benchmarks/scale/filling.py);
the query of a search is embedded by the packaged model.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.scale.stack import database

TARGET_MS = 300


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.desk", description=__doc__)
    options.add_argument("--memories", type=int, default=100_000)
    options.add_argument("--times", type=int, default=20, help="each page is asked so often")
    options.add_argument("--json", type=Path, help="also write the figures to this file")
    options.add_argument("--folder", type=Path, help="keep the database in this folder")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="neuronz-desk-") as folder, database(chosen.folder or Path(folder)):
        before = os.getloadavg()[0]
        pages = measured(chosen.memories, chosen.times)
        report = {
            "memories": chosen.memories, "each asked": chosen.times, "target median ms": TARGET_MS, "pages": pages,
            "load before and after": [round(before, 1), round(os.getloadavg()[0], 1)], "machine": machine(),
        }  # fmt: skip
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


def measured(count: int, times: int) -> dict[str, Any]:
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from benchmarks.scale import filling
    from memories.models import Memory
    from memories.services import embedding_upkeep, word_upkeep

    pool = filling.make("desk", count, 5)
    if Memory.objects.filter(product=pool.product).count() < count:
        filling.fill(pool)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    word_upkeep.recount()
    list(embedding_upkeep.build_wanted_indexes())
    root = get_user_model().objects.filter(username="root").first() or get_user_model().objects.create_superuser("root")
    client = Client(headers={"host": "localhost"})
    client.force_login(root)
    found = {}
    for name, address in addresses(pool.product.pk).items():
        client.get(address)  # warm
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        found[name] = {**timed(client, address, times), "queries": len(asked)}
    return found


def addresses(product: Any) -> dict[str, str]:
    from memories.models import Memory

    newest = Memory.objects.filter(product=product).order_by("-pk").values_list("pk", flat=True)[0]
    facts = "/admin/memories/memory/"
    return {
        "front page": "/admin/", "facts": facts, "facts, page 40": f"{facts}?p=40",
        "facts, all statuses": f"{facts}?status=verified&status=retired&status=superseded",
        "facts of a tier and kind": f"{facts}?tier=official&kind=Fact", "facts in no pair": f"{facts}?pair=none",
        "facts unconfirmed for 90 days": f"{facts}?stale=90", "search: a rare word": f"{facts}?q=P-4711",
        "search: frequent words": f"{facts}?q=harbor+pump", "search: a question": f"{facts}?q=what+broke+on+Friday",
        "search: words alone": f"{facts}?q=harbor+pump&how=words", "one fact": f"{facts}{newest}/change/",
        "audit log": "/admin/memories/memoryevent/", "conflicts": "/admin/conflicts/conflict/",
    }  # fmt: skip


def timed(client: Any, address: str, times: int) -> dict[str, int]:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        answer = client.get(address)
        took.append((time.perf_counter() - began) * 1000)
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answered {answer.status_code}.")
    took.sort()
    return {"median ms": round(took[len(took) // 2]), "p95 ms": round(took[int(len(took) * 0.95)])}


if __name__ == "__main__":
    main()
