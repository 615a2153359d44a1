"""What is repeated and what is not, and that both clients are one. The network answers as it is told."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from neuronz_client import Neuronz, ServerFailed, Throttled, UnexpectedAnswer, _wire

ROOT = Path(__file__).resolve().parents[2]


class Answers:
    """Hands out what it was given, in order, and notes what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    return slept


def client(answers: Answers, retries: int = 2) -> Neuronz:
    return Neuronz("http://neuronz.test", key="nz_x", retries=retries, transport=httpx.MockTransport(answers))


def ok(body: Any = None) -> httpx.Response:
    return httpx.Response(200, json=body or {"results": []})


def down() -> httpx.Response:
    return httpx.Response(503, json={"error": {"code": "unavailable", "message": "Later.", "fields": {}}})


GIVEN_UP = httpx.ConnectError("refused")


@pytest.mark.parametrize("first", [down(), GIVEN_UP, httpx.ReadTimeout("slow")], ids=["503", "refused", "slow"])
def test_a_read_is_repeated_with_growing_pauses(first: Any, pauses: list[float]) -> None:
    answers = Answers(first, down(), ok())
    assert client(answers).personas() == []
    assert len(answers.asked) == 3
    assert pauses[0] < pauses[1]


def test_a_write_is_repeated_under_one_idempotency_key(pauses: list[float]) -> None:
    answers = Answers(httpx.ReadTimeout("slow"), ok({"outcome": "added"}))
    client(answers).add_fact("The oven is hot.")
    first, second = (request.headers["Idempotency-Key"] for request in answers.asked)
    assert first == second


@pytest.mark.parametrize("act", [lambda it: it.edit("1", "x"), lambda it: it.retire("1")], ids=["edit", "retire"])
def test_an_edit_and_a_retirement_are_never_repeated(act: Callable[[Neuronz], Any], pauses: list[float]) -> None:
    answers = Answers(down(), ok())
    with pytest.raises(ServerFailed, match="Later"):
        act(client(answers))
    assert len(answers.asked) == 1


def test_retry_after_is_obeyed(pauses: list[float]) -> None:
    throttled = httpx.Response(429, headers={"Retry-After": "7"}, json={})
    client(Answers(throttled, ok())).personas()
    assert pauses == [7.0]
    with pytest.raises(Throttled) as refused:
        client(
            Answers(httpx.Response(429, headers={"Retry-After": "3600"}, json={"error": {"message": "Wait."}}))
        ).personas()
    assert refused.value.retry_after == 3600


def test_what_the_server_refuses_is_asked_once(pauses: list[float]) -> None:
    answers = Answers(httpx.Response(500, content=b"<html>"))
    with pytest.raises(ServerFailed):
        client(answers).personas()
    with pytest.raises(UnexpectedAnswer, match="no JSON"):
        client(Answers(httpx.Response(200, content=b"<html>"))).personas()
    assert pauses == []


def test_an_export_that_was_cut_off_is_noticed() -> None:
    with pytest.raises(UnexpectedAnswer, match="cut off"):
        list(client(Answers(httpx.Response(200, content=b'{"record":"neuronz"}\n'))).export())


def test_what_is_not_said_is_not_sent() -> None:
    answers = Answers(ok({}))
    client(answers).add_fact("x", person=None, tags=["a"])
    assert answers.asked[0].content == b'{"content":"x","person":null,"tags":["a"]}'


def test_a_client_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEURONZ_API_KEY", raising=False)
    with pytest.raises(ValueError, match="NEURONZ_API_KEY"):
        Neuronz()
    monkeypatch.setenv("NEURONZ_API_KEY", "nz_x")
    monkeypatch.setenv("NEURONZ_URL", "http://elsewhere/")
    assert _wire.settings(None, None, 1, 1).url == "http://elsewhere"


def test_the_sync_client_is_made_from_the_async_one() -> None:
    spec = importlib.util.spec_from_file_location("unasync", ROOT / "clients/python/unasync.py")
    assert spec
    assert spec.loader
    unasync = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(unasync)
    for source, target in unasync.FILES.items():
        assert target.read_text() == unasync.made(source.read_text()), "run python clients/python/unasync.py"
