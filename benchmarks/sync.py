"""How long a folder takes to be read, and how little a second look costs. Everything in a throw-away data folder.

    python -m benchmarks.sync [--items 10000] [--embedder packaged|hashing:384]

Writes so many Markdown files of three statements each, syncs them, syncs them again unchanged, then with one file in a
hundred changed and one in a hundred removed; prints seconds, statements and the process's peak of memory after each.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

PLACES = ("cellar", "attic", "harbour", "workshop", "archive", "greenhouse", "gatehouse")
WARES = ("lamp oil", "rope", "spare fuses", "signal flags", "chart paper", "batteries", "paint")


def page(number: int, *, edition: int = 1) -> str:
    place, ware = PLACES[number % len(PLACES)], WARES[number // 7 % len(WARES)]
    return (
        f"# Station {number}\n\nStation {number} listens on port {10_000 + number + edition}. "
        f"The {ware} of station {number} is kept in the {place}.\n\n"
        f"- Station {number} was opened by keeper {number * 7 % 997} in the year {1800 + number % 200}.\n"
    )


def write(folder: Path, items: int) -> None:
    for number in range(items):
        place = folder / f"{number // 500:03}"
        place.mkdir(exist_ok=True)
        (place / f"station-{number:05}.md").write_text(page(number))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--items", type=int, default=10_000)
    asked.add_argument("--embedder", default="packaged")
    given = asked.parse_args()
    data_dir = Path(tempfile.mkdtemp(prefix="neuronz-sync-"))
    from neuronz import embedded
    from neuronz.embedded.attachment import Attachment

    attachment = Attachment(data_dir, [embedded.POSTGRES], throw_away=True)
    os.environ |= {
        "NEURONZ_DATA_DIR": str(data_dir), "DATABASE_URL": embedded.database_url(data_dir),
        "NEURONZ_EMBEDDER": given.embedder, "DJANGO_SETTINGS_MODULE": "neuronz.settings",
        "NEURONZ_LOG_LEVEL": "WARNING",
    }  # fmt: skip
    import django

    django.setup()
    measure(given.items)
    del attachment


def measure(items: int) -> None:
    from django.core.management import call_command

    from memories.services.products import create_product
    from sources import connections
    from sources.choices import SourceType

    call_command("migrate", verbosity=0)
    folder = Path(tempfile.mkdtemp(prefix="neuronz-stations-"))
    write(folder, items)
    source = connections.connect(
        product=create_product(slug="bench"), type_=SourceType.FOLDER, name="stations", entered={"path": str(folder)}
    )
    first = timed("first", source.pk)
    second = timed("unchanged", source.pk)
    print(f"unchanged / first: {second / first:.2%}")
    paths = sorted(folder.rglob("*.md"))
    for number, path in enumerate(paths):
        if number % 100 == 0:
            path.write_text(page(int(path.stem.rsplit("-")[-1]), edition=2))
        elif number % 100 == 1:
            path.unlink()
    timed("1% changed, 1% removed", source.pk)


def timed(name: str, source_id: object) -> float:
    from memories.choices import Trigger
    from sources.syncing import engine

    began = time.monotonic()
    run = engine.sync(source_id, trigger=Trigger.COMMAND)  # type: ignore[arg-type]  # a UUID
    seconds = time.monotonic() - began
    assert run is not None  # noqa: S101  # nobody else is at it
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name}: {seconds:,.1f} s, {run.state}, seen {run.seen:,}, new {run.new:,}, changed {run.changed:,}, "
        f"unchanged {run.unchanged:,}, removed {run.removed:,}, failed {run.failed:,}; "
        f"memories added {run.added:,}, superseded {run.superseded:,}, retired {run.retired:,}; peak {memory:,.0f} MiB",
        flush=True,
    )
    return seconds


if __name__ == "__main__":
    sys.exit(main())
