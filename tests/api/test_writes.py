"""Receipts: own ones, what became of each statement, and the states that retry and cancel may move."""

from collections.abc import Callable

import pytest

from memories.models import Memory, Write
from tests.api.door import Door
from tests.stubs import StubReader

FERRY = "The ferry leaves at nine. The ferry has two decks."


def queue(door: Door, text: str = FERRY) -> str:
    return str(door.post("memories/", {"text": text, "wait": False})["id"])


def fail(door: Door, stub: StubReader) -> str:
    stub.error = RuntimeError("the reader is out of order")
    receipt = door.post("memories/", {"text": FERRY})
    assert (receipt.code, receipt["state"]) == (201, "failed")
    stub.error = None
    return str(receipt["id"])


def test_own_receipts_are_listed_newest_first(door: Door, other: Door) -> None:
    ids = [queue(door), door.write(FERRY)["id"]]
    queue(other)
    page = door.page("writes/")
    assert [each["id"] for each in page] == ids[::-1]
    assert [each["state"] for each in page] == ["done", "received"]


def test_a_receipt_in_a_list_says_the_same_as_alone(door: Door) -> None:
    receipt = door.write(FERRY)
    (listed,) = door.page("writes/")
    assert listed == door.get(f"writes/{receipt['id']}/").body
    assert [each["memory"]["content"] for each in listed["statements"]] == [
        "The ferry leaves at nine.",
        "The ferry has two decks.",
    ]


def test_a_long_receipt_is_cut_in_the_list_and_whole_alone(door: Door, stub_reader: StubReader) -> None:
    receipt = door.write(" ".join(f"The deck number {number} is open." for number in range(120)))
    (listed,) = door.page("writes/")
    assert (len(listed["statements"]), listed["statement_count"]) == (100, 120)
    alone = door.get(f"writes/{receipt['id']}/")
    assert (len(alone["statements"]), alone["statement_count"]) == (120, 120)
    assert listed["statements"] == alone["statements"][:100]


def test_a_failed_reading_shows_its_reason_and_keeps_the_raw_text(door: Door, stub_reader: StubReader) -> None:
    receipt = door.get(f"writes/{fail(door, stub_reader)}/")
    assert (receipt["reason"], receipt["statements"]) == ("RuntimeError: the reader is out of order", [])
    assert door.memory(receipt["raw"])["content"] == FERRY


def test_a_retry_reads_a_failed_write_and_doubles_nothing(
    door: Door, stub_reader: StubReader, read_queued: Callable[[], int]
) -> None:
    write = fail(door, stub_reader)
    assert door.post(f"writes/{write}/retry/")["state"] == "received"
    assert read_queued() == 1
    assert door.get(f"writes/{write}/")["state"] == "done"
    assert Memory.objects.statements_only().count() == 2


def test_only_a_failed_write_is_retried(door: Door) -> None:
    for write, state in ((queue(door), "received"), (door.write(FERRY)["id"], "done")):
        refused = door.post(f"writes/{write}/retry/")
        assert (refused.code, refused["error"]["current"]["id"], refused["error"]["current"]["state"]) == (
            409,
            write,
            state,
        )


def test_a_write_is_cancelled_only_while_received(door: Door, read_queued: Callable[[], int]) -> None:
    write = queue(door)
    cancelled = door.post(f"writes/{write}/cancel/")
    assert (cancelled.code, cancelled["state"]) == (200, "cancelled")
    assert (read_queued(), Memory.objects.statements_only().count()) == (0, 0)
    assert door.memory(cancelled["raw"])["content"] == FERRY
    for each in (write, door.write(FERRY)["id"]):
        refused = door.post(f"writes/{each}/cancel/")
        assert (refused.code, refused["error"]["current"]["id"]) == (409, each)


@pytest.mark.parametrize("act", ["", "retry/", "cancel/"])
def test_a_receipt_is_its_writers_alone(door: Door, other: Door, stranger: Door, act: str) -> None:
    write = queue(door)
    for somebody in (other, stranger):
        refused = somebody.post(f"writes/{write}/{act}") if act else somebody.get(f"writes/{write}/")
        assert refused.code == 404
    assert Write.objects.get().state == "received"
    assert other.page("writes/") == []
