"""GitHub's REST and GraphQL, through githubkit over our guarded transport. Every failure is a ConnectorError here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from time import time
from typing import Any, Final, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

import githubkit
import httpx
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from githubkit.auth import AppInstallationAuthStrategy, TokenAuthStrategy
from githubkit.cache import MemCacheStrategy
from githubkit.exception import GitHubException, GraphQLFailed, RateLimitExceeded, RequestError, RequestFailed

from sources.connectors.base import ConnectorError
from sources.connectors.http import TIMEOUT, USER_AGENT, PatientTransport, Refused, refused, seconds_asked

SERVICE: Final = "GitHub"
#: The oldest version that github.com still answers is the newest that Enterprise servers know.
VERSION: Final = "2022-11-28"
PUBLIC: Final = "https://api.github.com/"
P = ParamSpec("P")
R = TypeVar("R")
APP_REFUSED: Final = (
    "GitHub doesn't give this app a token. Check the app ID, the installation ID and the private key, and that the app "
    "is still installed."
)
Auth = TokenAuthStrategy | AppInstallationAuthStrategy


@dataclass(frozen=True, slots=True)
class Answer:
    json: Any
    etag: str
    next_url: str
    is_unchanged: bool = False


def api_root(address: str) -> str:
    """The address of the API behind the one that people open."""
    if not address:
        return PUBLIC
    parts = urlsplit(address if "//" in address else f"https://{address}")
    if parts.netloc in ("github.com", "www.github.com", "api.github.com"):
        return PUBLIC
    if parts.netloc.endswith(".ghe.com"):
        return f"https://api.{parts.netloc.removeprefix('api.')}/"
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/api/v3'}/"


def app(app_id: str, installation_id: str, private_key: str) -> Auth:
    try:
        load_pem_private_key(private_key.strip().encode(), password=None)
    except (ValueError, TypeError):
        sentence = "The private key can't be read. Paste the whole .pem file that GitHub gave you, with its first line."
        raise ConnectorError(sentence, permanent=True) from None
    if not installation_id.isdecimal():
        raise ConnectorError("The installation ID has to be a number.", permanent=True)
    return AppInstallationAuthStrategy(app_id, private_key.strip(), int(installation_id))


def told(call: Callable[P, R]) -> Callable[P, R]:
    """githubkit wraps what went wrong, at times twice; staff get a sentence, and no traceback holds a header."""

    @wraps(call)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return call(*args, **kwargs)
        except GitHubException as error:
            raise _as_sentence(error) from None

    return wrapper


def _as_sentence(error: Exception) -> ConnectorError:
    if isinstance(error, ConnectorError):
        return error
    if isinstance(error, RateLimitExceeded):
        return _full(error.retry_after.total_seconds())
    if isinstance(error, RequestFailed):
        is_about_the_app = "/access_tokens" in error.request.url.path
        return ConnectorError(APP_REFUSED, permanent=True) if is_about_the_app else _refused(error)
    if isinstance(error, RequestError):
        return _as_sentence(error.exc)
    return _refused(error)


def _refused(error: Exception) -> ConnectorError:
    if isinstance(error, RequestFailed):
        return refused(SERVICE, error.response.status_code)
    if isinstance(error, GraphQLFailed):
        types = {each.type for each in error.response.errors or ()}
        return refused(SERVICE, 403 if "FORBIDDEN" in types else 404 if "NOT_FOUND" in types else 422)
    return ConnectorError("GitHub gave an answer that can't be understood. It is tried again later.")


def _full(seconds: float) -> Refused:
    sentence = "GitHub's limit of requests is used up. Reading goes on by itself when it is filled again."
    return Refused(sentence, 403, retry_after=max(1.0, seconds))


class Api:
    """One connector's way to GitHub. A context manager: connections are kept while it is open."""

    def __init__(self, root: str, auth: Auth | None) -> None:
        self.has_credentials = auth is not None
        self._host = urlsplit(root).netloc
        self._rest_until: dict[str, float] = {}
        self._github = githubkit.GitHub(
            auth,
            base_url=root,
            user_agent=USER_AGENT,
            timeout=TIMEOUT,
            trust_env=False,
            follow_redirects=False,  # the transport follows them, drops credentials, and tries again
            auto_retry=False,
            event_hooks={"response": [self._note_limit]},
            transport=PatientTransport(SERVICE),
            http_cache=False,  # cursors keep the ETags
            cache_strategy=MemCacheStrategy(),  # the default one is shared by all: tokens of another key would stay
        )

    def __enter__(self) -> Self:
        self._github.__enter__()  # type: ignore[no-untyped-call]  # githubkit leaves it bare
        return self

    def __exit__(self, *_: object) -> None:
        self._github.__exit__(None, None, None)

    @told
    def get(self, url: str, *, etag: str = "", **params: Any) -> Answer:
        self._check_limit("core")
        if url.startswith("http") and urlsplit(url).netloc != self._host:
            raise ConnectorError("GitHub's next page lies on another server, which is not followed.", permanent=True)
        headers = {"X-GitHub-Api-Version": VERSION, **({"If-None-Match": etag} if etag else {})}
        response = self._github.request("GET", url, params=params or None, headers=headers).raw_response
        if response.status_code == 304:
            return Answer(None, etag, "", is_unchanged=True)
        try:
            content = response.json()
        except ValueError:
            raise ConnectorError("What answers there is not GitHub's API. Check the address of the server.") from None
        return Answer(content, response.headers.get("etag", ""), response.links.get("next", {}).get("url", ""))

    def every(self, url: str, **params: Any) -> Iterator[Any]:
        """The entries of all pages."""
        answer = self.get(url, per_page=100, **params)
        yield from answer.json
        while answer.next_url:
            answer = self.get(answer.next_url)
            yield from answer.json

    @told
    def ask(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        self._check_limit("graphql")
        return self._github.graphql.request(query, dict(variables))

    def _note_limit(self, response: httpx.Response) -> None:
        """ "You should not make another request until after the time specified": the next one isn't even tried."""
        if response.headers.get("x-ratelimit-remaining") == "0":
            resource = response.headers.get("x-ratelimit-resource", "core")
            self._rest_until[resource] = time() + (seconds_asked(response) or 0)

    def _check_limit(self, resource: str) -> None:
        seconds = self._rest_until.get(resource, 0) - time()
        if seconds > 0:
            raise _full(seconds)
