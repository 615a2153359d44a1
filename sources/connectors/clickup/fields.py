"""What staff enter to connect a ClickUp workspace, and where they find it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from sources.connectors.base import ConnectorError, Field, FieldKind
from sources.connectors.clickup.api import API_URL

HOUR: Final = 3_600
EVERY: Final = {"run": 0, "6h": 6 * HOUR, "day": 24 * HOUR, "week": 7 * 24 * HOUR}

FIELDS: Final = (
    Field(
        "token",
        "API token",
        "In ClickUp: your avatar, Settings, Apps, API Token (it begins with pk_). It sees what its person sees, and a "
        "guest who may view is enough. An access token of an OAuth app does as well, if the workspace was chosen when "
        "signing in.",
        kind=FieldKind.SECRET,
        required=True,
    ),
    Field(
        "workspace",
        "Workspace",
        "The number in the address of ClickUp: app.clickup.com/9001234567/home. The whole address does as well.",
        required=True,
    ),
    Field(
        "spaces",
        "Only these spaces",
        "One a line: the number after /s/ in the address of the space, or that address. Empty: all the token sees.",
        kind=FieldKind.LINES,
        default=(),
    ),
    Field(
        "lists",
        "Only these lists",
        "One a line: the number after /li/ in the address of the list, or that address. Empty: all lists.",
        kind=FieldKind.LINES,
        default=(),
    ),
    Field("closed", "Closed tasks", "Read tasks that are closed as well.", kind=FieldKind.SWITCH, default=True),
    Field(
        "comments",
        "Comments",
        "Read the comments of tasks. That takes one request more for each task that changed.",
        kind=FieldKind.SWITCH,
        default=True,
    ),
    Field("docs", "Docs", "Read the pages of Docs.", kind=FieldKind.SWITCH, default=True),
    Field(
        "sweep",
        "Look for deleted tasks",
        "ClickUp doesn't tell that a task was deleted or archived. Listing all of them, 100 a request, shows it.",
        kind=FieldKind.CHOICE,
        default="day",
        choices=(("run", "in every run"), ("6h", "every six hours"), ("day", "once a day"), ("week", "once a week")),
    ),
    Field(
        "zone",
        "Time zone",
        "In which a due date is the day that was meant, for example Europe/Vilnius.",
        default="UTC",
    ),
    Field(
        "api_url",
        "Address of the API",
        "Leave it as it is, unless your network reaches ClickUp by another address.",
        kind=FieldKind.URL,
        default=API_URL,
    ),
)

_KINDS: Final = {
    "workspace": re.compile(r"clickup\.com/(\d+)"),
    "spaces": re.compile(r"/s/(\d+)"),
    "lists": re.compile(r"/li/(\d+)"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be read, as entered."""

    workspace: str
    spaces: tuple[str, ...]
    lists: tuple[str, ...]
    closed: bool
    comments: bool
    docs: bool
    sweep_after: int
    zone: ZoneInfo

    @property
    def scope(self) -> str:
        """Where it differs from the last time, everything is listed anew."""
        return " ".join((self.workspace, *self.spaces, "|", *self.lists, f"|{self.closed:d}{self.docs:d}"))


def wanted(values: Mapping[str, Any]) -> Wanted:
    return Wanted(
        workspace=_number("workspace", str(values.get("workspace", ""))),
        spaces=_numbers("spaces", values.get("spaces") or ()),
        lists=_numbers("lists", values.get("lists") or ()),
        closed=bool(values.get("closed", True)),
        comments=bool(values.get("comments", True)),
        docs=bool(values.get("docs", True)),
        sweep_after=EVERY.get(str(values.get("sweep", "day")), EVERY["day"]),
        zone=_zone(str(values.get("zone") or "UTC")),
    )


def _numbers(field: str, entered: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_number(field, line) for line in entered if line.strip()))


def _number(field: str, entered: str) -> str:
    """The number itself, or out of an address."""
    entered = entered.strip()
    if entered.isascii() and entered.isdigit():
        return entered
    if found := _KINDS[field].search(entered):
        return found[1]
    raise ConnectorError(f"“{entered}” is no number of ClickUp's {field}, and no address of one.", permanent=True)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name.strip())
    except (ValueError, OSError, KeyError):
        raise ConnectorError(f"“{name}” is no time zone. One looks like Europe/Vilnius.", permanent=True) from None
