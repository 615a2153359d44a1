"""Makes `_sync*.py` from `_async*.py`: `python unasync.py`. A test compares them."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent / "src" / "neuronz_client"
FILES = {HERE / f"_async{part}.py": HERE / f"_sync{part}.py" for part in ("", "_http")}

#: In this order.
WORDS = (
    (r'"""The client, written once\..*?"""', '"""Made from `_async.py` by `unasync.py`. Don\'t edit."""'),
    (r'"""How the client asks, written once\..*?"""', '"""Made from `_async_http.py` by `unasync.py`. Don\'t edit."""'),
    (r"import asyncio\n", "import time\n"),
    (r"_async_http import AsyncDoor", "_sync_http import Door"),
    (r"AsyncDoor", "Door"),
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
    for source, target in FILES.items():
        target.write_text(made(source.read_text()))
