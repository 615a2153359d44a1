"""The scripts of the Claude Code plugin, run as a client runs them, against a server over HTTP."""

import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memories.choices import Kind, Status
from memories.models import Evidence, Memory, Product
from tests import factories

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "plugins" / "claude-code"
SCRIPTS = PLUGIN / "scripts"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key(lighthouse: Product) -> str:
    return factories.agent_key(lighthouse, "claude")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


Hook = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def hook(live_server: Any, key: str, notes: Path) -> Hook:
    """Call the hook as a client does: JSON on standard input, the options in the environment."""

    def call(act: str, asked: dict[str, Any] | str, **environment: str) -> subprocess.CompletedProcess[str]:
        options = {
            "PATH": os.environ["PATH"], "CLAUDE_PLUGIN_OPTION_API_URL": live_server.url,
            "CLAUDE_PLUGIN_OPTION_API_KEY": key, "CLAUDE_PLUGIN_DATA": str(notes),
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, str(SCRIPTS / "hook.py"), act],
            input=asked if isinstance(asked, str) else json.dumps(asked),
            env=options | environment, capture_output=True, text=True, timeout=180, check=True,
        )  # fmt: skip

    return call


@pytest.fixture(autouse=True)
def uploads_end(notes: Path) -> Iterator[None]:
    """No uploader outlives its test: the next one has another database."""
    yield
    until(lambda: not uploading(notes))


def uploaded(notes: Path, left: int = 0) -> None:
    """Wait until the detached uploader has done its jobs but for `left`, and is gone: its hook has long ended."""
    until(lambda: len(list((notes / "jobs").glob("*.json"))) == left and not uploading(notes))


def until(holds: Callable[[], bool]) -> None:
    patience = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < patience
        time.sleep(0.05)


def uploading(notes: Path) -> bool:
    return any(map(partial(is_uploading, notes), Path("/proc").glob("[0-9]*")))


def is_uploading(notes: Path, process: Path) -> bool:
    try:
        is_ours = f"CLAUDE_PLUGIN_DATA={notes}".encode() in (process / "environ").read_bytes().split(b"\0")
        return is_ours and b"upload.py" in (process / "cmdline").read_bytes()
    except OSError:  # it ended meanwhile, or is somebody else's
        return False


def turn(uuid: str, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": role, "uuid": uuid, "sessionId": "s1", "timestamp": "2026-03-01T12:00:00.000Z",
        "message": {"role": role, "content": content},
    } | more  # fmt: skip


def write(path: Path, *rows: dict[str, Any], end: str = "\n") -> Path:
    with path.open("a") as file:
        file.write("\n".join(json.dumps(row) for row in rows) + end)
    return path


def texts() -> list[str]:
    return list(Memory.objects.filter(kind=Kind.RAW).order_by("id").values_list("content", flat=True))


def test_what_was_said_is_uploaded_after_the_hook_has_ended(hook: Hook, notes: Path, tmp_path: Path) -> None:
    transcript = write(
        tmp_path / "s1.jsonl",
        {"type": "summary", "summary": "About lamps"},
        turn("u1", "user", "The Harbor gateway listens on port 8443."),
        turn(
            "a1", "assistant", [{"type": "text", "text": "Noted."}, {"type": "tool_use", "name": "Bash", "input": {}}]
        ),
    )
    hook("capture", {"session_id": "s1", "transcript_path": str(transcript), "hook_event_name": "Stop"})
    uploaded(notes)
    assert texts() == ["The Harbor gateway listens on port 8443.", "Noted."]
    said = Evidence.objects.filter(memory__kind=Kind.RAW).order_by("id").first()
    assert said
    assert (said.session, said.message) == ("s1", "u1")


def test_only_the_new_part_is_sent_and_nothing_twice(hook: Hook, notes: Path, tmp_path: Path) -> None:
    asked = {"session_id": "s1", "transcript_path": str(tmp_path / "s1.jsonl"), "hook_event_name": "Stop"}
    write(tmp_path / "s1.jsonl", turn("u1", "user", "The lamp is lit."))
    hook("capture", asked)
    hook("capture", asked | {"hook_event_name": "SessionEnd"})
    uploaded(notes)
    write(tmp_path / "s1.jsonl", turn("u2", "user", "The door is green."))
    hook("capture", asked)
    uploaded(notes)
    assert texts() == ["The lamp is lit.", "The door is green."]
    assert not list((notes / "jobs").iterdir())


def test_a_line_that_is_still_being_written_waits_for_the_next_time(hook: Hook, notes: Path, tmp_path: Path) -> None:
    asked = {"session_id": "s1", "transcript_path": str(tmp_path / "s1.jsonl")}
    write(tmp_path / "s1.jsonl", turn("u1", "user", "The lamp is lit."))
    write(tmp_path / "s1.jsonl", turn("u2", "user", "The door is green."), end="")
    hook("capture", asked)
    uploaded(notes)
    assert texts() == ["The lamp is lit."]
    write(tmp_path / "s1.jsonl", end="\n")
    hook("capture", asked)
    uploaded(notes)
    assert texts() == ["The lamp is lit.", "The door is green."]


@pytest.mark.parametrize(
    "row",
    [
        turn("x", "user", "Meta words.", isMeta=True),
        turn("x", "user", "A subagent's words.", isSidechain=True),
        turn("x", "user", "A compacted account.", isCompactSummary=True),
        turn("x", "user", [{"type": "tool_result", "content": "total 48"}]),
        turn("x", "user", "<system-reminder>Be brief.</system-reminder>"),
        {"type": "attachment", "uuid": "x", "attachment": {"content": "<neuronz_memory>Lit.</neuronz_memory>"}},
        {"type": "user", "message": {"role": "user", "content": "A line without a name."}},
    ],
    ids=["meta", "subagent", "compaction", "tool result", "reminder", "attachment", "no uuid"],
)  # fmt: skip
def test_what_nobody_said_is_not_sent(hook: Hook, notes: Path, tmp_path: Path, row: dict[str, Any]) -> None:
    transcript = write(tmp_path / "s1.jsonl", row, turn("u1", "user", "The lamp is lit."))
    hook("capture", {"session_id": "s1", "transcript_path": str(transcript)})
    uploaded(notes)
    assert texts() == ["The lamp is lit."]


def test_while_the_server_is_away_nothing_is_lost(hook: Hook, notes: Path, tmp_path: Path) -> None:
    transcript = write(tmp_path / "s1.jsonl", turn("u1", "user", "The lamp is lit."))
    asked = {"session_id": "s1", "transcript_path": str(transcript)}
    hook("capture", asked, CLAUDE_PLUGIN_OPTION_API_URL="http://127.0.0.1:9")
    uploaded(notes, left=1)
    assert len(list((notes / "jobs").iterdir())) == 1
    hook("session-start", {"session_id": "s2", "source": "startup"})
    uploaded(notes)
    assert texts() == ["The lamp is lit."]


def test_a_message_that_the_server_will_never_take_keeps_no_other_out(hook: Hook, notes: Path, tmp_path: Path) -> None:
    transcript = write(
        tmp_path / "s1.jsonl",
        turn("u1", "user", "The lamp is lit."),
        turn("u2" * 5_000, "user", "Its name is longer than any name may be."),
        turn("u3", "user", "The door is green."),
    )
    hook("capture", {"session_id": "s1", "transcript_path": str(transcript)})
    uploaded(notes)
    assert texts() == ["The lamp is lit.", "The door is green."]


def test_what_waits_on_disk_holds_no_key_and_is_this_users_alone(
    hook: Hook, notes: Path, tmp_path: Path, key: str
) -> None:
    transcript = write(tmp_path / "s1.jsonl", turn("u1", "user", "The lamp is lit."))
    hook(
        "capture",
        {"session_id": "s1", "transcript_path": str(transcript)},
        CLAUDE_PLUGIN_OPTION_API_URL="http://127.0.0.1:9",
    )
    uploaded(notes, left=1)
    files = [path for path in notes.rglob("*") if path.is_file()]
    assert files
    assert all(key not in path.read_text() for path in files)
    job = next((notes / "jobs").iterdir())
    assert job.stat().st_mode & 0o077 == 0


def test_a_codex_session_is_read_too(hook: Hook, notes: Path, tmp_path: Path) -> None:
    def line(role: str, kind: str, text: str) -> dict[str, Any]:
        content = [{"type": kind, "text": text}]
        return {"timestamp": "2026-03-01T12:00:00Z", "type": "response_item",
                "payload": {"type": "message", "role": role, "content": content}}  # fmt: skip

    rollout = write(
        tmp_path / "rollout.jsonl",
        {"timestamp": "2026-03-01T12:00:00Z", "type": "session_meta", "payload": {"id": "s1"}},
        line("developer", "input_text", "Instructions of the client."),
        line("user", "input_text", "The lamp is lit."),
        line("assistant", "output_text", "Noted."),
    )
    for _ in range(2):
        hook("capture", {"session_id": "s1", "transcript_path": str(rollout), "turn_id": "t1"})
    uploaded(notes)
    assert texts() == ["The lamp is lit.", "Noted."]


def test_a_turn_is_taken_from_clients_that_keep_no_transcript(hook: Hook, notes: Path) -> None:
    asked = {"session_id": "s1", "prompt": "The lamp is lit.", "prompt_response": "Noted.", "timestamp": "t1"}
    for _ in range(2):
        hook("capture", asked)
    uploaded(notes)
    assert texts() == ["The lamp is lit.", "Noted."]


def test_recall_adds_what_the_prompt_needs(hook: Hook, key: str) -> None:
    factories.fact(factories.caller(key), "The Harbor gateway listens on port 8443.")
    answer = json.loads(
        hook(
            "recall",
            {"session_id": "s1", "prompt": "Which port has the Harbor gateway?", "hook_event_name": "BeforeAgent"},
        ).stdout
    )["hookSpecificOutput"]
    assert answer["hookEventName"] == "BeforeAgent"
    assert "8443" in answer["additionalContext"]


@pytest.mark.parametrize("prompt", ["", "   "])
def test_recall_says_nothing_to_an_empty_prompt(hook: Hook, prompt: str) -> None:
    assert hook("recall", {"session_id": "s1", "prompt": prompt}).stdout == ""


@pytest.mark.parametrize("act", ["recall", "capture", "session-start", "wizardry"])
@pytest.mark.parametrize(
    "asked", ["", "[]", "{", '{"session_id": 5}', "\udcff"], ids=["nothing", "list", "half", "odd", "bytes"]
)
def test_whatever_comes_in_the_client_goes_on(hook: Hook, act: str, asked: str) -> None:
    done = hook(act, asked.encode(errors="replace").decode())
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_subagents_and_a_missing_key_are_passed_over(hook: Hook, notes: Path, tmp_path: Path) -> None:
    transcript = write(tmp_path / "s1.jsonl", turn("u1", "user", "The lamp is lit."))
    asked = {"session_id": "s1", "transcript_path": str(transcript)}
    hook("capture", asked | {"agent_id": "helper"})
    hook("capture", asked, CLAUDE_PLUGIN_OPTION_API_KEY="")
    assert not notes.exists() or not list(notes.rglob("*.json"))


def test_a_statement_of_a_session_is_unverified(
    hook: Hook, notes: Path, tmp_path: Path, read_queued: Callable[[], int]
) -> None:
    transcript = write(tmp_path / "s1.jsonl", turn("u1", "user", "The Harbor gateway listens on port 8443."))
    hook("capture", {"session_id": "s1", "transcript_path": str(transcript)})
    uploaded(notes)
    read_queued()
    statement = Memory.objects.exclude(kind=Kind.RAW).get()
    assert (statement.status, statement.tier) == (Status.UNVERIFIED, "informal")


def test_the_manifests_name_what_is_there() -> None:
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())
    assert (ROOT / market["plugins"][0]["source"]).resolve() == PLUGIN
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert manifest["name"] == market["plugins"][0]["name"]
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    commands = [each for groups in hooks.values() for group in groups for each in group["hooks"]]
    scripts = [each["args"][0] for each in commands if each["type"] == "command"]
    assert scripts
    assert all(Path(each.replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN))).is_file() for each in scripts)


def test_the_scripts_need_nothing_but_python() -> None:
    own = {path.stem for path in SCRIPTS.glob("*.py")}
    trees = [ast.parse(path.read_text()) for path in SCRIPTS.glob("*.py")]
    imports = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Import)]
    froms = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in imports for alias in node.names} | {str(node.module) for node in froms}
    assert {name.split(".")[0] for name in names} <= own | sys.stdlib_module_names
