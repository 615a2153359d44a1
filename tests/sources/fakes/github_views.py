"""The calls of GitHub's REST API that read a repository."""

import base64
from collections.abc import Callable, Collection
from urllib.parse import urlencode

from tests.sources.fakes.github_hub import ROOT, Hub, Problem
from tests.sources.fakes.github_store import Json, sha, stamp, tree_sha
from tests.sources.fakes.serving import Answer, Asked

PAGED = ("per_page", "page")


def _paged(hub: Hub, asked: Asked, found: list[Json]) -> Answer:
    size, page = int(asked.query.get("per_page", 30)), int(asked.query.get("page", 1))
    if not 1 <= size <= 100 or page < 1:
        raise Problem(422, "per_page must be between 1 and 100")
    headers = {}
    if page * size < len(found):
        query = urlencode({**asked.query, "page": page + 1})
        headers["Link"] = f'<{hub.server.url}{asked.path}?{query}>; rel="next"'
    return Answer(200, found[(page - 1) * size : page * size], headers)


def _repository(hub: Hub, asked: Asked) -> Answer:
    repo = hub.repo
    names = ("id", "full_name", "default_branch", "has_issues", "has_discussions")
    return Answer(
        200, {**{each: getattr(repo, each) for each in names}, "html_url": hub.web, "private": repo.is_private}
    )


def _branches(hub: Hub, asked: Asked) -> Answer:
    return _paged(hub, asked, [{"name": name, "commit": {"sha": tip.sha}} for name, tip in hub.repo.branches.items()])


def _branch(hub: Hub, asked: Asked, name: str) -> Answer:
    if name in hub.repo.renamed_branches:
        to = f"{hub.server.url}{ROOT}/repositories/{hub.repo.id}/branches/{hub.repo.renamed_branches[name]}"
        raise Problem(301, "Moved Permanently", Location=to)
    if name not in hub.repo.branches:
        raise Problem(404, "Branch not found")
    tip = hub.repo.branches[name]
    commit = {"tree": {"sha": tree_sha(tip.files)}, "committer": {"date": stamp(tip.at)}}
    return Answer(200, {"name": name, "commit": {"sha": tip.sha, "commit": commit}})


def _tree(hub: Hub, asked: Asked, name: str) -> Answer:
    for commit in hub.repo.commits.values():
        for folder in {"", *(path.rpartition("/")[0] for path in commit.files)}:
            start = f"{folder}/" if folder else ""
            files = commit.files.items()
            inside = {path.removeprefix(start): content for path, content in files if path.startswith(start)}
            if tree_sha(inside) == name:
                return Answer(200, _listing(hub, name, inside, is_recursive="recursive" in asked.query))
    raise Problem(404, "Not Found")


def _listing(hub: Hub, name: str, files: dict[str, bytes], *, is_recursive: bool) -> Json:
    entries: dict[str, Json] = {}
    for path, content in sorted(files.items()):
        folder, _, rest = path.partition("/")
        if rest and not is_recursive:
            inside = {
                each.removeprefix(f"{folder}/"): text for each, text in files.items() if each.startswith(f"{folder}/")
            }
            entries[folder] = {"path": folder, "mode": "040000", "type": "tree", "sha": tree_sha(inside)}
        else:
            mode = hub.repo.modes.get(path, "100644")
            entries[path] = {
                "path": path,
                "mode": mode,
                "type": "blob",
                "sha": sha("blob", content),
                "size": len(content),
            }
    is_cut = is_recursive and len(entries) > hub.truncates_over
    return {"sha": name, "truncated": is_cut, "tree": list(entries.values())[: hub.truncates_over if is_cut else None]}


def _blob(hub: Hub, asked: Asked, name: str) -> Answer:
    for commit in hub.repo.commits.values():
        for content in commit.files.values():
            if sha("blob", content) == name:
                encoded = base64.encodebytes(content).decode()
                return Answer(200, {"sha": name, "encoding": "base64", "content": encoded, "size": len(content)})
    raise Problem(404, "Not Found")


def _compare(hub: Hub, asked: Asked, old: str, new: str) -> Answer:
    before, after = hub.repo.commits.get(old), hub.repo.commits.get(new)
    if before is None or after is None:
        raise Problem(404, "Not Found")
    is_ahead = before in after.line
    status = "ahead" if is_ahead else "behind" if after in before.line else "diverged"
    gone = {content: path for path, content in before.files.items() if path not in after.files}
    files = [{"filename": path, "status": "renamed", "previous_filename": gone[content]}
             for path, content in after.files.items() if path not in before.files and content in gone]  # fmt: skip
    return Answer(200, {"status": status, "files": files})


def _issues(hub: Hub, asked: Asked) -> Answer:
    if not hub.repo.has_issues:
        raise Problem(410, "Issues are disabled for this repo")
    asked_for = {"state": "open", "sort": "created", "direction": "desc", "since": "", **asked.query}
    column = {"created": "created_at", "updated": "updated_at"}[asked_for["sort"]]
    found = [each for each in hub.repo.issues.values()
             if asked_for["state"] in ("all", each["state"]) and each["updated_at"] >= asked_for["since"]]  # fmt: skip
    found.sort(key=lambda each: (each[column], each["number"]), reverse=asked_for["direction"] == "desc")
    return _paged(hub, asked, [_issue_json(hub, each) for each in found])


def _issue_json(hub: Hub, found: Json) -> Json:
    kind = "pull" if found.get("pull_request") else "issues"
    place = f"{hub.server.url}{ROOT}/repos/{hub.repo.full_name}"
    return {**found, "html_url": f"{hub.web}/{kind}/{found['number']}", "repository_url": place}


def _issue(hub: Hub, asked: Asked, number: str) -> Answer:
    if int(number) not in hub.repo.issues:
        raise Problem(404, "Not Found")
    return Answer(200, _issue_json(hub, hub.repo.issues[int(number)]))


def _of_issue(name: str) -> Callable[..., Answer]:
    def view(hub: Hub, asked: Asked, number: str) -> Answer:
        if int(number) not in hub.repo.issues:
            raise Problem(404, "Not Found")
        return _paged(hub, asked, getattr(hub.repo, name).get(int(number), []))

    return view


def _pulls(hub: Hub, asked: Asked) -> Answer:
    return _paged(hub, asked, [each for each in hub.repo.issues.values() if each.get("pull_request")])


def _releases(hub: Hub, asked: Asked) -> Answer:
    found = [{**each, "html_url": f"{hub.web}/releases/tag/{each['tag_name']}"} for each in hub.repo.releases]
    return _paged(hub, asked, found)


LISTED = ("state", "sort", "direction", "since", "labels", "assignee", "creator", "milestone", *PAGED)
#: Path inside a repository, the permissions one of which is needed, the parameters that are documented, and the view.
ROUTES: tuple[tuple[str, str, Collection[str], Callable[..., Answer]], ...] = (
    (r"", "metadata", (), _repository),
    (r"/branches", "contents", ("protected", *PAGED), _branches),
    (r"/branches/(.+)", "contents", (), _branch),
    (r"/git/trees/([0-9a-f]{40})", "contents", ("recursive",), _tree),
    (r"/git/blobs/([0-9a-f]{40})", "contents", (), _blob),
    (r"/compare/([0-9a-f]{40})\.\.\.([0-9a-f]{40})", "contents", PAGED, _compare),
    (r"/issues", "issues", LISTED, _issues),
    (r"/issues/(\d+)", "issues", (), _issue),
    (r"/issues/(\d+)/comments", "issues|pull_requests", ("since", *PAGED), _of_issue("comments")),
    (r"/pulls", "pull_requests", ("state", "head", "base", "sort", "direction", *PAGED), _pulls),
    (r"/pulls/(\d+)/reviews", "pull_requests", PAGED, _of_issue("reviews")),
    (r"/pulls/(\d+)/comments", "pull_requests", ("since", "sort", "direction", *PAGED), _of_issue("review_comments")),
    (r"/releases", "contents", PAGED, _releases),
)
