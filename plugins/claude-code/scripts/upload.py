"""The detached part of capture: sends what was said since the last time, and remembers how far it came.

    python3 upload.py

It is started by hook.py and lives on when the session ends. The server knows a message again by its session and id, so
sending one twice does no harm.
"""

import time
from pathlib import Path
from typing import Any

import jobs
import server
from transcripts import Line, lines

#: Clients write their last line after they have called the hook.
SETTLING_SECONDS = 1.0
TIMEOUT_SECONDS = 30.0
MESSAGES_AT_ONCE = 200
CHARACTERS_AT_ONCE = 2_000_000


def main() -> None:
    with jobs.alone():
        while waiting := jobs.waiting():
            for path, job in waiting:
                _settle(path)
                try:
                    _upload(job)
                except server.Unsent as unsent:
                    if unsent.again:
                        return  # the next hook tries again, from the same place
                jobs.done(path)


def _settle(path: Path) -> None:
    age = time.time() - path.stat().st_mtime
    time.sleep(max(0.0, min(SETTLING_SECONDS, SETTLING_SECONDS - age)))


def _upload(job: dict[str, Any]) -> None:
    session = str(job["session"])
    if "messages" in job:
        _send(session, job["messages"])
        return
    transcript = Path(job["transcript"])
    if not transcript.is_file():
        return
    start = jobs.offset(session, str(transcript))
    if start > transcript.stat().st_size:
        start = 0  # the file was begun anew
    chunk: list[Line] = []
    for line in lines(transcript, start):
        chunk.append(line)
        if _is_full(chunk):
            _send_lines(session, transcript, chunk)
            chunk = []
    _send_lines(session, transcript, chunk)


def _is_full(chunk: list[Line]) -> bool:
    said = [line.message for line in chunk if line.message]
    return len(said) >= MESSAGES_AT_ONCE or sum(len(message.content) for message in said) >= CHARACTERS_AT_ONCE


def _send_lines(session: str, transcript: Path, chunk: list[Line]) -> None:
    if chunk:
        _send(session, [line.message.sent() for line in chunk if line.message])
        jobs.set_offset(session, str(transcript), chunk[-1].end)


def _send(session: str, messages: list[dict[str, str]]) -> None:
    """All of them, or all but those that the server will never take: one must not keep the others out."""
    if not messages:
        return
    try:
        server.post("captures/", {"session": session, "messages": messages}, timeout=TIMEOUT_SECONDS)
    except server.Unsent as unsent:
        if unsent.again:
            raise
        if len(messages) > 1:
            half = len(messages) // 2
            _send(session, messages[:half])
            _send(session, messages[half:])


if __name__ == "__main__":
    main()
