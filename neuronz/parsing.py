"""JSON bodies: bounded in size and depth."""

from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from memories import limits
from memories.errors import TooLarge

#: A text of 1 MiB may take six bytes a character when all of it is escaped; a batch has its own limit.
BODY_BYTES = limits.BATCH_BYTES

#: Far above what any value may have, and far below what recursion allows on a stack that is deep already.
LEVELS = 200


def body_too_large() -> TooLarge:
    return TooLarge(f"A body has at most {BODY_BYTES // 2**20} MiB; send it in parts.", BODY_BYTES)


class BoundedJSONParser(JSONParser):
    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read(BODY_BYTES + 1)
        if len(body) > BODY_BYTES:
            raise body_too_large()
        if not body:
            return {}  # clients name the type of a body they don't send, with DELETE above all
        try:
            # JSON is UTF-8, whatever charset the type claims: decoded otherwise, a text would not be kept as submitted.
            value = super().parse(BytesIO(body), media_type, {**(parser_context or {}), "encoding": "utf-8"})
        except RecursionError:
            raise _too_deep() from None
        if _is_deeper(value, LEVELS):
            raise _too_deep()
        return value


def _too_deep() -> ParseError:
    return ParseError("The JSON is nested too deep; a few levels would have worked.")


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [
            inner
            for each in layer
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not layer:
            return False
    return True
