"""What is in the fake ClickUp, and what people do there. Times are milliseconds since 1970, as strings or numbers, as
the documents have them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

Row = dict[str, Any]
START = int(datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp() * 1000)
PEOPLE = {"Noor": 183, "Ivo": 184, "Tamsin": 185}
PRIORITIES = {"urgent": "1", "high": "2", "normal": "3", "low": "4"}


def moment(year: int, month: int, day: int, hour: int = 4) -> str:
    """A day without a time is stored as four in the morning of the one who entered it."""
    return str(int(datetime(year, month, day, hour, tzinfo=UTC).timestamp() * 1000))


def person(name: str) -> Row:
    return {"id": PEOPLE[name], "username": name, "email": f"{name.lower()}@example.org", "initials": name[:1]}


@dataclass(slots=True)
class Store:
    workspaces: dict[str, str] = field(default_factory=dict)
    spaces: dict[str, Row] = field(default_factory=dict)
    folders: dict[str, Row] = field(default_factory=dict)
    lists: dict[str, Row] = field(default_factory=dict)
    tasks: dict[str, Row] = field(default_factory=dict)
    comments: dict[str, list[Row]] = field(default_factory=dict)
    replies: dict[str, list[Row]] = field(default_factory=dict)
    docs: dict[str, Row] = field(default_factory=dict)
    pages: dict[str, dict[str, Row]] = field(default_factory=dict)
    now: int = START
    numbers: "count[int]" = field(default_factory=lambda: count(901))

    def tick(self, seconds: int = 60) -> int:
        self.now += seconds * 1000
        return self.now

    def workspace(self, name: str) -> str:
        id_ = f"9{next(self.numbers)}"
        self.workspaces[id_] = name
        return id_

    def space(self, workspace: str, name: str) -> str:
        id_ = f"7{next(self.numbers)}"
        self.spaces[id_] = {"id": id_, "name": name, "team": workspace, "archived": False}
        return id_

    def folder(self, space: str, name: str) -> str:
        id_ = f"6{next(self.numbers)}"
        self.folders[id_] = {"id": id_, "name": name, "hidden": False, "space": space, "archived": False}
        return id_

    def list_(self, space: str, name: str, folder: str = "") -> str:
        id_ = f"5{next(self.numbers)}"
        self.lists[id_] = {"id": id_, "name": name, "space": space, "folder": folder, "archived": False}
        return id_

    def task(self, list_: str, name: str, description: str = "", **more: Any) -> str:
        id_ = f"86a{next(self.numbers):x}"
        self.tasks[id_] = {
            "id": id_,
            "custom_id": None,
            "name": name,
            "text_content": description,
            "description": description,
            "markdown": description,
            "status": {"status": "to do", "type": "open", "color": "#87909e", "orderindex": 0},
            "date_created": str(self.tick()),
            "date_updated": str(self.now),
            "date_closed": None,
            "archived": False,
            "creator": person("Noor"),
            "assignees": [],
            "tags": [],
            "parent": None,
            "priority": None,
            "due_date": None,
            "start_date": None,
            "list": list_,
            "url": f"https://app.clickup.com/t/{id_}",
            **more,
        }
        return id_

    def edit(self, id_: str, **changes: Any) -> None:
        self.tasks[id_] |= {**changes, "date_updated": str(self.tick())}

    def close(self, id_: str) -> None:
        self.edit(id_, status={"status": "complete", "type": "closed", "color": "#008844", "orderindex": 9})

    def comment(self, task: str, who: str, text: str, *, reply_to: str = "") -> str:
        id_ = f"4{next(self.numbers)}"
        said = {
            "id": id_,
            "comment": [{"text": text}],
            "comment_text": text,
            "user": person(who),
            "resolved": False,
            "date": str(self.tick()),
            "reply_count": 0,
        }
        if reply_to:
            self.replies.setdefault(reply_to, []).append(said)
            parent = next(each for each in self.comments[task] if each["id"] == reply_to)
            parent["reply_count"] += 1
        else:
            self.comments.setdefault(task, []).append(said)
        self.tasks[task]["date_updated"] = str(self.now)
        return id_

    def delete(self, id_: str) -> None:
        self.tick()
        for child in [each for each, task in self.tasks.items() if task["parent"] == id_]:
            self.delete(child)
        del self.tasks[id_]

    def doc(self, workspace: str, name: str, parent: tuple[str, int] | None = None) -> str:
        id_ = f"8cd{next(self.numbers)}"
        above, kind = parent or (workspace, 12)
        self.docs[id_] = {
            "id": id_,
            "name": name,
            "type": 1,
            "parent": {"id": above, "type": kind},
            "public": False,
            "workspace_id": int(workspace),
            "creator": 183,
            "deleted": False,
            "archived": False,
            "date_created": self.tick(),
            "date_updated": self.now,
        }
        self.pages[id_] = {}
        return id_

    def page(self, doc: str, name: str, content: str, below: str = "") -> str:
        id_ = f"8cp{next(self.numbers)}"
        self.pages[doc][id_] = {
            "id": id_,
            "doc_id": doc,
            "workspace_id": self.docs[doc]["workspace_id"],
            "name": name,
            "content": content,
            "creator_id": 183,
            "authors": [183],
            "date_created": self.tick(),
            "date_updated": self.now,
            **({"parent_page_id": below} if below else {}),
        }
        self.docs[doc]["date_updated"] = self.now
        return id_

    def write(self, doc: str, page: str, content: str) -> None:
        self.pages[doc][page] |= {"content": content, "date_updated": self.tick()}
        self.docs[doc]["date_updated"] = self.now

    def shown(self, task: Row, *, markdown: bool) -> Row:
        """A task as it is sent: lists, folders and spaces by name."""
        list_ = self.lists[task["list"]]
        folder = self.folders.get(list_["folder"], {"id": "0", "name": "hidden", "hidden": True})
        seen = {name: value for name, value in task.items() if name != "markdown"}
        seen |= {
            "list": {"id": list_["id"], "name": list_["name"], "access": True},
            "folder": {"id": folder["id"], "name": folder["name"], "hidden": folder["hidden"], "access": True},
            "space": {"id": list_["space"]},
            "team_id": self.spaces[list_["space"]]["team"],
        }
        return {**seen, "markdown_description": task["markdown"]} if markdown else seen
