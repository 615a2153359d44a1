"""How connectors speak HTTP: guarded, bounded in time and size, patient with busy services, and plain about failures.

`Outbound` is a service as its connector sees it. Its `transport` serves any client that is built on httpx; `request`
serves connectors that need no such client. Connectors only read, so every request may be sent again.
"""

import random
import ssl
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from time import monotonic, sleep, time
from typing import Any, Final

import httpcore
import httpx

from sources.connectors.base import ConnectorError
from sources.connectors.guard import GuardedBackend, check_url

USER_AGENT: Final = "Neuronz-sources/1"
TIMEOUT: Final = httpx.Timeout(30, connect=10)
MOST_BYTES: Final = 25 * 2**20
MOST_SECONDS: Final = 180.0  # for one body: a server that drips must not hold a worker
MOST_TRIES: Final = 4
PATIENCE: Final = 30.0  # seconds to wait within one request; a longer wait ends the run, which goes on later
MOST_WAIT: Final = 86_400.0  # whatever a header asks
MOST_REDIRECTS: Final = 5
PASSING: Final = {500, 502, 503, 504}
#: What a request to another host keeps of its headers. Any other might be a credential.
HARMLESS: Final = ("accept", "accept-encoding", "accept-language", "user-agent")


class TooLarge(ConnectorError):
    """The answer is longer than may be read."""


class Refused(ConnectorError):
    """The service said no. `status_code` tells why, for connectors that know better what to do about it."""

    def __init__(
        self, sentence: str, status: int, *, permanent: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(sentence, permanent=permanent, retry_after=retry_after)
        self.status_code = status


class Outbound:
    """A service by its name, as staff know it: "GitHub"."""

    def __init__(self, service: str, *, headers: Mapping[str, str] | None = None, most_bytes: int = MOST_BYTES) -> None:
        self.service = service
        self.transport = PatientTransport(service, most_bytes)
        self._client = httpx.Client(
            transport=self.transport,
            headers={"User-Agent": USER_AGENT, **(headers or {})},
            timeout=TIMEOUT,
            follow_redirects=False,  # the transport follows them
            trust_env=False,
        )

    def __repr__(self) -> str:
        return f"Outbound({self.service!r})"

    def request(self, method: str, url: str, *, most_bytes: int | None = None, **options: Any) -> httpx.Response:
        """The answer, whole. What is not a success or 304 is a ConnectorError. `options` are those of httpx."""
        extensions = {"most_bytes": most_bytes} if most_bytes else {}
        try:
            response = self._client.request(method, url, extensions=extensions, **options)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise ConnectorError(f"The address of {self.service} can't be read.", permanent=True) from error
        if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
            return response
        raise refused(self.service, response.status_code)

    def get(self, url: str, **options: Any) -> httpx.Response:
        return self.request("GET", url, **options)

    def close(self) -> None:
        self._client.close()


def refused(service: str, status: int) -> Refused:
    """What staff should do about a status. An answer's own words are left out: they may repeat what was sent."""
    permanent = {
        401: f"{service} doesn't accept the credentials, or no longer. Enter new ones.",
        403: f"{service} doesn't allow this with the credentials given. Check the permissions that the fields ask for.",
        404: f"{service} has nothing there, or doesn't show it with the credentials given. Check the names and "
        "the permissions.",
        410: f"{service} has removed it for good. Check whether it moved elsewhere.",
        451: f"{service} may not show it for legal reasons.",
    }
    if status in permanent:
        return Refused(permanent[status], status, permanent=True)
    if status >= 500:
        return Refused(f"{service} answers with an error of its own ({status}). It is tried again later.", status)
    return Refused(f"{service} refused the request ({status}). Check the fields of this source.", status)


class PatientTransport(httpx.BaseTransport):
    """Sends, follows redirects, reads whole answers up to the limit, and waits where waiting is short."""

    def __init__(self, service: str, most_bytes: int = MOST_BYTES) -> None:
        self._service = service
        self._most_bytes = most_bytes
        self._pool = _GuardedTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        hops = 0
        while True:
            check_url(str(request.url))
            response = self._patiently(request)
            if not response.has_redirect_location:
                return response
            if hops == MOST_REDIRECTS or request.method not in ("GET", "HEAD"):
                raise ConnectorError(
                    f"{self._service} sends us on from {request.url.host} to another address. Enter the address "
                    "that it leads to.",
                    permanent=True,
                )
            request = _redirected(request, response.headers["location"])
            hops += 1

    def _patiently(self, request: httpx.Request) -> httpx.Response:
        waited, tries = 0.0, 1
        while True:
            outcome = self._once(request)
            wait = seconds_to_wait(outcome, tries)
            if wait is None and isinstance(outcome, httpx.Response):
                return outcome
            if wait is None or tries == MOST_TRIES or waited + wait > PATIENCE:
                raise self._gave_up(outcome, request.url.host, wait)
            sleep(wait)
            waited, tries = waited + wait, tries + 1

    def _once(self, request: httpx.Request) -> httpx.Response | httpx.HTTPError:
        try:
            response = self._pool.handle_request(request)
            response.request = request
            try:
                body = self._whole(response, request.extensions.get("most_bytes") or self._most_bytes)
            finally:
                response.close()
        except (httpx.TransportError, httpx.DecodingError) as error:
            return error
        # The body is decoded and whole now, so these two would be wrong.
        headers = [each for each in response.headers.multi_items() if each[0] not in ENCODED]
        return httpx.Response(
            response.status_code, headers=headers, content=body, extensions=response.extensions, request=request
        )

    def _whole(self, response: httpx.Response, most_bytes: int) -> bytes:
        until, body = monotonic() + MOST_SECONDS, bytearray()
        for part in response.iter_bytes():  # decoded, so that a small compressed body can't grow without bound
            body += part
            if len(body) > most_bytes:
                size = f"{most_bytes / 2**20:.4g} MB"
                raise TooLarge(f"{self._service} sent an answer that is too large: more than {size}.", permanent=True)
            if monotonic() > until:
                raise httpx.ReadTimeout("the body took too long")
        return bytes(body)

    def _gave_up(self, outcome: httpx.Response | httpx.HTTPError, host: str, wait: float | None) -> ConnectorError:
        if isinstance(outcome, httpx.Response):
            if is_limited(outcome):
                sentence = (
                    f"{self._service} asks us to slow down. Reading goes on by itself after the wait it asked for."
                )
                return Refused(sentence, outcome.status_code, retry_after=wait)
            error = refused(self._service, outcome.status_code)
            error.retry_after = seconds_asked(outcome)
            return error
        if _is_about_a_certificate(outcome):
            return ConnectorError(f"The certificate of {host} is not one that this machine trusts.")
        return ConnectorError(f"{self._service} can't be reached at {host}. It is tried again later.")

    def close(self) -> None:
        self._pool.close()


ENCODED: Final = ("content-encoding", "content-length", "transfer-encoding")


class _GuardedTransport(httpx.HTTPTransport):
    """httpx offers no way to hand in the backend that connects, so its pool is replaced by one with ours."""

    def __init__(self) -> None:
        super().__init__(verify=_trust(), trust_env=False)
        self._pool.close()
        self._pool = httpcore.ConnectionPool(
            ssl_context=_trust(), max_connections=4, keepalive_expiry=30, network_backend=GuardedBackend()
        )


@cache
def _trust() -> ssl.SSLContext:
    """Made once: it reads some hundred certificates. SSL_CERT_FILE names others, for a company's own authority."""
    return httpx.create_ssl_context(trust_env=True)


def _redirected(request: httpx.Request, location: str) -> httpx.Request:
    try:
        url = request.url.join(location)
    except httpx.InvalidURL as error:
        raise ConnectorError(f"{request.url.host} sends us on to an address that can't be read.") from error
    same = (url.scheme, url.host, url.port) == (request.url.scheme, request.url.host, request.url.port)
    kept = {name: value for name, value in request.headers.items() if name != "host" and (same or name in HARMLESS)}
    return httpx.Request(request.method, url, headers=kept, extensions=request.extensions)


def seconds_to_wait(outcome: httpx.Response | httpx.HTTPError, tries: int) -> float | None:
    """How long until the next try, or None when there is nothing to wait for."""
    backoff = 2.0 ** (tries - 1) * random.uniform(0.5, 1.0)  # noqa: S311  # jitter, no secret
    if isinstance(outcome, httpx.Response):
        if not is_limited(outcome) and outcome.status_code not in PASSING:
            return None
        asked = seconds_asked(outcome)
        if asked is None and b"secondary rate" in outcome.content.lower():
            asked = 60.0 * 2 ** (tries - 1)  # GitHub: "wait for at least one minute", then longer each time
        return backoff if asked is None else asked + random.uniform(0, 0.5)  # noqa: S311
    return None if _is_about_a_certificate(outcome) else backoff


def is_limited(response: httpx.Response) -> bool:
    """Services say "slow down" as 429, and some as 403 with a header or a word for it."""
    if response.status_code != 403:
        return response.status_code == 429
    said = response.content[:4096].lower().replace(b" ", b"")
    names_it = b"ratelimit" in said
    return "retry-after" in response.headers or response.headers.get("x-ratelimit-remaining") == "0" or names_it


def seconds_asked(response: httpx.Response) -> float | None:
    """`Retry-After` in seconds or as a date, else the time when an exhausted rate limit is filled again."""
    asked, reset = (response.headers.get(name, "").strip() for name in ("retry-after", "x-ratelimit-reset"))
    if asked.isdecimal():
        return _bounded(float(asked))
    if asked:
        try:
            return _bounded(parsedate_to_datetime(asked).timestamp() - time())
        except ValueError:
            return None
    if not reset.isdecimal() or (response.status_code != 429 and response.headers.get("x-ratelimit-remaining") != "0"):
        return None
    return _bounded(float(reset) - time() if float(reset) > 1e9 else float(reset))  # since 1970, or from now


def _bounded(seconds: float) -> float:
    return min(max(0.0, seconds), MOST_WAIT)


def _is_about_a_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
