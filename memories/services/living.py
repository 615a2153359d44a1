"""Keeping a claim while a long step says nothing: a thread renews it, for as long as its process lives.

A text of a megabyte is read for minutes on a slow machine. Who is silent for that long is not dead.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from time import monotonic

from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)

#: Shorter texts are read in less than any claim lasts, and want no thread.
LONG = 30_000
#: A step that takes longer hangs: its claim is left to end.
LONGEST = timedelta(hours=1)


@contextmanager
def kept_alive(renew: Callable[[], bool], *, claim: timedelta, longest: timedelta = LONGEST) -> Iterator[None]:
    """Renew a claim three times in its life while the block runs. It ends early when `renew` says it is lost."""
    over = Event()
    thread = Thread(target=_renew, args=(renew, over, claim / 3, longest), name="claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _renew(renew: Callable[[], bool], over: Event, every: timedelta, longest: timedelta) -> None:
    until = monotonic() + longest.total_seconds()
    try:
        while not over.wait(every.total_seconds()) and monotonic() < until:
            try:
                if not renew():
                    return
            except DatabaseError as error:  # the next one may get through; if none does, the claim ends
                logger.warning("A claim was not renewed: %s", type(error).__name__)
                connection.close()
    finally:
        connection.close()
