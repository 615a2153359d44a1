"""What the program of an agent must be told so that it remembers: the exact text for each client. Pure."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

#: Shown where no key is at hand.
ANY_KEY = "nz_…"
#: Where a clone of this repository lies on the agent's machine, when that is not known.
ANY_CLONE = "/path/to/neuronz"
RULE = (
    "Neuronz is this product's long-term memory. Call `recall` with the user's request before you start on it. "
    "At natural ends of work save decisions with their reasons, conventions and the state of things with `fact_add`."
)


class Client(StrEnum):
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    CURSOR = "cursor"
    VSCODE = "vscode"
    PYTHON = "python"
    OTHER = "other"


LABELS = {
    Client.CLAUDE_CODE: "Claude Code",
    Client.CODEX: "Codex CLI",
    Client.GEMINI: "Gemini CLI",
    Client.CURSOR: "Cursor",
    Client.VSCODE: "VS Code",
    Client.PYTHON: "Python",
    Client.OTHER: "Another MCP client",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Where the server is, the agent's key, and where the client's machine has a clone of this repository."""

    url: str
    key: str = ANY_KEY
    clone: str = ANY_CLONE

    @property
    def hook(self) -> str:
        return f"{self.clone}/plugins/claude-code/scripts/hook.py"


@dataclass(frozen=True, slots=True)
class Step:
    """Something to run, or to put into the file `where`."""

    title: str
    text: str
    where: str = ""


def steps(client: Client, access: Access) -> list[Step]:
    return _STEPS[client](access)


def _claude_code(access: Access) -> list[Step]:
    header = f'--header "Authorization: Bearer {access.key}"'
    return [
        Step(
            "In Claude Code, install the plugin: recall, capture, tools and a skill",
            f"/plugin marketplace add {access.clone}\n/plugin install neuronz@neuronz",
        ),
        Step("It asks for the address and the key", f"Neuronz URL  {access.url}\nAgent key    {access.key}"),
        Step(
            "Or, for the tools alone, in a shell",
            f"claude mcp add --transport http neuronz {access.url}/mcp {header}",
        ),
    ]


def _codex(access: Access) -> list[Step]:
    server = f'[mcp_servers.neuronz]\nurl = "{access.url}/mcp"\nbearer_token_env_var = "NEURONZ_API_KEY"'
    hooks = {
        "UserPromptSubmit": [_hook(access, "recall", timeout=5)],
        "Stop": [_hook(access, "capture", timeout=10)],
        "SessionEnd": [_hook(access, "capture", timeout=3)],
    }
    return [
        _environment(access),
        Step("The tools", server, "~/.codex/config.toml"),
        Step("Recall and capture", _json({"hooks": hooks}), "~/.codex/hooks.json"),
    ]


def _gemini(access: Access) -> list[Step]:
    server = {"type": "http", "url": f"{access.url}/mcp", "headers": _bearer("$NEURONZ_API_KEY")}
    hooks = {
        "BeforeAgent": [_hook(access, "recall", timeout=5_000)],
        "AfterAgent": [_hook(access, "capture", timeout=10_000)],
    }
    whole = {"mcpServers": {"neuronz": server}, "hooks": hooks}
    return [_environment(access), Step("Tools, recall and capture", _json(whole), "~/.gemini/settings.json")]


def _cursor(access: Access) -> list[Step]:
    server = {"url": f"{access.url}/mcp", "headers": _bearer("${env:NEURONZ_API_KEY}")}
    rule = f"---\ndescription: Long-term memory\nalwaysApply: true\n---\n{RULE}"
    return [
        _environment(access),
        Step("The tools", _json({"mcpServers": {"neuronz": server}}), "~/.cursor/mcp.json"),
        Step("When to use them", rule, ".cursor/rules/neuronz.mdc"),
    ]


def _vscode(access: Access) -> list[Step]:
    asks = {"type": "promptString", "id": "neuronz-key", "description": "Neuronz agent key", "password": True}
    server = {"type": "http", "url": f"{access.url}/mcp", "headers": _bearer("${input:neuronz-key}")}
    return [
        Step("The tools", _json({"inputs": [asks], "servers": {"neuronz": server}}), ".vscode/mcp.json"),
        Step("VS Code asks once for the key", access.key),
        Step("When to use them", RULE, ".github/copilot-instructions.md"),
    ]


def _python(access: Access) -> list[Step]:
    code = (
        "from neuronz_client import Neuronz\n\n"
        f'with Neuronz("{access.url}", key=os.environ["NEURONZ_API_KEY"]) as memory:\n'
        '    memory.add_fact("Deploys happen on Tuesdays.")'
    )
    return [
        _environment(access),
        Step("In a shell", f"pip install {access.clone}/clients/python"),
        Step("In your program", f"import os\n\n{code}"),
    ]


def _other(access: Access) -> list[Step]:
    remote = {"type": "http", "url": f"{access.url}/mcp", "headers": _bearer(access.key)}
    local = {
        "command": f"{access.clone}/.venv/bin/python", "args": [f"{access.clone}/manage.py", "mcp"],
        "env": {"NEURONZ_API_KEY": access.key},
    }  # fmt: skip
    return [
        Step("Over HTTP, in the client's list of MCP servers", _json({"mcpServers": {"neuronz": remote}})),
        Step("Or over stdio, on the machine that has the data", _json({"mcpServers": {"neuronz": local}})),
        Step("When to use them, in the agent's instructions", RULE),
    ]


_STEPS: dict[Client, Callable[[Access], list[Step]]] = {
    Client.CLAUDE_CODE: _claude_code,
    Client.CODEX: _codex,
    Client.GEMINI: _gemini,
    Client.CURSOR: _cursor,
    Client.VSCODE: _vscode,
    Client.PYTHON: _python,
    Client.OTHER: _other,
}


def _environment(access: Access) -> Step:
    lines = [f"export NEURONZ_URL={access.url}", f"export NEURONZ_API_KEY={access.key}"]
    return Step("In the shell that starts it, and in its profile", "\n".join(lines))


def _hook(access: Access, act: str, *, timeout: int) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": f"python3 {access.hook} {act}", "timeout": timeout}]}


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
