"""Is everything found in every pool, and what does size cost? One database with many products, vectors synthetic.

    python -m benchmarks.scale [--json FILE] [--folder DIR] [--pools 100,1500,12000,50000,300000] [--products 300]

In a folder that is kept, pools that are there are used again. With --growth it also loads one pool of a million.
"""

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.scale.stack import database

POOLS = "100,1500,12000,50000,300000"
MILLION = 1_000_000


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    options.add_argument("--json", type=Path, help="also write the figures to this file")
    options.add_argument("--folder", type=Path, help="keep the database in this folder")
    options.add_argument("--pools", default=POOLS, help="sizes")
    options.add_argument("--products", type=int, default=300, help="so many together, small ones")
    options.add_argument("--growth", action="store_true", help="also a pool of a million")
    chosen = options.parse_args()
    sizes = [int(size) for size in chosen.pools.split(",")] + [MILLION] * chosen.growth
    throw_away = tempfile.TemporaryDirectory(prefix="neuronz-scale-")
    with throw_away as folder, database(chosen.folder or Path(folder)):
        from benchmarks.scale import measuring

        report = {"machine": machine(), **measuring.measured(sizes, products=chosen.products)}
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
