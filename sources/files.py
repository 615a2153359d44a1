"""Files as they lie on the disk: which there are, and what text is in them. Nothing here knows memories."""

import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from memories import limits
from sources.decisions import FOREIGN_FOLDERS, Format, format_of, item_key

#: A line of a transcript that is longer is no message.
LONGEST_LINE = limits.BATCH_BYTES
#: A NUL byte this near the beginning tells a binary file.
LOOKED_AT = 8_192


class Unfit(Exception):
    """Not a text that can be read. `reason` completes "it was left out: …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Exception):
    """The disk or an archive refuses."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be read. `is_named`: someone gave its own path, so leaving it out would be a failure."""

    path: Path
    key: str
    format: Format
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or folder that is not read, and why."""

    key: str
    reason: str
    is_failure: bool = False


#: As what a file of a name is read; None is left out where nobody named the file itself.
Choice = Callable[[str], Format | None]


def with_suffixes(suffixes: tuple[str, ...]) -> Choice:
    """Every file with one of these endings, as one text."""
    return lambda name: Format.DOCUMENT if name.lower().endswith(suffixes) else None


def find(paths: Iterable[Path], *, choose: Choice = format_of) -> Iterator[Found | LeftOut]:
    """Everything under the paths, folders recursively, in the order of their names; each file once."""
    places: set[Path] = set()
    keys: set[str] = set()
    for given in paths:
        for each in _under(given, choose):
            if isinstance(each, Found):
                place = each.path.resolve()
                if place in places:
                    continue
                places.add(place)
                if each.key in keys:
                    yield LeftOut(each.key, "another file of this run has this name; name the folder above both", True)
                    continue
                keys.add(each.key)
            yield each


def _under(given: Path, choose: Choice) -> Iterator[Found | LeftOut]:
    root = Path(os.path.abspath(given))  # noqa: PTH100  # resolve() would call a link by its target's name
    if root.is_dir():
        yield from _in_folder(root, choose)
    elif root.is_file():
        yield Found(root, _key(root, root), choose(root.name) or Format.DOCUMENT, is_named=True)
    else:
        yield LeftOut(str(given), "there is no such file or folder", is_failure=True)


def _in_folder(root: Path, choose: Choice) -> Iterator[Found | LeftOut]:
    refused: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=refused.append):
        closed = {name: reason for name in folders if (reason := _why_not_enter(Path(folder, name)))}
        folders[:] = sorted(name for name in folders if name not in closed)
        yield from (LeftOut(_key(root, Path(folder, name)), reason) for name, reason in sorted(closed.items()))
        yield from (_met(root, Path(folder, name), choose) for name in sorted(names))
    for error in refused:
        yield LeftOut(_key(root, Path(str(error.filename))), _why(error), is_failure=True)


def _why_not_enter(folder: Path) -> str | None:
    if folder.name.startswith("."):
        return "hidden"
    if folder.name in FOREIGN_FOLDERS:
        return "a folder of packages"
    return "a link to a folder (name it by itself)" if folder.is_symlink() else None


def _met(root: Path, path: Path, choose: Choice) -> Found | LeftOut:
    key = _key(root, path)
    kind = choose(path.name)
    if path.name.startswith("."):
        return LeftOut(key, "hidden")
    if kind is None:
        return LeftOut(key, "of another kind than text (name a file by itself to have it read as text)")
    return Found(path, key, kind) if path.is_file() else LeftOut(key, "not a regular file")


def _key(root: Path, path: Path) -> str:
    """A name that is not UTF-8 on the disk is shown with a question mark."""
    return os.fsencode(item_key(root, path)).decode("utf-8", "replace")


def text_of(path: Path, *, most: int = limits.TEXT_BYTES) -> str:
    """The whole text, exactly; only a byte order mark is no part of it."""
    try:
        size = path.stat().st_size
        if size > most:
            allowed = f"{most // 2**20} MiB, the most that one text may have"
            raise Unfit(f"larger than {allowed}; split it ({size / 2**20:.1f} MiB)")
        content = path.read_bytes()
    except OSError as error:
        raise Unreadable(_why(error)) from error
    is_utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in content[:LOOKED_AT] and not is_utf_16:
        raise Unfit("binary")
    try:
        return content.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unfit("not in UTF-8; convert it, for example with `iconv -f latin1 -t utf-8`") from None


def length(found: Found) -> int:
    """How many steps a file takes: one for itself, and one for each line of a transcript."""
    if found.format == Format.DOCUMENT:
        return 1
    try:
        return 1 + sum(1 for _ in lines_of(found.path))
    except Unreadable:
        return 1


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a transcript, one by one, out of its archive if need be."""
    try:
        with _opened(path) as file:
            while line := file.readline(LONGEST_LINE):
                yield line
    except OSError as error:
        raise Unreadable(_why(error)) from error
    except (EOFError, zlib.error):
        raise Unreadable("the archive is damaged") from None


def _opened(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def _why(error: OSError) -> str:
    return (error.strerror or "the archive is damaged").lower()
