"""POST captures/: a write for one message, all of them as one for many."""

from typing import Any

import pytest

from memories.models import Memory, Write
from memories.services import statements
from tests.api.door import Answer, Door

PORT = "The Harbor gateway listens on port 8443."


def said(content: str, id_: str = "m1", **more: Any) -> dict[str, Any]:
    return {"id": id_, "role": "user", "content": content, **more}


def capture(door: Door, *messages: Any, **more: Any) -> Answer:
    return door.post("captures/", {"session": "s1", "messages": list(messages), **more})


def test_of_one_message_the_answer_is_its_write(door: Door) -> None:
    answer = capture(door, said(PORT, speaker="Mara", at="2026-07-01T09:30:00+02:00"), wait=True)
    assert (answer.code, answer["state"]) == (201, "done")
    assert [each["memory"]["content"] for each in answer["statements"]] == [PORT]
    fact = answer["statements"][0]["memory"]
    assert fact["said"] == {"session": "s1", "message": "m1", "speaker": "Mara", "at": "2026-07-01T07:30:00Z"}
    assert (fact["tier"], fact["status"]) == ("informal", "unverified")
    alone = door.get(f"writes/{answer['id']}/").body
    assert alone == {name: answer[name] for name in alone}


def test_of_several_it_is_all_of_them_and_its_id_is_done_last(door: Door) -> None:
    answer = capture(door, said(PORT), said("The lamp is green.", "m2"))
    assert (answer.code, answer["state"]) == (202, "received")
    assert [each["outcome"] for each in answer["messages"]] == ["kept", "kept"]
    assert answer["id"] == answer["messages"][1]["write"]
    for write in Write.objects.order_by("captured__pk"):
        assert door.get(f"writes/{answer['id']}/")["state"] == "received"
        statements.read_write(write.pk)
    assert door.get(f"writes/{answer['id']}/")["state"] == "done"
    again = capture(door, said(PORT), said("The lamp is green.", "m2"))
    assert [each["outcome"] for each in again["messages"]] == ["known", "known"]
    assert (again["state"], again["id"], again["statement_count"]) == ("done", answer["id"], 2)
    assert [each["memory"]["content"] for each in again["statements"]] == [PORT, "The lamp is green."]


def test_masked_places_name_their_message(door: Door) -> None:
    answer = capture(door, said(PORT), said("Token ghp_abcdefghijklmnopqrstuvwxyz0123456789AB is new.", "m2"))
    assert [each["message"] for each in answer["masked"]] == ["m2"]


BAD: list[tuple[Any, str]] = [
    ({"messages": [said(PORT)]}, "session"),
    ({"session": "", "messages": [said(PORT)]}, "session"),
    ({"session": "s" * 201, "messages": [said(PORT)]}, "session"),
    ({"session": "s1"}, "messages"),
    ({"session": "s1", "messages": []}, "messages"),
    ({"session": "s1", "messages": "hello"}, "messages"),
    ({"session": "s1", "messages": [said(PORT), {"id": "m2"}]}, "messages.1.role"),
    ({"session": "s1", "messages": [said(PORT, at="2026-07-01T09:30:00")]}, "messages.0.at"),
    ({"session": "s1", "messages": [said(PORT, text="x")]}, "messages.0.text"),
    ({"session": "s1", "messages": [said(PORT, id_=7)]}, "messages.0.id"),  # type: ignore[arg-type]  # the point
    ({"session": "s1", "messages": [said(PORT)], "tier": "boss"}, "tier"),
    ({"session": "s1", "messages": [said(PORT)], "agent": "a2"}, "agent"),
]


@pytest.mark.parametrize(("body", "field"), BAD)
def test_a_wrong_shape_is_named_and_nothing_is_kept(door: Door, body: Any, field: str) -> None:
    answer = door.post("captures/", body)
    assert (answer.code, field in answer.fields) == (400, True), answer
    assert not Memory.objects.exists()


def test_too_many_messages_and_too_long_ones_are_a_413(door: Door) -> None:
    assert capture(door, *[said("Hello.", str(place)) for place in range(2_001)]).code == 413
    assert capture(door, said("Hello."), said("x" * (2**20 + 1), "m2")).code == 413
    assert not Memory.objects.exists()


def test_what_is_captured_privately_stays_with_the_agent(door: Door, other: Door, stranger: Door) -> None:
    secret = capture(door, said(PORT), scope="private", wait=True)
    assert door.listed() == [PORT]
    for them in (other, stranger):
        assert them.listed() == them.found(PORT) == []
        assert them.get(f"writes/{secret['id']}/").code == 404
        assert capture(them, said("The lamp is green."))["messages"][0]["outcome"] == "kept"


def test_a_key_without_the_write_permission_captures_nothing(nobody: Door) -> None:
    assert capture(nobody, said(PORT)).code == 401
