"""One file of a Drive as an item, or why not."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from sources.connectors.base import Change, ConnectorError, Gone, Item, Skipped, Unchanged, Unread, Versions
from sources.connectors.documents import Documents, Unfit, fitting, plain_text
from sources.connectors.google_drive.api import Drive, DriveRefusal, File, connector_error
from sources.connectors.google_drive.kinds import EXPORT_LIMIT, Kind, kind_of, version_of, why_skipped
from sources.connectors.http import MOST_BYTES, Refused, TooLarge

#: When so many files in a row can't be fetched, it is not the files.
MOST_IN_A_ROW = 5
#: What Drive says when it is about this one file.
WITHHELD = {
    "cannotDownloadFile": "its owner doesn't let viewers download it",
    "cannotDownloadAbusiveFile": "Google takes it for malware or spam",
    "fileNotDownloadable": "Google doesn't offer it for download",
    "fileNotExportable": "Google doesn't offer it as text",
    "exportSizeLimitExceeded": f"it is too large (Google exports at most {EXPORT_LIMIT})",
}


class Reading:
    """Reads files as they come, and says of each what became of it."""

    def __init__(self, drive: Drive, documents: Documents, versions: Versions) -> None:
        self._drive = drive
        self._documents = documents
        self.versions = versions
        self._failed = 0

    def changes(self, files: Iterable[File]) -> Iterator[Change]:
        files = list(files)
        known = self.versions([str(file["id"]) for file in files])
        return (self._change(file, known) for file in files)

    def _change(self, file: File, known: Mapping[str, str]) -> Change:
        key = str(file["id"])
        kind = kind_of(file)
        if kind is None or why_skipped(file):
            return Skipped(key, why_skipped(file))
        if known.get(key) == version_of(file):
            return Unchanged(key)
        try:
            text = self._text(file, kind)
        except Unfit as unfit:
            return Skipped(key, unfit.reason)
        except DriveRefusal as refusal:
            return self._refused(key, refusal)
        except ConnectorError as error:
            return self._failure(key, error)
        self._failed = 0
        return self._item(file, text)

    def _item(self, file: File, text: str) -> Change:
        key = str(file["id"])
        if not text.strip():
            return Skipped(key, "there is no text in it (a scan has pictures of text only)")
        kept, left_out = fitting(text)
        return Item(
            key=key,
            title=str(file["name"]),
            text=kept,
            url=str(file.get("webViewLink", "")),
            version=version_of(file),
            revised_at=_moment(file.get("modifiedTime")),
            left_out=left_out,
        )

    def _text(self, file: File, kind: Kind) -> str:
        try:
            return self._fetched(file, kind)
        except TooLarge:  # its size was not told, or wrongly
            raise Unfit(f"it is larger than {MOST_BYTES // 2**20} MB") from None

    def _fetched(self, file: File, kind: Kind) -> str:
        for place, (mime, format_) in enumerate(kind.exports, start=1):
            try:
                return self._as_text(self._drive.exported(str(file["id"]), mime), format_)
            except DriveRefusal as refusal:
                if refusal.reason != "exportSizeLimitExceeded" or place == len(kind.exports):
                    raise
        return self._as_text(self._drive.content(str(file["id"])), kind.format)

    def _as_text(self, content: bytes, format_: str) -> str:
        return self._documents.markdown(content, format_) if format_ else plain_text(content)

    def _refused(self, key: str, refusal: DriveRefusal) -> Change:
        if refusal.reason in WITHHELD:
            return Skipped(key, WITHHELD[refusal.reason])
        if refusal.code == 404:  # it went away after it was listed
            return Gone(key)
        if refusal.code == 403 and "insufficientFilePermissions" in refusal.reason:
            return Unread(key, "the credentials see it and may not read it")
        return self._failure(key, connector_error(refusal))

    def _failure(self, key: str, error: ConnectorError) -> Change:
        """One file must not end a run, but a service that is down, busy or closed to us must."""
        self._failed += 1
        is_busy = isinstance(error, Refused) and error.status_code in (403, 429)
        if error.permanent or error.retry_after or is_busy or self._failed == MOST_IN_A_ROW:
            raise error
        return Unread(key, error.sentence)


def _moment(text: Any) -> datetime | None:
    return datetime.fromisoformat(str(text)) if text else None
