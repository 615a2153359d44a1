"""A source whose outside system is a list in the test: what each run is told, and where it fails."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from memories.choices import Tier, Trigger
from memories.models import Memory, Product
from sources.choices import SourceType
from sources.connectors.base import Connection, Cursor, Field, FieldKind, Item, Page
from sources.models import Source, SyncRun
from sources.syncing import engine

TOKEN = "tok-9f8e7d6c5b4a"


class Feed:
    """Each run takes the next entry of `runs`: pages, or an exception in the place of one."""

    type: ClassVar[str] = "clickup"
    label: ClassVar[str] = "Feed"
    default_tier: ClassVar[Tier] = Tier.TEAM
    fields: ClassVar[tuple[Field, ...]] = (
        Field("list", "List", "Which list."),
        Field("token", "Token", "From its settings page; reading is enough.", FieldKind.SECRET, required=True),
    )
    runs: ClassVar[list[Sequence[Page | BaseException]]] = []
    cursors: ClassVar[list[Mapping[str, Any]]] = []

    def __init__(self, connection: Connection) -> None:
        self.secrets = connection.secrets

    def test(self) -> str:
        return f"The token {self.secrets['token']} opens one list."

    def pages(self, cursor: Cursor) -> Iterator[Page]:
        Feed.cursors.append(dict(cursor))
        for each in Feed.runs.pop(0):
            if isinstance(each, BaseException):
                raise each
            yield each


def item(key: str, text: str, *, revised_at: datetime | None = None, version: str = "", formerly: str = "") -> Item:
    return Item(key, key, text, f"https://lists.example.org/{key}", version or text, revised_at, formerly)


def page(*changes: Any, cursor: int = 1, **frame: Any) -> Page:
    return Page(changes, {"at": cursor}, **frame)


def connected(product: Product, name: str = "lists", **columns: Any) -> Source:
    return Source.objects.create(product=product, type=SourceType.CLICKUP, name=name, **columns)


def fact(content: str) -> Memory:
    """The one statement that says this: a raw text may read the same."""
    return Memory.objects.statements_only().get(content=content)


def run(source: Source, *pages: Page | BaseException, trigger: Trigger = Trigger.PERSON) -> SyncRun:
    """One run that is told this."""
    Feed.runs = [pages]
    done = engine.sync(source.pk, trigger=trigger)
    assert done is not None
    return done


def statuses(*contents: str) -> list[str]:
    """The statuses of all memories that say this, oldest first."""
    rows = Memory.objects.statements_only().order_by("id")
    return [", ".join(rows.filter(content=each).values_list("status", flat=True)) for each in contents]
