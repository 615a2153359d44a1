"""What an embedder promises, and the arithmetic that all of them share."""

import re
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memories.errors import EmbedderDown

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length one, so that a dot product is a cosine.

    Two embedders with the same `name` must give the same vectors: the name is stored beside each
    vector, and only vectors of one name are ever compared.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, in order. Any failure is EmbedderDown, without the content."""
        ...

    def warm(self) -> None:
        """Do now what the first `embed` would have to wait for."""
        ...

    def state(self) -> str:
        """`ready`, `loading`, `cold`, or `failed: ` and a sentence."""
        ...


def storable(text: str) -> str:
    """The text without broken surrogates, which a tokenizer refuses: one would fail its whole batch."""
    return text.encode("utf-8", "replace").decode("utf-8")


#: A word in pieces of this many characters; a mark or a character of a script without spaces is one.
_PIECE_CHARACTERS = 4
_PIECES = re.compile(r"[^\W_\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\s]")


def estimated_tokens(text: str) -> int:
    """What a text costs where no tokenizer is at hand: rather too much than too little."""
    return sum(-(-len(piece) // _PIECE_CHARACTERS) for piece in _PIECES.findall(text))


def unit_rows(rows: Matrix) -> list[Vector]:
    """The rows at length one. A row that has no direction means that the model is broken."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise EmbedderDown("The embedding model gave a vector without a direction.")
    return list((rows / lengths).astype(np.float32))
