"""A real HTTP server on a free port of this machine, in a thread of its own."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""
    pairs: tuple[tuple[str, str], ...] = ()  # the query again, with what stands in it more than once

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


#: What must never come out again.
SECRET = "ghp_anOpenSecret"
Respond = Callable[[Asked], Answer]


@dataclass
class Server:
    url: str
    asked: list[Asked] = field(default_factory=list)


Answering = Callable[..., Server]  # starts one that gives these answers in turn


@contextmanager
def serving(respond: Respond, host: str = "127.0.0.1") -> Iterator[Server]:
    """A server that answers with `respond` and keeps what it was asked."""
    server = Server("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body are sent apart, and would wait 40 ms for each other

        def answer(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            pairs = tuple(parse_qsl(parts.query, keep_blank_values=True))
            asked = Asked(self.command, parts.path, dict(pairs), headers, body, pairs)
            server.asked.append(asked)
            answer = respond(asked)
            content = answer.encoded()
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(content)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_HEAD = answer  # noqa: N815  # names of the standard library

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Nothing on standard error."""

    listening = ThreadingHTTPServer((host, 0), Handler)
    listening.daemon_threads = True
    server.url = f"http://{host}:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
