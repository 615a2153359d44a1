"""A table with a header: a column `content` (or memory, text, fact, statement), and the others of json_lines.py.

`tags` are separated by commas or semicolons; columns of other names go into the metadata. Commas, semicolons and tabs
between the columns are told apart by the header.
"""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from sources.kinds import json_lines
from sources.kinds.base import CONTENT_NAMES, Bad, Candidate, File, Unusable

#: A cell may hold a whole text.
csv.field_size_limit(2**24)


def read(file: File) -> Iterator[Candidate | Bad]:
    text = file.text.lstrip("\ufeff")
    header = text.split("\n", 1)[0]
    separator = max(",;\t", key=header.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
    if not set(rows.fieldnames) & set(CONTENT_NAMES):
        yield Bad(1, f"the header names none of: {', '.join(CONTENT_NAMES)}")
        return
    yield from _of_rows(rows, file)


def _of_rows(rows: "csv.DictReader[str]", file: File) -> Iterator[Candidate | Bad]:
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
            yield json_lines.candidate(line, _cells(row), file)
        except StopIteration:
            return
        except csv.Error as error:
            yield Bad(line, f"the table is broken here: {error}")
        except Unusable as error:
            yield Bad(line, str(error))


def _cells(row: dict[Any, Any]) -> dict[str, Any]:
    if None in row:
        raise Unusable("it has more cells than the header")
    cells = {name: value.strip() for name, value in row.items() if value and value.strip()}
    if "metadata" in cells:
        try:
            cells["metadata"] = json.loads(cells["metadata"])
        except (ValueError, RecursionError):
            raise Unusable("its metadata are no JSON object") from None
    return cells
