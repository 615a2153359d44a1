"""What staff enter to connect a Drive, and where they find it."""

import re
from typing import Final

from sources.connectors.base import ConnectorError, Field, FieldKind
from sources.connectors.google_drive.api import API_URL
from sources.connectors.google_drive.signing import SCOPE, TOKEN_URL

FIELDS: Final = (
    Field(
        "folder",
        "Folder or shared drive",
        "Open the folder or the shared drive in the browser and copy its address, or only the id at its end. All "
        "below it is read. Share it with the service account's address (or the account that signs in) as Viewer; more "
        "is not needed. Of a shared drive, add that address as a member with the role Viewer.",
        required=True,
    ),
    Field(
        "service_account",
        "Key of a service account",
        "The best choice for a team. In the Google Cloud console: switch on the Google Drive API, make a service "
        "account under IAM & Admin (it needs no role), and under its Keys make one of type JSON. Paste all of it.",
        kind=FieldKind.SECRET,
    ),
    Field(
        "client_id",
        "OAuth client ID",
        "Only without a service account: of an OAuth client made under APIs & Services, Credentials.",
    ),
    Field(
        "client_secret",
        "OAuth client secret",
        "Stands beside the client ID.",
        kind=FieldKind.SECRET,
    ),
    Field(
        "refresh_token",
        "OAuth refresh token",
        f"Made by signing in once with this client and the scope {SCOPE}. While the consent screen of the client is in "
        "testing, Google lets a refresh token expire after seven days: publish it first.",
        kind=FieldKind.SECRET,
    ),
    Field(
        "api_url",
        "Address of the API",
        "Leave it as it is, unless your network reaches Google's APIs by another address.",
        kind=FieldKind.URL,
        default=API_URL,
    ),
    Field(
        "token_url",
        "Address for signing in",
        "Leave it as it is. For the OAuth client; a service account's key names its own.",
        kind=FieldKind.URL,
        default=TOKEN_URL,
    ),
)

_IN_A_LINK: Final = re.compile(r"/folders/([\w-]+)|[?&]id=([\w-]+)")


def folder_id(entered: str) -> str:
    """The id in a link to a folder, or what was entered when it is an id itself."""
    entered = entered.strip()
    found = _IN_A_LINK.search(entered)
    id_ = next(filter(None, found.groups()), "") if found else entered
    if not re.fullmatch(r"[\w-]{2,}", id_):
        raise ConnectorError("This is no folder of Google Drive. Copy the address of the folder.", permanent=True)
    return id_
