"""Discussions with comments and replies, which only GraphQL gives: newest change first, down to what is known."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from memories import limits
from sources.connectors.base import Change, Item, Unchanged
from sources.connectors.github.docs import CUT, cut
from sources.connectors.github.parts import At, State, Step, moment
from sources.connectors.github.rendering import Said, talk
from sources.connectors.github.talks import OVERLAP, is_due

PREFIX: Final = "discussion:"
QUERY: Final = """
query Discussions($owner: String!, $name: String!, $after: String, $order: DiscussionOrder!) {
  repository(owner: $owner, name: $name) {
    discussions(first: 10, after: $after, orderBy: $order) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number title body url createdAt updatedAt closed
        author { login } category { name } answer { id }
        comments(first: 100) {
          totalCount
          nodes {
            id body createdAt author { login }
            replies(first: 30) { totalCount nodes { body createdAt author { login } } }
          }
        }
      }
    }
  }
}
"""
#: In a sweep nothing may move behind its back, as what is changed would in the other order.
BY_BIRTH: Final = {"field": "CREATED_AT", "direction": "ASC"}
BY_CHANGE: Final = {"field": "UPDATED_AT", "direction": "DESC"}


class Discussions:
    def __init__(self, at: At) -> None:
        self._at = at

    def steps(self, state: State) -> Iterator[Step]:
        if not self._at.repository.has_discussions:
            if not state.get("off"):
                yield Step([], {"off": True}, begins=PREFIX, ends=PREFIX)
            return
        if state.get("off") or is_due(state, self._at.now):
            yield from self._sweep(state)
            return
        since = state["since"]
        until = datetime.fromisoformat(since) - OVERLAP
        for found, _ in self._listed(None, BY_CHANGE):
            since = max([since, *(each["updatedAt"] for each in found)], key=datetime.fromisoformat)
            new = [each for each in found if datetime.fromisoformat(each["updatedAt"]) >= until]
            yield Step(self._changes(new), state)
            if len(new) < len(found):
                break
        if since != state["since"]:
            yield Step([], {**state, "since": since})

    def _sweep(self, state: State) -> Iterator[Step]:
        sweep = state.get("sweep")
        if sweep is None:
            sweep = {"after": None, "began": self._at.now.isoformat()}
            yield Step([], {"sweep": sweep}, begins=PREFIX)
        for found, after in self._listed(sweep["after"], BY_BIRTH):
            sweep = {**sweep, "after": after}
            yield Step(self._changes(found), {"sweep": sweep})
        yield Step([], {"since": sweep["began"], "swept": sweep["began"]}, ends=PREFIX)

    def _listed(self, after: str | None, order: Mapping[str, str]) -> Iterator[tuple[list[dict[str, Any]], str]]:
        """Pages that are not empty, each with the place to go on from."""
        while True:
            answer = self._at.api.ask(QUERY, {**self._at.repository.names, "after": after, "order": order})
            page = answer["repository"]["discussions"]
            after = page["pageInfo"]["endCursor"]
            if page["nodes"]:
                yield page["nodes"], after or ""
            if not page["pageInfo"]["hasNextPage"]:
                return

    def _changes(self, batch: list[dict[str, Any]]) -> list[Change]:
        known = self._at.versions([_key(each) for each in batch])
        return [Unchanged(_key(each)) if known.get(_key(each)) == _version(each) else _read(each) for each in batch]


def _read(found: Mapping[str, Any]) -> Item:
    comments = found["comments"]
    said = [_said(found)]
    for each in comments["nodes"]:
        said += [_said(each), *map(_said, each["replies"]["nodes"])]
    is_whole = len(comments["nodes"]) == comments["totalCount"] and all(
        len(each["replies"]["nodes"]) == each["replies"]["totalCount"] for each in comments["nodes"]
    )
    text = talk(f"{found['title']} (#{found['number']})", _standing(found), said)
    left_out = CUT if len(text.encode()) > limits.TEXT_BYTES else ""
    return Item(
        key=_key(found), title=f"#{found['number']} {found['title']}", text=cut(text), url=found["url"],
        version=_version(found), revised_at=moment(found["updatedAt"]),
        left_out=left_out if is_whole else "only the first 100 comments and 30 replies to each were read",
    )  # fmt: skip


def _said(found: Mapping[str, Any]) -> Said:
    author = (found.get("author") or {}).get("login") or "ghost"
    return Said(author, datetime.fromisoformat(found["createdAt"]), found["body"])


def _standing(found: Mapping[str, Any]) -> str:
    how = "answered" if found["answer"] else "closed" if found["closed"] else "open"
    return (
        f"Discussion #{found['number']} “{' '.join(found['title'].split())}” in {found['category']['name']} is {how}."
    )


def _key(found: Mapping[str, Any]) -> str:
    return f"{PREFIX}{found['number']}"


def _version(found: Mapping[str, Any]) -> str:
    return f"{found['updatedAt']}/{found['comments']['totalCount']}"
