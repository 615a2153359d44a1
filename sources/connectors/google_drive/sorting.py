"""What the changes that a Drive tells mean for one folder of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sources.connectors.base import Versions
from sources.connectors.google_drive.api import Drive, DriveRefusal, File
from sources.connectors.google_drive.kinds import FOLDER
from sources.connectors.google_drive.walk import Walk

Each = TypeVar("Each")


@dataclass(frozen=True, slots=True)
class Told:
    """New folders and files inside, as far as they were told, and the keys of those that left."""

    folders: tuple[str, ...]
    files: tuple[File, ...]
    left: tuple[str, ...]


class Sorting:
    def __init__(self, drive: Drive, walk: Walk, versions: Versions) -> None:
        self._drive = drive
        self._walk = walk
        self._versions = versions
        self._inside: dict[str, bool] = {}

    def told(self, changes: Sequence[File]) -> Told | None:
        """None: a folder left, and what was below it can't be told from here."""
        present = [each["file"] for each in changes if not each.get("removed") and not each["file"].get("trashed")]
        folders, files = parted(present)
        inside = self._grown(file for file in present if file["mimeType"] == FOLDER)
        staying = {str(file["id"]) for file in present if not inside.isdisjoint(file.get("parents", ()))}
        gone = [str(each["fileId"]) for each in changes if each["fileId"] not in staying]
        if any(key in self._walk.folders and key != self._walk.root for key in gone):
            return None
        left = set(self._ours(gone))
        kept = {str(file["id"]) for file in files if str(file["id"]) in left and self._is_inside(file)}
        return Told(
            folders=tuple(id_ for id_ in folders if id_ in staying),
            files=tuple(file for file in files if str(file["id"]) in staying | kept),
            left=tuple(key for key in gone if key in left - kept),
        )

    def _grown(self, folders: Iterable[File]) -> set[str]:
        """The folders that are read, and those among these that lie in them, in whatever order they were told."""
        inside, rest = set(self._walk.folders), list(folders)
        while new := [each for each in rest if not inside.isdisjoint(each.get("parents", ()))]:
            inside.update(str(each["id"]) for each in new)
            rest = [each for each in rest if each not in new]
        return inside

    def _ours(self, keys: Sequence[str]) -> Iterator[str]:
        """Of the rest of the Drive, changes are told as well, and are no matter of ours."""
        known = self._versions(keys) if keys else {}
        return (key for key in keys if key in known or key in self._walk.again)

    def _is_inside(self, file: File) -> bool:
        """For a file of ours in a folder that we don't know yet: its own change may be told later."""
        parent = str(next(iter(file.get("parents", ())), ""))
        if not parent or parent in self._walk.folders:
            return bool(parent)
        if parent not in self._inside:
            self._inside[parent] = False
            try:
                self._inside[parent] = self._is_inside(self._drive.file(parent))
            except DriveRefusal as refusal:
                if refusal.code != 404:
                    raise
        return self._inside[parent]


def parted(files: Iterable[File]) -> tuple[tuple[str, ...], tuple[File, ...]]:
    """The ids of the folders, and the files."""
    files = tuple(files)
    return (
        tuple(str(file["id"]) for file in files if file["mimeType"] == FOLDER),
        tuple(file for file in files if file["mimeType"] != FOLDER),
    )


def in_parts(items: Sequence[Each], size: int) -> Iterator[Sequence[Each]]:
    return (items[start : start + size] for start in range(0, len(items), size))
