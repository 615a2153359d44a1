"""What an engine keeps of what a connector tells, in the least that shows whether the connector keeps its promises."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from sources.connectors.base import Change, Connection, Connector, Cursor, Gone, Item, Page, Skipped, Unchanged, Unread


class Stopped(Exception):
    """The process was killed here."""


class Shelf:
    """Items by key, the cursor, and what the last run said. The connector is made anew for each run."""

    def __init__(self, connector: type[Connector], values: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
        self._connector = connector
        self.values = dict(values)
        self.secrets = dict(secrets)
        self.items: dict[str, Item] = {}
        self.cursor: Cursor = {}
        self.told: list[Change] = []
        self._sweeps: dict[str, set[str]] = {}

    def connect(self) -> Connector:
        return self._connector(Connection(self.values, self.secrets, self.versions))

    def versions(self, keys: Collection[str]) -> Mapping[str, str]:
        return {key: self.items[key].version for key in keys if key in self.items}

    def run(self, *, pages: int | None = None) -> "Shelf":
        """One run; after so many pages it is killed, before the next one is stored."""
        self.told = []
        told = self.connect().pages(self.cursor)
        for place, page in enumerate(told):
            if place == pages:
                raise Stopped
            self._store(page)
        return self

    def _store(self, page: Page) -> None:
        if page.begins is not None:
            self._sweeps[page.begins] = set()
        for change in page.changes:
            self.told.append(change)
            for mentioned in self._sweeps.values():
                mentioned.add(change.key)
            if isinstance(change, Item):
                self.items[change.key] = change
            elif isinstance(change, Gone | Skipped):
                self.items.pop(change.key, None)
            elif isinstance(change, Unchanged):
                assert change.key in self.items, f"{change.key} was said to be unchanged, and nobody had it"
        if page.ends is not None:
            assert page.ends in self._sweeps, "a sweep ended that had not begun"
            mentioned = self._sweeps.pop(page.ends)
            for key in [key for key in self.items if key.startswith(page.ends) and key not in mentioned]:
                del self.items[key]
        self.cursor = page.cursor

    def news(self, *, pages: int | None = None) -> list[Change]:
        """What a run told besides what is unchanged, and then what it found vanished. It may be killed on the way."""
        before = set(self.items)
        with suppress(Stopped):
            self.run(pages=pages)
        named = {key for each in self.told for key in (each.key, getattr(each, "formerly", ""))}
        vanished = sorted(before - set(self.items) - named)
        return [*(each for each in self.told if not isinstance(each, Unchanged)), *map(Gone, vanished)]

    def titles(self) -> list[str]:
        return sorted(item.title for item in self.items.values())

    def text(self, title: str) -> str:
        return next(item.text for item in self.items.values() if item.title == title)

    def read(self) -> list[str]:
        """The titles of what was fetched in the last run."""
        return sorted(change.title for change in self.told if isinstance(change, Item))

    def reasons(self) -> dict[str, str]:
        return {change.key: change.reason for change in self.told if isinstance(change, Skipped | Unread)}
