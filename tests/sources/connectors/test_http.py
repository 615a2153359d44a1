"""How connectors speak HTTP: how long they wait, how much they read, and what they say."""

import gzip
import logging
from time import time

import httpx
import pytest

from sources.connectors import guard, http
from sources.connectors.base import ConnectorError
from sources.connectors.http import Outbound, Refused, TooLarge
from tests.sources.fakes.serving import SECRET, Answer, Answering

# --- patience ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [500, 502, 503, 504, 429])
def test_a_service_that_is_busy_is_asked_again(
    status: int, private_allowed: None, service: Outbound, answering: Answering, waits: list[float]
) -> None:
    server = answering(Answer(status), Answer(status), Answer(body=b"well"))

    assert service.get(server.url).content == b"well"
    assert len(waits) == 2
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 2.0


def test_it_waits_as_long_as_it_was_asked_to(
    private_allowed: None, service: Outbound, answering: Answering, waits: list[float]
) -> None:
    full = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time()) + 20)}
    server = answering(Answer(429, headers={"Retry-After": "7"}), Answer(403, headers=full), Answer(body=b"well"))

    assert service.get(server.url).content == b"well"
    assert 7 <= waits[0] <= 7.5
    assert 18 <= waits[1] <= 20.5


def test_a_long_wait_is_handed_on(
    private_allowed: None, service: Outbound, answering: Answering, waits: list[float]
) -> None:
    server = answering(Answer(429, headers={"Retry-After": "1800"}))

    with pytest.raises(Refused, match="slow down") as refusal:
        service.get(server.url)

    assert 1800 <= (refusal.value.retry_after or 0) <= 1801
    assert (refusal.value.permanent, waits, len(server.asked)) == (False, [], 1)


def test_a_secondary_limit_without_a_time_is_left_alone_for_a_minute(
    private_allowed: None, service: Outbound, answering: Answering, waits: list[float]
) -> None:
    server = answering(Answer(403, {"message": "You have exceeded a secondary rate limit."}))

    with pytest.raises(Refused) as refusal:
        service.get(server.url)

    assert (refusal.value.retry_after or 0) >= 60
    assert refusal.value.permanent is False


def test_patience_ends(private_allowed: None, service: Outbound, answering: Answering, waits: list[float]) -> None:
    server = answering(Answer(503))

    with pytest.raises(Refused, match="an error of its own") as refusal:
        service.get(server.url)

    assert len(server.asked) == http.MOST_TRIES
    assert sum(waits) <= http.PATIENCE
    assert refusal.value.permanent is False


def test_a_service_that_is_not_there_is_named(
    private_allowed: None, service: Outbound, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "resolve", unknown)

    with pytest.raises(ConnectorError, match=r"GitLike can't be reached at git\.example") as refusal:
        service.get("https://git.example/")

    assert len(waits) == http.MOST_TRIES - 1
    assert refusal.value.permanent is False


def unknown(host: str, port: int) -> list[str]:
    raise OSError("Name or service not known")


# --- size -------------------------------------------------------------------------------------------------


def test_a_body_over_the_limit_is_not_read_on(private_allowed: None, service: Outbound, answering: Answering) -> None:
    server = answering(Answer(body=b"x" * 2_000_000))

    with pytest.raises(TooLarge, match="more than 1 MB"):
        service.get(server.url, most_bytes=2**20)


def test_a_small_body_that_grows_is_stopped_as_well(
    private_allowed: None, service: Outbound, answering: Answering
) -> None:
    bomb = Answer(body=gzip.compress(bytes(40_000_000)), headers={"Content-Encoding": "gzip"})

    with pytest.raises(TooLarge):
        service.get(answering(bomb).url)


def test_a_compressed_body_is_unpacked_once(private_allowed: None, service: Outbound, answering: Answering) -> None:
    packed = Answer(body=gzip.compress(b'{"a": 1}'), headers={"Content-Encoding": "gzip"})

    assert service.get(answering(packed).url).json() == {"a": 1}


# --- what it says -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("private_allowed")
@pytest.mark.parametrize(("status", "permanent", "word"), [
    (401, True, "Enter new ones"), (403, True, "permissions"), (404, True, "Check the names"), (410, True, "removed"),
    (451, True, "legal"), (400, False, "refused the request"), (422, False, "Check the fields"),
])  # fmt: skip
def test_a_refusal_says_what_to_do_and_no_secret(
    status: int, permanent: bool, word: str, service: Outbound, answering: Answering
) -> None:
    server = answering(Answer(status, {"message": f"you sent {SECRET}"}))

    with pytest.raises(Refused, match=word) as refusal:
        service.get(server.url)

    assert (refusal.value.permanent, refusal.value.status_code) == (permanent, status)
    assert SECRET not in repr(refusal.value)


def test_what_did_not_change_is_an_answer(private_allowed: None, service: Outbound, answering: Answering) -> None:
    assert service.get(answering(Answer(304)).url).status_code == 304


def test_no_log_and_no_repr_holds_a_secret(
    private_allowed: None, service: Outbound, answering: Answering, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="sources"):
        service.get(answering(Answer()).url)

    assert SECRET not in caplog.text + repr(service) + repr(service.transport)


def test_another_client_may_use_the_transport(
    private_allowed: None, service: Outbound, answering: Answering, waits: list[float]
) -> None:
    server = answering(Answer(503), Answer(body=b"well"))

    with httpx.Client(transport=service.transport) as client:
        assert client.get(server.url).content == b"well"
    assert waits
