"""ClickUp in step: the tasks that changed since the last run, and from time to time all of them.

Only listing everything shows which tasks are gone. Docs are listed in every run, and those that changed are read.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from time import time
from typing import ClassVar

from memories.choices import Tier
from sources.connectors.base import (
    Change,
    Connection,
    ConnectorError,
    Cursor,
    Field,
    Gone,
    Item,
    Page,
    Skipped,
    Unchanged,
    Unread,
    Versions,
)
from sources.connectors.clickup import rendering
from sources.connectors.clickup.api import MOST_COMMENTS, Api, Missing, Row
from sources.connectors.clickup.docs import Docs
from sources.connectors.clickup.fields import FIELDS, Wanted, wanted
from sources.connectors.clickup.walk import Walk
from sources.connectors.documents import fitting
from sources.connectors.http import Refused

TASK = "task:"
#: Tasks of one page of ours: their comments are fetched one by one.
TOGETHER = 20
MOST_IN_A_ROW = 5


class ClickUp:
    type: ClassVar[str] = "clickup"
    label: ClassVar[str] = "ClickUp"
    default_tier: ClassVar[Tier] = Tier.TEAM
    fields: ClassVar[tuple[Field, ...]] = FIELDS

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def test(self) -> str:
        asked = wanted(self._connection.values)
        with closing(self._api()) as api:
            name = _workspace(api, asked)
            try:
                for space in asked.spaces:
                    api.lists_of(space)
                lists = [api.list_name(each) for each in asked.lists]
            except Missing:
                raise ConnectorError("The token doesn't see one of the spaces or lists.", permanent=True) from None
            only = f", of it {len(asked.spaces)} spaces" if asked.spaces else ""
            only += f", of it the lists {', '.join(lists)}" if lists else ""
            return f"{api.user()} sees the workspace “{name}”{only}."

    def pages(self, cursor: Cursor) -> Iterator[Page]:
        asked = wanted(self._connection.values)
        with closing(self._api()) as api:
            walk = Walk.resumed(cursor, asked.scope)
            try:
                yield from _Run(api, walk, asked, self._connection.versions).pages()
            except Missing:
                _workspace(api, asked)
                raise ConnectorError("The token doesn't see one of the spaces or lists.", permanent=True) from None

    def _api(self) -> Api:
        token = self._connection.secrets.get("token", "")
        if not token.strip():
            raise ConnectorError("Enter an API token.", permanent=True)
        return Api(token, str(self._connection.values.get("api_url") or FIELDS[-1].default))


def _workspace(api: Api, asked: Wanted) -> str:
    """Its name, or why it isn't open to us."""
    seen = api.workspaces()
    if asked.workspace not in seen:
        others = ", ".join(f"{name} ({id_})" for id_, name in sorted(seen.items())) or "none"
        raise ConnectorError(
            f"The token doesn't see the workspace {asked.workspace}. It sees: {others}.", permanent=True
        )
    return seen[asked.workspace]


class _Run:
    def __init__(self, api: Api, walk: Walk, asked: Wanted, versions: Versions) -> None:
        self._api = api
        self._walk = walk
        self._asked = asked
        self._versions = versions
        self._failed = 0

    def pages(self) -> Iterator[Page]:
        walk, is_due = self._walk, time() - self._walk.swept >= self._asked.sweep_after
        tried_before = list(walk.again)
        if not walk.is_sweeping and is_due:
            walk.begin_sweep()
            yield Page((), walk.cursor(), begins=TASK)
        elif not walk.is_sweeping:
            walk.step_back()
        yield from self._tasks()
        if walk.is_sweeping:
            walk.end_sweep(time())
            yield Page((), walk.cursor(), ends=TASK)
        yield from self._tried_again([key for key in tried_before if key in walk.again])
        yield from Docs(self._api, walk, self._asked, self._versions).pages()

    def _tasks(self) -> Iterator[Page]:
        walk, is_last = self._walk, False
        while not is_last:
            tasks, is_last = self._api.tasks(
                self._asked.workspace,
                since=walk.since,
                page=walk.page,
                spaces=self._asked.spaces,
                lists=self._asked.lists,
            )
            parts = [tasks[start : start + TOGETHER] for start in range(0, len(tasks), TOGETHER)] or [[]]
            for place, part in enumerate(parts, start=1):
                changes = self._changes(part)
                if place == len(parts):
                    (walk.arrive if is_last else walk.advance)(tasks)
                yield Page(changes, walk.cursor())

    def _tried_again(self, keys: Sequence[str]) -> Iterator[Page]:
        """What could not be read in an earlier run. The list of changes has passed it by."""
        for key in keys:
            try:
                changes = self._changes([self._api.task(key.removeprefix(TASK))])
            except Missing:
                changes = (Gone(key),)
                self._walk.again.pop(key, None)
            yield Page(changes, self._walk.cursor())

    def _changes(self, tasks: Sequence[Row]) -> tuple[Change, ...]:
        known = self._versions([f"{TASK}{task['id']}" for task in tasks])
        changes = tuple(self._change(task, known) for task in tasks)
        for change in changes:
            if isinstance(change, Unread):
                self._walk.again[change.key] = None
            else:
                self._walk.again.pop(change.key, None)
        return changes

    def _change(self, task: Row, known: Mapping[str, str]) -> Change:
        key, version = f"{TASK}{task['id']}", rendering.version_of(task, self._asked.zone)
        if task.get("archived"):
            return Gone(key)
        if not self._asked.closed and (task.get("status") or {}).get("type") == "closed":
            return Skipped(key, "it is closed")
        if known.get(key) == version:
            return Unchanged(key)
        try:
            said, was_cut = self._api.comments(str(task["id"])) if self._asked.comments else ([], False)
        except Missing:  # deleted after it was listed
            return Gone(key)
        except ConnectorError as error:
            return self._failure(key, error)
        self._failed = 0
        text = rendering.header(task, self._asked.zone) + rendering.comments(said, self._asked.zone)
        kept, left_out = fitting(text)
        older = f"Only its newest {MOST_COMMENTS} comments were read." if was_cut else ""
        return Item(
            key=key,
            title=str(task["name"]),
            text=kept,
            url=str(task.get("url", "")),
            version=version,
            revised_at=rendering.moment(task["date_updated"]),
            left_out=" ".join(filter(None, (left_out, older))),
        )

    def _failure(self, key: str, error: ConnectorError) -> Change:
        """One task must not end a run, but a service that is down, busy or closed to us must."""
        self._failed += 1
        is_busy = isinstance(error, Refused) and error.status_code in (403, 429)
        if error.permanent or error.retry_after or is_busy or self._failed == MOST_IN_A_ROW:
            raise error
        return Unread(key, error.sentence)
