"""A Google Drive that speaks the documented API, version 3, and refuses what the real one refuses."""

import base64
import json
import re
from typing import Any

from tests.sources.fakes.google_oauth import DRIVE_READONLY, OAuth, first_service_account
from tests.sources.fakes.google_rules import (
    File,
    check_parameters,
    check_scopes,
    mask_of,
    masked,
    refusal,
    says,
    search_terms,
)
from tests.sources.fakes.google_store import Store
from tests.sources.fakes.service import FakeService
from tests.sources.fakes.serving import Answer, Asked

ADDRESS = "neuronz@lighthouse.iam.gserviceaccount.com"
PERSON = "noor@example.org"
CLIENT, CLIENT_SECRET, REFRESH_TOKEN = "77-web.apps.googleusercontent.com", "GOCSPX-s3cret", "1//refresh-me"

ROUTES = (
    (r"/drive/v3/files", "files.list"),
    (r"/drive/v3/files/(?P<file>[^/]+)", "files.get"),
    (r"/drive/v3/files/(?P<file>[^/]+)/export", "files.export"),
    (r"/drive/v3/changes/startPageToken", "changes.getStartPageToken"),
    (r"/drive/v3/changes", "changes.list"),
    (r"/drive/v3/drives/(?P<drive>[^/]+)", "drives.get"),
    (r"/drive/v3/about", "about.get"),
)
#: What comes without a `fields` parameter.
USUAL_FILE = "kind,id,name,mimeType"
USUAL_FILES = f"kind,nextPageToken,incompleteSearch,files({USUAL_FILE})"
USUAL_CHANGES = (
    f"kind,nextPageToken,newStartPageToken,changes(kind,type,changeType,time,removed,fileId,file({USUAL_FILE}))"
)

TOO_FAST = Answer(
    403,
    {
        "error": {
            "code": 403,
            "message": "User Rate Limit Exceeded",
            "errors": [
                {"domain": "usageLimits", "reason": "userRateLimitExceeded", "message": "User Rate Limit Exceeded"}
            ],
        }
    },
)
TOO_MANY = Answer(429, {"error": {"code": 429, "message": "Too many requests"}}, {"Retry-After": "0"})
BROKEN = Answer(503, {"error": {"code": 503, "message": "Backend Error", "errors": [{"reason": "backendError"}]}})


class FakeGoogleDrive(FakeService):
    def __init__(self) -> None:
        super().__init__()
        self.oauth = OAuth()
        self.store = Store()
        self.export_limit = 10_000_000
        self.forgotten_before = 0  # change tokens older than this are gone
        self.oauth.accounts[ADDRESS] = first_service_account(ADDRESS)
        self.oauth.clients[CLIENT] = CLIENT_SECRET
        self.oauth.refresh_tokens[REFRESH_TOKEN] = (CLIENT, PERSON, frozenset({DRIVE_READONLY}))

    @property
    def token_url(self) -> str:
        return f"{self.url}/token"

    def key_file(self) -> str:
        return self.oauth.accounts[ADDRESS].key_file(self.token_url)

    def serve(self, asked: Asked) -> Answer:
        if asked.path == "/token":
            return self.oauth.grant(asked)
        access = self.oauth.who_asks(asked)
        if access is None:
            raise refusal(401, "authError", "Invalid Credentials")
        for pattern, name in ROUTES:
            if (match := re.fullmatch(pattern, asked.path)) and asked.method == "GET":
                check_parameters(name, asked)
                check_scopes(name, access.scopes)
                serve = getattr(self, f"_{name.replace('.', '_')}")
                return serve(asked, access.who, **match.groupdict())  # type: ignore[no-any-return]  # one of the below
        return Answer(404, b"Not Found")

    def _about_get(self, asked: Asked, who: str) -> Answer:
        if not asked.query.get("fields", ""):
            raise refusal(400, "required", "The 'fields' parameter is required for this method.", "fields")
        user = {"kind": "drive#user", "displayName": who.partition("@")[0], "emailAddress": who, "me": True}
        return Answer(200, masked({"kind": "drive#about", "user": user}, mask_of(asked, "About", "")))

    def _drives_get(self, asked: Asked, who: str, drive: str) -> Answer:
        if drive not in self.store.drives or not self.store.visible(drive, who):
            raise refusal(404, "notFound", f"Shared drive not found: {drive}", "driveId")
        return Answer(200, {"kind": "drive#drive", "id": drive, "name": self.store.drives[drive]})

    def _file(self, asked: Asked, who: str, id_: str) -> File:
        file = self.store.files.get(id_)
        is_out_of_reach = file is not None and "driveId" in file and not says(asked, "supportsAllDrives")
        if file is None or not self.store.visible(id_, who) or is_out_of_reach:
            raise refusal(404, "notFound", f"File not found: {id_}.", "fileId")
        return file

    def _files_get(self, asked: Asked, who: str, file: str) -> Answer:
        found = self._file(asked, who, file)
        if asked.query.get("alt", "json") != "media":
            return Answer(200, masked(found, mask_of(asked, "File", USUAL_FILE)))
        if file not in self.store.contents:
            raise refusal(403, "fileNotDownloadable", "Only files with binary content can be downloaded.", "alt")
        if not found["capabilities"]["canDownload"]:
            raise refusal(403, "cannotDownloadFile", "This file cannot be downloaded by the user.")
        return Answer(200, self.store.contents[file], {"Content-Type": found["mimeType"]})

    def _files_export(self, asked: Asked, who: str, file: str) -> Answer:
        asked_again = Asked(asked.method, asked.path, {"supportsAllDrives": "true"}, asked.headers)
        self._file(asked_again, who, file)  # an export knows no supportsAllDrives
        exports = self.store.exports.get(file)
        if exports is None:
            raise refusal(403, "fileNotExportable", "Export only supports Docs Editors files.", "fileId")
        if asked.query.get("mimeType", "") not in exports:
            raise refusal(400, "badRequest", "The requested conversion is not supported.", "convertTo")
        content = exports[asked.query.get("mimeType", "")]
        if len(content) > self.export_limit:
            raise refusal(403, "exportSizeLimitExceeded", "This file is too large to be exported.")
        return Answer(200, content, {"Content-Type": asked.query.get("mimeType", "")})

    def _files_list(self, asked: Asked, who: str) -> Answer:
        mask = mask_of(asked, "FileList", USUAL_FILES)
        drive = self._corpus(asked, who)
        for parent in re.findall(r"'([^']+)' in parents", asked.query.get("q", "")):
            if not self.store.visible(parent, who):
                raise refusal(404, "notFound", f"File not found: {parent}.", "fileId")
        matches = search_terms(asked.query.get("q", "")) if asked.query.get("q", "") else lambda _: True
        found = [file for file in self.store.seen_by(who) if self._in_corpus(file, asked, drive) and matches(file)]
        token_of = {name: values for name, values in asked.query.items() if name not in ("pageToken", "fields")}
        start = _place_in(asked.query.get("pageToken", ""), token_of) if asked.query.get("pageToken", "") else 0
        size = _page_size(asked)
        page: dict[str, Any] = {
            "kind": "drive#fileList",
            "incompleteSearch": False,
            "files": found[start : start + size],
        }
        if start + size < len(found):
            page["nextPageToken"] = _token_for(start + size, token_of)
        return Answer(200, masked(page, mask))

    def _corpus(self, asked: Asked, who: str) -> str:
        drive, corpora = asked.query.get("driveId", ""), asked.query.get("corpora", "")
        if (drive != "") != (corpora == "drive"):
            raise refusal(400, "invalid", "The driveId parameter must be specified if and only if corpora is drive.")
        if (drive or says(asked, "includeItemsFromAllDrives")) and not says(asked, "supportsAllDrives"):
            raise refusal(403, "teamDrivesNotSupported", "The supportsAllDrives parameter must be true.")
        if drive and not says(asked, "includeItemsFromAllDrives"):
            raise refusal(400, "invalid", "The includeItemsFromAllDrives parameter must be true with corpora drive.")
        if drive and not self.store.visible(drive, who):
            raise refusal(404, "notFound", f"Shared drive not found: {drive}", "driveId")
        return drive

    @staticmethod
    def _in_corpus(file: File, asked: Asked, drive: str) -> bool:
        if drive:
            return bool(file.get("driveId") == drive and file["id"] != drive)
        return "driveId" not in file or says(asked, "includeItemsFromAllDrives")

    def _changes_getStartPageToken(self, asked: Asked, who: str) -> Answer:  # noqa: N802  # named as in the API
        self._corpus_of_changes(asked, who)
        return Answer(200, {"kind": "drive#startPageToken", "startPageToken": str(len(self.store.log))})

    def _corpus_of_changes(self, asked: Asked, who: str) -> None:
        if asked.query.get("driveId", "") and not says(asked, "supportsAllDrives"):
            raise refusal(403, "teamDrivesNotSupported", "The supportsAllDrives parameter must be true.")
        if asked.query.get("driveId", "") and not self.store.visible(asked.query.get("driveId", ""), who):
            raise refusal(404, "notFound", f"Shared drive not found: {asked.query.get('driveId')}", "driveId")

    def _changes_list(self, asked: Asked, who: str) -> Answer:
        mask = mask_of(asked, "ChangeList", USUAL_CHANGES)
        self._corpus_of_changes(asked, who)
        token = asked.query.get("pageToken", "")
        if not token.isdigit() or int(token) > len(self.store.log):
            raise refusal(400, "invalid", "Invalid Value", "pageToken")
        if int(token) < self.forgotten_before:
            raise refusal(410, "pageTokenExpired", "The page token is too old; list everything again.", "pageToken")
        entries = self._entries(int(token), asked.query.get("driveId", ""), asked)
        size = _page_size(asked)
        page: dict[str, Any] = {
            "kind": "drive#changeList",
            "changes": [self._change(id_, who) for _, id_ in entries[:size]],
        }
        if len(entries) > size:
            page["nextPageToken"] = str(entries[size][0])
        else:
            page["newStartPageToken"] = str(len(self.store.log))
        return Answer(200, masked(page, mask))

    def _entries(self, since: int, drive: str, asked: Asked) -> list[tuple[int, str]]:
        """As in Drive, each file once, at the place of its latest change."""
        latest: dict[str, int] = {}
        for place, (where, id_) in enumerate(self.store.log):
            if place >= since and (where == drive or (not drive and says(asked, "includeItemsFromAllDrives"))):
                latest[id_] = place
        return sorted((place, id_) for id_, place in latest.items())

    def _change(self, id_: str, who: str) -> dict[str, Any]:
        change = {
            "kind": "drive#change",
            "type": "file",
            "changeType": "file",
            "fileId": id_,
            "time": "2026-03-02T12:00:00Z",
        }
        if not self.store.visible(id_, who):
            return {**change, "removed": True}
        return {**change, "removed": False, "file": self.store.files[id_]}


def _page_size(asked: Asked) -> int:
    size = int(asked.query.get("pageSize", "100"))
    if size < 1:
        raise refusal(
            400, "invalidParameter", f"Invalid value '{size}'. Values must be within the range: [1, 1000]", "pageSize"
        )
    return min(size, 1_000)


def _token_for(place: int, query: dict[str, str]) -> str:
    return "~!!~" + base64.urlsafe_b64encode(json.dumps([place, query], sort_keys=True).encode()).decode()


def _place_in(token: str, query: dict[str, str]) -> int:
    """A token goes on with the very listing it came from, and no other."""
    try:
        place, of = json.loads(base64.urlsafe_b64decode(token.removeprefix("~!!~")))
    except ValueError:
        place, of = 0, None
    if of != query:
        raise refusal(400, "invalid", "Invalid Value", "pageToken")
    return int(place)
