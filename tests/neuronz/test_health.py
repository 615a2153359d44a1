"""Is it alive, and is every part ready? Without a key."""

from typing import Any

import pytest
from django.test import Client

from memories import embeddings
from memories.actors import Actor
from neuronz import health
from neuronz.celery import app
from tests import factories
from tests.stubs import BrokenEmbedder

PARTS = {"database", "broker", "embedder", "worker"}


def ready() -> tuple[int, Any]:
    response = Client().get("/readyz")
    return response.status_code, response.json()


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that answers: none runs in tests."""
    monkeypatch.setattr(app.control, "ping", lambda **_: [{"worker@here": {"ok": "pong"}}])


def test_alive_needs_nothing() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "alive"})


def test_ready_when_every_part_answers(db: None, worker: None) -> None:
    code, body = ready()
    assert (code, body["status"]) == (200, "ready")
    assert body["parts"] == dict.fromkeys(PARTS, "ready")


def test_without_a_worker_it_is_not_ready_and_says_which_part(db: None) -> None:
    code, body = ready()
    assert (code, body["status"]) == (503, "not ready")
    assert {name for name, state in body["parts"].items() if state != "ready"} == {"worker"}
    assert body["parts"]["worker"].startswith("failed")


def test_a_broken_embedder_is_told_and_so_are_the_facts_that_wait(a1: Actor, worker: None) -> None:
    factories.fact(a1, "The lamp is lit.")
    with embeddings.override(BrokenEmbedder()):
        factories.fact(a1, "The lamp is off.")
        code, body = ready()
    assert (code, body["parts"]["embedder"]) == (503, "failed: the stub is told to fail.")
    assert body["embeddings_waiting"] == {"pending": 0, "failed": 1}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_part_that_breaks_is_a_503_and_names_no_secret(
    db: None, worker: None, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def broken() -> str:
        raise ConnectionError("postgres://user:secret@host")

    monkeypatch.setitem(health.CHECKS, part, broken)
    code, body = ready()
    assert (code, body["parts"][part]) == (503, "failed: ConnectionError")
    assert "secret" not in str(body)
    assert set(body["parts"]) == PARTS
