"""Signing in to Google, with google-auth. Every request it makes goes through the guarded transport as well."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx
from google.auth import credentials as google
from google.auth import exceptions
from google.oauth2.credentials import Credentials as RefreshToken
from google.oauth2.service_account import Credentials as ServiceAccount

from sources.connectors.base import Connection, ConnectorError

#: To see and to download. Nothing that writes is ever asked for.
SCOPE: Final = "https://www.googleapis.com/auth/drive.readonly"
TOKEN_URL: Final = "https://oauth2.googleapis.com/token"  # noqa: S105  # an address


@dataclass(frozen=True, slots=True)
class TokenAnswer:
    """What google-auth expects of an answer."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Signing:
    """Puts a valid access token on requests."""

    def __init__(self, connection: Connection, client: httpx.Client) -> None:
        self._client = client
        self._credentials = credentials_of(connection)

    @property
    def address(self) -> str:
        """Whom a folder has to be shared with, where that is known."""
        return str(getattr(self._credentials, "service_account_email", ""))

    def sign(self, method: str, url: str, headers: dict[str, str]) -> None:
        # Typed in parts only, like all of google-auth.
        self._asking(lambda: self._credentials.before_request(self._ask, method, url, headers))  # type: ignore[no-untyped-call]

    def renew(self) -> None:
        """The token was refused before its time was over."""
        self._asking(lambda: self._credentials.refresh(self._ask))  # type: ignore[no-untyped-call]  # as above

    def _asking(self, ask: Any) -> None:
        try:
            ask()
        except exceptions.RefreshError as error:
            raise refusal(error) from None
        except exceptions.GoogleAuthError:
            raise ConnectorError("Google's sign-in can't be used right now. It is tried again later.") from None

    def _ask(
        self, url: str, method: str = "GET", body: Any = None, headers: Any = None, timeout: Any = None, **_: Any
    ) -> TokenAnswer:
        response = self._client.request(method, url, content=body, headers=headers)
        return TokenAnswer(response.status_code, response.headers, response.content)


def credentials_of(connection: Connection) -> google.Credentials:
    token_url = str(connection.values.get("token_url") or TOKEN_URL)
    key_file = connection.secrets.get("service_account", "").strip()
    if key_file:
        return _service_account(key_file)
    client = str(connection.values.get("client_id", "")).strip()
    secret, token = (connection.secrets.get(name, "").strip() for name in ("client_secret", "refresh_token"))
    if not (client and secret and token):
        raise ConnectorError(
            "Enter the key file of a service account, or all three of client ID, client secret and refresh token.",
            permanent=True,
        )
    return RefreshToken(  # type: ignore[no-untyped-call]  # google-auth is typed in parts
        None, refresh_token=token, client_id=client, client_secret=secret, token_uri=token_url, scopes=[SCOPE]
    )


def _service_account(key_file: str) -> google.Credentials:
    try:
        found: google.Credentials = ServiceAccount.from_service_account_info(  # type: ignore[no-untyped-call]
            json.loads(key_file), scopes=[SCOPE]
        )
    except (ValueError, TypeError, AttributeError, exceptions.GoogleAuthError):
        raise ConnectorError(
            "The service account's key can't be read. Paste the whole JSON file that Google made for it.",
            permanent=True,
        ) from None
    return found


def refusal(error: exceptions.RefreshError) -> ConnectorError:
    """Google's word for it is one of a few; its own sentence is left out, because it may repeat what was sent."""
    if error.retryable:
        return ConnectorError("Google's sign-in can't be used right now. It is tried again later.")
    said = str(error)
    if "invalid_client" in said or "unauthorized_client" in said:
        sentence = "Google doesn't know this client ID and secret. Enter those of the OAuth client that is in use."
    elif "invalid_scope" in said:
        sentence = f"The refresh token doesn't open Google Drive. Make a new one with the scope {SCOPE}."
    elif "JWT" in said or "account not found" in said:
        sentence = "Google doesn't accept the service account's key, or no longer. Make a new key and enter it."
    else:
        sentence = "Google doesn't accept the refresh token any more: it expired or was revoked. Make a new one."
    return ConnectorError(sentence, permanent=True)
