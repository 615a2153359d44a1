"""Joins the texts of concurrent callers into few passes of one model, in a thread of its own.

Nobody waits for a batch to fill: while one pass runs, the next one gathers by itself. A single
caller is served at once, and twenty at the same moment cost two passes.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain

from memories import metrics
from memories.embeddings.base import Vector
from memories.errors import EmbedderDown

#: Texts of one pass when small calls are joined.
MOST_TOGETHER = 64
#: A call with more texts is bulk work and goes in chunks of so many. Measured on two cores, 16 texts of
#: about one length embed a third faster than 64 (less padding), and a query waits 0.1 s for one at most.
CHUNK = 16
#: So many passes of small calls, then one chunk of the waiting bulk, so that neither starves.
SMALL_PASSES = 3
#: A pass that takes longer hangs; its callers are told instead of waiting for ever.
PATIENCE_SECONDS = 60.0
LOOK_EVERY_SECONDS = 0.5

Run = Callable[[Sequence[str]], list[Vector]]


@dataclass(eq=False, slots=True)
class _Job:
    texts: Sequence[str]
    done: "Future[list[Vector]]" = field(default_factory=Future)


class Collector:
    """Hands texts to `run`, which is only ever called from one thread."""

    def __init__(self, run: Run, patience: float = PATIENCE_SECONDS) -> None:
        self._run = run
        self._patience = patience
        self.start_afresh()

    def start_afresh(self) -> None:
        """Forget thread and queue: after a fork the child has copies of both that nobody serves."""
        self._wake = threading.Condition()
        self._small: deque[_Job] = deque()
        self._bulk: deque[_Job] = deque()
        self._passes_in_a_row = 0
        self._busy_since: float | None = None
        self._thread: threading.Thread | None = None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, in order. Raises what `run` raised, or EmbedderDown when it hangs."""
        by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        size = CHUNK if len(texts) > CHUNK else max(len(texts), 1)
        places = [by_length[start : start + size] for start in range(0, len(texts), size)]
        jobs = [_Job([texts[place] for place in chunk]) for chunk in places]
        self._enqueue(jobs)
        try:
            vectors = list(chain.from_iterable(self._result(job) for job in jobs))
        finally:
            for job in jobs:
                job.done.cancel()  # after a failure nobody wants the rest
        return [vector for _, vector in sorted(zip(by_length, vectors, strict=True), key=lambda pair: pair[0])]

    @property
    def hangs(self) -> bool:
        since = self._busy_since
        return since is not None and time.monotonic() - since > self._patience

    def _enqueue(self, jobs: Sequence[_Job]) -> None:
        if self.hangs:
            raise _hanging()
        with self._wake:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._serve, name="embedding", daemon=True)
                self._thread.start()
            (self._small if len(jobs) == 1 else self._bulk).extend(jobs)
            self._wake.notify()

    def _result(self, job: _Job) -> list[Vector]:
        while True:
            try:
                return job.done.result(timeout=LOOK_EVERY_SECONDS)
            except TimeoutError:
                if self.hangs:
                    raise _hanging() from None

    def _serve(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._small or self._bulk)
                jobs = self._next()
            self._busy_since = time.monotonic()
            try:
                self._pass([job for job in jobs if job.done.set_running_or_notify_cancel()])
            finally:
                self._busy_since = None

    def _next(self) -> list[_Job]:
        """Small calls first, joined; a chunk of bulk when there are none, or when it waited long enough."""
        if not self._small or (self._bulk and self._passes_in_a_row >= SMALL_PASSES):
            self._passes_in_a_row = 0
            return [self._bulk.popleft()]
        self._passes_in_a_row += 1
        jobs = [self._small.popleft()]
        room = MOST_TOGETHER - len(jobs[0].texts)
        while self._small and len(self._small[0].texts) <= room:
            room -= len(self._small[0].texts)
            jobs.append(self._small.popleft())
        return jobs

    def _pass(self, jobs: Sequence[_Job]) -> None:
        """One pass for all; when it fails, one for each, so that a text that breaks it harms its caller alone."""
        texts = [text for job in jobs for text in job.texts]
        try:
            with metrics.step("embed", "pass"):
                vectors = iter(self._run(texts) if jobs else [])
            metrics.BATCHES.observe(len(texts))
            for job in jobs:
                job.done.set_result([next(vectors) for _ in job.texts])
        except BaseException as error:  # noqa: BLE001 - whatever it is, the callers wait for an answer
            if len(jobs) > 1:
                for job in jobs:
                    self._pass([job])
            else:
                jobs[0].done.set_exception(error)


def _hanging() -> EmbedderDown:
    return EmbedderDown("The embedding model has not answered for a minute.")
