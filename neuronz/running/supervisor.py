"""Keeps the parts of Neuronz running: starts them, restarts what ends by itself, stops all of it in bounded time."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

BASE_DIR = Path(__file__).resolve().parent.parent.parent
PATROL = 0.2  # seconds between two rounds
STOP_PATIENCE = 10.0  # seconds the children get to finish what they are doing
LONGEST_PAUSE = 30.0
STEADY = 60.0  # a child that ran this long had started well: its next failure is a first one


@dataclass
class Child:
    """One part in a process group of its own, so that Ctrl-C in a terminal reaches only the supervisor."""

    name: str
    arguments: Sequence[str]
    log: Path
    failures: int = 0
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = field(default=0.0)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 -- our own modules
                [sys.executable, "-m", "neuronz.running.child", *self.arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=BASE_DIR,
                env={**os.environ, "NEURONZ_SUPERVISOR": str(os.getpid()), "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )
        self.started = time.monotonic()

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def postpone(self) -> float:
        """Note a failure, and say how long to wait: 1, 2, 4 … seconds while it keeps failing."""
        steady = time.monotonic() - self.started > STEADY
        self.failures = 1 if steady else self.failures + 1
        pause = min(2.0 ** (self.failures - 1), LONGEST_PAUSE)
        self.process, self.due = None, time.monotonic() + pause
        return pause

    def ending(self) -> str:
        """How the process ended, in words."""
        code = self.process.returncode if self.process else 0
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def signal(self, number: signal.Signals) -> None:
        """To the whole group: a part may have children of its own."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, number)


class Supervisor:
    def __init__(self, *, say: Callable[[str], None]) -> None:
        self._children: list[Child] = []
        self._say = say
        self._signals = 0

    @property
    def is_stopping(self) -> bool:
        return self._signals > 0

    def listen(self) -> None:
        """From here on, Ctrl-C and its relatives stop everything in order; a second one is less patient."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1

    def add(self, *children: Child) -> None:
        """From the next round on, these run."""
        self._children += children

    def run(self, each_round: Callable[[], None]) -> None:
        """Go round until told to stop."""
        while not self.is_stopping:
            for child in self._children:
                self._look_after(child)
            each_round()
            time.sleep(PATROL)

    def _look_after(self, child: Child) -> None:
        if child.has_ended():
            ending = child.ending()
            pause = child.postpone()
            self._say(f"The {child.name} {ending}; starting it again in {pause:.0f} s. Its log: {child.log}")
        elif child.process is None and time.monotonic() >= child.due:
            child.start()

    def stop(self) -> None:
        """Ask all at once, wait for all together, end what is left."""
        heard = self._signals
        for child in self._children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_PATIENCE
        while self._are_running() and time.monotonic() < deadline and self._signals <= heard:
            time.sleep(0.05)
        for child in self._children:
            if child.process is not None and child.process.poll() is None:
                self._say(f"The {child.name} is still busy; ending it. Its work is taken up again at the next start.")
                child.signal(signal.SIGKILL)
                child.process.wait()

    def _are_running(self) -> bool:
        return any(child.process is not None and child.process.poll() is None for child in self._children)
