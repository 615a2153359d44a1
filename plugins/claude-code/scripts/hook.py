"""Called by a client's hooks, with their JSON on standard input.

    hook.py session-start   uploads what an earlier session could not
    hook.py recall          prints the memories that a prompt needs, as context (clients whose hooks can't call MCP)
    hook.py capture         has the new part of the transcript uploaded, by a process that outlives this one

It never stops its client: whatever fails, it ends with 0 and says nothing.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import config
import jobs
import server

RECALL_SECONDS = 4.0
MOST_PROMPT = 200_000
MOST_CONTEXT = 10_000
WINDOWS_DETACHED = 0x00000208  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP


def main(arguments: list[str]) -> None:
    with suppress(Exception):  # a memory that is away must not be in the way
        asked = json.load(sys.stdin)
        # What subagents say to each other is no conversation with the user.
        if arguments and isinstance(asked, dict) and config.api_key() and not asked.get("agent_id"):
            {"session-start": session_start, "recall": recall, "capture": capture}[arguments[0]](asked)


def session_start(_: dict[str, Any]) -> None:
    if jobs.waiting():
        _start_upload()


def recall(asked: dict[str, Any]) -> None:
    prompt = str(asked.get("prompt") or "")[:MOST_PROMPT]
    if not prompt.strip():
        return
    answer = server.post("recall/", {"prompt": prompt, "session": _session(asked)}, timeout=RECALL_SECONDS)
    if answer.get("text"):
        event = asked.get("hook_event_name") or "UserPromptSubmit"
        added = {"hookEventName": event, "additionalContext": answer["text"][:MOST_CONTEXT]}
        sys.stdout.write(json.dumps({"hookSpecificOutput": added}))


def capture(asked: dict[str, Any]) -> None:
    if transcript := asked.get("transcript_path"):
        jobs.put({"session": _session(asked), "transcript": str(Path(transcript).expanduser())})
    elif messages := _turn(asked):
        jobs.put({"session": _session(asked), "messages": messages})
    else:
        return
    _start_upload()


def _session(asked: dict[str, Any]) -> str:
    return str(asked.get("session_id") or "unnamed")[:200]


def _turn(asked: dict[str, Any]) -> list[dict[str, str]]:
    """Clients without a transcript hand over the turn itself (Gemini CLI's AfterAgent)."""
    said = [("user", asked.get("prompt")), ("assistant", asked.get("prompt_response"))]
    stamp = str(asked.get("timestamp") or "")
    messages = []
    for role, content in said:
        if isinstance(content, str) and content.strip():
            id_ = sha256("\0".join([_session(asked), stamp, role, content]).encode()).hexdigest()[:32]
            messages.append({"id": id_, "role": role, "content": content[:MOST_PROMPT]})
    return messages


def _start_upload() -> None:
    """Detached: hooks at the end of a session have a second, and a client kills what it started."""
    own: dict[str, Any] = {"creationflags": WINDOWS_DETACHED} if os.name == "nt" else {"start_new_session": True}
    script, nowhere = str(Path(__file__).with_name("upload.py")), subprocess.DEVNULL
    subprocess.Popen([sys.executable, script], stdin=nowhere, stdout=nowhere, stderr=nowhere, **own)  # noqa: S603  # our own script


if __name__ == "__main__":
    main(sys.argv[1:])
