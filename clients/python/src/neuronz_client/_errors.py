"""What a server says no with, one class a sort. `message` says what would have worked."""

from typing import Any


class NeuronzError(Exception):
    """Base of everything this package raises.

    `code` is for programs, `message` for people and agents; `fields` names what is wrong with a body, `current` (409)
    is the memory or pair as it is now, `limit` (413) the limit, `retry_after` (429) how many seconds to wait.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "error",
        status: int | None = None,
        fields: dict[str, list[str]] | None = None,
        current: Any = None,
        limit: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.fields = fields or {}
        self.current = current
        self.limit = limit
        self.retry_after = retry_after


class InvalidInput(NeuronzError):
    """400: the body or the query has a wrong shape; `fields` says where."""


class Unauthenticated(NeuronzError):
    """401: the key is missing, unknown, expired or revoked."""


class Forbidden(NeuronzError):
    """403: the key is good, but not for this."""


class NotFound(NeuronzError):
    """404: absent, or another's: the two answer alike."""


class Conflict(NeuronzError):
    """409: someone was faster, or the state forbids it; `current` is the memory or pair as it is now."""


class TooLarge(NeuronzError):
    """413: over a documented `limit`."""


class Throttled(NeuronzError):
    """429: too many requests; wait `retry_after` seconds."""


class ServerFailed(NeuronzError):
    """5xx: the server could not answer."""


class UnexpectedAnswer(NeuronzError):
    """An answer that is none of Neuronz: a wrong address, or a proxy between."""


class ConnectionFailed(NeuronzError):
    """No answer came: the server is not there, or too slow."""


BY_STATUS: dict[int, type[NeuronzError]] = {
    400: InvalidInput,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    429: Throttled,
}


def error_of(status: int, body: Any, retry_after: float | None) -> NeuronzError:
    """The exception for an answer that is no success."""
    told = body.get("error") if isinstance(body, dict) else None
    if not isinstance(told, dict):
        unknown = ServerFailed if status >= 500 else UnexpectedAnswer
        return unknown(f"The server answered {status} without saying why.", status=status, retry_after=retry_after)
    sort = BY_STATUS.get(status, ServerFailed if status >= 500 else NeuronzError)
    return sort(
        str(told.get("message", "")),
        code=str(told.get("code", "error")),
        status=status,
        fields=told.get("fields") or {},
        current=told.get("current"),
        limit=told.get("limit"),
        retry_after=retry_after,
    )
