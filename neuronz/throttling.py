"""A fixed number of requests a minute for each key, and of wrong keys for each address."""

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from memories.services.keys import Caller

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which itself loads this class

logger = logging.getLogger(__name__)
WINDOW_SECONDS = 60
#: Keys have 256 random bits; whoever sends so many wrong ones from one address is guessing, or broken.
WRONG_KEYS_PER_MINUTE = 300
_is_down = threading.Event()


class PerKey(BaseThrottle):
    """Counts in windows of a minute: one increment a request, whatever the rate."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        return not isinstance(request.auth, Caller) or is_within_rate(request.auth)

    def wait(self) -> float:
        return seconds_to_wait()


def is_within_rate(caller: Caller) -> bool:
    """Counts this request, whichever door it came through."""
    window = int(time.time()) // WINDOW_SECONDS
    return count(f"rate:{caller.key.prefix}:{window}", 2 * WINDOW_SECONDS) <= settings.RATE_PER_MINUTE


def may_send_a_wrong_key(address: str) -> bool:
    """Counts it. Good keys always pass: behind one proxy there may be many agents, and one with an old key."""
    window = int(time.time()) // WINDOW_SECONDS
    return not address or count(f"wrong-keys:{address}:{window}", 2 * WINDOW_SECONDS) <= WRONG_KEYS_PER_MINUTE


def seconds_to_wait() -> float:
    return WINDOW_SECONDS - time.time() % WINDOW_SECONDS


def count(name: str, seconds: int, *, by: int = 1) -> int:
    """How many of something in its window. A dead cache counts nothing: it must not stop agents or people."""
    try:
        cache.add(name, 0, timeout=seconds)
        counted: Any = cache.incr(name, by)
    except Exception as error:  # noqa: BLE001  # each cache backend raises its own
        if not _is_down.is_set():  # one line an outage, not one a request
            logger.warning("Requests are not counted: the cache fails with %s.", type(error).__name__)
            _is_down.set()
        return 0
    _is_down.clear()
    return int(counted)
