"""ClickUp as the connector asks it: version 2 for tasks, version 3 for Docs. There is no client of ClickUp's own."""

from collections.abc import Iterator, Mapping, Sequence
from time import sleep
from typing import Any, Final, cast

import httpx

from sources.connectors.base import ConnectorError
from sources.connectors.http import TIMEOUT, Outbound, refused, seconds_asked

API_URL: Final = "https://api.clickup.com"
SERVICE: Final = "ClickUp"
#: Tasks of one page; ClickUp decides so.
PAGE: Final = 100
MINUTE: Final = 61.0
#: Comments of one page, and the most that are read of one task.
COMMENTS, MOST_COMMENTS = 25, 200
#: ClickUp's codes for a workspace that the token was not given: OAUTH_023, 026, 027, and 029 to 045.
NOT_AUTHORIZED: Final = {f"OAUTH_{number:03}" for number in (23, 26, 27, *range(29, 46))}

Row = Mapping[str, Any]
Pairs = Sequence[tuple[str, str]]


class Missing(Exception):
    """It isn't there, or isn't shown with this token."""


class Api:
    def __init__(self, token: str, base: str) -> None:
        token = token.strip()
        # A personal token goes as it is; ClickUp refuses it as a bearer.
        self._headers = {"Authorization": token if token.startswith("pk_") else f"Bearer {token}"}
        self._base = base.rstrip("/")
        self._outbound = Outbound(SERVICE)
        self._client = httpx.Client(transport=self._outbound.transport, timeout=TIMEOUT, trust_env=False)

    def close(self) -> None:
        self._outbound.close()

    def user(self) -> str:
        return str(self._get("/api/v2/user")["user"]["username"])

    def workspaces(self) -> dict[str, str]:
        return {str(team["id"]): str(team["name"]) for team in self._get("/api/v2/team")["teams"]}

    def lists_of(self, space: str) -> set[str]:
        """The ids of the space's lists and folders, which Docs may hang on."""
        folders = self._get(f"/api/v2/space/{space}/folder")["folders"]
        inside = {str(one["id"]) for folder in folders for one in (folder, *folder.get("lists", ()))}
        return inside | {str(one["id"]) for one in self._get(f"/api/v2/space/{space}/list")["lists"]}

    def list_name(self, list_: str) -> str:
        return str(self._get(f"/api/v2/list/{list_}")["name"])

    def tasks(
        self, workspace: str, *, since: int, page: int, spaces: Sequence[str], lists: Sequence[str]
    ) -> tuple[Sequence[Row], bool]:
        """Tasks that changed after a moment, the longest ago first, and whether these are the last."""
        found = self._get(
            f"/api/v2/team/{workspace}/task",
            [
                ("page", str(page)),
                ("order_by", "updated"),
                ("reverse", "true"),  # ClickUp's own order is the newest first
                ("subtasks", "true"),
                ("include_closed", "true"),
                ("include_markdown_description", "true"),
                *([("date_updated_gt", str(since))] if since else ()),
                *(("space_ids[]", each) for each in spaces),
                *(("list_ids[]", each) for each in lists),
            ],
        )
        tasks = found["tasks"]
        return tasks, bool(found.get("last_page", len(tasks) < PAGE))

    def task(self, id_: str) -> Row:
        return cast("Row", self._get(f"/api/v2/task/{id_}", [("include_markdown_description", "true")]))

    def comments(self, task: str) -> tuple[list[Row], bool]:
        """The newest comments with their replies, the oldest of them first, and whether older ones were left."""
        found: list[Row] = []
        after: Pairs = ()
        while len(found) < MOST_COMMENTS:
            page = self._get(f"/api/v2/task/{task}/comment", after)["comments"]
            for comment in page:
                found.extend(reversed(self._replies(comment)))
                found.append(comment)
            if len(page) < COMMENTS:
                return [*reversed(found)], False
            after = (("start", str(page[-1]["date"])), ("start_id", str(page[-1]["id"])))
        return [*reversed(found)], True

    def _replies(self, comment: Row) -> Sequence[Row]:
        if not int(comment.get("reply_count") or 0):
            return ()
        return cast("Sequence[Row]", self._get(f"/api/v2/comment/{comment['id']}/reply")["comments"])

    def docs(self, workspace: str) -> Iterator[Row]:
        cursor = ""
        while True:
            asked = [("limit", "100"), *([("cursor", cursor)] if cursor else ())]
            found = self._get(f"/api/v3/workspaces/{workspace}/docs", asked)
            yield from found["docs"]
            cursor = str(found.get("next_cursor") or "")
            if not cursor:
                return

    def pages(self, workspace: str, doc: str) -> Sequence[Row]:
        asked = (("max_page_depth", "-1"), ("content_format", "text/md"))
        return cast("Sequence[Row]", self._get(f"/api/v3/workspaces/{workspace}/docs/{doc}/pages", asked))

    def _get(self, path: str, asked: Pairs = ()) -> Any:
        response = self._client.get(self._base + path, params=httpx.QueryParams(list(asked)), headers=self._headers)
        if response.status_code >= 400:
            raise _refusal(response)
        _pace(response)
        return response.json()


def _pace(response: httpx.Response) -> None:
    """ClickUp counts requests by the minute. Wait for the next one, rather than be refused and end the run."""
    if response.headers.get("x-ratelimit-remaining") == "0" and (seconds := seconds_asked(response)):
        sleep(min(seconds + 0.5, MINUTE))


def _refusal(response: httpx.Response) -> Exception:
    """By ClickUp's code. Its own sentence is left out, because it may repeat what was sent."""
    try:
        code = str(response.json().get("ECODE", ""))
    except (ValueError, AttributeError):
        code = ""
    if code in NOT_AUTHORIZED:
        return ConnectorError(
            "The token doesn't open this workspace. Check the workspace's number; with an OAuth app, sign in again and "
            "choose the workspace.",
            permanent=True,
        )
    if code.startswith("OAUTH_") or response.status_code == 401:
        return ConnectorError("ClickUp doesn't accept the token, or no longer. Make a new one.", permanent=True)
    if response.status_code == 404:
        return Missing()
    return refused(SERVICE, response.status_code)
