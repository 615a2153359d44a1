"""The files of the fake Drive, what people do to them, and the log of changes that this leaves."""

import hashlib
import io
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from openpyxl import Workbook

from tests.sources.fakes.google_rules import File

FOLDER = "application/vnd.google-apps.folder"
DOC = "application/vnd.google-apps.document"
SHEET = "application/vnd.google-apps.spreadsheet"
SLIDES = "application/vnd.google-apps.presentation"
SHORTCUT = "application/vnd.google-apps.shortcut"
FORM = "application/vnd.google-apps.form"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def workbook(sheets: dict[str, Sequence[Sequence[object]]]) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


@dataclass(slots=True)
class Store:
    files: dict[str, File] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    exports: dict[str, dict[str, bytes]] = field(default_factory=dict)
    drives: dict[str, str] = field(default_factory=dict)
    shares: dict[str, set[str]] = field(default_factory=dict)  # file or drive id → addresses it is shared with
    log: list[tuple[str, str]] = field(default_factory=list)  # (drive id or "", file id), oldest first
    now: datetime = NOON

    # --- what is there

    def add(self, name: str, parent: str, mime: str, **more: object) -> str:
        id_ = more.pop("id", None) or f"1{secrets.token_urlsafe(24)}"
        above = self.files.get(parent)
        self.files[str(id_)] = {
            "kind": "drive#file",
            "id": id_,
            "name": name,
            "mimeType": mime,
            "parents": [parent] if parent else [],
            "trashed": False,
            "explicitlyTrashed": False,
            "createdTime": self._tick(),
            "modifiedTime": self._stamp(),
            "version": "1",
            "webViewLink": f"https://drive.google.com/file/d/{id_}/view?usp=drivesdk",
            "capabilities": {"canDownload": True},
            **({"driveId": above["driveId"]} if above and "driveId" in above else {}),
            **more,
        }
        self._changed(str(id_))
        return str(id_)

    def folder(self, name: str, parent: str = "") -> str:
        return self.add(name, parent, FOLDER)

    def drive(self, name: str) -> str:
        """A shared drive. Its top folder has the id of the drive."""
        id_ = f"0A{secrets.token_urlsafe(12)}PVA"
        self.drives[id_] = name
        return self.add("Drive", "", FOLDER, id=id_, driveId=id_)

    def file(self, name: str, parent: str, content: bytes, mime: str = "text/plain") -> str:
        id_ = self.add(name, parent, mime)
        self._fill(id_, content)
        return id_

    def doc(self, name: str, parent: str, markdown: str) -> str:
        id_ = self.add(name, parent, DOC)
        self.exports[id_] = {"text/markdown": markdown.encode(), "text/plain": markdown.encode()}
        return id_

    def sheet(self, name: str, parent: str, sheets: dict[str, Sequence[Sequence[object]]]) -> str:
        id_ = self.add(name, parent, SHEET)
        self.exports[id_] = {XLSX: workbook(sheets)}
        return id_

    def slides(self, name: str, parent: str, text: str) -> str:
        id_ = self.add(name, parent, SLIDES)
        self.exports[id_] = {"text/plain": text.encode()}
        return id_

    # --- what people do

    def write(self, id_: str, content: str | bytes) -> None:
        content = content if isinstance(content, bytes) else content.encode()
        if id_ in self.contents:
            self._fill(id_, content)
        else:
            self.exports[id_] = dict.fromkeys(self.exports[id_], content)
        self.files[id_]["modifiedTime"] = self._tick()
        self._changed(id_)

    def rename(self, id_: str, name: str) -> None:
        self.files[id_]["name"] = name
        self._tick()
        self._changed(id_)

    def move(self, id_: str, to: str) -> None:
        """As in Drive: only the file or folder itself is in the log, whatever lies below it."""
        self.files[id_]["parents"] = [to]
        self._changed(id_)

    def trash(self, id_: str, *, trashed: bool = True) -> None:
        self.files[id_]["explicitlyTrashed"] = trashed
        for each in [id_, *self.below(id_)]:
            self.files[each]["trashed"] = trashed
        self._changed(id_)

    def delete(self, id_: str) -> None:
        drive = self.files[id_].get("driveId", "")
        for each in [*self.below(id_), id_]:
            del self.files[each]
        self.log.append((drive, id_))

    def share(self, id_: str, address: str) -> None:
        self.shares.setdefault(id_, set()).add(address)
        self._changed(id_)

    def unshare(self, id_: str, address: str) -> None:
        self.shares[id_].discard(address)
        for each in [id_, *self.below(id_)]:
            self._changed(each)

    def below(self, id_: str) -> list[str]:
        children = [each for each, file in self.files.items() if id_ in file["parents"]]
        return children + [each for child in children for each in self.below(child)]

    # --- who sees what

    def visible(self, id_: str, who: str) -> bool:
        file = self.files.get(id_)
        if file is None:
            return False
        above = [*self._ancestors(id_), file.get("driveId", "")]
        return any(who in self.shares.get(each, ()) for each in above)

    def seen_by(self, who: str) -> Iterator[File]:
        return (file for id_, file in self.files.items() if self.visible(id_, who))

    def _ancestors(self, id_: str) -> Iterator[str]:
        while id_ in self.files:
            yield id_
            id_ = next(iter(self.files[id_]["parents"]), "")

    def _fill(self, id_: str, content: bytes) -> None:
        self.contents[id_] = content
        digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
        self.files[id_] |= {
            "md5Checksum": digest,
            "size": str(len(content)),
            "headRevisionId": f"0B{digest[:20]}",
        }

    def _changed(self, id_: str) -> None:
        file = self.files[id_]
        file["version"] = str(int(file["version"]) + 1)
        self.log.append((file.get("driveId", ""), id_))

    def _tick(self) -> str:
        self.now += timedelta(minutes=1)
        return self._stamp()

    def _stamp(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.000Z")
