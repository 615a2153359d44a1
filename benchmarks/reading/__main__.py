"""python -m benchmarks.reading --data DIR [--json FILE] [--only names]."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import django

from benchmarks.reading import report
from benchmarks.reading.figures import measured_sets


def main() -> None:
    asked = arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    django.setup()
    found = measured_sets()
    names = asked.only.split(",") if asked.only else list(found)
    if unknown := [name for name in names if name not in found]:
        sys.exit(f"There is no set {', '.join(unknown)}. There are: {', '.join(found)}.")
    values: dict[str, float] = {}
    skipped = []
    for name in names:
        began = time.monotonic()
        try:
            values |= found[name].measure(asked.data)
        except FileNotFoundError as error:
            skipped.append(f"{name} (no {Path(error.filename).name})")
        print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    lines = list(report.table([figure for name in names for figure in found[name].FIGURES], values))
    print("\n".join(lines))
    if skipped:
        print("Not measured, because the data are not there:", ", ".join(skipped))
    if asked.json:
        asked.json.write_text(json.dumps(report.rounded(values), indent=2) + "\n")
    if not asked.only and not skipped:
        report.keep(lines, values)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reading", description="Measure reading on labelled sets."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of labelled sets")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--only", help="names of sets, separated by commas; nothing is then kept in results/")
    return parser.parse_args()


if __name__ == "__main__":
    main()
