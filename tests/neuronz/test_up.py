"""`manage.py up` as a person meets it: started for real, in a folder of its own, on a free port."""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MANAGE = [sys.executable, str(ROOT / "manage.py")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """That of a person who set nothing but where things go."""
    ours = ("NEURONZ_", "DATABASE_URL", "CELERY_", "DJANGO_", "PYTEST_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**clean, "NEURONZ_DATA_DIR": str(data_dir), "NEURONZ_EMBEDDER": "hashing:64", **more}


class Running:
    """A started `up`, and what it has said."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.data_dir, self.port, self.url = data_dir, port, f"http://127.0.0.1:{port}"
        self._output = data_dir.parent / "output.txt"
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [*MANAGE, "up", "--port", str(port)],
                stdout=output,
                stderr=output,
                env=environment(data_dir),
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self._output.read_text()

    def wait_for(self, claim: Callable[[], object], seconds: float = 180) -> None:
        deadline = time.monotonic() + seconds
        while not claim():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.05)

    def wait_until_serving(self) -> "Running":
        self.wait_for(lambda: "Neuronz is running" in self.said)
        return self

    def child(self, name: str) -> int | None:
        """The process of one part, found by what it runs."""
        needle = {"web": "uvicorn", "worker": "worker", "beat": "beat"}[name]
        for line in processes(f"NEURONZ_SUPERVISOR={self.process.pid}"):
            pid, command = line
            if needle in command:
                return pid
        return None

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


def processes(marker: str) -> list[tuple[int, list[str]]]:
    """All processes whose command line or environment contains the marker."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                command = (folder / "cmdline").read_bytes()
                told = command + b"\0" + (folder / "environ").read_bytes()
            except OSError:  # it has ended, or is another user's
                continue
            if marker.encode() in told and command:
                found.append((int(folder.name), command.decode(errors="replace").split("\0")))
    return found


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Short, as sockets need it."""
    made = Path(tempfile.mkdtemp(prefix="nz-up-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="module")
def up(folder: Path) -> Iterator[Running]:
    running = Running(folder / "data", free_port())
    try:
        yield running.wait_until_serving()
    finally:
        running.stop()


def manage(data_dir: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MANAGE, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=180,
        env=environment(data_dir, **more),
    )


def refusal(data_dir: Path, *arguments: str, **more: str) -> str:
    """The one sentence that a start which cannot be says before it ends with code 1."""
    done = manage(data_dir, "up", *arguments, NEURONZ_SECRET_KEYS="of-this-test-alone-0123456789abcdef", **more)
    assert done.returncode == 1
    assert not done.stdout
    (sentence,) = done.stderr.splitlines()
    return sentence


def test_the_first_run_shows_where_things_are_and_the_secrets(up: Running) -> None:
    assert f"{up.url}/admin/" in up.said
    assert f"{up.url}/api/docs/" in up.said
    assert f"{up.url}/mcp" in up.said
    assert str(up.data_dir / "logs") in up.said
    assert re.search(r"User admin, password \S{12,}", up.said)
    assert re.search(r"Key of the demo agent: nz_\S+", up.said)


def test_the_lines_to_paste_work_when_pasted(up: Running) -> None:
    add, ask = [line.strip() for line in up.said.splitlines() if line.strip().startswith("curl")]

    added = subprocess.run(shlex.split(add), check=True, capture_output=True, text=True)
    asked = subprocess.run(shlex.split(ask), check=True, capture_output=True, text=True)

    assert '"outcome": "added"' in added.stdout.replace('":"', '": "')
    assert "Deploys happen on Tuesdays." in asked.stdout


def test_the_admin_takes_the_printed_password_and_finds_its_styles(up: Running) -> None:
    password = re.findall(r"password (\S+)", up.said)[0]
    with httpx.Client(base_url=up.url, follow_redirects=True, trust_env=False) as browser:
        browser.get("/admin/login/")
        token = browser.cookies["csrftoken"]
        page = browser.post(
            "/admin/login/?next=/admin/",
            data={"username": "admin", "password": password, "csrfmiddlewaretoken": token},
        )
        style = re.findall(r'href="(/static/[^"]+\.css[^"]*)"', page.text)[0]

        assert "Log out" in page.text
        assert browser.get(style).status_code == 200


def test_a_command_beside_it_uses_the_running_servers_and_prints_only_its_answer(up: Running) -> None:
    done = manage(
        up.data_dir, "shell", "-v", "0", "-c", "from memories.models import Agent; print(Agent.objects.get().name)"
    )

    assert done.stdout == "demo\n"


def test_the_demo_is_made_once(up: Running) -> None:
    done = manage(up.data_dir, "demo")

    assert not done.stdout
    assert "create_agent NAME --product demo" in done.stderr


def test_a_second_one_on_the_same_data_says_so(up: Running) -> None:
    sentence = refusal(up.data_dir, "--port", str(free_port()))

    assert sentence.startswith(f"Neuronz is already running on {up.data_dir} (process {up.process.pid}, {up.url});")


def test_a_port_in_use_is_refused(up: Running, tmp_path: Path) -> None:
    sentence = refusal(tmp_path / "data", NEURONZ_PORT=str(up.port))

    assert sentence.startswith(f"Port {up.port} on 127.0.0.1 is in use by another program;")


def test_an_unwritable_data_folder_is_refused() -> None:
    assert refusal(Path("/dev/null/data")).startswith("The data folder /dev/null/data cannot be used (Not a directory")


def test_a_database_that_does_not_answer_is_refused(tmp_path: Path) -> None:
    url = f"postgresql://me:secret@127.0.0.1:{free_port()}/memory"

    sentence = refusal(tmp_path / "data", "--port", str(free_port()), DATABASE_URL=url, CELERY_BROKER_URL="memory://")

    assert sentence.startswith("The database memory at 127.0.0.1:")
    assert "does not answer" in sentence
    assert "secret" not in sentence


def test_a_broker_that_does_not_answer_is_refused(up: Running, tmp_path: Path) -> None:
    database = f"postgresql://postgres@{str(up.data_dir / 'run').replace('/', '%2F')}/neuronz"
    broker = f"redis://:secret@127.0.0.1:{free_port()}/0"

    sentence = refusal(tmp_path / "data", "--port", str(free_port()), DATABASE_URL=database, CELERY_BROKER_URL=broker)

    assert sentence.startswith("The broker redis://:**@127.0.0.1:")
    assert "secret" not in sentence


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_a_part_that_is_killed_is_started_again(up: Running, name: str) -> None:
    up.wait_for(lambda: up.child(name))
    before = up.child(name)
    assert before

    os.kill(before, signal.SIGKILL)

    up.wait_for(lambda: up.child(name) not in (None, before))
    assert f"The {name} was ended by SIGKILL; starting it again in" in up.said
    if name == "web":
        up.wait_for(lambda: answers(up.url))


def test_an_embedded_server_whose_keeper_is_killed_is_started_again(up: Running) -> None:
    ((keeper, _),) = [each for each in processes(f"--own={up.data_dir}/locks/postgres.keeper") if "-I" in each[1]]

    os.kill(keeper, signal.SIGKILL)

    up.wait_for(lambda: "The embedded postgres had stopped and was started again." in up.said)
    assert manage(up.data_dir, "shell", "-v", "0", "-c", "import memories.models").returncode == 0


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def test_ctrl_c_stops_everything_and_the_next_run_keeps_its_secrets(up: Running) -> None:
    up.stop()

    assert up.process.returncode == 0
    assert up.said.endswith("Stopping …\nStopped.\n")
    assert processes(str(up.data_dir)) == []

    again = Running(up.data_dir, up.port).wait_until_serving()
    try:
        assert "password" not in again.said
        assert "$NEURONZ_API_KEY" in again.said
    finally:
        again.process.kill()
        again.process.wait()
    again_ended = time.monotonic() + 60
    while processes(str(up.data_dir)):  # nothing outlives a supervisor that was killed
        assert time.monotonic() < again_ended, processes(str(up.data_dir))
        time.sleep(0.1)

    once_more = Running(up.data_dir, up.port).wait_until_serving()
    once_more.stop()
    assert once_more.process.returncode == 0
