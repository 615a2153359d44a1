"""Does the plugin work in the real Claude Code? A fact said in one session must arrive in the next one by itself.

    npm install --prefix FOLDER @anthropic-ai/claude-code
    python -m benchmarks.claude_code --claude FOLDER/node_modules/.bin/claude

Starts a platform of its own and a stand-in for the model, both on loopback, installs the plugin from this repository
into a home folder that is thrown away, and runs two sessions. Nothing reaches the internet.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.platform import ROOT, Site, start, stop, until

FACT = "Please note that the Harbor gateway listens on port 9443."
QUESTION = "On which port does the Harbor gateway listen?"
IRRELEVANT = "Write a limerick about cheese."
ANSWER = "Noted."


class Model(BaseHTTPRequestHandler):
    """Answers every request with the same words, and keeps what it was asked."""

    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self._answer({"input_tokens": 10}, "application/json")
            return
        self.asked.append(body)
        if body.get("stream"):
            self._answer("".join(_events(body.get("model", "stand-in"))), "text/event-stream")
        else:
            self._answer(
                _message(body.get("model", "stand-in"), [{"type": "text", "text": ANSWER}]), "application/json"
            )

    def _answer(self, body: dict[str, Any] | str, kind: str) -> None:
        sent = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


def _message(model: str, content: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": "end_turn" if content else None, "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 2},
    }  # fmt: skip


def _events(model: str) -> Iterator[str]:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": _message(model, [])},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ANSWER}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]  # fmt: skip
    for event in events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


class Claude:
    """The real program, in a home of its own."""

    def __init__(self, program: str, home: Path, model_url: str) -> None:
        self.program, self.home = program, home
        self.work = home / "work"
        self.work.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / ".claude"),
            "ANTHROPIC_BASE_URL": model_url, "ANTHROPIC_API_KEY": "stand-in", "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "IS_SANDBOX": "1",
        }  # fmt: skip

    def run(self, *arguments: str) -> str:
        done = subprocess.run(  # noqa: S603  # the program that was named
            [self.program, *arguments], cwd=self.work, env=self.environment, text=True, timeout=180,
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"claude {' '.join(arguments[:3])} ended with {done.returncode}: {done.stderr or done.stdout}")
        return done.stdout

    def install(self, site: Site) -> None:
        self.run("plugin", "validate", str(ROOT / "plugins" / "claude-code"))
        self.run("plugin", "marketplace", "add", str(ROOT))
        self.run("plugin", "install", "neuronz@neuronz")
        settings = self.home / ".claude" / "settings.json"
        read = json.loads(settings.read_text()) if settings.exists() else {}
        options = {"api_url": site.url, "api_key": site.key}
        read["pluginConfigs"] = {"neuronz@neuronz": {"options": options}}
        settings.write_text(json.dumps(read))

    def say(self, prompt: str) -> dict[str, Any]:
        """One session with one prompt; what the model was asked."""
        before = len(Model.asked)
        self.run("-p", prompt)
        mine = [each for each in Model.asked[before:] if prompt in json.dumps(each.get("messages"), ensure_ascii=False)]
        return mine[-1] if mine else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claude", required=True, help="The program.")
    program = parser.parse_args().claude
    model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        data, home = Path(folder) / "data", Path(folder) / "home"
        data.mkdir()
        home.mkdir()
        site = start(data)
        try:
            claude = Claude(program, home, f"http://127.0.0.1:{model.server_port}")
            print(claude.run("--version").strip())
            claude.install(site)
            print(json.dumps(_two_sessions(claude, site), indent=2))
        finally:
            stop(site)
            model.shutdown()


def _two_sessions(claude: Claude, site: Site) -> dict[str, Any]:
    first = claude.say(FACT)
    began = time.monotonic()
    with site.client() as client:
        until(lambda: client.get("/facts/").json()["results"])
        captured = time.monotonic() - began
        facts = client.get("/facts/").json()["results"]
    second, third = claude.say(QUESTION), claude.say(IRRELEVANT)
    with site.client() as client:
        after = client.get("/facts/").json()["results"]
    tools = [tool["name"] for tool in first.get("tools", []) if "neuronz" in tool["name"]]
    return {
        "tools offered to the model": len(tools),
        "seconds from the end of the session to the fact": round(captured, 1),
        "facts captured": [[each["content"], each["status"], each["tier"]] for each in facts],
        "recalled in the second session": _context(second),
        "recalled for another subject": _context(third),
        "facts afterwards": len(after),
    }


def _context(asked: dict[str, Any]) -> str:
    """What stands in the request beside the prompt and comes from Neuronz."""
    texts = [block.get("text", "") for message in asked.get("messages", []) for block in _blocks(message)]
    found = re.search(r"<neuronz_memory>.*?</neuronz_memory>", "\n".join(texts), re.DOTALL)
    return found[0] if found else ""


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else [{"text": str(content)}]


if __name__ == "__main__":
    main()
