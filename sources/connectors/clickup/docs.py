"""The pages of Docs. All are listed, and those that changed are read whole: a page that is missing then is gone."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from sources.connectors.base import Change, ConnectorError, Item, Page, Skipped, Unchanged, Unread, Versions
from sources.connectors.clickup import rendering
from sources.connectors.clickup.api import Api, Missing, Row
from sources.connectors.clickup.fields import Wanted
from sources.connectors.clickup.walk import Walk
from sources.connectors.documents import fitting
from sources.connectors.http import Refused

PAGE = "page:"
MOST_IN_A_ROW = 5


class Docs:
    def __init__(self, api: Api, walk: Walk, asked: Wanted, versions: Versions) -> None:
        self._api = api
        self._walk = walk
        self._asked = asked
        self._versions = versions
        self._failed = 0

    def pages(self) -> Iterator[Page]:
        walk, failed = self._walk, 0
        if walk.docs_due:
            # Whatever the date of a Doc says: it may not tell of every change to a page.
            walk.begin_docs()
            yield Page((), walk.cursor(), begins=PAGE)
        left = set(walk.docs)
        for doc in self._wanted() if self._asked.docs else ():
            id_, changed_at = str(doc["id"]), int(doc.get("date_updated") or doc["date_created"])
            left.discard(id_)
            if walk.docs.get(id_) == changed_at:
                continue
            page = self._read(id_, str(doc["name"]), changed_at)
            failed += page.ends is None
            yield page
        for id_ in left:
            yield self._removed(id_)
        if walk.docs_sweep and not failed:
            walk.docs_sweep = False
            yield Page((), walk.cursor(), ends=PAGE)

    def _read(self, id_: str, name: str, changed_at: int) -> Page:
        """All of its pages, in a frame of their own. Without the frame's end where that failed."""
        try:
            pages = list(_flat(self._api.pages(self._asked.workspace, id_), name))
        except Missing:  # deleted after it was listed
            return self._removed(id_)
        except ConnectorError as error:
            return Page((self._failure(id_, error),), self._walk.cursor())
        self._failed = 0
        self._walk.docs[id_] = changed_at
        frame = f"{PAGE}{id_}:"
        return Page(self._changes(id_, pages), self._walk.cursor(), begins=frame, ends=frame)

    def _removed(self, id_: str) -> Page:
        self._walk.docs.pop(id_, None)
        frame = f"{PAGE}{id_}:"
        return Page((), self._walk.cursor(), begins=frame, ends=frame)

    def _wanted(self) -> Iterator[Row]:
        """Of the whole workspace, or what hangs on the spaces and lists that were named."""
        parents: set[str] = set(self._asked.lists)
        if not self._asked.lists:
            for space in self._asked.spaces:
                parents |= {space, *self._api.lists_of(space)}
        for doc in self._api.docs(self._asked.workspace):
            if not parents or str((doc.get("parent") or {}).get("id")) in parents:
                yield doc

    def _changes(self, doc: str, pages: Iterable[tuple[Row, str]]) -> tuple[Change, ...]:
        pages = [(page, title) for page, title in pages if not (page.get("deleted") or page.get("archived"))]
        known = self._versions([f"{PAGE}{doc}:{page['id']}" for page, _ in pages])
        return tuple(self._change(f"{PAGE}{doc}:{page['id']}", page, title, known) for page, title in pages)

    def _change(self, key: str, page: Row, title: str, known: Mapping[str, str]) -> Change:
        text = str(page.get("content") or "")
        if not text.strip():
            return Skipped(key, "there is no text in it")
        version = hashlib.sha256(f"{rendering.WRITING} {title}\n{text}".encode("utf-8", "replace")).hexdigest()[:32]
        if known.get(key) == version:
            return Unchanged(key)
        kept, left_out = fitting(text)
        workspace, doc = self._asked.workspace, page["doc_id"]
        return Item(
            key=key,
            title=title,
            text=kept,
            url=f"https://app.clickup.com/{workspace}/v/dc/{doc}/{page['id']}",
            version=version,
            revised_at=rendering.moment(page.get("date_updated") or page["date_created"]),
            left_out=left_out,
        )

    def _failure(self, doc: str, error: ConnectorError) -> Change:
        """Its date is forgotten, so that the next run reads it."""
        self._failed += 1
        is_busy = isinstance(error, Refused) and error.status_code in (403, 429)
        if error.permanent or error.retry_after or is_busy or self._failed == MOST_IN_A_ROW:
            raise error
        if doc in self._walk.docs:
            self._walk.docs[doc] = 0
        return Unread(f"{PAGE}{doc}:", error.sentence)


def _flat(pages: Iterable[Row], above: str) -> Iterator[tuple[Row, str]]:
    """Every page with its title, in which stand those above it."""
    for page in pages:
        name = str(page.get("name") or "").strip()
        title = above if not name or name == above else f"{above} › {name}"
        yield page, title
        yield from _flat(page.get("pages") or (), title)
