"""A talk as text: what it is and how it stands in one sentence, then who said what on which day.

Reading knows a transcript by lines such as `(1 March 2026) ann: …` and then gives every statement its speaker and day.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

#: Who says how a talk stands.
SERVICE: Final = "GitHub"
#: A line that a transcript would take for the next speaker: `Port: 8443`.
_KEY: Final = re.compile(
    r"^([ \t]*(?:[\[(][^\[\]()\n]{4,40}[\])][ \t]*)?"
    r"\*{0,2}[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,2}\*{0,2}):(\*{0,2}[ \t]+)(?=\S)"
)
_BLOCK: Final = re.compile(r"\s*(?:[-*+>#|<`~]|\d+[.)]\s|    )")
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Said:
    who: str
    at: datetime
    body: str

    @classmethod
    def of(cls, found: Mapping[str, Any], at: str = "created_at") -> "Said":
        """A comment as REST gives it. Who has left GitHub is called ghost there."""
        author = (found.get("user") or {}).get("login") or "ghost"
        return cls(author, datetime.fromisoformat(found[at]), found.get("body") or "")


def talk(heading: str, standing: str, said: Iterable[Said]) -> str:
    turns = [each for each in sorted(said, key=lambda each: each.at) if each.body.strip()]
    # One line alone is no transcript: with the standing said as well, the first comment changes nothing but itself.
    parts = [_turn(each) for each in (Said(SERVICE, turns[0].at, standing), *turns)] if turns else [standing]
    return "\n\n".join([f"# {_line(heading)}", *parts]) + "\n"


def _line(text: str) -> str:
    return " ".join(text.split())


def _turn(said: Said) -> str:
    body = "\n".join(_harmless(said.body.replace("\r\n", "\n").strip().split("\n")))
    # A list or code that begins a comment would lose its shape behind the name; a lead-in is no statement.
    lead = "Comment:\n\n" if _BLOCK.match(body) else ""
    return f"({said.at.day} {said.at:%B %Y}) {_speaker(said.who)}: {lead}{body}"


def _speaker(login: str) -> str:
    """A name as transcripts have it: a letter first, then letters, digits, dots and hyphens."""
    name = re.sub(r"[^\w.-]+", "-", login).strip("-")
    return name[:31] if name[:1].isalpha() else f"user-{name}"[:31]


def _harmless(lines: list[str]) -> Iterable[str]:
    """The body with nothing in it that looks like a speaker's line."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            yield line
        elif fence:
            yield _KEY.sub("\\1:\N{NO-BREAK SPACE}", line)  # an escape would show in code
        else:
            yield _KEY.sub(r"\1\\:\2", line)
