"""bin/venv: a Python environment out of nothing, made once, and made anew after an interruption."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

BIN = Path(__file__).resolve().parent.parent.parent / "bin"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project that needs no packages, in a folder with a space."""
    project = tmp_path / "a project"
    (project / "bin").mkdir(parents=True)
    for name in ("venv", "install.py"):
        shutil.copy(BIN / name, project / "bin" / name)
    (project / "requirements.txt").write_text("# none\n")
    return project


def run(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(root / "bin" / "venv"), "requirements.txt", "-c", "import sys; print(sys.prefix)"]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=120, env={**os.environ, **environment}
    )


def test_the_environment_is_made_once_and_anew_after_an_interruption(root: Path) -> None:
    first = run(root, PIP_USER="1", PYTHONPATH="/somewhere")
    assert first.stdout == f"{root}/.venv\n", first.stderr
    assert "Making a Python environment in .venv" in first.stderr

    assert run(root).stderr == ""

    (root / "requirements.txt").write_text("./no-such-folder\n")
    failed = run(root, PIP_NO_INDEX="1")
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1].startswith("pip could not install requirements.txt: ERROR: ")
    assert not (root / ".venv" / "interrupted").exists()

    (root / ".venv" / "interrupted").touch()
    (root / ".venv" / "half a package").touch()
    (root / "requirements.txt").write_text("# still none\n")
    assert run(root).returncode == 0
    assert not (root / ".venv" / "half a package").exists()


def test_a_machine_without_python_is_told_so(root: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "dirname"):
        (tools / tool).symlink_to(shutil.which(tool) or "")

    done = run(root, PATH=str(tools))

    assert done.returncode == 1
    assert done.stderr.startswith("Neuronz needs Python 3.11 or newer, and found none;")
