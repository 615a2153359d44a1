"""Pages by id: newest first, stable while rows arrive, no count over everything."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import QueryDict
from rest_framework.serializers import Serializer

from memories.errors import InvalidInput


class NewestFirst:
    """`{next, previous, results}`. A cursor names the row it starts after (`a`) or ends before (`b`)."""

    def page(
        self, rows: "QuerySet[Any]", serializer: type[Serializer[Any]], *, limit: int, cursor: str, url: str,
        context: Callable[[Sequence[Any]], dict[str, Any]] | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """`context` says what the serializer must know of the rows of the page."""
        backwards, anchor = _read(cursor)
        if anchor:
            rows = rows.filter(pk__gt=anchor) if backwards else rows.filter(pk__lt=anchor)
        found = list(rows.order_by("pk" if backwards else "-pk")[: limit + 1])
        has_more, found = len(found) > limit, found[:limit]
        if backwards:
            found.reverse()
        return {
            "next": _link(url, "a", found[-1:]) if has_more or (backwards and found) else None,
            "previous": _link(url, "b", found[:1]) if (anchor and not backwards) or (backwards and has_more) else None,
            "results": serializer(found, many=True, context=context(found) if context else {}).data,
        }


def _read(cursor: str) -> tuple[bool, UUID | None]:
    if not cursor:
        return False, None
    try:
        if cursor[0] in "ab":
            return cursor[0] == "b", UUID(hex=cursor[1:])
    except ValueError:
        pass
    raise InvalidInput.of("cursor", "No such cursor; take it out of `next` or `previous`, or leave it out.")


def _link(url: str, side: str, edge: list[Model]) -> str | None:
    if not edge:
        return None
    address, _, query = url.partition("?")
    given = QueryDict(query, mutable=True)
    given["cursor"] = f"{side}{UUID(str(edge[0].pk)).hex}"
    return f"{address}?{given.urlencode()}"
