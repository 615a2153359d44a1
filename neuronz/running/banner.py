"""What `up` says once it serves."""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

FACT = "Deploys happen on Tuesdays."
QUESTION = "When do we deploy?"


@dataclass(frozen=True)
class Welcome:
    """Where things are; `password` and `key` only on the run that made them."""

    url: str
    data_dir: Path
    another_key: str
    password: str | None = None
    key: str | None = None

    def text(self) -> str:
        rows = [
            ("Admin", f"{self.url}/admin/"),
            ("API", f"{self.url}/api/docs/"),
            ("MCP", f"{self.url}/mcp"),
            ("Data", str(self.data_dir)),
            ("Logs", str(self.data_dir / "logs")),
        ]
        lines = ["", "Neuronz is running. Ctrl-C stops it.", "", *(f"  {name:<6} {value}" for name, value in rows)]
        return "\n".join([*lines, "", *self._once(), *self._try_it(), ""])

    def _once(self) -> list[str]:
        """The secrets, which are kept nowhere."""
        lines = []
        if self.password:
            lines += [f"  User admin, password {self.password}"]
        if self.key:
            lines += [f"  Key of the demo agent: {self.key}"]
        return [*lines, "  Shown only now; keep them.", ""] if lines else []

    def _try_it(self) -> list[str]:
        key = self.key or "$NEURONZ_API_KEY"
        bearer = f'-H "Authorization: Bearer {key}"'
        body = shlex.quote(json.dumps({"content": FACT}))
        lines = ["Try it; the first call waits until the embedding model is loaded:", ""]
        if not self.key:
            lines = ["Try it, with a key in NEURONZ_API_KEY. A new key:", f"  {self.another_key}", ""]
        return [
            *lines,
            f'  curl -s {self.url}/api/v1/facts/ {bearer} -H "Content-Type: application/json" -d {body}',
            f"  curl -sG {self.url}/api/v1/search/ {bearer} --data-urlencode {shlex.quote(f'q={QUESTION}')}",
        ]
