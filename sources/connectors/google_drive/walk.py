"""How far the reading of a Drive has come: all that a cursor holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from sources.connectors.base import Cursor

#: Folders that are listed by one request. More, and the address would become too long.
TOGETHER = 20
#: Files that failed and are tried again, one by one. Where more failed, everything is listed again instead.
MOST_AGAIN = 500


@dataclass(slots=True)
class Walk:
    """`token`: changes are known up to here. `sweep`: the token to go on from when all is listed; "" without a sweep.

    `waiting` are folders that are still to be listed, `listing` those whose listing has begun, `after` its next page.
    """

    root: str
    token: str = ""
    sweep: str = ""
    folders: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    listing: list[str] = field(default_factory=list)
    after: str = ""
    again: dict[str, None] = field(default_factory=dict)

    @classmethod
    def resumed(cls, cursor: Cursor, root: str) -> Self:
        """Where the cursor is from. Another folder than the last time starts from the beginning."""
        if cursor.get("root") != root or len(cursor.get("again", ())) > MOST_AGAIN:
            return cls(root)
        return cls(
            root,
            token=str(cursor.get("token", "")),
            sweep=str(cursor.get("sweep", "")),
            folders=set(cursor.get("folders", ())),
            waiting=list(cursor.get("waiting", ())),
            listing=list(cursor.get("listing", ())),
            after=str(cursor.get("after", "")),
            again=dict.fromkeys(cursor.get("again", ())),
        )

    def cursor(self) -> Cursor:
        held: dict[str, Any] = {
            "root": self.root,
            "token": self.token,
            "sweep": self.sweep,
            "folders": sorted(self.folders),
            "waiting": list(self.waiting),
            "listing": list(self.listing),
            "after": self.after,
            "again": list(self.again),
        }
        return {name: value for name, value in held.items() if value}

    def begin_sweep(self, token: str) -> None:
        self.token, self.sweep = "", token
        self.folders, self.waiting = {self.root}, [self.root]
        self.listing, self.after = [], ""
        self.again.clear()

    def end_sweep(self) -> None:
        self.token, self.sweep = self.sweep, ""

    def next_folders(self) -> bool:
        """Take up the next folders to list; False when all are."""
        if not self.listing:
            self.listing, self.waiting = self.waiting[:TOGETHER], self.waiting[TOGETHER:]
        return bool(self.listing)

    def met_folders(self, ids: Iterable[str]) -> None:
        new = [id_ for id_ in ids if id_ not in self.folders]
        self.folders.update(new)
        self.waiting.extend(new)

    def turned_page(self, after: str) -> None:
        self.after = after
        if not after:
            self.listing = []

    def gets_over(self, status: int) -> bool:
        """Whether the listing can go on after it was refused."""
        if status == 404 and len(self.listing) > 1:  # one of them is gone, and Drive doesn't say which
            self.listing, self.waiting = self.listing[:1], [*self.listing[1:], *self.waiting]
            self.after = ""
        elif status == 404 and self.listing != [self.root]:
            self.turned_page("")
        elif self.after and status in (400, 410):  # the token of a page lives for some hours
            self.after = ""
        else:
            return False
        return True

    def holds(self, file: Mapping[str, Any]) -> bool:
        """It lies in one of the folders that are read, and not in the bin."""
        return not file.get("trashed") and not self.folders.isdisjoint(file.get("parents", ()))
