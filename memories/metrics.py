"""What is measured while it works: how long each step takes, how large batches are, what caches save.

Numbers and fixed words alone: no label ever holds an id, a name or a text. `neuronz/metrics.py` shows them at /metrics.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import Counter, Histogram

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

STEPS = Histogram(
    "neuronz_step_seconds", "How long one step of a flow took.", ["flow", "step"], buckets=SECONDS
)  # fmt: skip
BATCHES = Histogram(
    "neuronz_embed_batch_texts", "Texts of one pass of the embedding model.", buckets=(1, 2, 4, 8, 16, 32, 64, 128)
)
STATEMENTS = Counter("neuronz_statements", "Statements stored or recognised, by what became of them.", ["outcome"])
READINGS = Counter("neuronz_readings", "Texts whose reading ended.", ["state"])
LOOKUPS = Counter("neuronz_cache_lookups", "Lookups in a process's caches.", ["cache", "found"])


@contextmanager
def step(flow: str, name: str) -> Iterator[None]:
    """Measure what happens inside, also when it fails."""
    started = perf_counter()
    try:
        yield
    finally:
        STEPS.labels(flow, name).observe(perf_counter() - started)


def looked_up(cache: str, *, found: bool) -> None:
    LOOKUPS.labels(cache, "yes" if found else "no").inc()
