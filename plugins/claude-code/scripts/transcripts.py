"""What was said in a session, out of the files that Claude Code and Codex keep of it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Blocks that programs put into messages: nobody said them.
PUT_IN = re.compile(
    r"<(system-reminder|command-name|command-message|command-args|local-command-stdout|local-command-stderr"
    r"|environment_context|user_instructions)>.*?</\1>",
    re.DOTALL,
)
#: More than this of one message is not uploaded; the server's limit for a text is 1 MiB.
MOST_CHARACTERS = 200_000
ROLES = {"user", "assistant"}


@dataclass(frozen=True)
class Message:
    id: str
    role: str
    content: str
    at: str | None

    def sent(self) -> dict[str, str]:
        body = {"id": self.id, "role": self.role, "content": self.content}
        return body | {"at": self.at} if self.at else body


@dataclass(frozen=True)
class Line:
    """One line of a transcript: where the next one begins, and what was said in it, if anything."""

    end: int
    message: Message | None


def lines(path: Path, start: int) -> Iterator[Line]:
    """The complete lines from a byte offset on. A line without its end is still being written."""
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            if not line.endswith(b"\n"):
                return
            start += len(line)
            yield Line(start, _message(line, start))


def _message(line: bytes, end: int) -> Message | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    if not isinstance(row, dict):
        return None
    return _of_codex(row, end) if isinstance(row.get("payload"), dict) else _of_claude(row)


def _of_claude(row: dict[str, Any]) -> Message | None:
    said = row.get("message")
    if not isinstance(said, dict) or row.get("type") not in ROLES or not row.get("uuid"):
        return None
    if row.get("isMeta") or row.get("isSidechain") or row.get("isCompactSummary"):
        return None
    return _said(str(row["uuid"]), str(row["type"]), said.get("content"), row.get("timestamp"))


def _of_codex(row: dict[str, Any], end: int) -> Message | None:
    """Codex numbers nothing, so the place in its file is the message's name: the file is only appended to."""
    payload = row["payload"]
    if row.get("type") != "response_item" or payload.get("type") != "message" or payload.get("role") not in ROLES:
        return None
    return _said(f"line-{end}", str(payload["role"]), payload.get("content"), row.get("timestamp"))


def _said(id_: str, role: str, content: Any, at: Any) -> Message | None:
    text = PUT_IN.sub("", _text(content)).strip()[:MOST_CHARACTERS]
    return Message(id_, role, text, at if isinstance(at, str) else None) if text else None


def _text(content: Any) -> str:
    """Only what was written: calls of tools and their results are no speech."""
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    spoken = [block for block in blocks if block.get("type") in {"text", "input_text", "output_text"}]
    return "\n\n".join(str(block.get("text", "")) for block in spoken)
