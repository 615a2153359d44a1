"""Issues and pull requests, with their comments. GitHub lists both in one place, by the time of their last change.

The listing goes from change to change (`since`), never by page number: what is deleted meanwhile moves nothing out of
sight. What was deleted or moved to another repository shows only in a listing of all, which is made once a day.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from memories import limits
from sources.connectors.base import Change, ConnectorError, Gone, Item, Unchanged, Unread
from sources.connectors.github.docs import CUT, cut
from sources.connectors.github.parts import ISSUES, PULLS, At, State, Step, concerns_all, moment
from sources.connectors.github.rendering import Said, talk
from sources.connectors.http import Refused

PREFIX: Final = "issue:"
PAGE: Final = 20
OVERLAP: Final = timedelta(minutes=5)  # clocks differ, and GitHub's listings may lag behind its writes
SWEEP_EVERY: Final = timedelta(days=1)
MOST_COMMENTS: Final = 1000
MOST_AGAIN: Final = 200
GONE: Final = (301, 404, 410, 451)
EPOCH: Final = "1970-01-01T00:00:00Z"


class Talks:
    def __init__(self, at: At, parts: Collection[str]) -> None:
        self._at = at
        self._parts = sorted({ISSUES, PULLS} & set(parts))
        self._seen: dict[str, str] = {}

    def steps(self, state: State) -> Iterator[Step]:
        is_same = state.get("parts") == self._parts
        if not self._at.repository.has_issues:
            if state.get("parts") != []:
                yield Step([], {"parts": []}, begins=PREFIX, ends=PREFIX)
            return
        if not is_same or is_due(state, self._at.now):
            yield from self._sweep(state if is_same and "sweep" in state else {"parts": self._parts})
        else:
            yield from self._changed(state)

    def _sweep(self, state: State) -> Iterator[Step]:
        """Everything, in as many runs as it takes. A first reading is one."""
        sweep = state.get("sweep", {"since": EPOCH, "began": self._at.now.isoformat(), "again": []})
        if "sweep" not in state:
            yield Step([], {**state, "sweep": sweep}, begins=PREFIX)
        for changes, since in self._listed(sweep["since"]):
            sweep = {**sweep, "since": since, "again": again(sweep["again"], changes)}
            yield Step(changes, {**state, "sweep": sweep})
        done = {"parts": self._parts, "since": sweep["since"], "swept": sweep["began"], "again": sweep["again"]}
        yield Step([], done, ends=PREFIX)

    def _changed(self, state: State) -> Iterator[Step]:
        if state["again"]:
            changes = [self._once_more(key) for key in state["again"]]
            state = {**state, "again": again([], changes)}
            yield Step(changes, state)
        start = _earlier(state["since"])
        answer = self._page(start, etag=state.get("etag", ""))
        if answer.is_unchanged:
            return
        for changes, since in self._listed(start, answer):
            state = {**state, "since": max(since, state["since"]), "again": again(state["again"], changes)}
            yield Step(changes, {**state, "etag": ""})
        if _earlier(state["since"]) == start and not answer.next_url:
            yield Step([], {**state, "etag": answer.etag})

    def _page(self, since: str, etag: str = "") -> Any:
        url = f"{self._at.repository.path}/issues"
        return self._at.api.get(url, etag=etag, state="all", sort="updated", direction="asc", since=since, per_page=100)

    def _listed(self, since: str, answer: Any = None) -> Iterator[tuple[list[Change], str]]:
        """Pages of changes, each with the time to go on from."""
        answer = answer or self._page(since)
        while True:
            entries, last = answer.json, since
            for start in range(0, len(entries), PAGE):
                batch = entries[start : start + PAGE]
                last = batch[-1]["updated_at"]
                yield self._changes(batch), last
            if not answer.next_url:
                return
            # A hundred that changed in the same second: only the link leads past them.
            answer = self._page(last) if last > since else self._at.api.get(answer.next_url)
            since = last

    def _changes(self, batch: list[dict[str, Any]]) -> list[Change]:
        wanted = [each for each in batch if _part(each) in self._parts and self._is_new(each)]
        known = self._at.versions([_key(each) for each in wanted])
        return [
            Unchanged(_key(each)) if known.get(_key(each)) == _version(each) else self._read(each) for each in wanted
        ]

    def _is_new(self, found: Mapping[str, Any]) -> bool:
        """The last entry of a page is the first one of the next."""
        if self._seen.get(_key(found)) == _version(found):
            return False
        self._seen[_key(found)] = _version(found)
        return True

    def _once_more(self, key: str) -> Change:
        try:
            found = self._at.api.get(f"{self._at.repository.path}/issues/{key.removeprefix(PREFIX)}").json
        except ConnectorError as error:
            return unread(key, error)
        is_here = found["repository_url"].lower().endswith(self._at.repository.path.lower())
        return self._read(found) if is_here else Gone(key)  # a moved issue answers with the one it became

    def _read(self, found: Mapping[str, Any]) -> Change:
        try:
            said = [Said.of(found), *self._comments(found)]
        except ConnectorError as error:
            return unread(_key(found), error)
        text = talk(f"{found['title']} (#{found['number']})", _standing(found), said[: MOST_COMMENTS + 1])
        left_out = CUT if len(text.encode()) > limits.TEXT_BYTES else ""
        if len(said) > MOST_COMMENTS + 1:
            left_out = f"only the first {MOST_COMMENTS:,} comments were read"
        return Item(
            key=_key(found), title=f"#{found['number']} {found['title']}", text=cut(text), url=found["html_url"],
            version=_version(found), revised_at=moment(found["updated_at"]), left_out=left_out,
        )  # fmt: skip

    def _comments(self, found: Mapping[str, Any]) -> Iterator[Said]:
        place, number = self._at.repository.path, found["number"]
        if found["comments"]:
            for each in self._at.api.every(f"{place}/issues/{number}/comments"):
                yield Said.of(each)
        if _part(found) == PULLS:
            for each in self._at.api.every(f"{place}/pulls/{number}/reviews"):
                if each.get("submitted_at"):  # a review that is still being written has none
                    yield Said.of(each, at="submitted_at")
            for each in self._at.api.every(f"{place}/pulls/{number}/comments"):
                yield Said.of(each)


def _standing(found: Mapping[str, Any]) -> str:
    """One sentence that stands by itself and changes when the talk does."""
    kind, how = "Issue", found["state"]
    if found.get("state_reason") == "not_planned":
        how = "closed as not planned"
    if _part(found) == PULLS:
        kind = "Pull request"
        how = "merged" if found["pull_request"].get("merged_at") else f"{how} as a draft" if found.get("draft") else how
    people = ", ".join(each["login"] for each in found.get("assignees") or ())
    labels = ", ".join(each["name"] for each in found.get("labels") or ())
    more = (f", assigned to {people}" if people else "") + (f", with the labels {labels}" if labels else "")
    return f"{kind} #{found['number']} “{' '.join(found['title'].split())}” is {how}{more}."


def unread(key: str, error: ConnectorError) -> Change:
    """What an error about one item makes of it. One about the whole service goes on up."""
    if concerns_all(error):
        raise error
    return Gone(key) if isinstance(error, Refused) and error.status_code in GONE else Unread(key, error.sentence)


def again(before: Collection[str], changes: Collection[Change]) -> list[str]:
    """The keys to ask for by themselves next time: the listing won't name them until they change."""
    met = {each.key for each in changes}
    failed = [each.key for each in changes if isinstance(each, Unread)]
    return [*(key for key in before if key not in met), *failed][-MOST_AGAIN:]


def is_due(state: State, now: datetime) -> bool:
    """Whether all are listed: the first time, to finish it, and once a day."""
    swept = moment(state.get("swept"))
    return "sweep" in state or swept is None or now - swept >= SWEEP_EVERY


def _earlier(since: str) -> str:
    return (datetime.fromisoformat(since) - OVERLAP).strftime("%Y-%m-%dT%H:%M:%SZ")


def _part(found: Mapping[str, Any]) -> str:
    return PULLS if found.get("pull_request") else ISSUES


def _key(found: Mapping[str, Any]) -> str:
    return f"{PREFIX}{found['number']}"


def _version(found: Mapping[str, Any]) -> str:
    return f"{found['updated_at']}/{found['comments']}"  # a deleted comment may leave the time as it was
