"""A second look at the best hits by a cross-encoder, which reads query and memory together. Off unless one is named.

It is slow (some milliseconds a hit on a good machine) and never uses the network: NEURONZ_RERANKER names a folder with
a model of sentence-transformers' CrossEncoder, or one in its local cache.
"""

import logging
import threading
from collections.abc import Sequence
from typing import Any

from django.conf import settings

from memories.loading import ONE_AT_A_TIME

logger = logging.getLogger(__name__)

#: So many hits are looked at again, and so much of each.
MOST, CHARACTERS = 30, 2_000

_loading = threading.Lock()
_loaded: dict[str, Any] = {}


def is_configured() -> bool:
    return bool(settings.RERANKER)


def scores(query: str, texts: Sequence[str]) -> list[float] | None:
    """How well each text answers, higher is better; None when there is no model or it fails: the order stays then."""
    if not texts or not is_configured():
        return None
    try:
        given = _model().predict([(query[:CHARACTERS], text[:CHARACTERS]) for text in texts], show_progress_bar=False)
    except Exception as error:  # noqa: BLE001 - a model may raise anything, and quotes its input
        logger.warning("The reranker failed (%s); hits stay in their order.", type(error).__name__)
        return None
    return [float(score) for score in given]


def _model() -> Any:
    with ONE_AT_A_TIME, _loading:
        chosen: str = settings.RERANKER
        if chosen not in _loaded:
            from sentence_transformers import CrossEncoder  # noqa: PLC0415 - takes seconds

            _loaded[chosen] = CrossEncoder(chosen, device="cpu", local_files_only=True)
        return _loaded[chosen]
