"""A repository as GitHub keeps it: commits, issues, pull requests, discussions, releases, in the shapes of its API."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Json = dict[str, Any]
Files = Mapping[str, bytes]


def sha(kind: str, content: bytes) -> str:
    """As git names an object."""
    return hashlib.sha1(f"{kind} {len(content)}\0".encode() + content, usedforsecurity=False).hexdigest()


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Commit:
    sha: str
    files: Files
    at: datetime
    parent: "Commit | None" = None

    @property
    def line(self) -> "list[Commit]":
        """It and all before it, newest first."""
        return [self, *(self.parent.line if self.parent else [])]

    def last_change(self, path: str) -> "Commit":
        for each in self.line:
            if each.parent is None or each.parent.files.get(path) != each.files.get(path):
                return each
        raise AssertionError("a commit without a first one")


@dataclass
class Repo:
    """`now` is the time that whatever happens next happens at."""

    full_name: str
    now: Callable[[], datetime]
    id: int = 1001
    is_private: bool = True
    default_branch: str = "main"
    has_issues: bool = True
    has_discussions: bool = True
    branches: dict[str, Commit] = field(default_factory=dict)
    renamed_branches: dict[str, str] = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)
    issues: dict[int, Json] = field(default_factory=dict)
    comments: dict[int, list[Json]] = field(default_factory=dict)
    reviews: dict[int, list[Json]] = field(default_factory=dict)
    review_comments: dict[int, list[Json]] = field(default_factory=dict)
    releases: list[Json] = field(default_factory=list)
    discussions: dict[int, Json] = field(default_factory=dict)
    modes: dict[str, str] = field(default_factory=dict)  # of paths that are no plain files
    numbers: int = 0

    @property
    def stamp(self) -> str:
        return stamp(self.now())

    def commit(self, *, branch: str = "", base: Commit | None = None, **changes: Any) -> Commit:
        """`files={path: text or None}`: None removes. `base` other than the tip is a forced push."""
        branch = branch or self.default_branch
        parent = base or self.branches.get(branch)
        files: dict[str, bytes] = dict(parent.files) if parent else {}
        for path, text in changes["files"].items():
            files.pop(path, None)
            if text is not None:
                files[path] = text if isinstance(text, bytes) else text.encode()
        name = sha("commit", repr((files, parent and parent.sha, self.now(), len(self.commits))).encode())
        self.commits[name] = self.branches[branch] = Commit(name, files, self.now(), parent)
        return self.branches[branch]

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    def issue(self, title: str, body: str, *, by: str = "ann", pull: bool = False, **more: Any) -> int:
        number = self.number()
        self.issues[number] = {
            "number": number, "title": title, "body": body, "state": "open", "state_reason": None, "comments": 0,
            "user": {"login": by}, "assignees": [], "labels": [], "created_at": self.stamp, "updated_at": self.stamp,
            **({"pull_request": {"merged_at": None}, "draft": False} if pull else {}), **more,
        }  # fmt: skip
        return number

    def comment(self, number: int, body: str, *, by: str = "bo") -> None:
        self.comments.setdefault(number, []).append({"user": {"login": by}, "body": body, "created_at": self.stamp})
        self.touch(number, comments=len(self.comments[number]))

    def review(self, number: int, body: str, *, by: str = "cy") -> None:
        said = {"user": {"login": by}, "body": body, "submitted_at": self.stamp, "state": "APPROVED"}
        self.reviews.setdefault(number, []).append(said)
        self.touch(number)

    def touch(self, number: int, **columns: Any) -> None:
        self.issues[number].update(columns, updated_at=self.stamp)

    def release(self, tag: str, body: str, **more: Any) -> Json:
        made = {
            "id": 500 + len(self.releases), "tag_name": tag, "name": tag, "body": body, "draft": False,
            "prerelease": False, "created_at": self.stamp, "published_at": self.stamp, **more,
        }  # fmt: skip
        self.releases.insert(0, made)
        return made

    def discussion(self, title: str, body: str, *, by: str = "dee") -> int:
        number = self.number()
        self.discussions[number] = {
            "number": number, "title": title, "body": body, "closed": False, "author": {"login": by},
            "category": {"name": "Ideas"}, "answer": None, "createdAt": self.stamp, "updatedAt": self.stamp,
            "comments": [],
        }  # fmt: skip
        return number

    def reply(self, number: int, body: str, *, by: str = "eve") -> None:
        found = self.discussions[number]
        found["comments"].append(
            {
                "id": str(len(found["comments"])),
                "body": body,
                "createdAt": self.stamp,
                "author": {"login": by},
                "replies": [],
            }
        )
        found["updatedAt"] = self.stamp


def tree_sha(files: Files) -> str:
    listing = "".join(f"{path}:{sha('blob', content)}\n" for path, content in sorted(files.items()))
    return sha("tree", listing.encode())
