"""The REST addresses, read off the URL table: a new one can't be forgotten by the tests that walk over all of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ROOT = "api/v1/"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class Pattern:
    """`facts/<str:id_>/history/`, say; `shown` is `facts/{id}/history/`."""

    route: str
    view: Any

    @property
    def shown(self) -> str:
        return re.sub(r"<[^>]+>", "{id}", self.route)

    @property
    def has_id(self) -> bool:
        return "{id}" in self.shown

    def path(self, id_: str) -> str:
        return self.shown.replace("{id}", id_)


def patterns() -> list[Pattern]:
    """Every address under /api/v1/."""
    found = [(route, view) for route, view in _walk("", get_resolver().url_patterns) if route.startswith(ROOT)]
    return [Pattern(route.removeprefix(ROOT), view) for route, view in found]


def methods_of(pattern: Pattern) -> list[str]:
    return [method for method in METHODS if hasattr(pattern.view, method.lower())]


def _walk(before: str, entries: Any) -> Iterator[tuple[str, Any]]:
    for entry in entries:
        if isinstance(entry, URLResolver):
            yield from _walk(before + str(entry.pattern), entry.url_patterns)
        elif isinstance(entry, URLPattern):
            yield before + str(entry.pattern), getattr(entry.callback, "view_class", None)
