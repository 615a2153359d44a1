"""One repository as a source: its fields, and its parts one after the other."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import ClassVar, Final
from urllib.parse import urlsplit

from django.utils import timezone
from githubkit.auth import TokenAuthStrategy

from memories.choices import Tier
from sources.connectors.base import Connection, ConnectorError, Cursor, Field, FieldKind, Page
from sources.connectors.github import discussions, docs, releases, talks
from sources.connectors.github.api import Api, Auth, api_root, app
from sources.connectors.github.parts import (
    DISCUSSIONS,
    DOCS,
    ISSUES,
    PERMISSIONS,
    PULLS,
    RELEASES,
    At,
    Repository,
    State,
    Step,
)
from sources.connectors.guard import check_url
from sources.connectors.http import Refused

PATTERNS: Final = ("README*", "*.md", "*.markdown", "*.rst")
PARTS: Final = (
    (DOCS, "Documents"), (ISSUES, "Issues"), (PULLS, "Pull requests"), (DISCUSSIONS, "Discussions"),
    (RELEASES, "Releases"),
)  # fmt: skip
#: What the cursor says of a listing that is switched off.
OFF: Final = {"off": True}
#: The listings in the order they are read, with the prefix of their keys and the parts that need them.
LISTINGS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    DOCS: (docs.PREFIX, (DOCS,)),
    "talks": (talks.PREFIX, (ISSUES, PULLS)),
    RELEASES: (releases.PREFIX, (RELEASES,)),
    DISCUSSIONS: (discussions.PREFIX, (DISCUSSIONS,)),
}


class GitHub:
    type: ClassVar[str] = "github"
    label: ClassVar[str] = "GitHub"
    default_tier: ClassVar[Tier] = Tier.OFFICIAL
    fields: ClassVar[tuple[Field, ...]] = (
        Field(
            "repository", "Repository", "Owner and name as in its address, for example octo-org/handbook.",
            required=True,
        ),
        Field(
            "token", "Access token", "GitHub, Settings, Developer settings, Fine-grained tokens: choose this "
            "repository and, for the parts below, Contents: read (documents, releases), Issues: read, Pull requests: "
            "read, Discussions: read. Nothing else is needed. Empty for a GitHub App, or for a public repository (60 "
            "requests an hour).", FieldKind.SECRET,
        ),
        Field(
            "app_id", "App ID", "Instead of a token: on the page of your GitHub App, under About. The app needs the "
            "same permissions as a token.",
        ),
        Field(
            "installation_id", "Installation ID", "The number at the end of the address of the installed app: "
            "github.com/organizations/…/settings/installations/12345.",
        ),
        Field(
            "private_key", "Private key of the app", "The whole .pem file that the app's page gives under Private "
            "keys.", FieldKind.SECRET,
        ),
        Field(
            "parts", "What to read", "Comments are read with issues, pull requests and discussions.", FieldKind.CHOICES,
            default=(DOCS, ISSUES, PULLS, DISCUSSIONS, RELEASES), choices=PARTS,
        ),
        Field("branch", "Branch", "Where the documents are read. Empty: the default branch, also when it is renamed."),
        Field(
            "patterns", "Documents to read", "One pattern a line, such as docs/**/*.md or *.txt; * stays within a "
            "name, ** goes through folders; one without a slash is held against the name alone.", FieldKind.LINES,
            default=PATTERNS,
        ),
        Field("without", "Documents to leave out", "Patterns as above, for example CHANGELOG.md.", FieldKind.LINES),
        Field(
            "base_url", "Server", "Only for GitHub Enterprise: its address, for example https://git.example.org.",
            FieldKind.URL,
        ),
    )  # fmt: skip

    def __init__(self, connection: Connection) -> None:
        values = connection.values
        self._name = _repository(str(values.get("repository") or ""))
        self._parts: Collection[str] = tuple(values.get("parts") or (each for each, _ in PARTS))
        self._wanted = docs.Wanted(
            str(values.get("branch") or ""),
            tuple(values.get("patterns") or PATTERNS),
            tuple(values.get("without") or ()),
        )
        self._root = api_root(str(values.get("base_url") or "").strip())
        self._values, self._secrets = values, connection.secrets
        self._versions = connection.versions

    def test(self) -> str:
        with self._api() as api:
            answer = api.get(f"/repos/{self._name}")
            repository = Repository.of(answer.json)
            for part, _ in PARTS:
                if part in self._parts:
                    _try(api, repository, part)
        moved = (
            "" if repository.full_name.lower() == self._name.lower() else f" It is called {repository.full_name} now."
        )
        kind = "private" if repository.is_private else "public"
        return f"The {kind} repository {repository.full_name} can be read, with every part that is chosen.{moved}"

    def pages(self, cursor: Cursor) -> Iterator[Page]:
        with self._api() as api:
            about, repository = self._repository(api, cursor.get("repository", {}))
            # Another repository under the name: nothing that is known of the old one says anything about it.
            kept = dict(cursor) if cursor.get("repository", {}).get("found", {}).get("id") == repository.id else {}
            kept["repository"] = about
            at = At(api, repository, self._versions, timezone.now())
            for listing, (prefix, parts) in LISTINGS.items():
                if set(parts) & set(self._parts):
                    for step in _told(
                        self._steps(listing, at)(kept.get(listing, {})), [each for each in parts if each in self._parts]
                    ):
                        kept = {**kept, listing: step.state}
                        yield Page(step.changes, kept, begins=step.begins, ends=step.ends)
                elif kept.get(listing) != OFF:  # it may have been read before; nothing of it is wanted any more
                    kept = {**kept, listing: OFF}
                    yield Page([], kept, begins=prefix, ends=prefix)
            yield Page([], kept)

    def _steps(self, listing: str, at: At) -> Callable[[State], Iterator[Step]]:
        if listing == DOCS:
            return docs.Docs(at, self._wanted).steps
        if listing == RELEASES:
            return releases.Releases(at).steps
        if listing == DISCUSSIONS:
            return discussions.Discussions(at).steps
        return talks.Talks(at, self._parts).steps

    def _repository(self, api: Api, before: State) -> tuple[State, Repository]:
        """It is asked for in every run, at no cost when it is as before. Under a new name it answers to the old one."""
        is_same = before.get("asked") == self._name
        answer = api.get(f"/repos/{self._name}", etag=before.get("etag", "") if is_same else "")
        if answer.is_unchanged:
            return before, Repository.of(before["found"])
        kept = ("id", "full_name", "html_url", "default_branch", "has_issues", "has_discussions", "private")
        found = {name: answer.json.get(name) for name in kept}
        return {"asked": self._name, "found": found, "etag": answer.etag}, Repository.of(found)

    def _api(self) -> Api:
        check_url(self._root)
        return Api(self._root, self._auth())

    def _auth(self) -> Auth | None:
        token, key = (self._secrets.get(name, "").strip() for name in ("token", "private_key"))
        app_id, installation = (str(self._values.get(name) or "").strip() for name in ("app_id", "installation_id"))
        if app_id or installation or key:
            if token:
                raise ConnectorError("Enter a token or a GitHub App, not both.", permanent=True)
            if not (app_id and installation and key):
                sentence = "A GitHub App needs all three: its ID, its installation's ID and its private key."
                raise ConnectorError(sentence, permanent=True)
            return app(app_id, installation, key)
        return TokenAuthStrategy(token) if token else None


def _repository(entered: str) -> str:
    """Owner and name, also out of an address that was pasted."""
    path = urlsplit(entered.strip()).path if "//" in entered else entered.strip()
    owner, _, name = path.strip("/").removesuffix(".git").partition("/")
    if not owner or not name or "/" in name or not f"{owner}{name}".isascii() or " " in path or "?" in path:
        raise ConnectorError("The repository takes the form owner/name, for example octo-org/handbook.", permanent=True)
    return f"{owner}/{name}"


def _told(steps: Iterator[Step], parts: Collection[str]) -> Iterator[Step]:
    """The steps of one listing; where it is forbidden, the sentence names the permission that is missing."""
    try:
        yield from steps
    except Refused as error:
        if error.status_code != 403 or error.retry_after is not None:
            raise
        raise _forbidden(parts) from None


def _forbidden(parts: Collection[str]) -> ConnectorError:
    names = " and ".join(label.lower() for part, label in PARTS if part in parts).capitalize()
    needed = PERMISSIONS[[part for part, _ in PARTS if part in parts][-1]]
    sentence = f"{names} can't be read with these credentials. They need the permission {needed}."
    return ConnectorError(sentence, permanent=True)


def _try(api: Api, repository: Repository, part: str) -> None:
    paths = {DOCS: "/branches", ISSUES: "/issues", PULLS: "/pulls", RELEASES: "/releases"}
    try:
        if part == DISCUSSIONS:
            if repository.has_discussions:
                api.ask(discussions.QUERY, {**repository.names, "after": None, "order": discussions.BY_CHANGE})
        elif part != ISSUES or repository.has_issues:
            api.get(f"{repository.path}{paths[part]}", per_page=1)
    except Refused as error:
        if error.status_code not in (401, 403, 404) or error.retry_after is not None:
            raise
        raise _forbidden([part]) from None
