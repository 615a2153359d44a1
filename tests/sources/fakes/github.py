"""GitHub's API over real HTTP, after its public documentation, and stricter: what GitHub would ignore fails here.

An unknown parameter is 422, a foreign Accept 415, an API version it doesn't know 400, a request without User-Agent 403.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from time import time
from typing import Any
from urllib.parse import unquote, urlencode

import jwt

from tests.sources.fakes import github_graphql
from tests.sources.fakes.github_hub import ROOT, Hub, Problem
from tests.sources.fakes.github_store import Repo, stamp
from tests.sources.fakes.github_views import ROUTES
from tests.sources.fakes.serving import Answer, Asked, serving


@contextmanager
def github(repo: Repo, **more: Any) -> Iterator[Hub]:
    hub = Hub(repo, **more)
    with serving(lambda asked: respond(hub, asked)) as server:
        hub.server = server
        yield hub


def respond(hub: Hub, asked: Asked) -> Answer:
    try:
        for at, (path, _) in enumerate(hub.failures):
            if re.search(path, asked.path):
                return hub.failures.pop(at)[1]
        _check_headers(asked)
        if asked.path.endswith("/access_tokens"):
            return _installation_token(hub, asked)
        permissions = _permissions(hub, asked)
        _check_rate(hub, asked)
        if _is_graphql(asked):
            return _metered(hub, asked, _graphql(hub, asked, permissions))
        return _metered(hub, asked, _conditional(asked, _rest(hub, asked, permissions)))
    except Problem as problem:
        return _metered(hub, asked, problem.answer, is_free=True)


# --- who asks, and how ------------------------------------------------------------------------------------


def _check_headers(asked: Asked) -> None:
    if not asked.headers.get("user-agent"):
        raise Problem(403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent.")
    if asked.headers.get("accept") not in ("application/vnd.github+json", "application/json"):
        raise Problem(415, "Unsupported 'Accept' header. Must accept 'application/json'.")
    version = asked.headers.get("x-github-api-version", "2022-11-28")
    if version not in ("2022-11-28", "2026-03-10"):
        raise Problem(400, f"Unsupported API version {version}.")


def _permissions(hub: Hub, asked: Asked) -> Collection[str] | None:
    """None for somebody without credentials."""
    given = asked.headers.get("authorization")
    if given is None:
        return None
    kind, _, token = given.partition(" ")
    if kind not in ("Bearer", "token") or token not in hub.tokens or hub.expiry.get(token, time() + 1) < time():
        raise Problem(401, "Bad credentials")
    return hub.tokens[token]


def _installation_token(hub: Hub, asked: Asked) -> Answer:
    token = asked.headers.get("authorization", "").removeprefix("Bearer ")
    if asked.method != "POST" or hub.app is None:
        raise Problem(404, "Not Found")
    try:
        claims = jwt.decode(token, hub.app.public_key, algorithms=["RS256"], options={"require": ["iat", "exp", "iss"]})
    except jwt.PyJWTError as error:
        raise Problem(401, "A JSON web token could not be decoded") from error
    if claims["exp"] - time() > 600:
        raise Problem(401, "'Expiration time' claim ('exp') is too far in the future")
    if str(claims["iss"]) != hub.app.id:
        raise Problem(401, "'Issuer' claim ('iss') must be an Integer")
    if asked.path != f"{ROOT}/app/installations/{hub.app.installation}/access_tokens":
        raise Problem(404, "Integration not found")
    made = f"ghs_{len(hub.tokens)}"
    hub.tokens[made], hub.expiry[made] = hub.app.permissions, time() + 3600
    expires = stamp(datetime.now(UTC) + timedelta(hours=1))
    return Answer(201, {"token": made, "expires_at": expires, "permissions": {"contents": "read"}})


def _check_rate(hub: Hub, asked: Asked) -> None:
    if (hub.remaining_graphql if _is_graphql(asked) else hub.remaining) <= 0:
        raise Problem(403, "API rate limit exceeded for installation.")


def _is_graphql(asked: Asked) -> bool:
    return asked.path == "/api/graphql"


def _metered(hub: Hub, asked: Asked, answer: Answer, *, is_free: bool = False) -> Answer:
    if _is_graphql(asked):
        hub.remaining_graphql -= not is_free
    elif answer.status != 304:  # "a conditional request does not count against your primary rate limit"
        hub.remaining -= not is_free
    resource, remaining = ("graphql", hub.remaining_graphql) if _is_graphql(asked) else ("core", hub.remaining)
    metre = {"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": str(max(0, remaining))}
    more = {"X-RateLimit-Reset": str(hub.reset), "X-RateLimit-Resource": resource}
    headers = {"Content-Type": "application/json; charset=utf-8", **metre, **more}
    return Answer(answer.status, answer.body, {**headers, **answer.headers})


def _conditional(asked: Asked, answer: Answer) -> Answer:
    etag = f'W/"{hashlib.sha256(json.dumps([answer.body, dict(answer.headers)]).encode()).hexdigest()}"'
    if answer.status == 200 and asked.headers.get("if-none-match") == etag:
        return Answer(304, headers={"ETag": etag})
    return Answer(answer.status, answer.body, {"ETag": etag, **answer.headers})


# --- what there is ----------------------------------------------------------------------------------------


def _graphql(hub: Hub, asked: Asked, permissions: Collection[str] | None) -> Answer:
    if permissions is None:
        raise Problem(401, "This endpoint requires you to be authenticated.")
    question = asked.json()
    if "discussions(" in question["query"] and "discussions" not in permissions:
        refusal = {"type": "FORBIDDEN", "message": "Resource not accessible by personal access token"}
        return Answer(200, {"data": None, "errors": [refusal]})
    return Answer(200, github_graphql.answer(hub.repo, question, hub.web))


def _rest(hub: Hub, asked: Asked, permissions: Collection[str] | None) -> Answer:
    path = unquote(asked.path).removeprefix(ROOT)
    by_name = re.match(r"/repos/([^/]+/[^/]+)(.*)", path)
    by_id = re.match(rf"/repositories/{hub.repo.id}()(.*)", path)
    if by_name and by_name[1].lower() in hub.former_names:
        query = f"?{urlencode(asked.query)}" if asked.query else ""
        to = f"{hub.server.url}{ROOT}/repositories/{hub.repo.id}{by_name[2]}{query}"
        raise Problem(301, "Moved Permanently", Location=to)
    found = by_id or (by_name if by_name and by_name[1].lower() == hub.repo.full_name.lower() else None)
    if asked.method != "GET" or found is None or (hub.repo.is_private and permissions is None):
        raise Problem(404, "Not Found")
    for pattern, permission, allowed, view in ROUTES:
        if match := re.fullmatch(pattern, found[2]):
            if permissions is not None and not set(permission.split("|")) & {*permissions, "metadata"}:
                raise Problem(403, "Resource not accessible by personal access token")
            if unknown := set(asked.query) - set(allowed):
                raise Problem(422, f"Unknown parameters: {sorted(unknown)}")
            return view(hub, asked, *match.groups())
    raise Problem(404, "Not Found")
