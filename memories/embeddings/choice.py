"""Which embedder serves this process, and the calls that the rest of the code makes."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.conf import settings

from memories import metrics
from memories.embeddings.base import Embedder, Vector, estimated_tokens
from memories.embeddings.hashing import HashingEmbedder
from memories.embeddings.transformer import SentenceTransformerEmbedder
from memories.errors import EmbedderDown

logger = logging.getLogger(__name__)

#: A query is often asked again: the next page, another filter, another agent on the same task.
CACHED_QUERIES = 1024
#: Longer ones are prompts, which don't repeat and would fill the memory.
CACHED_QUERY_CHARACTERS = 2_000

_lock = threading.Lock()
_built: dict[str, Embedder] = {}
_overrides: list[Embedder] = []
_queries: OrderedDict[tuple[str, str], Vector] = OrderedDict()
_down = threading.Event()


def current() -> Embedder:
    """The embedder that the setting EMBEDDER names; one object per setting and process.

    `packaged` is all-MiniLM-L6-v2 out of its package, `hashing:64` needs no model, anything else
    is a folder or a model name that sentence-transformers finds without the network.
    """
    with _lock:
        if _overrides:
            return _overrides[-1]
        chosen: str = settings.EMBEDDER
        if chosen not in _built:
            _built[chosen] = built(chosen)
        return _built[chosen]


def built(chosen: str) -> Embedder:
    """A new embedder for a value of that setting, not loaded yet."""
    kind, _, dimensions = chosen.partition(":")
    if kind == "hashing" and dimensions.isdecimal() and int(dimensions):
        return HashingEmbedder(int(dimensions))
    return SentenceTransformerEmbedder(chosen)


@contextmanager
def override(embedder: Embedder) -> Iterator[Embedder]:
    """Let another embedder serve the whole process meanwhile. For tests and for measuring."""
    _switch(to=embedder)
    try:
        yield embedder
    finally:
        _switch(back_from=embedder)


def _switch(*, to: Embedder | None = None, back_from: Embedder | None = None) -> None:
    with _lock:
        if to is not None:
            _overrides.append(to)
        if back_from is not None:
            _overrides.remove(back_from)
        _queries.clear()  # two stubs may share a name and not their vectors
        _down.clear()


def embed_query(text: str) -> Vector:
    """The vector of one query, remembered. Don't write into it. Raises EmbedderDown."""
    embedder = current()
    key = (embedder.name, text)
    with _lock:
        known = _queries.get(key)
        if known is not None:
            _queries.move_to_end(key)
    metrics.looked_up("query_vectors", found=known is not None)
    if known is not None:
        return known
    vector = embedder.embed([text])[0]
    vector.setflags(write=False)
    if len(text) <= CACHED_QUERY_CHARACTERS:
        _remember(key, vector)
    return vector


def _remember(key: tuple[str, str], vector: Vector) -> None:
    with _lock:
        _queries[key] = vector
        while len(_queries) > CACHED_QUERIES:
            _queries.popitem(last=False)


def embed_or_none(texts: Sequence[str]) -> list[Vector] | None:
    """Vectors, or None while the embedder is down: a broken embedder never blocks a write.

    Logged once per outage, and without content: exceptions of a model may quote its input.
    """
    try:
        vectors = current().embed(texts)
    except EmbedderDown as error:
        if not _down.is_set():
            logger.warning("Embedding is down, memories wait as pending: %s", error.sentence)
            _down.set()
        return None
    _down.clear()
    return vectors


def count_tokens(text: str) -> int:
    """What a text costs by the embedder's tokenizer; an estimate on the safe side where it has none or can't answer."""
    embedder = current()
    if not isinstance(embedder, SentenceTransformerEmbedder):
        return estimated_tokens(text)
    try:
        return embedder.count_tokens(text)
    except EmbedderDown:
        return estimated_tokens(text)
