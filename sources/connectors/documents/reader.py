"""Hands documents to the process that takes them apart, and takes it down when one of them takes too long."""

import json
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from memories import limits

CHILD: Final = Path(__file__).with_name("child.py")
SECONDS: Final = 60.0
#: A little more than one text may have, so that its being cut is noticed.
MOST: Final = 8 * limits.TEXT_BYTES
#: Pictures inside a Markdown text: kilobytes of letters that say nothing.
PICTURES: Final = re.compile(
    r"""^\[[^\]\n]+\]:\s*<?data:[^>\s]*>?[^\n]*\n?  # where a text keeps them at its end
    | !\[[^\]\n]*\](?:\(data:[^)]*\)|\[[^\]\n]*\])  # and where it shows them
    """,
    re.MULTILINE | re.VERBOSE,
)


class Unfit(Exception):
    """Not a document that can be read. `reason` completes "it was left out: …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Documents:
    """A reader of documents. Its process starts with the first one, and serves until the reader is closed."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def markdown(self, content: bytes, kind: str) -> str:
        """The document as Markdown. Raises Unfit, whatever is wrong with it."""
        if self._child is None or self._child.poll() is not None:
            self.close()
            self._child = _start()
        is_late = threading.Event()
        timer = threading.Timer(self._seconds, _stop, [self._child, is_late])
        timer.start()
        try:
            text, problem = _converse(self._child, content, kind)
        except (OSError, ValueError):  # a pipe that broke, or half an answer: the process is gone
            self.close()
            waited = f"reading it took longer than {self._seconds:.0f} seconds"
            raise Unfit(waited if is_late.is_set() else "reading it broke off: it takes too much memory") from None
        finally:
            timer.cancel()
        if problem:
            raise Unfit(problem)
        return PICTURES.sub("", text)


def _start() -> "subprocess.Popen[bytes]":
    # -I and an empty environment: neither settings nor secrets of this process reach what opens foreign files.
    return subprocess.Popen(  # noqa: S603  # our own script, by our own interpreter
        [sys.executable, "-I", str(CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"},
    )


def _stop(child: "subprocess.Popen[bytes]", is_late: threading.Event) -> None:
    is_late.set()
    child.kill()


def _converse(child: "subprocess.Popen[bytes]", content: bytes, kind: str) -> tuple[str, str]:
    if child.stdin is None or child.stdout is None:
        raise OSError("no pipes")
    asked = json.dumps({"kind": kind, "length": len(content), "most": MOST}).encode()
    child.stdin.write(asked + b"\n" + content)
    child.stdin.flush()
    answered = json.loads(child.stdout.readline())
    text = child.stdout.read(answered["length"])
    if len(text) < answered["length"]:
        raise OSError("half an answer")
    return text.decode("utf-8", "ignore"), answered["problem"]


def plain_text(content: bytes) -> str:
    """What a text file says; Unfit when it is none."""
    is_utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in content[:8_192] and not is_utf_16:
        raise Unfit("it is no text, though its type says so")
    try:
        return PICTURES.sub("", content.decode("utf-16" if is_utf_16 else "utf-8-sig"))
    except UnicodeDecodeError:
        return PICTURES.sub("", content.decode("cp1252", "replace"))  # what was written before UTF-8, most often


def fitting(text: str) -> tuple[str, str]:
    """As much of a text as one memory may hold, cut between lines, and a sentence when some was left out."""
    whole = text.encode("utf-8", "replace")
    if len(whole) <= limits.TEXT_BYTES:
        return text, ""
    kept = whole[: limits.TEXT_BYTES]
    if (line_end := kept.rfind(b"\n")) > limits.TEXT_BYTES // 2:
        kept = kept[:line_end]
    total = "more than 8" if len(whole) >= MOST else f"{len(whole) / 2**20:.1f}"
    return kept.decode("utf-8", "ignore"), f"Only the first {len(kept) / 2**20:.1f} MB of {total} MB were read."
