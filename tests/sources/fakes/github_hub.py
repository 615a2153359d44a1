"""What the fake GitHub knows besides its one repository: who may read what, and how patient it is."""

from collections.abc import Collection
from dataclasses import dataclass, field
from time import time

from tests.sources.fakes.github_store import Repo
from tests.sources.fakes.serving import Answer, Server

ROOT = "/api/v3"
ALL = frozenset({"contents", "issues", "pull_requests", "discussions", "metadata"})


class Problem(Exception):
    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.answer = Answer(status, {"message": message, "documentation_url": "https://docs.github.com/rest"}, headers)


@dataclass
class App:
    """A GitHub App that is installed once."""

    id: str
    installation: int
    public_key: str
    permissions: Collection[str] = ALL


@dataclass
class Hub:
    """The whole server. `failures` are answered in turn to the requests whose paths match."""

    repo: Repo
    tokens: dict[str, Collection[str]] = field(default_factory=lambda: {"good": ALL})
    app: App | None = None
    expiry: dict[str, float] = field(default_factory=dict)
    failures: list[tuple[str, Answer]] = field(default_factory=list)
    former_names: set[str] = field(default_factory=set)
    remaining: int = 5000  # of REST; GraphQL counts for itself
    remaining_graphql: int = 5000
    reset: int = field(default_factory=lambda: int(time()) + 1800)
    truncates_over: int = 100_000
    server: Server = field(default_factory=lambda: Server(""))

    @property
    def paths(self) -> list[str]:
        """What was asked, without the root."""
        return [each.path.removeprefix(ROOT) for each in self.server.asked]

    @property
    def web(self) -> str:
        return f"{self.server.url}/{self.repo.full_name}"

    def fail(self, path: str, status: int, message: str = "", **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.failures.append((path, Answer(status, {"message": message}, named)))
