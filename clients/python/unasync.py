"""Makes `_sync.py` from `_async.py`: `python unasync.py`. A test compares the two."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent / "src" / "neuronz_client"
SOURCE, MADE = HERE / "_async.py", HERE / "_sync.py"

#: In this order.
WORDS = (
    (r'"""The client, written once\..*?"""', '"""Made from `_async.py` by `unasync.py`. Don\'t edit."""'),
    (r"import asyncio\n", "import time\n"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"AsyncNeuronz", "Neuronz"),
    (r"AsyncIterator", "Iterator"),
    (r"AsyncBaseTransport", "BaseTransport"),
    (r"AsyncClient", "Client"),
    (r"asynccontextmanager", "contextmanager"),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\baread\b", "read"),
    (r"\baiter_lines\b", "iter_lines"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
)


def made(source: str) -> str:
    for pattern, words in WORDS:
        source = re.sub(pattern, words, source, flags=re.DOTALL)
    return source


if __name__ == "__main__":
    MADE.write_text(made(SOURCE.read_text()))
