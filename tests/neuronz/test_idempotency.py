"""`Idempotency-Key` on any POST: the same key and body give the first answer again, whatever happens meanwhile."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from memories import embeddings
from memories.models import Evidence, IdempotentAnswer, Memory, MemoryEvent, Write
from memories.services import idempotency as kept
from neuronz import idempotency
from tests import guards
from tests.api.door import Answer, Door
from tests.conftest import Clock
from tests.stubs import BrokenEmbedder

LAMP, OFF = {"content": "The lamp is lit."}, {"content": "The lamp is off."}


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


def same(*answers: Answer) -> bool:
    return all((each.code, each.body) == (answers[0].code, answers[0].body) for each in answers)


def test_the_same_key_and_body_give_the_first_answer_again(door: Door) -> None:
    first, again = (door.post("facts/", LAMP, Idempotency_Key="k") for _ in range(2))
    assert (first.code, first["outcome"]) == (201, "added")
    assert same(first, again)
    assert (Memory.objects.count(), Evidence.objects.count()) == (1, 1)
    assert again.headers["Content-Type"] == "application/json"


def test_without_a_key_the_same_body_is_a_repeat(door: Door) -> None:
    assert [door.post("facts/", LAMP).code for _ in range(2)] == [201, 200]
    assert Evidence.objects.count() == 2


def test_the_same_key_with_another_body_is_a_409(door: Door) -> None:
    first = door.post("facts/", LAMP, Idempotency_Key="k")
    refused = door.post("facts/", OFF, Idempotency_Key="k")
    assert (refused.code, refused["error"]["code"], Memory.objects.count()) == (409, "conflict", 1)
    assert same(first, door.post("facts/", LAMP, Idempotency_Key="k"))


def test_the_same_key_at_another_address_is_a_409(door: Door) -> None:
    fact = door.fact("The gate is open.")
    door.post(f"facts/{fact}/restore/", {}, Idempotency_Key="k")
    assert door.post("search/?x=1", {}, Idempotency_Key="k").code == 409


def test_every_post_knows_it(door: Door) -> None:
    older, newer = door.fact("The gate is open."), door.fact("The gate is shut.")
    gone = door.fact("The lamp is out.")
    door.delete(f"facts/{gone}/")
    queued = door.post("memories/", {"text": "The lamp is lit.", "wait": False})["id"]
    calls: list[tuple[str, Any]] = [
        ("memories/", {"text": "The otter sleeps."}), ("memories/batch/", {"items": [{"text": "The otter eats."}]}),
        ("facts/", LAMP), (f"facts/{newer}/resolve/", {"other": older, "verdict": "contradicts"}),
        (f"facts/{gone}/restore/", {}), (f"writes/{queued}/cancel/", {}), ("search/", {"q": "otter"}),
    ]  # fmt: skip
    for number, (path, body) in enumerate(calls):
        first = door.post(path, body, Idempotency_Key=f"k{number}")
        moves, writes = MemoryEvent.objects.count(), Write.objects.count()
        assert first.code < 300
        assert same(first, door.post(path, body, Idempotency_Key=f"k{number}"))
        assert (MemoryEvent.objects.count(), Write.objects.count()) == (moves, writes)


def test_a_settlement_is_answered_again_where_a_repeat_would_be_refused(door: Door) -> None:
    older, newer = door.fact("The gate is open."), door.fact("The gate is shut.")
    address = f"conflicts/{door.verdict(newer, 'contradicts', older)['conflict']}/resolve/"
    first, again = (door.post(address, {"answer": "older"}, Idempotency_Key="k") for _ in range(2))
    assert first.code == 200
    assert same(first, again)
    assert door.post(address, {"answer": "older"}).code == 409


def test_each_agent_has_its_own_keys(door: Door, a2_key: str) -> None:
    other = Door(a2_key)
    first = door.post("facts/", {**LAMP, "scope": "private"}, Idempotency_Key="k")
    second = other.post("facts/", {**LAMP, "scope": "private"}, Idempotency_Key="k")
    assert (first.code, second.code, second["fact"]["agent"]) == (201, 201, "a2")


def test_other_methods_do_not_look_at_it(door: Door) -> None:
    fact = door.fact("The gate is open.")
    for content in ("The gate is shut.", "The gate is ajar."):
        sent = door.send("PATCH", f"facts/{fact}/", {"content": content}, Idempotency_Key="k")
        fact = sent["fact"]["id"]
    assert IdempotentAnswer.objects.count() == 0


@pytest.mark.parametrize("key", ["k" * 256, "a\tb", "\x01"])
def test_an_unusable_key_is_a_400(door: Door, key: str) -> None:
    assert door.post("facts/", LAMP, Idempotency_Key=key).code == 400
    assert Memory.objects.count() == 0


@pytest.mark.parametrize("key", ["k" * 255, "ä", "' OR 1=1 --", "a b", "☃"])
def test_any_printable_key_will_do(door: Door, key: str) -> None:
    assert same(*(door.post("facts/", LAMP, Idempotency_Key=key) for _ in range(2)))


# --- failures


def test_a_refused_body_is_refused_again_alike(door: Door) -> None:
    assert same(*(door.post("facts/", {"content": ""}, Idempotency_Key="k") for _ in range(2)))
    assert same(*(door.send("POST", "facts/", b"{", Idempotency_Key="bad") for _ in range(2)))


def test_a_401_is_not_kept(door: Door) -> None:
    nobody = Door("nz_x")
    assert nobody.post("facts/", LAMP, Idempotency_Key="k").code == 401
    assert door.post("facts/", LAMP, Idempotency_Key="k").code == 201


def test_a_429_is_not_kept(door: Door, settings: Settings) -> None:
    settings.RATE_PER_MINUTE = 0
    assert door.post("facts/", LAMP, Idempotency_Key="k").code == 429
    settings.RATE_PER_MINUTE = 100
    assert door.post("facts/", LAMP, Idempotency_Key="k").code == 201


def test_a_500_is_not_kept(door: Door) -> None:
    class Exploding(BrokenEmbedder):
        def embed(self, texts: object) -> list[embeddings.Vector]:
            raise RuntimeError("out of order")

    door.client.raise_request_exception = False
    with embeddings.override(Exploding()):
        assert door.post("facts/", LAMP, Idempotency_Key="k").code == 500
    assert door.post("facts/", LAMP, Idempotency_Key="k").code == 201


def test_a_body_that_is_too_large_is_a_413_with_a_key_too(door: Door) -> None:
    assert door.send("POST", "facts/", b" " * (16 * 2**20 + 1), Idempotency_Key="k").code == 413


# --- time


def test_an_answer_is_kept_for_a_day(door: Door, clock: Clock) -> None:
    first = door.post("facts/", LAMP, Idempotency_Key="k")
    clock.pass_(hours=23, minutes=59)
    assert same(first, door.post("facts/", LAMP, Idempotency_Key="k"))
    assert kept.forget_old() == 0
    clock.pass_(minutes=2)
    assert door.post("facts/", OFF, Idempotency_Key="k").code == 201


def test_old_answers_are_forgotten(door: Door, clock: Clock) -> None:
    door.post("facts/", LAMP, Idempotency_Key="k")
    clock.pass_(hours=25)
    assert (kept.forget_old(), IdempotentAnswer.objects.count()) == (1, 0)


def begin(door: Door) -> None:
    """A first request whose process died before it answered."""
    door.post("facts/", LAMP, Idempotency_Key="k")
    IdempotentAnswer.objects.update(status=None, body="")


@pytest.mark.django_db(transaction=True)
def test_a_repeat_waits_for_the_first_and_says_so_when_it_takes_too_long(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 0.2)
    begin(door)
    row = IdempotentAnswer.objects.get()

    def meanwhile() -> tuple[bool, Answer]:
        """Another process: its connection holds the row while this one asks."""
        with ThreadPoolExecutor(1) as thread:
            return kept.hold(row), thread.submit(
                closing(lambda: door.post("facts/", LAMP, Idempotency_Key="k"))
            ).result()

    held, refused = meanwhile()
    assert (held, refused.code, refused["error"]["code"]) == (True, 409, "conflict")
    connection.close()  # as a process that dies
    assert door.post("facts/", LAMP, Idempotency_Key="k").code == 200


def test_a_request_that_died_is_done_again(door: Door) -> None:
    begin(door)
    assert (door.post("facts/", LAMP, Idempotency_Key="k")["outcome"], Memory.objects.count()) == ("known", 1)


# --- at once


def closing(act: Callable[[], Answer]) -> Callable[[], Answer]:
    """The act, in a thread whose connection is closed behind it."""

    def run() -> Answer:
        try:
            return act()
        finally:
            connection.close()

    return run


def together(acts: list[Callable[[], Answer]]) -> list[Answer]:
    """Each in its own thread with its own connection, started at one barrier."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], Answer]) -> Answer:
        barrier.wait()
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_twins_at_the_same_moment_do_the_work_once(a1_key: str) -> None:
    answers = together([lambda: Door(a1_key).post("memories/", {"text": "The otter sleeps."}, Idempotency_Key="k")] * 8)
    assert answers[0].code == 201
    assert same(*answers)
    assert (Write.objects.count(), IdempotentAnswer.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_of_two_bodies_at_the_same_moment_one_is_refused(a1_key: str) -> None:
    def act(body: dict[str, str]) -> Callable[[], Answer]:
        return lambda: Door(a1_key).post("facts/", body, Idempotency_Key="k")

    answers = together([act(LAMP), act(OFF)])
    assert sorted(each.code for each in answers) == [201, 409]
    assert Memory.objects.count() == 1


# --- a process that died between storing and answering


def die_before_answering() -> None:
    """The first request stored what it had to, and its process was killed before it answered."""
    IdempotentAnswer.objects.update(status=None, body="")


@pytest.mark.parametrize("wait", [True, False])
def test_a_text_whose_answer_was_lost_is_kept_once(door: Door, wait: bool) -> None:
    sent = {"text": "The otter sleeps.", "wait": wait}
    first = door.post("memories/", sent, Idempotency_Key="k")
    die_before_answering()
    again = door.post("memories/", sent, Idempotency_Key="k")
    assert (again.code, again["id"], again["raw"]) == (first.code, first["id"], first["raw"])
    assert Write.objects.count() == 1
    assert same(again, door.post("memories/", sent, Idempotency_Key="k"))


def test_a_batch_that_was_cut_off_goes_on_behind_what_it_stored(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [{"text": f"Otter {number} sleeps."} for number in range(4)]
    first = door.post("memories/batch/", {"items": items}, Idempotency_Key="k")
    last = Write.objects.order_by("id").last()
    assert last is not None
    # As if the last of the four had not been reached.
    guards.execute("SET session_replication_role = replica")
    guards.execute("UPDATE memories_write SET request = NULL WHERE id = %s", last.pk)
    guards.execute("SET session_replication_role = DEFAULT")
    die_before_answering()
    again = door.post("memories/batch/", {"items": items}, Idempotency_Key="k")
    ids = [[each["id"] for each in answer["results"]] for answer in (first, again)]
    assert ids[0][:3] == ids[1][:3]
    assert Write.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_only_one_of_those_who_repeat_takes_it_over(a1_key: str) -> None:
    begin(Door(a1_key))
    answers = together([lambda: Door(a1_key).post("facts/", LAMP, Idempotency_Key="k")] * 4)
    assert same(*answers)
    assert Evidence.objects.count() == 2


def test_the_same_text_under_other_keys_is_kept_each_time(door: Door) -> None:
    for key in "abc":
        door.post("memories/", {"text": "The otter sleeps."}, Idempotency_Key=key)
    assert Write.objects.count() == 3
