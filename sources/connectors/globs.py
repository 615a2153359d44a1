"""Patterns over paths: `*` within one name, `**` over folders, `?` for one character."""

import re
from collections.abc import Sequence
from functools import lru_cache


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether one of them covers the path. A pattern without a slash is matched against the file's name alone."""
    return any(_compiled(each).fullmatch(path if "/" in each else path.rsplit("/", 1)[-1]) for each in patterns)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    out, rest = "", pattern.strip().removeprefix("/")
    while rest:
        if rest.startswith("**/"):
            out, rest = out + "(?:[^/]+/)*", rest[3:]
        elif rest.startswith("**"):
            out, rest = out + ".*", rest[2:]
        elif rest[0] == "*":
            out, rest = out + "[^/]*", rest[1:]
        elif rest[0] == "?":
            out, rest = out + "[^/]", rest[1:]
        else:
            out, rest = out + re.escape(rest[0]), rest[1:]
    return re.compile(out, re.IGNORECASE | re.DOTALL)
