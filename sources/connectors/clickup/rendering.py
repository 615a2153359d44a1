"""A task as a text: one fact a line, each of which says which task it is about, so that one can change alone."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo

from sources.connectors.clickup.api import Row

#: Raise it when the same task would be written otherwise, so that everything is read again.
WRITING = 1


def header(task: Row, zone: tzinfo) -> str:
    """All but the comments."""
    lines = [f"# {_line(task['name'])}", "", *(f"- {fact}" for fact in _facts(task, zone))]
    description = str(task.get("markdown_description") or task.get("description") or "").strip()
    return "\n".join([*lines, *(["", "## Description", "", description] if description else [])]) + "\n"


def _facts(task: Row, zone: tzinfo) -> Iterable[str]:
    name = f"Task “{_line(task['name'])}”"
    if list_ := _line((task.get("list") or {}).get("name")):
        yield f"{name} is in the list {list_}."
    if status := _line((task.get("status") or {}).get("status")):
        yield f"{name} has the status {status}."
    if task.get("due_date"):
        yield f"{name} is due on {day(task['due_date'], zone)}."
    if people := _names(task.get("assignees") or (), "username"):
        yield f"{name} is assigned to {people}."
    if priority := _line((task.get("priority") or {}).get("priority")):
        yield f"{name} has the priority {priority}."
    if tags := _names(task.get("tags") or (), "name"):
        yield f"{name} is tagged {tags}."


def comments(said: Sequence[Row], zone: tzinfo) -> str:
    if not said:
        return ""
    parts = [
        f"{_line((each.get('user') or {}).get('username')) or 'Somebody'} wrote on {day(each['date'], zone)}: {text}"
        for each in said
        if (text := str(each.get("comment_text") or "").strip())
    ]
    return "\n## Comments\n\n" + "\n\n".join(parts) + "\n" if parts else ""


def day(milliseconds: str | int, zone: tzinfo) -> str:
    at = moment(milliseconds).astimezone(zone)
    return f"{at.day} {at:%B} {at.year}"


def moment(milliseconds: str | int) -> datetime:
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)


def version_of(task: Row, zone: tzinfo) -> str:
    """The text is in it as well: a list that got another name changes its tasks, without their date."""
    told = f"{WRITING} {task.get('date_updated')} {header(task, zone)}"
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]


def _names(rows: Iterable[Row], key: str) -> str:
    names = [name for row in rows if (name := _line(row.get(key)))]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _line(text: object) -> str:
    return " ".join(str(text or "").split())
