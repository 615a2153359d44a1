"""Google's token endpoint, as its documents on OAuth 2.0 for server-to-server and web applications describe it."""

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.sources.fakes.service import Refusal
from tests.sources.fakes.serving import Answer, Asked

#: Whom an assertion has to be for, wherever it is sent.
AUDIENCE = "https://oauth2.googleapis.com/token"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
DRIVE_READONLY = "https://www.googleapis.com/auth/drive.readonly"


def refused(status: int, error: str, description: str) -> Refusal:
    return Refusal(Answer(status, {"error": error, "error_description": description}))


@dataclass(slots=True)
class Access:
    """What an access token opens, for whom and until when."""

    who: str
    scopes: frozenset[str]
    until: float


@dataclass(slots=True)
class ServiceAccount:
    email: str
    key_id: str
    private_pem: str
    public: rsa.RSAPublicKey

    def key_file(self, token_uri: str) -> str:
        """The JSON that the Cloud console hands out, once, when a key is made."""
        return json.dumps(
            {
                "type": "service_account",
                "project_id": "lighthouse",
                "private_key_id": self.key_id,
                "private_key": self.private_pem,
                "client_email": self.email,
                "client_id": "104857600000000000001",
                "token_uri": token_uri,
                "universe_domain": "googleapis.com",
            }
        )


@cache  # the first one takes a moment, and any serves
def first_service_account(email: str) -> ServiceAccount:
    return new_service_account(email)


def new_service_account(email: str) -> ServiceAccount:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    return ServiceAccount(email, secrets.token_hex(20), pem, key.public_key())


@dataclass(slots=True)
class OAuth:
    """Accounts with keys, clients with refresh tokens, and the access tokens that were handed out."""

    accounts: dict[str, ServiceAccount] = field(default_factory=dict)
    clients: dict[str, str] = field(default_factory=dict)
    refresh_tokens: dict[str, tuple[str, str, frozenset[str]]] = field(default_factory=dict)
    handed_out: dict[str, Access] = field(default_factory=dict)
    lifetime: float = 3_599

    def expire(self) -> None:
        """Every access token that was handed out runs out now."""
        self.handed_out.clear()

    def grant(self, asked: Asked) -> Answer:
        if asked.method != "POST":
            return Answer(404, b"Not Found")
        if not asked.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            raise refused(400, "invalid_request", "The request body must be form-encoded.")
        form = {name: values[-1] for name, values in parse_qs(asked.body.decode()).items()}
        if form.get("grant_type") == JWT_BEARER:
            access = self._by_assertion(form.get("assertion", ""))
        elif form.get("grant_type") == "refresh_token":
            access = self._by_refresh_token(form)
        else:
            raise refused(400, "unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type', '')}")
        token = f"ya29.{secrets.token_urlsafe(24)}"
        self.handed_out[token] = access
        return Answer(200, {"access_token": token, "expires_in": int(self.lifetime), "token_type": "Bearer"})

    def _by_assertion(self, assertion: str) -> Access:
        try:
            unchecked: dict[str, Any] = jwt.decode(assertion, options={"verify_signature": False})
        except jwt.InvalidTokenError:
            raise refused(400, "invalid_request", "Bad Request") from None
        account = self.accounts.get(str(unchecked.get("iss")))
        if account is None:
            raise refused(400, "invalid_grant", "Invalid grant: account not found")
        try:
            claims = jwt.decode(
                assertion,
                account.public,
                ["RS256"],
                audience=AUDIENCE,
                options={"require": ["iss", "aud", "exp", "iat"]},
            )
        except jwt.InvalidSignatureError:
            raise refused(400, "invalid_grant", "Invalid JWT Signature.") from None
        except jwt.InvalidTokenError as error:
            raise refused(400, "invalid_grant", f"Invalid JWT: {error}") from None
        if claims["exp"] - claims["iat"] > 3_600:
            raise refused(400, "invalid_grant", "Invalid JWT: Token must be a short-lived token (60 minutes)")
        if not claims.get("scope"):
            raise refused(400, "invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        return self._access(account.email, str(claims["scope"]).split())

    def _by_refresh_token(self, form: dict[str, str]) -> Access:
        if form.get("client_id") not in self.clients:
            raise refused(401, "invalid_client", "The OAuth client was not found.")
        if self.clients[form["client_id"]] != form.get("client_secret"):
            raise refused(401, "invalid_client", "Unauthorized")
        known = self.refresh_tokens.get(form.get("refresh_token", ""))
        if known is None or known[0] != form["client_id"]:
            raise refused(400, "invalid_grant", "Token has been expired or revoked.")
        wanted = form.get("scope", "").split()
        if not known[2].issuperset(wanted):
            raise refused(400, "invalid_scope", "Bad Request")
        return self._access(known[1], wanted or sorted(known[2]))

    def _access(self, who: str, scopes: Sequence[str]) -> Access:
        return Access(who, frozenset(scopes), time.monotonic() + self.lifetime)

    def who_asks(self, asked: Asked) -> Access | None:
        kind, _, token = asked.headers.get("authorization", "").partition(" ")
        access = self.handed_out.get(token) if kind == "Bearer" else None
        return access if access and access.until > time.monotonic() else None
