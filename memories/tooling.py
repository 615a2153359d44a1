"""What every tool of the MCP door shares. An app's tools are functions in its tools.py; neuronz.mcp serves them."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from django.http import QueryDict
from rest_framework.serializers import Serializer
from rest_framework.settings import api_settings

from memories.choices import Permission
from memories.fields import StrictSerializer
from memories.services.keys import Caller

Shape = TypeVar("Shape", bound=StrictSerializer)
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call: `run` gets the verified caller and the checked arguments."""

    name: str
    title: str
    #: For the model: when to use it.
    description: str
    arguments: type[StrictSerializer]
    answer: type[Serializer[Any]]
    run: Callable[[Caller, Any], Answer]
    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool

    @property
    def permission(self) -> Permission:
        """As REST: reading needs the read permission, everything else the write permission."""
        return Permission.READ if self.is_read_only else Permission.WRITE


def tool(
    title: str, *, gives: type[Serializer[Any]], read_only: bool = False, destructive: bool = False,
    idempotent: bool = False,
) -> Callable[[Callable[[Caller, Shape], Answer]], Tool]:  # fmt: skip
    """Make a function a tool: its name, docstring and the shape of its argument `sent` are published as they stand."""

    def made(function: Callable[[Caller, Shape], Answer]) -> Tool:
        return Tool(
            name=function.__name__, title=title, description=inspect.getdoc(function) or "",
            arguments=get_type_hints(function)["sent"], answer=gives, run=function,
            is_read_only=read_only, is_destructive=destructive, is_idempotent=idempotent or read_only,
        )  # fmt: skip

    return made


def page(rows: Any, serializer: type[Serializer[Any]], *, limit: int, cursor: str) -> Answer:
    """A page as REST gives it; `next` and `previous` are cursors instead of addresses."""
    pages: Any = api_settings.DEFAULT_PAGINATION_CLASS
    found = pages().page(rows, serializer, limit=limit, cursor=cursor, url="")
    return {**found, "next": _cursor(found["next"]), "previous": _cursor(found["previous"])}


def _cursor(address: str | None) -> str | None:
    return QueryDict(address.partition("?")[2])["cursor"] if address else None
