"""A folder of files, or a git checkout, on the disk of the server. It needs no credentials.

Every run looks at all of it. A file that looks the same to the disk (times and size) is not opened.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from django.conf import settings

from memories import limits
from memories.choices import Tier
from sources.connectors.base import (
    Change,
    Connection,
    ConnectorError,
    Cursor,
    Field,
    FieldKind,
    Item,
    Page,
    Skipped,
    Unchanged,
    Unread,
)
from sources.connectors.checkout import Checkout, Commit
from sources.connectors.globs import matches
from sources.decisions import FOREIGN_FOLDERS

PAGE = 200
READ = ("*.md", "*.markdown", "*.txt", "*.text", "*.rst")
#: A zero byte among the first ones is no text.
LOOKED_AT = 8192


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    key: str
    version: str


class Folder:
    type: ClassVar[str] = "folder"
    label: ClassVar[str] = "Folder"
    default_tier: ClassVar[Tier] = Tier.TEAM
    fields: ClassVar[tuple[Field, ...]] = (
        Field(
            "path", "Folder", "The full path on the server, for example /srv/handbook. The server's own user must be "
            "allowed to read it; reading is enough.", required=True,
        ),
        Field(
            "patterns", "Files to read", "One pattern a line, such as docs/**/*.md or *.txt; * stays within a name, ** "
            "goes through folders. Hidden files and folders of packages are never read.", FieldKind.LINES, default=READ,
        ),
        Field("without", "Files to leave out", "Patterns as above, for example CHANGELOG.md.", FieldKind.LINES),
        Field(
            "base_url", "Web address", "Where people open these files; the path is put behind it, and {commit} becomes "
            "the last commit of the file, for example https://git.example.org/handbook/blob/{commit}/. Empty: file:// "
            "addresses.", FieldKind.URL,
        ),
    )  # fmt: skip

    def __init__(self, connection: Connection) -> None:
        values = connection.values
        self._root = Path(str(values.get("path", ""))).expanduser()
        self._patterns: Sequence[str] = tuple(values.get("patterns") or READ)
        self._without: Sequence[str] = tuple(values.get("without") or ())
        self._base_url = str(values.get("base_url") or "")
        self._versions = connection.versions
        self._is_whole = True

    def test(self) -> str:
        files = sum(isinstance(each, _File) for each in self._met(self._checked()))
        return f"{self._root} can be read: {files:,} files match the patterns."

    def pages(self, cursor: Cursor) -> Iterator[Page]:
        root = self._checked()
        checkout, met = Checkout(root), self._met(root)
        self._is_whole = True
        yield Page([], {}, begins="")
        while batch := list(islice(met, PAGE)):
            yield Page(list(self._changes(batch, checkout)), {})
        # What is under a folder that could not be opened has not vanished.
        yield Page([], {}, ends="" if self._is_whole else None)

    def _checked(self) -> Path:
        """The root, without links, where a folder source may read."""
        if not self._root.is_absolute():
            raise ConnectorError("The folder must be a full path, beginning with a slash.", permanent=True)
        root = self._root.resolve()
        if not root.is_dir():
            raise ConnectorError(f"There is no folder {self._root} on the server, or it can't be reached now.")
        if root.is_relative_to(settings.DATA_DIR):
            raise ConnectorError(f"{self._root} holds this server's own data; choose another folder.", permanent=True)
        allowed = [Path(each).resolve() for each in settings.FOLDER_ROOTS]
        if allowed and not any(root.is_relative_to(each) for each in allowed):
            raise ConnectorError(
                f"{self._root} is outside the folders that NEURONZ_FOLDER_ROOTS opens to sources.", permanent=True
            )
        if not os.access(root, os.R_OK | os.X_OK):
            raise ConnectorError(f"The server's user may not read {self._root}.", permanent=True)
        return root

    def _met(self, root: Path) -> Iterator["_File | Change"]:
        refused: list[OSError] = []
        for folder, folders, names in os.walk(root, onerror=refused.append):
            folders[:] = sorted(each for each in folders if not _is_closed(Path(folder, each)))
            for name in sorted(names):
                path = Path(folder, name)
                key = _name(path.relative_to(root).as_posix())
                if not name.startswith(".") and matches(key, self._patterns) and not matches(key, self._without):
                    yield _looked_at(root, path, key)
        for error in refused:
            self._is_whole = False
            place = _name(Path(str(error.filename)).relative_to(root).as_posix())
            yield Unread(f"{place}/", f"the folder can't be opened ({error.strerror})")

    def _changes(self, batch: Sequence["_File | Change"], checkout: Checkout) -> Iterator[Change]:
        known = self._versions([each.key for each in batch if isinstance(each, _File)])
        for each in batch:
            if not isinstance(each, _File):
                yield each
            elif known.get(each.key) == each.version:
                yield Unchanged(each.key)
            else:
                yield self._read(each, checkout)

    def _read(self, file: _File, checkout: Checkout) -> Change:
        try:
            with file.path.open("rb") as opened:
                content = opened.read(limits.TEXT_BYTES + 1)
        except OSError as error:
            return Unread(file.key, f"it can't be opened ({error.strerror})")
        is_cut = len(content) > limits.TEXT_BYTES
        text = _text(_up_to_the_limit(content) if is_cut else content)
        if text is None:
            return Skipped(file.key, "it is binary, or not in UTF-8")
        commit = None if is_cut else checkout.commit_of(file.key, content)
        return Item(
            key=file.key, title=_name(file.path.name), text=text, url=self._url(file, commit, checkout),
            version=file.version, revised_at=commit.at if commit else None,
            left_out="only the first MiB of it was read, the most that one text may have" if is_cut else "",
        )  # fmt: skip

    def _url(self, file: _File, commit: Commit | None, checkout: Checkout) -> str:
        if not self._base_url:
            return file.path.as_uri()
        base = self._base_url.replace("{commit}", commit.id if commit else checkout.head() or "HEAD")
        return f"{base.rstrip('/')}/{quote(file.key)}"


def _name(of: str) -> str:
    """A name that is no UTF-8 on the disk is told with its bytes, so that two of them stay two."""
    return os.fsencode(of).decode("utf-8", "backslashreplace")


def _is_closed(folder: Path) -> bool:
    is_foreign = folder.name.startswith(".") or folder.name in FOREIGN_FOLDERS or folder == settings.DATA_DIR
    return is_foreign or folder.is_symlink()


def _looked_at(root: Path, path: Path, key: str) -> "_File | Change":
    """A link is followed to a file inside the folder alone."""
    try:
        place = path.resolve(strict=True)
        stat = place.stat()
    except (OSError, RuntimeError):
        return Unread(key, "it can't be reached (a broken link, or it was just removed)")
    if not place.is_relative_to(root):
        return Skipped(key, "it is a link that leads out of the folder")
    if any(part.startswith(".") for part in place.relative_to(root).parts):
        return Skipped(key, "it is a link to something hidden")
    if not place.is_file():
        return Skipped(key, "it is no regular file")
    return _File(place, key, f"{stat.st_mtime_ns:x}-{stat.st_ctime_ns:x}-{stat.st_ino:x}-{stat.st_size:x}")


def _up_to_the_limit(content: bytes) -> bytes:
    """Whole lines; a text without any is cut between two characters."""
    whole = content[: content.rfind(b"\n", 0, limits.TEXT_BYTES) + 1] or content[: limits.TEXT_BYTES]
    return whole.decode("utf-8", "ignore").encode() if whole[-1:] != b"\n" and b"\0" not in whole else whole


def _text(content: bytes) -> str | None:
    is_utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in content[:LOOKED_AT] and not is_utf_16:
        return None
    try:
        return content.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        return None
