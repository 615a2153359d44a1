"""How far the reading of a workspace has come: all that a cursor holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from sources.connectors.base import Cursor
from sources.connectors.clickup.api import Row

#: ClickUp's clocks may differ a little, and a change may show late: this much is asked for again.
OVERLAP = 5 * 60 * 1_000
MOST_AGAIN = 500


@dataclass(slots=True)
class Walk:
    """Tasks come in the order of their changes. `since`: all that changed up to there were met; in milliseconds.

    `page` counts only among tasks that changed in the same moment. `docs`: when each Doc had changed when it was read;
    `docs_due`: all of them are to be read next; `docs_sweep`: they are being read.
    """

    scope: str
    since: int = 0
    page: int = 0
    is_sweeping: bool = False
    swept: float = 0.0
    docs: dict[str, int] = field(default_factory=dict)
    docs_due: bool = False
    docs_sweep: bool = False
    again: dict[str, None] = field(default_factory=dict)

    @classmethod
    def resumed(cls, cursor: Cursor, scope: str) -> Self:
        if cursor.get("scope") != scope:
            return cls(scope)
        return cls(
            scope,
            since=int(cursor.get("since", 0)),
            page=int(cursor.get("page", 0)),
            is_sweeping=bool(cursor.get("is_sweeping", False)),
            swept=0.0 if len(cursor.get("again", ())) > MOST_AGAIN else float(cursor.get("swept", 0.0)),
            docs=dict(cursor.get("docs", {})),
            docs_due=bool(cursor.get("docs_due", False)),
            docs_sweep=bool(cursor.get("docs_sweep", False)),
            again=dict.fromkeys(cursor.get("again", ())),
        )

    def cursor(self) -> Cursor:
        held: Mapping[str, Any] = {
            "scope": self.scope,
            "since": self.since,
            "page": self.page,
            "is_sweeping": self.is_sweeping,
            "swept": self.swept,
            "docs": dict(self.docs),
            "docs_due": self.docs_due,
            "docs_sweep": self.docs_sweep,
            "again": list(self.again),
        }
        return {name: value for name, value in held.items() if value}

    def begin_sweep(self) -> None:
        self.since, self.page, self.is_sweeping = 0, 0, True
        self.again.clear()

    def end_sweep(self, now: float) -> None:
        self.is_sweeping, self.swept, self.docs_due = False, now, True

    def begin_docs(self) -> None:
        self.docs, self.docs_due, self.docs_sweep = {}, False, True

    def step_back(self) -> None:
        self.since, self.page = max(0, self.since - OVERLAP), 0

    def advance(self, tasks: Sequence[Row]) -> None:
        """Ask from the last task on, not for the next page: what changes meanwhile moves to the end, and would push
        one that was not read yet onto a page that was."""
        dates = [int(task["date_updated"]) for task in tasks]
        if not dates:
            return
        if dates == sorted(dates) and dates[-1] - 1 > self.since:
            self.since, self.page = dates[-1] - 1, 0
        else:  # a hundred in one moment
            self.page += 1

    def arrive(self, tasks: Sequence[Row]) -> None:
        """These were the last ones."""
        self.since = max([self.since, *(int(task["date_updated"]) for task in tasks)])
        self.page = 0
