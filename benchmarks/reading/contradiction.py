"""Contradiction in foreign pairs: what `compare` calls contradicts or replaces, certain or not."""

from pathlib import Path

from benchmarks.reading.scoring import Tally, rows
from memories.reading import PlainReader, Verdict


def contradictions(path: Path) -> Tally:
    """`a` stands for the older statement, `b` for the newer."""
    tally, reader = Tally(), PlainReader()
    for row in rows(path):
        told = reader.compare(row["b"], row["a"]).verdict in (Verdict.REPLACES, Verdict.CONTRADICTS)
        is_one = row["label"] == "contradiction"
        tally.add(told and is_one, told, is_one)
    return tally
