"""The process that takes documents apart. It is run as a script of its own, and knows nothing of Neuronz.

A document comes from strangers: it may be broken, built to take forever, or to unpack into all the memory there is. So
it is opened where that harms nobody: a process with a bounded memory, without the settings and secrets of its parent,
that can be killed. Markitdown's plug-ins and its fetching of addresses are not used at all: one converter is called on
the bytes at hand.

Requests and answers are a line of JSON with the length of the bytes that follow it.
"""

import io
import json
import resource
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from itertools import groupby
from typing import BinaryIO

Row = list[str]

MEMORY = 2 * 2**30
UNPACKED = 300 * 2**20
PARTS = 20_000
ZIPPED = ("docx", "xlsx", "pptx")
DAMAGED = "it is damaged, or protected by a password"


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # a converter that prints must not break the protocol
    while line := sys.stdin.buffer.readline():
        asked = json.loads(line)
        text, problem = answer(sys.stdin.buffer.read(asked["length"]), asked["kind"])
        content = text.encode("utf-8", "replace")[: asked["most"]]
        out.write(json.dumps({"length": len(content), "problem": problem}).encode() + b"\n" + content)
        out.flush()


def answer(content: bytes, kind: str) -> tuple[str, str]:
    try:
        if kind in ZIPPED and (problem := bomb(io.BytesIO(content))):
            return "", problem
        return converted(io.BytesIO(content), kind), ""
    except MemoryError:
        return "", "it takes more memory than one document may"
    except RecursionError:
        return "", "it is nested too deep"
    except Exception:  # noqa: BLE001  # five parsers of others, each with errors of its own; all mean the same here
        return "", DAMAGED


def bomb(content: BinaryIO) -> str:
    with zipfile.ZipFile(content) as archive:
        parts = archive.infolist()
    if len(parts) > PARTS or sum(part.file_size for part in parts) > UNPACKED:
        return "it unpacks to more than one document may hold"
    return ""


def converted(content: BinaryIO, kind: str) -> str:
    if kind == "xlsx":
        return workbook(content)
    from markitdown import DocumentConverter, StreamInfo, converters  # noqa: PLC0415  # after the limit is set

    by_kind: dict[str, type[DocumentConverter]] = {
        "pdf": converters.PdfConverter,
        "docx": converters.DocxConverter,
        "pptx": converters.PptxConverter,
        "html": converters.HtmlConverter,
        "csv": converters.CsvConverter,
    }
    return by_kind[kind]().convert(content, StreamInfo(extension=f".{kind}", charset="utf-8")).markdown


def workbook(content: BinaryIO) -> str:
    """Not by markitdown: it goes by way of pandas, which writes 8443.0 for 8443 and NaN for an empty cell."""
    from openpyxl import load_workbook  # noqa: PLC0415  # after the limit is set

    book = load_workbook(content, read_only=True, data_only=True)
    return "\n\n".join(
        part for sheet in book.worksheets for part in (f"## {sheet.title}", *_parts(sheet.iter_rows(values_only=True)))
    )


def _parts(rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    """Between empty rows stand tables, whose first row names the columns, and lines that stand alone."""
    written = (_trimmed([_cell(value) for value in row]) for row in rows)
    for is_filled, block in groupby(written, key=bool):
        if is_filled:
            yield _table(list(block))


def _trimmed(row: Row) -> Row:
    while row and not row[-1]:
        row.pop()
    return row


def _table(rows: list[Row]) -> str:
    if max(map(len, rows)) == 1:
        return "\n\n".join(row[0] for row in rows)
    first = min(next(place for place, cell in enumerate(row) if cell) for row in rows)
    width = max(map(len, rows)) - first
    lines = [[*row[first:], *[""] * (width - len(row[first:]))] for row in rows]
    head, *body = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([head, "|" + " --- |" * width, *body])


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return " ".join(str(value).split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
