"""A ClickUp that speaks the documented API, version 2 and for Docs version 3, and refuses what the real one refuses."""

import re
import time
from typing import Any

from tests.sources.fakes.clickup_store import Row, Store
from tests.sources.fakes.service import FakeService, Refusal
from tests.sources.fakes.serving import Answer, Asked

PERSONAL, OAUTH = "pk_183_QWERTY", "183_oauth_0f0f"

_TASKS = {
    *("page", "order_by", "reverse", "subtasks", "include_closed", "include_markdown_description", "custom_fields"),
    *("statuses[]", "assignees[]", "tags[]", "custom_items[]", "due_date_gt", "due_date_lt", "date_created_gt"),
    *("date_created_lt", "date_updated_gt", "date_updated_lt", "date_done_gt", "date_done_lt"),
}
_ONE = {"custom_task_ids", "team_id"}
#: Path, what serves it, and the parameters it has.
ROUTES: tuple[tuple[str, str, set[str]], ...] = (
    (r"/api/v2/user", "user", set()),
    (r"/api/v2/team", "teams", set()),
    (r"/api/v2/team/(?P<team>\d+)/space", "spaces", {"archived"}),
    (r"/api/v2/space/(?P<space>\d+)/folder", "folders", {"archived"}),
    (r"/api/v2/space/(?P<space>\d+)/list", "lists", {"archived"}),
    (r"/api/v2/list/(?P<list_>\d+)", "one_list", set()),
    (r"/api/v2/team/(?P<team>\d+)/task", "tasks", _TASKS | {"space_ids[]", "project_ids[]", "list_ids[]", "parent"}),
    (r"/api/v2/list/(?P<list_>\d+)/task", "tasks_of_list", _TASKS | {"archived"}),
    (r"/api/v2/task/(?P<task>\w+)", "task", _ONE | {"include_subtasks", "include_markdown_description"}),
    (r"/api/v2/task/(?P<task>\w+)/comment", "comments", _ONE | {"start", "start_id"}),
    (r"/api/v2/comment/(?P<comment>\d+)/reply", "replies", set()),
    (r"/api/v3/workspaces/(?P<team>\d+)/docs", "docs",
     {"id", "creator", "deleted", "archived", "parent_id", "parent_type", "limit", "cursor", "next_cursor"}),
    (r"/api/v3/workspaces/(?P<team>\d+)/docs/(?P<doc>\w+)/pages", "doc_pages", {"max_page_depth", "content_format"}),
)  # fmt: skip
BOOLEANS = {"archived", "reverse", "subtasks", "include_closed", "include_markdown_description", "deleted"}
BROKEN = Answer(500, {"err": "Internal server error", "ECODE": "ITEM_001"})


def refused(status: int, code: str, sentence: str) -> Refusal:
    return Refusal(Answer(status, {"err": sentence, "ECODE": code}))


class FakeClickUp(FakeService):
    def __init__(self) -> None:
        super().__init__()
        self.store = Store()
        self.authorized: dict[str, set[str]] = {PERSONAL: set(), OAUTH: set()}  # token → its workspaces
        self.allowance = 100
        self.turned_away = 0
        self._window = (0.0, 0)  # when this minute began, and requests in it
        self._waited = 0.0

    def wait(self, seconds: float) -> None:
        """Time goes by."""
        self._waited += seconds

    def serve(self, asked: Asked) -> Answer:
        token = self._token(asked)
        headers = self._limited()
        for pattern, name, parameters in ROUTES:
            if (match := re.fullmatch(pattern, asked.path)) and asked.method == "GET":
                self._check(asked, parameters)
                if team := match.groupdict().get("team", ""):
                    self._check_team(token, team)
                answer: Answer = getattr(self, f"_{name}")(asked, token, **match.groupdict())
                return Answer(answer.status, answer.body, {**answer.headers, **headers})
        raise refused(404, "APP_001", "Route not found")

    def _token(self, asked: Asked) -> str:
        sent = asked.headers.get("authorization", "")
        if not sent:
            raise refused(400, "OAUTH_017", "Authorization header required")
        kind, _, rest = sent.partition(" ")
        token = rest if kind == "Bearer" else sent
        is_right_form = token.startswith("pk_") != (kind == "Bearer")
        if token not in self.authorized or not is_right_form:
            raise refused(401, "OAUTH_025", "Token invalid")
        return token

    def _limited(self) -> dict[str, str]:
        now = time.time() + self._waited
        began, used = self._window
        self._window = (began, used + 1) if now - began < 60 else (now, 1)
        left = self.allowance - self._window[1]
        headers = {
            "X-RateLimit-Limit": str(self.allowance),
            "X-RateLimit-Remaining": str(max(0, left)),
            # as this service's clock has it, minus what the other side only pretends to have waited
            "X-RateLimit-Reset": str(int(self._window[0] + 60 - self._waited) + 1),
        }
        if left < 0:
            self.turned_away += 1
            raise Refusal(Answer(429, {"err": "Rate limit reached", "ECODE": "APP_002"}, headers))
        return headers

    @staticmethod
    def _check(asked: Asked, parameters: set[str]) -> None:
        for name, value in asked.pairs:
            if name not in parameters:
                raise refused(400, "INPUT_001", f"Unknown parameter {name}")
            if name in BOOLEANS and value not in ("true", "false"):
                raise refused(400, "INPUT_002", f"{name} must be a boolean")
            if (name == "page" or name.endswith(("_gt", "_lt"))) and not value.isdigit():
                raise refused(400, "INPUT_003", f"{name} must be a number")

    def _check_team(self, token: str, team: str) -> None:
        if team not in self.authorized[token]:
            raise refused(401, "OAUTH_027", "Team not authorized")

    # --- version 2

    def _user(self, asked: Asked, token: str) -> Answer:
        return Answer(200, {"user": {"id": 183, "username": "Noor", "email": "noor@example.org"}})

    def _teams(self, asked: Asked, token: str) -> Answer:
        seen = sorted(self.authorized[token])
        return Answer(200, {"teams": [{"id": id_, "name": self.store.workspaces[id_], "members": []} for id_ in seen]})

    def _spaces(self, asked: Asked, token: str, team: str) -> Answer:
        return Answer(200, {"spaces": [space for space in self.store.spaces.values() if space["team"] == team]})

    def _folders(self, asked: Asked, token: str, space: str) -> Answer:
        self._check_space(token, space)
        folders = [each for each in self.store.folders.values() if each["space"] == space]
        lists = self.store.lists.values()
        shown = [{**each, "lists": [one for one in lists if one["folder"] == each["id"]]} for each in folders]
        return Answer(200, {"folders": shown})

    def _lists(self, asked: Asked, token: str, space: str) -> Answer:
        self._check_space(token, space)
        lists = [each for each in self.store.lists.values() if each["space"] == space and not each["folder"]]
        return Answer(200, {"lists": lists})

    def _one_list(self, asked: Asked, token: str, list_: str) -> Answer:
        if list_ not in self.store.lists:
            raise refused(404, "ITEM_015", "List not found")
        self._check_space(token, self.store.lists[list_]["space"])
        return Answer(200, self.store.lists[list_])

    def _check_space(self, token: str, space: str) -> None:
        if space not in self.store.spaces or self.store.spaces[space]["team"] not in self.authorized[token]:
            raise refused(404, "ITEM_014", "Space not found")

    def _tasks(self, asked: Asked, token: str, team: str) -> Answer:
        spaces, lists = (
            {value for name, value in asked.pairs if name == each} for each in ("space_ids[]", "list_ids[]")
        )
        found = []
        for task in self.store.tasks.values():
            list_ = self.store.lists[task["list"]]
            is_in = (not spaces or list_["space"] in spaces) and (not lists or list_["id"] in lists)
            if (
                is_in
                and self.store.spaces[list_["space"]]["team"] == team
                and not (list_["archived"] or task["archived"])
            ):
                found.append(task)
        return self._page_of_tasks(asked, found)

    def _tasks_of_list(self, asked: Asked, token: str, list_: str) -> Answer:
        wants = asked.query.get("archived", "false") == "true"
        return self._page_of_tasks(
            asked, [each for each in self.store.tasks.values() if each["list"] == list_ and each["archived"] is wants]
        )

    def _page_of_tasks(self, asked: Asked, tasks: list[Row]) -> Answer:
        def wanted(task: Row) -> bool:
            since, until = asked.query.get("date_updated_gt", "-1"), asked.query.get("date_updated_lt", "9" * 15)
            is_closed = task["status"]["type"] == "closed"
            return (
                int(since) < int(task["date_updated"]) < int(until)
                and (not is_closed or asked.query.get("include_closed") == "true")
                and (task["parent"] is None or asked.query.get("subtasks") == "true")
            )

        by = {"updated": "date_updated", "created": "date_created", "id": "id", "due_date": "due_date"}
        if (order := asked.query.get("order_by", "created")) not in by:
            raise refused(400, "INPUT_004", "order_by is invalid")
        newest_first = asked.query.get("reverse") != "true"
        found = sorted(filter(wanted, tasks), key=lambda task: str(task[by[order]]), reverse=newest_first)
        start = int(asked.query.get("page", "0")) * 100
        markdown = asked.query.get("include_markdown_description") == "true"
        page = [self.store.shown(task, markdown=markdown) for task in found[start : start + 100]]
        return Answer(200, {"tasks": page, "last_page": start + 100 >= len(found)})

    def _known_task(self, token: str, id_: str) -> Row:
        task = self.store.tasks.get(id_)
        team = self.store.spaces[self.store.lists[task["list"]]["space"]]["team"] if task else ""
        if task is None:
            raise refused(404, "ITEM_013", "Task not found, deleted")
        self._check_team(token, team)
        return task

    def _task(self, asked: Asked, token: str, task: str) -> Answer:
        markdown = asked.query.get("include_markdown_description") == "true"
        return Answer(200, self.store.shown(self._known_task(token, task), markdown=markdown))

    def _comments(self, asked: Asked, token: str, task: str) -> Answer:
        self._known_task(token, task)
        if ("start" in asked.query) != ("start_id" in asked.query):
            raise refused(400, "INPUT_005", "start and start_id are required together")
        said = [*reversed(self.store.comments.get(task, []))]  # the newest first
        if last := asked.query.get("start_id"):
            place = next((place for place, each in enumerate(said) if each["id"] == last), None)
            if place is None or said[place]["date"] != asked.query["start"]:
                raise refused(400, "INPUT_006", "start_id is invalid")
            said = said[place + 1 :]
        return Answer(200, {"comments": said[:25]})

    def _replies(self, asked: Asked, token: str, comment: str) -> Answer:
        return Answer(200, {"comments": self.store.replies.get(comment, [])})

    # --- version 3

    def _docs(self, asked: Asked, token: str, team: str) -> Answer:
        limit = int(asked.query.get("limit", "50"))
        if not 10 <= limit <= 100:
            raise refused(400, "PUBAPIDOCS_001", "limit must be between 10 and 100")
        wants = {each: asked.query.get(each, "false") == "true" for each in ("deleted", "archived")}
        docs = [
            doc
            for doc in self.store.docs.values()
            if doc["workspace_id"] == int(team) and all(doc[each] is wants[each] for each in wants)
        ]
        start = int(asked.query.get("cursor", "c0").removeprefix("c"))
        page: dict[str, Any] = {"docs": docs[start : start + limit]}
        if start + limit < len(docs):
            page["next_cursor"] = f"c{start + limit}"
        return Answer(200, page)

    def _doc_pages(self, asked: Asked, token: str, team: str, doc: str) -> Answer:
        if asked.query.get("content_format", "text/md") not in ("text/md", "text/plain"):
            raise refused(400, "PUBAPIDOCS_002", "content_format is invalid")
        if doc not in self.store.docs or self.store.docs[doc]["deleted"]:
            raise refused(404, "PUBAPIDOCS_003", "Doc not found")
        return Answer(200, self._below(doc, None))

    def _below(self, doc: str, parent: str | None) -> list[Row]:
        pages = [page for page in self.store.pages[doc].values() if page.get("parent_page_id") == parent]
        return [{**page, "pages": self._below(doc, page["id"])} for page in pages]
