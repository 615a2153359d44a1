"""The part of GitHub's GraphQL schema that concerns discussions and dates of paths. graphql-core refuses all else."""

from typing import Any

from graphql import build_schema, graphql_sync

from tests.sources.fakes.github_store import Commit, Repo, stamp

SCHEMA = build_schema("""
scalar DateTime
scalar GitObjectID
scalar URI
enum DiscussionOrderField { CREATED_AT UPDATED_AT }
enum OrderDirection { ASC DESC }
input DiscussionOrder { field: DiscussionOrderField!, direction: OrderDirection! }
interface Actor { login: String! }
type User implements Actor { login: String! }
interface GitObject { oid: GitObjectID! }
type Commit implements GitObject {
  oid: GitObjectID!
  committedDate: DateTime!
  history(first: Int, path: String): CommitHistoryConnection!
}
type CommitHistoryConnection { nodes: [Commit] }
type PageInfo { hasNextPage: Boolean!, endCursor: String }
type DiscussionCategory { name: String! }
type DiscussionComment {
  id: ID!, body: String!, createdAt: DateTime!, author: Actor
  replies(first: Int): DiscussionCommentConnection!
}
type DiscussionCommentConnection { totalCount: Int!, nodes: [DiscussionComment] }
type Discussion {
  number: Int!, title: String!, body: String!, url: URI!, createdAt: DateTime!, updatedAt: DateTime!, closed: Boolean!
  author: Actor, category: DiscussionCategory!, answer: DiscussionComment
  comments(first: Int): DiscussionCommentConnection!
}
type DiscussionConnection { pageInfo: PageInfo!, nodes: [Discussion] }
type Repository {
  object(oid: GitObjectID): GitObject
  discussions(first: Int, after: String, orderBy: DiscussionOrder): DiscussionConnection!
}
type Query { repository(owner: String!, name: String!): Repository }
""")
MOST = 100


def answer(repo: Repo | None, asked: Any, web: str) -> dict[str, Any]:
    """What `POST /graphql` answers with status 200, errors included."""
    result = graphql_sync(SCHEMA, asked["query"], _Root(repo, web), variable_values=asked.get("variables"))
    if repo is None and not result.errors:
        missing = {"type": "NOT_FOUND", "path": ["repository"], "message": "Could not resolve to a Repository."}
        return {"data": {"repository": None}, "errors": [missing]}
    errors = [{"message": each.message} for each in result.errors or ()]
    return {"data": result.data, **({"errors": errors} if errors else {})}


class _Root:
    def __init__(self, repo: Repo | None, web: str) -> None:
        self._repo, self._web = repo, web

    def repository(self, info: Any, owner: str, name: str) -> "_Repository | None":
        is_it = self._repo and self._repo.full_name.lower() == f"{owner}/{name}".lower()
        return _Repository(self._repo, self._web) if self._repo and is_it else None


class _Repository:
    def __init__(self, repo: Repo, web: str) -> None:
        self._repo, self._web = repo, web

    def object(self, info: Any, oid: str) -> "_Commit | None":
        found = self._repo.commits.get(oid)
        return _Commit(found) if found else None

    def discussions(self, info: Any, first: int, orderBy: Any, after: str | None = None) -> dict[str, Any]:  # noqa: N803
        name = {"CREATED_AT": "createdAt", "UPDATED_AT": "updatedAt"}[orderBy["field"]]
        found = sorted(self._repo.discussions.values(), key=lambda each: (each[name], each["number"]))
        found = found if orderBy["direction"] == "ASC" else found[::-1]
        start = int(after) if after else 0
        assert first <= MOST
        page = found[start : start + first]
        more = {"hasNextPage": start + first < len(found), "endCursor": str(start + len(page)) if page else None}
        return {"pageInfo": more, "nodes": [_discussion(each, self._web) for each in page]}


class _Commit:
    __typename = "Commit"

    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self.oid, self.committedDate = commit.sha, stamp(commit.at)

    def history(self, info: Any, first: int, path: str) -> dict[str, Any]:
        return {"nodes": [_Commit(self._commit.last_change(path))][:first]}


def _discussion(found: dict[str, Any], web: str) -> dict[str, Any]:
    return {**found, "url": f"{web}/discussions/{found['number']}", "comments": _connection(found["comments"])}


def _connection(comments: list[dict[str, Any]]) -> Any:
    def limited(info: Any, first: int) -> dict[str, Any]:
        assert first <= MOST
        nodes = [{**each, "replies": _connection(each.get("replies", []))} for each in comments[:first]]
        return {"totalCount": len(comments), "nodes": nodes}

    return limited


SCHEMA.get_type("GitObject").resolve_type = lambda value, info, type_: "Commit"  # type: ignore[union-attr]
SCHEMA.get_type("Actor").resolve_type = lambda value, info, type_: "User"  # type: ignore[union-attr]
