"""What cognition makes of conversations, how long it takes, and how that grows. In-process, in a throw-away folder.

    python -m benchmarks.cognition DATA [--only locomo] [--pools 1] [--samples 10] [--sizes 2500,5000,10000]

Each conversation is captured into a product of its own; then cognition runs twice: the second run must write nothing.
Prints the counts of each step, samples to be read by eye, precision of the sweep on the labelled pairs, and seconds
for so many made-up facts. DATA holds the labelled sets, one folder each; they are read and never kept.
"""

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.search.sets import SETS, Pool

PEOPLE = "Ana Ben Cleo Dora Emil Fay Gus Hana Ivo Jana Karl Lena Milo Nora Olaf Pia Rafe Sara Timo Uma".split()  # noqa: SIM905
THINGS = "crane pump lamp gate buoy ramp horn mast rope dock raft sluice bell winch tower shed ferry barge".split()  # noqa: SIM905
ACTS = ("repaired", "painted", "inspected", "ordered", "moved", "measured", "photographed", "rented", "sold", "insured")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("data", type=Path)
    asked.add_argument(
        "--only", default="locomo,beam_100k,longmemeval_evidence", help="some of the conversations; empty: none"
    )
    asked.add_argument("--pairs", type=int, default=1000, help="so many labelled pairs of each set")
    asked.add_argument("--pools", type=int, default=1, help="so many conversations of each set")
    asked.add_argument("--samples", type=int, default=10)
    asked.add_argument("--sizes", default="2500,5000,10000", help="made-up facts; empty: none")
    asked.add_argument("--embedder", default="packaged")
    asked.add_argument("--json", type=Path, help="also write the figures to this file")
    given = asked.parse_args()
    attachment = _database(given.embedder)
    report: dict[str, Any] = {"machine": machine()}
    if given.pairs:
        report["sweep on labelled pairs"] = labelled(given.data, given.pairs)
    for name in filter(None, given.only.split(",")):
        report[name] = [conversation(pool, given.samples) for pool in SETS[name](given.data)[: given.pools]]
    report["growth"] = [growth(int(size)) for size in filter(None, given.sizes.split(","))]
    told = json.dumps(report, indent=1, ensure_ascii=False)
    if given.json:
        given.json.write_text(f"{told}\n")
    print(told)
    del attachment


def _database(embedder: str) -> Any:
    folder = Path(tempfile.mkdtemp(prefix="neuronz-cognition-"))
    from neuronz import embedded
    from neuronz.embedded.attachment import Attachment

    attachment = Attachment(folder, [embedded.POSTGRES], throw_away=True)
    os.environ |= {
        "NEURONZ_DATA_DIR": str(folder), "DATABASE_URL": embedded.database_url(folder), "NEURONZ_EMBEDDER": embedder,
        "DJANGO_SETTINGS_MODULE": "neuronz.settings", "NEURONZ_LOG_LEVEL": "WARNING",
    }  # fmt: skip
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    return attachment


def conversation(pool: Pool, samples: int) -> dict[str, Any]:
    """One conversation, captured message by message, and what came of it."""
    from memories.models import Memory

    by, product = _agent(pool.name)
    began = time.monotonic()
    _capture(pool, by)
    told = {"pool": pool.name, "messages": len(pool.messages), "seconds to tell": round(time.monotonic() - began, 1)}
    told["memories"] = Memory.objects.filter(product=product).current().statements_only().count()
    return told | {"first": thought(product), "second": thought(product), "samples": drawn(product, samples)}


def _capture(pool: Pool, by: Any) -> None:
    from datetime import datetime

    from memories.services import captures
    from memories.services.captures import Message

    for session, messages in pool.sessions().items():
        for start in range(0, len(messages), 100):
            sent = [
                Message(
                    each.id, each.speaker if each.speaker in ("user", "assistant") else "user", each.text,
                    speaker=each.speaker, at=datetime.fromisoformat(each.at) if each.at else None,
                )
                for each in messages[start : start + 100]
            ]  # fmt: skip
            captures.capture(by=by, session=session, messages=sent, wait=True)


def thought(product: Any) -> dict[str, Any]:
    from memories.choices import Trigger
    from memories.cognition import runner

    rows = runner.run(product, trigger=Trigger.COMMAND) or ()
    return {
        row.step: f"{row.state}: read {row.read}, wrote {row.written}, proposed {row.proposed}, "
        f"skipped {row.skipped}; {row.seconds:.1f} s {row.error}".strip()
        for row in rows
    }


def drawn(product: Any, most: int) -> dict[str, list[Any]]:
    """What is to be read by eye, always the same ones."""
    from conflicts.models import Conflict
    from memories.choices import Origin, ProposalState
    from memories.models import CognitionRun, Memory, Proposal

    chance = random.Random(7)  # noqa: S311  # no secret
    made = Memory.objects.filter(product=product, origin=Origin.COGNITION).current().order_by("pk")
    kinds: dict[str, list[Any]] = {}
    for row in made:
        kinds.setdefault(f"{row.kind} ({made.filter(kind=row.kind).count()})", []).append(row.content)
    asked = Proposal.objects.filter(product=product, memory__isnull=False).select_related("memory", "other_memory")
    for state in (ProposalState.ACCEPTED, ProposalState.OPEN):
        rows = [(each.memory.content, each.other_memory.content, each.confidence) for each in asked.filter(state=state)]
        kinds[f"merges {state.value} ({len(rows)})"] = rows
    began = CognitionRun.objects.filter(product=product, step="sweep").earliest("id").started_at
    swept = Conflict.objects.filter(product=product, opened_at__gte=began).select_related("older", "newer")
    kinds[f"pairs ({swept.count()})"] = [(each.older.content, each.newer.content) for each in swept]
    return {name: chance.sample(rows, min(most, len(rows))) for name, rows in kinds.items()}


def labelled(data: Path, most: int) -> dict[str, str]:
    """Of the pairs that the sweep would suggest, how many are labelled as contradictions; and how many it finds."""
    from conflicts.cognition import FLOOR, is_disagreement
    from memories import embeddings
    from memories.reader import judging, reader

    figures = {}
    for name, pairs in _labelled_pairs(data):
        rows = list(pairs)
        random.Random(7).shuffle(rows)  # noqa: S311
        rows = rows[:most]
        vectors = [embeddings.current().embed([row[place] for row in rows]) for place in (0, 1)]
        hits = rights = wanted = 0
        for (older, newer, contradicts), one, other in zip(rows, *vectors, strict=True):
            cosine = float(one @ other)
            found = cosine >= FLOOR and is_disagreement(reader().compare(newer, older, similarity=judging(cosine)))
            hits, rights, wanted = hits + found, rights + (found and contradicts), wanted + contradicts
        figures[name] = f"{rights} of {hits} suggested are contradictions; {rights} of {wanted} found, in {len(rows)}"
    return figures


def _labelled_pairs(data: Path) -> Iterator[tuple[str, Iterator[tuple[str, str, bool]]]]:
    for folder in ("sick", "breaking_nli", "fever_symmetric"):
        path = data / folder / "pairs.jsonl"
        if path.exists():
            yield (
                folder,
                ((row["a"], row["b"], row["label"] == "contradiction") for row in map(json.loads, path.open())),
            )


def growth(size: int) -> dict[str, Any]:
    """Made-up facts, a twentieth of them in another wording: how long all steps take together."""
    by, product = _agent(f"size {size}")
    began = time.monotonic()
    _fill(size, by)
    filled = time.monotonic() - began
    began = time.monotonic()
    first = thought(product)
    took = time.monotonic() - began
    began = time.monotonic()
    second = thought(product)
    return {
        "facts": size, "seconds to fill": round(filled, 1), "first run, s": round(took, 1),
        "s per 10,000": round(took / size * 10_000, 1), "second run, s": round(time.monotonic() - began, 1),
        "steps": first, "again": second,
    }  # fmt: skip


def _fill(size: int, by: Any) -> None:
    from django.db import transaction

    from memories import embeddings
    from memories.choices import Category, Kind
    from memories.services import drafts, recording
    from memories.services.drafts import Label

    texts = list(dict.fromkeys(_facts(size)))
    for start in range(0, len(texts), 500):
        part = texts[start : start + 500]
        vectors = embeddings.current().embed(part)
        made = [
            drafts.draft(text, kind=Kind.FACT, category=Category.FACT, label=Label(), vector=vector)
            for text, vector in zip(part, vectors, strict=True)
        ]
        with transaction.atomic():
            recording.store([recording.Entry(each, recording.Passage(each.content)) for each in made], by=by)


def _facts(size: int) -> Iterator[str]:
    chance = random.Random(size)  # noqa: S311
    for number in range(size):
        who, what, act = chance.choice(PEOPLE), chance.choice(THINGS), chance.choice(ACTS)
        said = f"{who} Berg {act} the {what} {number % 997} of yard {number // 20} for {number} crowns."
        yield f"{said[:-1].replace('the ', '', 1)}!" if number % 20 == 19 else said
        if number % 20 == 19:
            yield said


def _agent(name: str) -> tuple[Any, Any]:
    from django.utils.text import slugify

    from memories.services import keys
    from memories.services.products import create_product

    product = create_product(slug=slugify(name)[:60])
    verified = keys.verify(keys.create_agent(product=product, name="bench")[1])
    assert verified is not None  # noqa: S101  # just made
    return verified.actor, product


if __name__ == "__main__":
    main()
