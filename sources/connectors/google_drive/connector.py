"""Google Drive in step: everything once, then what changed.

A Drive tells changes file by file, and of a folder that moved, only that it did. So a folder that came in is listed,
and one that left means that everything is listed again, without downloads: what is no longer met has left with it.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import ClassVar

from memories.choices import Tier
from sources.connectors.base import (
    Change,
    Connection,
    ConnectorError,
    Cursor,
    Field,
    Gone,
    Page,
    Unread,
)
from sources.connectors.documents import Documents
from sources.connectors.google_drive import fields
from sources.connectors.google_drive.api import Drive, DriveRefusal, File, connector_error
from sources.connectors.google_drive.kinds import FOLDER
from sources.connectors.google_drive.reading import Reading
from sources.connectors.google_drive.sorting import Sorting, in_parts, parted
from sources.connectors.google_drive.walk import Walk

#: Moves the walk on, once everything before it is read.
Turn = Callable[[], None]

#: Files of one page. After each the reading can stop without doing anything twice.
TOGETHER = 20


class GoogleDrive:
    type: ClassVar[str] = "google_drive"
    label: ClassVar[str] = "Google Drive"
    default_tier: ClassVar[Tier] = Tier.OFFICIAL
    fields: ClassVar[tuple[Field, ...]] = fields.FIELDS

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def test(self) -> str:
        with closing(Drive(self._connection)) as drive:
            try:
                root = self._root(drive)
                who = drive.who()
                name = drive.drive_name(root["id"]) if root.get("driveId") == root["id"] else root["name"]
                found = drive.children([root["id"]], str(root.get("driveId", "")), "")
            except DriveRefusal as refusal:
                raise connector_error(refusal) from None
        more = "at least " if found.after else ""
        return f"{who} sees “{name}” with {more}{len(found.entries)} files and folders directly in it."

    def pages(self, cursor: Cursor) -> Iterator[Page]:
        with closing(Drive(self._connection)) as drive, Documents() as documents:
            try:
                root = self._root(drive)
                walk = Walk.resumed(cursor, str(root["id"]))
                yield from _Run(drive, Reading(drive, documents, self._connection.versions), walk, root).pages()
            except DriveRefusal as refusal:
                raise connector_error(refusal) from None

    def _root(self, drive: Drive) -> File:
        """Looked up in every run: a folder that is no longer shared must not look like an empty one."""
        id_ = fields.folder_id(str(self._connection.values.get("folder", "")))
        try:
            root = drive.file(id_)
        except DriveRefusal as refusal:
            if refusal.code != 404:
                raise
            whom = drive.signing.address or "the account that the refresh token is from"
            raise ConnectorError(
                f"The folder isn't there, or isn't shared. Share it with {whom} as Viewer.", permanent=True
            ) from None
        if root["mimeType"] != FOLDER:
            raise ConnectorError("This is a file, not a folder. Enter the link of the folder it is in.", permanent=True)
        if root.get("trashed"):
            raise ConnectorError("The folder is in the bin. Restore it, or enter another one.", permanent=True)
        return root


class _Run:
    def __init__(self, drive: Drive, reading: Reading, walk: Walk, root: File) -> None:
        self._drive = drive
        self._reading = reading
        self._walk = walk
        self._sorting = Sorting(drive, walk, reading.versions)
        self._drive_id = str(root.get("driveId", ""))

    def pages(self) -> Iterator[Page]:
        walk = self._walk
        tried_before = list(walk.again)
        if walk.sweep or not walk.token:
            yield from self._sweep()
        else:
            yield from self._listed()  # folders that came in and were not all listed when the last run ended
        while (yield from self._changed()):
            yield from self._sweep()
        yield from self._tried_again([key for key in tried_before if key in walk.again])

    def _sweep(self) -> Iterator[Page]:
        walk = self._walk
        if not walk.sweep:
            # The token is older than the listing, so that what changes in the meantime is told afterwards.
            walk.begin_sweep(self._drive.token(self._drive_id))
            yield Page((), walk.cursor(), begins="")
        yield from self._listed()
        walk.end_sweep()
        yield Page((), walk.cursor(), ends="")

    def _listed(self) -> Iterator[Page]:
        walk = self._walk
        while walk.next_folders():
            try:
                found = self._drive.children(walk.listing, self._drive_id, walk.after)
            except DriveRefusal as refusal:
                if not walk.gets_over(refusal.code):
                    raise
                continue
            folders, files = parted(found.entries)

            def turn(after: str = found.after, met: tuple[str, ...] = folders) -> None:
                walk.met_folders(met)
                walk.turned_page(after)

            yield from self._read(files, turn)

    def _changed(self) -> Generator[Page, None, bool]:
        """All changes since the token. True when they can't be told from here, and everything has to be listed."""
        walk = self._walk
        while True:
            try:
                found = self._drive.changes(walk.token, self._drive_id)
            except DriveRefusal as refusal:
                if refusal.is_about_token:
                    return True
                raise
            told = self._sorting.told(found.entries)
            if told is None:
                return True

            def turn(token: str = found.after or found.until, met: tuple[str, ...] = told.folders) -> None:
                walk.met_folders(met)
                walk.token = token

            yield from self._read(told.files, turn, [Gone(key) for key in told.left])
            yield from self._listed()
            if not found.after:
                return False

    def _tried_again(self, keys: list[str]) -> Iterator[Page]:
        """What could not be read in an earlier run. A Drive won't mention it until it changes."""
        for part in in_parts(keys, TOGETHER):
            files, left = [], []
            for key in part:
                try:
                    file = self._drive.file(key)
                except DriveRefusal as refusal:
                    if refusal.code != 404:
                        raise
                    file = {}
                if self._walk.holds(file):
                    files.append(file)
                else:
                    left.append(Gone(key))
            yield from self._read(files, lambda: None, left)

    def _read(self, files: Iterable[File], turn: Turn, left: Iterable[Change] = ()) -> Iterator[Page]:
        """Pages of these files. Only the last of them moves on: what was stored before is met again, unchanged."""
        parts = list(in_parts(list(files), TOGETHER)) or [()]
        before = tuple(left)
        for place, part in enumerate(parts, start=1):
            changes = (*before, *self._reading.changes(part))
            before = ()
            self._remember(changes)
            if place == len(parts):
                turn()
            yield Page(changes, self._walk.cursor())

    def _remember(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, Unread):
                self._walk.again[change.key] = None
            else:
                self._walk.again.pop(change.key, None)
