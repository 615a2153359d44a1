"""What the parts of a repository share: the repository itself, the words of their keys, and one step of a listing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sources.connectors.base import Change, ConnectorError, Versions
from sources.connectors.github.api import Api
from sources.connectors.http import Refused

State = Mapping[str, Any]
DOCS, ISSUES, PULLS, DISCUSSIONS, RELEASES = "docs", "issues", "pulls", "discussions", "releases"
#: What a fine-grained token, or an app, has to be allowed to read.
PERMISSIONS: Final = {
    DOCS: "Contents: read",
    ISSUES: "Issues: read",
    PULLS: "Issues: read and Pull requests: read",
    DISCUSSIONS: "Discussions: read",
    RELEASES: "Contents: read",
}


@dataclass(frozen=True, slots=True)
class Repository:
    """As GitHub describes it, under the name that it has now."""

    id: int
    full_name: str
    html_url: str
    default_branch: str
    has_issues: bool
    has_discussions: bool
    is_private: bool

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> "Repository":
        return cls(
            found["id"], found["full_name"], found["html_url"], found["default_branch"], bool(found.get("has_issues")),
            bool(found.get("has_discussions")), bool(found.get("private")),
        )  # fmt: skip

    @property
    def path(self) -> str:
        return f"/repos/{self.full_name}"

    @property
    def names(self) -> dict[str, str]:
        owner, _, name = self.full_name.partition("/")
        return {"owner": owner, "name": name}


@dataclass(frozen=True, slots=True)
class At:
    """Where a part is read, and when."""

    api: Api
    repository: Repository
    versions: Versions
    now: datetime


@dataclass(frozen=True, slots=True)
class Step:
    """A page of one part."""

    changes: Sequence[Change]
    state: State
    begins: str | None = None
    ends: str | None = None


def concerns_all(error: ConnectorError) -> bool:
    """A rate limit, credentials or a dead service: going on with the next item would be no use."""
    if not isinstance(error, Refused):
        return not error.permanent  # it can't be reached
    return error.retry_after is not None or error.status_code in (401, 403)


def moment(said: str | None) -> datetime | None:
    return datetime.fromisoformat(said) if said else None
