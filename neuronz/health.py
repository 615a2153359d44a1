"""Is it alive, and is every part ready? Outside /api/v1/, without a key."""

from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, JsonResponse

from memories import embeddings
from memories.services import embedding_upkeep
from neuronz.celery import app

PATIENCE_SECONDS = 1


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when every part answers, else 503; each part with its state."""
    states = {name: _state_of(check) for name, check in CHECKS.items()}
    ready = all(state == "ready" for state in states.values())
    body = {"status": "ready" if ready else "not ready", "parts": states, "embeddings_waiting": _waiting(states)}
    return JsonResponse(body, status=200 if ready else 503)


def _state_of(check: Callable[[], str]) -> str:
    try:
        return check()
    except Exception as error:  # noqa: BLE001  # whatever a part raises, it is not ready
        return f"failed: {type(error).__name__}"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ready"


def _broker() -> str:
    with app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=PATIENCE_SECONDS)
    return "ready"


def _embedder() -> str:
    return embeddings.current().state()


def _worker() -> str:
    """Whether any worker answers a ping; ready as soon as the first one does."""
    answers = app.control.ping(timeout=PATIENCE_SECONDS, limit=1)
    return "ready" if answers else "failed: no worker answers; is it running?"


def _waiting(states: dict[str, str]) -> dict[str, int] | None:
    if states["database"] != "ready":
        return None
    waiting = embedding_upkeep.waiting()
    return {"pending": waiting.pending, "failed": waiting.failed}


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "broker": _broker,
    "embedder": _embedder,
    "worker": _worker,
}
