"""`remember` as a person runs it, the files it is run on, and edges that fail."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from memories.embeddings import HashingEmbedder, Vector
from memories.models import Product, Write
from memories.reading import Context, PlainReader, Statement

Remember = Callable[..., str]

GATEWAY = "The gateway listens on port 8443."
CHOIR, KEY = "I joined the choir yesterday.", "The cellar key hangs by the door."


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "ports.md").write_text(f"# Ports\n\n{GATEWAY} The lamp oil is kept in the cellar.\n")
    (folder / "people.txt").write_text("Noor leads the payments team.\n")
    return folder


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    said = {"session": "s1", "speaker": "Ann", "at": "2023-05-08T13:56:00", "id": "m1", "text": CHOIR}
    answered = {"session": "s1", "speaker": "Bo", "at": "2023-05-08T13:57:00", "id": "m2", "text": KEY}
    return write_lines(tmp_path / "chat.jsonl", said, answered)


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@pytest.fixture
def remember(lighthouse: Product, capsys: pytest.CaptureFixture[str]) -> Remember:
    """Run the command on the product lighthouse and return what it says on standard output, and why it failed."""

    def run(*paths: Path, **options: Any) -> str:
        failure = ""
        try:
            call_command("remember", *map(str, paths), product=lighthouse.slug, **options)
        except CommandError as error:
            failure = f"exit {error.returncode}: {error}"
        return capsys.readouterr().out + failure

    return run


class BrokenReader(PlainReader):
    def read(self, text: str, context: Context) -> list[Statement]:
        raise RuntimeError("out of ink")


class StoppingEmbedder(HashingEmbedder):
    """Somebody presses Ctrl-C while this text is embedded."""

    def __init__(self, at: str) -> None:
        super().__init__(64)
        self._at = at

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self._at in texts:
            raise KeyboardInterrupt
        return super().embed(texts)


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The minute is over after which a claim of a reader that died ends."""
    past = datetime(2020, 1, 1, tzinfo=UTC)
    monkeypatch.setattr("sources.services.sleep", lambda _: Write.objects.unfinished().update(claimed_until=past))
