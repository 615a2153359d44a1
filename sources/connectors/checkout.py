"""What git knows of the files of a checkout: the last commit of each. Without git, or outside a checkout: nothing.

Only commands that run none of the checkout's own programs (filters, hooks, monitors) are used.
"""

import re
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha1
from pathlib import Path

#: So many commits are looked through; a file that none of them touched has no known time.
MOST_COMMITS = 20_000
SECONDS = 60
_SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
    "-c", "log.showSignature=false",
)  # fmt: skip
_PATH = "/usr/local/bin:/usr/bin:/bin"
_ENVIRONMENT = {
    "PATH": _PATH, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C",
    # A partial clone would fetch what it lacks, by commands that its own configuration names.
    "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
}  # fmt: skip
_COMMIT = re.compile(r"\x01([0-9a-f]{40,64}) (\d+)")


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    at: datetime


class Checkout:
    def __init__(self, root: Path) -> None:
        self._root = root

    def head(self) -> str:
        return self._git("rev-parse", "HEAD").strip()

    def commit_of(self, key: str, content: bytes) -> Commit | None:
        """The commit that made this file what it is; none for what was changed since, or is not committed."""
        if not self._is_git:
            return None
        blob = sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
        return self._commits.get(key) if self._blobs.get(key) == blob else None

    @cached_property
    def _is_git(self) -> bool:
        return self._git("rev-parse", "--is-inside-work-tree").strip() == "true"

    @cached_property
    def _blobs(self) -> dict[str, str]:
        rows = self._git("ls-tree", "-r", "-z", "HEAD").split("\0")
        return {name: about.split()[2] for about, _, name in (row.partition("\t") for row in rows) if name}

    @cached_property
    def _commits(self) -> dict[str, Commit]:
        """Newest first, so the first mention of a path is its last commit."""
        log = self._git(
            "log", f"--max-count={MOST_COMMITS}", "--format=%x01%H %ct", "--name-only", "--no-renames", "-m",
            "--first-parent", "--relative", "-z", "HEAD",
        )  # fmt: skip
        found: dict[str, Commit] = {}
        commit = None
        for entry in log.split("\0"):
            # A name may hold anything but a zero byte, so it can't be told from a commit by a mark alone.
            is_commit = _COMMIT.fullmatch(entry)
            if is_commit:
                commit = Commit(is_commit[1], datetime.fromtimestamp(int(is_commit[2]), UTC))
            elif commit and entry:
                found.setdefault(entry.removeprefix("\n"), commit)
        return found

    def _git(self, *arguments: str) -> str:
        try:
            done = subprocess.run(  # noqa: S603  # no shell, and the arguments are ours
                ["git", *_SAFE, "-C", str(self._root), *arguments],  # noqa: S607  # wherever PATH has it
                capture_output=True, timeout=SECONDS, check=False, env=_ENVIRONMENT,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout.decode("utf-8", "backslashreplace") if done.returncode == 0 else ""
