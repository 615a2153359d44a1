# ruff: noqa: INP001, S603 -- a script for itself; every command it runs is its own
"""Makes .venv hold what a requirements file names: `install.py ROOT REQUIREMENTS`. Called by bin/venv.

Runs with any Python from 3.11 on and nothing installed. What is installed is remembered by a stamp in .venv, so that
a start costs nothing. An installation that was interrupted may have left half a package behind, which pip takes for
a whole one: then .venv is made anew.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


def main() -> int:
    root, requirements = Path(sys.argv[1]), Path(sys.argv[1]) / sys.argv[2]
    venv = root / ".venv"
    lock = os.open(root, os.O_RDONLY)  # two starts at once: the second waits, and finds all done
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Waiting for another installation into .venv …")
        fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        return bring_up_to_date(venv, requirements)
    except KeyboardInterrupt:
        return fail("Interrupted; the next start makes .venv anew.")
    except OSError as error:
        return fail(f"{venv} cannot be made ({error.strerror}: {error.filename}); Neuronz needs to write there once.")


def bring_up_to_date(venv: Path, requirements: Path) -> int:
    stamp, interrupted = venv / f"installed-{requirements.stem}", venv / "interrupted"
    wanted = fingerprint(requirements)
    if stamp.is_file() and stamp.read_text() == wanted and runs(venv, "pass"):
        return 0
    if interrupted.exists() or not runs(venv, "import pip"):
        if venv.exists():
            shutil.rmtree(venv)
        say("Making a Python environment in .venv …")
        if made := run([sys.executable, "-m", "venv", str(venv)]):
            return fail(f"Python could not make .venv: {made} On Debian and Ubuntu, install python3-venv.")
    interrupted.touch()
    say("Installing the packages; the first time this takes some minutes …")
    if trouble := install(venv, requirements):
        if "Installing collected packages" not in log_of(venv).read_text():
            interrupted.unlink()  # it could not fetch something, and has touched nothing yet
        return fail(f"pip could not install {requirements.name}: {trouble} All of it: {log_of(venv)}")
    stamp.write_text(wanted)
    interrupted.unlink()
    return 0


def fingerprint(requirements: Path) -> str:
    """Changes when the requirements or this Python do."""
    digest = hashlib.sha256(sys.version.encode())
    for part in parts_of(requirements):
        digest.update(part.read_bytes())
    return digest.hexdigest()


def parts_of(requirements: Path) -> Iterator[Path]:
    yield requirements
    for line in requirements.read_text().splitlines():
        if line.startswith("-r "):
            yield from parts_of(requirements.parent / line.removeprefix("-r ").strip())


def runs(venv: Path, code: str) -> bool:
    try:
        return subprocess.run([venv / "bin" / "python", "-c", code], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def run(command: list[str]) -> str:
    """What went wrong; empty if nothing did."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()


def install(venv: Path, requirements: Path) -> str:
    """What went wrong; empty if nothing did. Says what is being fetched meanwhile."""
    command = [venv / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off"]
    errors = []
    with (
        log_of(venv).open("w") as log,
        subprocess.Popen(
            [*command, "-r", requirements], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as pip,
    ):
        for line in pip.stdout or []:
            log.write(line)
            if line.startswith(("Collecting ", "Installing collected")):
                say("  " + line.split(" (from")[0].strip()[:100])
            elif line.startswith("ERROR"):
                errors.append(line.strip())
    return "" if pip.returncode == 0 else " ".join(errors) or f"it ended with code {pip.returncode}."


def log_of(venv: Path) -> Path:
    return venv / "install.log"


def say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def fail(sentence: str) -> int:
    say(sentence)
    return 1


if __name__ == "__main__":
    sys.exit(main())
