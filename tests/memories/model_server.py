"""A small OpenAI-compatible server over real HTTP on loopback: the edge that tests of the model reader fake."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

#: What is answered to the user's prompt: a body, or a status with a body.
Behaviour = Callable[[str], "str | tuple[int, str]"]
TOKENS = 100


@dataclass
class ModelServer:
    """Answers as it is told to; `asked` keeps the prompts and `requests` the bodies, in their order."""

    url: str = ""
    behaviour: Behaviour = lambda prompt: "{}"
    asked: list[str] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    delay: float = 0
    lock: Lock = field(default_factory=Lock)

    def says(self, *pairs: tuple[int, str]) -> None:
        """The same statements to every prompt."""
        self.behaviour = lambda prompt: said(*pairs)

    def fails(self, status: int, times: int, then: Behaviour) -> None:
        left = iter(range(times))
        self.behaviour = lambda prompt: (status, "busy") if next(left, None) is not None else then(prompt)


def said(*pairs: tuple[int, str]) -> str:
    return json.dumps({"statements": [{"passage": number, "statement": text} for number, text in pairs]})


def echo(prompt: str) -> str:
    """A faithful model: each passage as it stands."""
    return said(*((int(number), text) for number, text in re.findall(r"^\[(\d+)\] (.*)$", prompt, re.MULTILINE)))


@contextmanager
def serving() -> Iterator[ModelServer]:
    state = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = next(each["content"] for each in body["messages"] if each["role"] == "user")
            with state.lock:
                state.asked.append(prompt)
                state.requests.append(body)
                state.keys.append(self.headers.get("Authorization", ""))
                given = state.behaviour(prompt)
            time.sleep(state.delay)
            status, text = (200, completion(given)) if isinstance(given, str) else given
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Retry-After-Ms", "1")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def completion(text: str) -> str:
    message = {"role": "assistant", "content": text}
    return json.dumps(
        {
            "id": "1", "object": "chat.completion", "created": 1, "model": "small",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": TOKENS - 20, "completion_tokens": 20, "total_tokens": TOKENS},
        }
    )  # fmt: skip
