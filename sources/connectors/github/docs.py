"""Documents of a branch. A run asks for the branch; only a new tree is listed, and only new blobs are fetched."""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from memories import limits
from sources.connectors.base import Change, ConnectorError, Item, Skipped, Unchanged, Unread
from sources.connectors.github.parts import At, State, Step, concerns_all, moment
from sources.connectors.globs import matches
from sources.connectors.http import Refused

PREFIX: Final = "doc:"
PAGE: Final = 20
MOST_BYTES: Final = 10 * 2**20
CUT: Final = "only the first MiB of it was read, the most that one text may have"
LINK, FILE = "120000", "blob"
LFS: Final = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class Wanted:
    branch: str
    patterns: Sequence[str]
    without: Sequence[str]

    def covers(self, path: str) -> bool:
        return matches(path, self.patterns) and not matches(path, self.without)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(repr((sorted(self.patterns), sorted(self.without))).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Tip:
    """The commit a sweep reads, also when it goes on in a later run and the branch has moved meanwhile."""

    commit: str
    tree: str
    etag: str


@dataclass(frozen=True, slots=True)
class _Since:
    """How the branch came from the commit that was read last."""

    renamed: Mapping[str, str]
    was_rewritten: bool


class Docs:
    def __init__(self, at: At, wanted: Wanted) -> None:
        self._at = at
        self._wanted = wanted
        self._branch = wanted.branch or at.repository.default_branch

    def steps(self, state: State) -> Iterator[Step]:
        about = {"branch": self._branch, "wanted": self._wanted.fingerprint}
        before = state if about.items() <= state.items() else {"commit": state.get("commit", "")}
        if sweep := before.get("sweep"):
            begun = _Tip(sweep["commit"], sweep["tree"], sweep["etag"])
            if (files := self._files_still_there(begun)) is not None:
                yield from self._sweep(begun, files, about, before, sweep["after"])
                return
        tip = self._tip(before.get("etag", ""))
        if tip is None:
            return
        if tip.tree and tip.tree == before.get("tree"):  # another commit of the same files
            yield Step([], {**before, "commit": tip.commit, "etag": tip.etag})
            return
        yield from self._sweep(tip, self._files(tip.tree) if tip.tree else [], about, before, None)

    def _tip(self, etag: str) -> _Tip | None:
        """None when nothing moved. A repository without a commit has an empty tip."""
        place = self._at.repository.path
        try:
            answer = self._at.api.get(f"{place}/branches/{quote(self._branch, safe='')}", etag=etag)
        except Refused as error:
            if error.status_code != 404:
                raise
            if not self._at.api.get(f"{place}/branches", per_page=1).json:
                return _Tip("", "", "")
            sentence = (
                f"The repository has no branch {self._branch}. Enter another one, or none for the default branch."
            )
            raise ConnectorError(sentence, permanent=True) from None
        if answer.is_unchanged:
            return None
        commit = answer.json["commit"]
        return _Tip(commit["sha"], commit["commit"]["tree"]["sha"], answer.etag)

    def _files_still_there(self, tip: _Tip) -> list[dict[str, Any]] | None:
        """The listing of an interrupted sweep; None if a forced push has removed it since."""
        try:
            return self._files(tip.tree) if tip.tree else []
        except Refused as error:
            if error.status_code in (404, 422):
                return None
            raise

    def _files(self, tree: str, folder: str = "") -> list[dict[str, Any]]:
        """Entries whose paths are wanted, in order. A tree too large for one answer is read folder by folder."""
        url = f"{self._at.repository.path}/git/trees/{tree}"
        listing = self._at.api.get(url, recursive="1").json
        if not listing["truncated"]:
            found = [{**each, "path": folder + each["path"]} for each in listing["tree"]]
        else:
            found = []
            for each in self._at.api.get(url).json["tree"]:
                path = folder + each["path"]
                found += self._files(each["sha"], f"{path}/") if each["type"] == "tree" else [{**each, "path": path}]
        return sorted(
            (each for each in found if each["type"] == FILE and self._wanted.covers(each["path"])),
            key=lambda each: str(each["path"]),
        )

    def _sweep(
        self, tip: _Tip, files: Sequence[Mapping[str, Any]], about: State, before: State, after: str | None
    ) -> Iterator[Step]:
        sweep: dict[str, Any] = {"commit": tip.commit, "tree": tip.tree, "etag": tip.etag, "after": after or ""}
        failed = bool(before.get("sweep", {}).get("failed")) if after is not None else False
        state = {**about, "commit": before.get("commit", "")}
        if after is None:
            yield Step([], {**state, "sweep": sweep}, begins=PREFIX)
        since = self._since(state["commit"], tip.commit)
        left = [each for each in files if each["path"] > (after or "")]
        for start in range(0, len(left), PAGE):
            batch = left[start : start + PAGE]
            changes = self._changes(tip, batch, since)
            failed = failed or any(isinstance(each, Unread) for each in changes)
            sweep = {**sweep, "after": batch[-1]["path"], "failed": failed}
            yield Step(changes, {**state, "sweep": sweep})
        # Without the ETag and the tree, the next run lists again and tries again what failed.
        whole = {} if failed else {"tree": tip.tree, "etag": tip.etag}
        yield Step([], {**about, "commit": tip.commit, **whole}, ends=PREFIX)

    def _since(self, old: str, new: str) -> _Since:
        if not old or not new or old == new:
            return _Since({}, was_rewritten=False)
        try:
            found = self._at.api.get(f"{self._at.repository.path}/compare/{old}...{new}", per_page=1).json
        except Refused as error:
            if error.status_code not in (404, 422):
                raise
            return _Since({}, was_rewritten=True)  # the old commit is no part of the repository any more
        pairs = {
            each["filename"]: each["previous_filename"]
            for each in found.get("files", ())
            if each["status"] == "renamed" and self._wanted.covers(each["previous_filename"])
        }
        return _Since(pairs, was_rewritten=found["status"] != "ahead")

    def _changes(self, tip: _Tip, batch: Sequence[Mapping[str, Any]], since: _Since) -> list[Change]:
        known = self._at.versions([f"{PREFIX}{each['path']}" for each in batch])
        new = [each for each in batch if known.get(f"{PREFIX}{each['path']}") != each["sha"]]
        # On a branch that was set back, an older date is no older revision: what stands there now counts.
        dates = {} if since.was_rewritten else self._dates(tip.commit, [each["path"] for each in new])
        return [
            self._read(each, since, dates.get(each["path"])) if each in new else Unchanged(f"{PREFIX}{each['path']}")
            for each in batch
        ]

    def _dates(self, commit: str, paths: Sequence[str]) -> dict[str, datetime | None]:
        """When each path was last changed: one request for a page of them. GraphQL answers only with credentials."""
        if not paths or not self._at.api.has_credentials:
            return {}
        names = "".join(f", $p{at}: String!" for at in range(len(paths)))
        fields = " ".join(
            f"p{at}: history(first: 1, path: $p{at}) {{ nodes {{ committedDate }} }}" for at in range(len(paths))
        )
        query = (
            f"query Dates($owner: String!, $name: String!, $commit: GitObjectID!{names}) {{ repository(owner: $owner, "
            f"name: $name) {{ object(oid: $commit) {{ ... on Commit {{ {fields} }} }} }} }}"
        )
        variables = {f"p{at}": path for at, path in enumerate(paths)}
        found = self._at.api.ask(query, {**self._at.repository.names, "commit": commit, **variables})
        history = ((found.get("repository") or {}).get("object")) or {}
        said = {path: history.get(f"p{at}", {}).get("nodes", ()) for at, path in enumerate(paths)}
        return {path: moment(nodes[0]["committedDate"]) for path, nodes in said.items() if nodes}

    def _read(self, file: Mapping[str, Any], since: _Since, revised_at: datetime | None) -> Change:
        path, key = file["path"], f"{PREFIX}{file['path']}"
        if file["mode"] == LINK:
            return Skipped(key, "it is a link to another file")
        if file.get("size", 0) > MOST_BYTES:
            return Skipped(key, f"it is larger than {MOST_BYTES // 2**20} MiB")
        try:
            blob = self._at.api.get(f"{self._at.repository.path}/git/blobs/{file['sha']}").json
        except ConnectorError as error:
            if concerns_all(error):
                raise
            return Unread(key, error.sentence)
        content = base64.b64decode(blob["content"])
        text = _text(content)
        if isinstance(text, Skipped):
            return Skipped(key, text.reason)
        formerly = since.renamed.get(path)
        return Item(
            key=key, title=path, text=text, version=file["sha"], revised_at=revised_at,
            url=f"{self._at.repository.html_url}/blob/{quote(self._branch)}/{quote(path)}",
            formerly=f"{PREFIX}{formerly}" if formerly else "",
            left_out=CUT if len(content) > limits.TEXT_BYTES else "",
        )  # fmt: skip


def _text(content: bytes) -> str | Skipped:
    if content.startswith(LFS):
        return Skipped("", "its content is kept in Git LFS, which is not read")
    is_utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in content[:8192] and not is_utf_16:
        return Skipped("", "it is binary")
    try:
        return cut(content.decode("utf-16" if is_utf_16 else "utf-8-sig"))
    except UnicodeDecodeError:
        return Skipped("", "it is not in UTF-8")


def cut(text: str) -> str:
    """Up to the limit of one text, in whole lines where there are any."""
    content = text.encode("utf-8", "replace")
    if len(content) <= limits.TEXT_BYTES:
        return text
    content = content[: limits.TEXT_BYTES]
    return (content[: content.rfind(b"\n") + 1] or content).decode("utf-8", "ignore")
