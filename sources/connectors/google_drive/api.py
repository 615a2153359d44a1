"""Google Drive as the connector asks it, by Google's own client.

The client brings a transport that would go anywhere and read answers of any size, so it gets ours in its place: it
asks of a transport one method of httplib2. Its own retries stay off, because the guarded transport has them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import httplib2
import httpx
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import HttpRequest

from sources.connectors.base import Connection, ConnectorError
from sources.connectors.google_drive.signing import Signing
from sources.connectors.http import TIMEOUT, Outbound

API_URL: Final = "https://www.googleapis.com"
SERVICE: Final = "Google Drive"
FILE_FIELDS: Final = (
    "id,name,mimeType,parents,trashed,size,md5Checksum,headRevisionId,modifiedTime,webViewLink,"
    "capabilities/canDownload,shortcutDetails/targetMimeType,driveId"
)
#: Most that a listing gives at once.
PAGE: Final = 1_000
EVERYWHERE: Final = {"supportsAllDrives": True, "includeItemsFromAllDrives": True}

File = Mapping[str, Any]


class DriveRefusal(Exception):
    """Drive says no. `reason` is its own word for why."""

    def __init__(self, code: int, reason: str, location: str = "") -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason
        self.is_about_token = location == "pageToken" or (code == 410 and not location)


@dataclass(frozen=True, slots=True)
class Listing:
    """`after` is the token of the next page; `until` the one to go on from next time, on the last page of changes."""

    entries: tuple[File, ...]
    after: str = ""
    until: str = ""


class Drive:
    def __init__(self, connection: Connection) -> None:
        self._outbound = Outbound(SERVICE)
        client = httpx.Client(transport=self._outbound.transport, timeout=TIMEOUT, trust_env=False)
        self.signing = Signing(connection, client)
        base = str(connection.values.get("api_url") or API_URL).rstrip("/")
        self._service: Any = build(
            "drive",
            "v3",
            http=GuardedHttp(client, self.signing),
            client_options={"api_endpoint": f"{base}/drive/v3/"},
            cache_discovery=False,
            static_discovery=True,  # the description of the API comes with the client, nothing is fetched for it
        )

    def close(self) -> None:
        self._outbound.close()

    def who(self) -> str:
        found = _answer(self._service.about().get(fields="user/emailAddress"))
        return str(found.get("user", {}).get("emailAddress", ""))

    def file(self, id_: str) -> File:
        return _answer(self._service.files().get(fileId=id_, supportsAllDrives=True, fields=FILE_FIELDS))

    def drive_name(self, id_: str) -> str:
        return str(_answer(self._service.drives().get(driveId=id_))["name"])

    def children(self, folders: Iterable[str], drive: str, after: str) -> Listing:
        """What lies directly in these folders and is not in the bin."""
        above = " or ".join(f"'{id_}' in parents" for id_ in folders)
        found = _answer(
            self._service.files().list(
                q=f"({above}) and trashed = false",
                fields=f"nextPageToken,incompleteSearch,files({FILE_FIELDS})",
                pageSize=PAGE,
                **EVERYWHERE,
                **({"pageToken": after} if after else {}),
                **({"corpora": "drive", "driveId": drive} if drive else {}),
            )
        )
        if found.get("incompleteSearch"):
            # Going on would take everything that is missing for removed.
            raise ConnectorError("Google Drive could not list everything. It is tried again later.")
        return Listing(tuple(found.get("files", ())), found.get("nextPageToken", ""))

    def token(self, drive: str) -> str:
        """From here on changes can be asked for."""
        of_drive = {"driveId": drive} if drive else {}
        found = _answer(self._service.changes().getStartPageToken(supportsAllDrives=True, **of_drive))
        return str(found["startPageToken"])

    def changes(self, token: str, drive: str) -> Listing:
        found = _answer(
            self._service.changes().list(
                pageToken=token,
                fields=f"nextPageToken,newStartPageToken,changes(changeType,removed,fileId,file({FILE_FIELDS}))",
                pageSize=PAGE,
                **EVERYWHERE,
                **({"driveId": drive} if drive else {}),
            )
        )
        entries = tuple(change for change in found.get("changes", ()) if change.get("changeType") == "file")
        return Listing(entries, found.get("nextPageToken", ""), found.get("newStartPageToken", ""))

    def content(self, id_: str) -> bytes:
        return _bytes(self._service.files().get_media(fileId=id_, supportsAllDrives=True))

    def exported(self, id_: str, mime: str) -> bytes:
        return _bytes(self._service.files().export_media(fileId=id_, mimeType=mime))


class GuardedHttp:
    """What the client takes for httplib2.Http."""

    def __init__(self, client: httpx.Client, signing: Signing) -> None:
        self._client = client
        self._signing = signing

    def request(
        self, uri: str, method: str = "GET", body: str | None = None, headers: Mapping[str, str] | None = None, **_: Any
    ) -> tuple[httplib2.Response, bytes]:
        response = self._send(uri, method, body, headers or {})
        if response.status_code == 401:
            self._signing.renew()
            response = self._send(uri, method, body, headers or {})
        return httplib2.Response({**response.headers, "status": response.status_code}), response.content

    def _send(self, uri: str, method: str, body: str | None, headers: Mapping[str, str]) -> httpx.Response:
        signed = dict(headers)
        self._signing.sign(method, uri, signed)
        return self._client.request(method, uri, content=body, headers=signed)

    def close(self) -> None:
        """The connector closes what is below."""


def _answer(request: HttpRequest) -> File:
    return cast("File", _execute(request))


def _bytes(request: HttpRequest) -> bytes:
    return cast("bytes", _execute(request))


def _execute(request: HttpRequest) -> object:
    try:
        return request.execute()
    except HttpError as error:
        raise _refusal(error) from None


def _refusal(error: HttpError) -> DriveRefusal:
    details = error.error_details
    detail = details[0] if isinstance(details, list) and details and isinstance(details[0], dict) else {}
    return DriveRefusal(int(error.resp.status), str(detail.get("reason", "")), str(detail.get("location", "")))


def connector_error(refusal: DriveRefusal) -> ConnectorError:
    """A refusal that stops the run, as staff should read it."""
    permanent = {
        "accessNotConfigured": "The Drive API is switched off in the Google Cloud project of these credentials. Switch "
        "it on there, under APIs & Services.",
        "insufficientPermissions": "The credentials don't open Google Drive. Make new ones with the scope "
        "https://www.googleapis.com/auth/drive.readonly.",
        "authError": "Google doesn't accept the credentials, or no longer. Enter new ones.",
        "domainPolicy": "The administrators of your Google domain don't let apps read Drive.",
    }
    if refusal.reason in permanent or refusal.code == 401:
        return ConnectorError(permanent.get(refusal.reason, permanent["authError"]), permanent=True)
    if refusal.reason in ("dailyLimitExceeded", "quotaExceeded"):
        return ConnectorError("Google Drive's quota for today is used up. It is tried again later.", retry_after=3_600)
    return ConnectorError(f"Google Drive refused to go on ({refusal}). It is tried again later.")
