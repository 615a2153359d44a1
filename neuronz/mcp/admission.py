"""Who may call at all: a valid key, within its rate. The same for every transport."""

from rest_framework import status

from memories.services.keys import Caller
from neuronz import throttling
from neuronz.auth import NO_KEY, caller_of


class NotAdmittedError(Exception):
    """Answered before any tool runs. `code`, `sentence` and `headers` as REST would give them."""

    def __init__(self, status_code: int, code: str, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status_code, self.code, self.sentence = status_code, code, sentence
        self.headers = headers or {}


def admit(authorization: str, address: str = "") -> Caller:
    """The caller named by an Authorization header; this request of theirs is counted."""
    caller = caller_of(authorization)
    if caller is None and authorization and not throttling.may_send_a_wrong_key(address):
        raise _throttled("This address has sent too many wrong keys")
    if caller is None:
        # RFC 6750: only a credential that was sent can be called invalid.
        challenge = 'Bearer realm="neuronz"' + (', error="invalid_token"' if authorization else "")
        raise NotAdmittedError(status.HTTP_401_UNAUTHORIZED, "unauthenticated", NO_KEY, {"WWW-Authenticate": challenge})
    if not throttling.is_within_rate(caller):
        raise _throttled("This key has made all its requests of this minute")
    return caller


def _throttled(what: str) -> NotAdmittedError:
    seconds = int(throttling.seconds_to_wait()) + 1
    sentence = f"{what}; try again in {seconds} seconds."
    return NotAdmittedError(status.HTTP_429_TOO_MANY_REQUESTS, "throttled", sentence, {"Retry-After": str(seconds)})
