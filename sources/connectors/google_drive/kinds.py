"""Which files of a Drive are read, and as what. Tables, and no network."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from sources.connectors.http import MOST_BYTES

FOLDER: Final = "application/vnd.google-apps.folder"
SHORTCUT: Final = "application/vnd.google-apps.shortcut"
OFFICE: Final = "application/vnd.openxmlformats-officedocument"
#: Raise it when the same file would be read otherwise, so that everything is read again.
READING: Final = 1
#: Google's own limit for an export.
EXPORT_LIMIT: Final = "10 MB"


@dataclass(frozen=True, slots=True)
class Kind:
    """`exports`: what to ask Google for, the best first; empty: the file is downloaded. `format` "" is plain text."""

    exports: tuple[tuple[str, str], ...] = ()
    format: str = ""


#: Markdown keeps headings, lists and tables. Where it is too large, because pictures are part of it, the text may do.
DOC: Final = Kind(exports=(("text/markdown", ""), ("text/plain", "")))
#: All sheets with their names. CSV would be the first sheet alone.
SHEET: Final = Kind(exports=((f"{OFFICE}.spreadsheetml.sheet", "xlsx"),))
SLIDES: Final = Kind(exports=(("text/plain", ""),))
TEXT: Final = Kind()

BY_MIME: Final[Mapping[str, Kind]] = {
    "application/vnd.google-apps.document": DOC,
    "application/vnd.google-apps.spreadsheet": SHEET,
    "application/vnd.google-apps.presentation": SLIDES,
    "application/pdf": Kind(format="pdf"),
    f"{OFFICE}.wordprocessingml.document": Kind(format="docx"),
    f"{OFFICE}.presentationml.presentation": Kind(format="pptx"),
    f"{OFFICE}.spreadsheetml.sheet": Kind(format="xlsx"),
    "text/html": Kind(format="html"),
    "text/csv": Kind(format="csv"),
    "text/plain": TEXT,
    "text/markdown": TEXT,
    "text/x-markdown": TEXT,
}
#: What a browser didn't know when it uploaded the file.
UNKNOWN: Final = ("application/octet-stream", "")
BY_SUFFIX: Final[Mapping[str, Kind]] = {
    ".md": TEXT,
    ".markdown": TEXT,
    ".txt": TEXT,
    ".pdf": Kind(format="pdf"),
    ".docx": Kind(format="docx"),
    ".pptx": Kind(format="pptx"),
    ".xlsx": Kind(format="xlsx"),
    ".html": Kind(format="html"),
    ".htm": Kind(format="html"),
    ".csv": Kind(format="csv"),
}
NAMES: Final[Mapping[str, str]] = {
    "application/vnd.google-apps.form": "a form",
    "application/vnd.google-apps.drawing": "a drawing",
    "application/vnd.google-apps.map": "a map",
    "application/vnd.google-apps.site": "a site",
    "application/vnd.google-apps.script": "a script",
    "application/msword": "a document of Word before 2007; save it as .docx",
    "application/vnd.ms-excel": "a workbook of Excel before 2007; save it as .xlsx",
    "application/vnd.ms-powerpoint": "a presentation of PowerPoint before 2007; save it as .pptx",
}


def kind_of(file: Mapping[str, Any]) -> Kind | None:
    mime = str(file.get("mimeType", ""))
    if mime in UNKNOWN:
        return BY_SUFFIX.get(PurePath(str(file["name"])).suffix.lower())
    return BY_MIME.get(mime)


def why_skipped(file: Mapping[str, Any]) -> str:
    """The reason when the file is left out for what it is, before anything of it is fetched."""
    mime = str(file.get("mimeType", ""))
    if mime == SHORTCUT:
        return "it is a shortcut (the file itself is read where it lies, if that is in the folder as well)"
    if kind_of(file) is None:
        return f"it is {NAMES.get(mime, f'of a type that is not read ({mime})')}"
    if int(file.get("size") or 0) > MOST_BYTES:
        size = f"{int(file['size']) / 2**20:.0f} MB"
        return f"it is too large ({size}; at most {MOST_BYTES // 2**20} MB are read)"
    if not file.get("capabilities", {}).get("canDownload", True):
        return "its owner doesn't let viewers download it"
    return ""


def version_of(file: Mapping[str, Any]) -> str:
    """Changes with the content and with the name. Who sees the file, and in which folder it lies, is no change."""
    content = file.get("md5Checksum") or file.get("headRevisionId") or file.get("modifiedTime")
    told = json.dumps([READING, content, file.get("name"), file.get("mimeType")])
    return hashlib.sha256(told.encode()).hexdigest()[:32]
