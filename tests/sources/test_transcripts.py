"""What is understood of the lines of a transcript, whoever wrote them."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sources.transcripts import NAME_CHARACTERS, Broken, Message, messages

BERLIN = ZoneInfo("Europe/Berlin")


def read(*lines: dict[str, Any] | bytes, zone: ZoneInfo = BERLIN) -> list[Message | Broken | None]:
    encoded = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return list(messages(encoded, name="chat.jsonl", zone=zone))


def message(line: dict[str, Any]) -> Message:
    (found,) = read(line)
    assert isinstance(found, Message)
    return found


SHAPES = [
    pytest.param(
        {"pool": "conv-26", "session": 1, "session_time": "2023-05-08T13:56:00", "dia_id": "D1:3", "speaker": "Ann",
         "text": "I went there yesterday."},
        Message("I went there yesterday.", "conv-26/1", "D1:3", "Ann", datetime(2023, 5, 8, 13, 56, tzinfo=BERLIN)),
        id="sessions numbered in conversations",
    ),
    pytest.param(
        {"session_id": "s9", "message_id": "m1", "role": "user", "name": "Ann", "content": "Hi.",
         "timestamp": 1700000000},
        Message("Hi.", "s9", "m1", "Ann", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
        id="a name says more than a role, seconds since 1970",
    ),
    pytest.param(
        {"conversation": "c", "id": 0, "author": "Bo", "message": "Hello.", "date": 1700000000000},
        Message("Hello.", "c", "0", "Bo", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
        id="id 0, milliseconds since 1970",
    ),
    pytest.param(
        {"type": "assistant", "sessionId": "s1", "uuid": "u1", "timestamp": "2026-07-12T09:30:00.000Z",
         "message": {"role": "assistant", "content": [
             {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "The port is 8443."},
             {"type": "tool_use", "name": "Bash", "input": {}}, {"type": "text", "text": "It was 8080."}]}},
        Message("The port is 8443.\n\nIt was 8080.", "s1", "u1", "assistant", datetime(2026, 7, 12, 9, 30, tzinfo=UTC)),
        id="Claude Code, blocks",
    ),
    pytest.param(
        {"type": "user", "sessionId": "s1", "uuid": "u2", "message": {"role": "user", "content": "Use port 9443."}},
        Message("Use port 9443.", "s1", "u2", "user", None),
        id="Claude Code, a string",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), SHAPES)
def test_a_message_is_understood_as_many_programs_write_it(line: dict[str, Any], expected: Message) -> None:
    assert message(line) == expected


SILENT = [
    pytest.param({"text": "   "}, id="blank text"),
    pytest.param({"question": "Who?", "answer": "Ann"}, id="no text at all"),
    pytest.param({"text": {"n": 1}}, id="a text that is no text"),
    pytest.param({"type": "summary", "sessionId": "s1", "message": "Ports"}, id="book-keeping of Claude Code"),
    pytest.param(
        {"type": "user", "sessionId": "s1", "isMeta": True, "message": {"content": "Caveat"}},
        id="told in the user's name",
    ),
    pytest.param(
        {
            "type": "user",
            "sessionId": "s1",
            "message": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]},
        },
        id="what a tool returned",
    ),
    pytest.param(b"\n", id="an empty line"),
]


@pytest.mark.parametrize("line", SILENT)
def test_a_line_in_which_nobody_says_anything_is_no_message(line: dict[str, Any] | bytes) -> None:
    assert read(line) == [None]


@pytest.mark.parametrize("line", [b"{", b"[1]", b'"text"', b"\xff\xfe", b"[" * 100_000], ids=repr)
def test_a_broken_line_is_named_and_the_next_one_is_read(line: bytes) -> None:
    broken, after = read(line[:200_000], {"text": "Still here."})
    assert isinstance(broken, Broken)
    assert broken.number == 1
    assert isinstance(after, Message)


def test_the_text_is_kept_verbatim() -> None:
    assert message({"text": "  Two  spaces,\r\n\ttabs.  "}).text == "  Two  spaces,\r\n\ttabs.  "


def test_a_line_without_a_session_belongs_to_its_file() -> None:
    assert message({"text": "Hi."}).session == "chat.jsonl"


def test_a_message_without_an_id_keeps_its_name_when_lines_are_added_before_it() -> None:
    alone = message({"text": "Hi.", "speaker": "Ann"})
    assert alone in read({"text": "Earlier.", "speaker": "Bo"}, {"text": "Hi.", "speaker": "Ann"})


def test_the_same_words_twice_without_an_id_are_two_messages() -> None:
    first, second = read({"text": "Yes."}, {"text": "Yes."})
    assert isinstance(first, Message)
    assert isinstance(second, Message)
    assert first.id != second.id


TIMES = [
    ("2026-07-12", datetime(2026, 7, 12, tzinfo=BERLIN)),
    ("2026-07-12T10:00:00+05:00", datetime(2026, 7, 12, 5, tzinfo=UTC)),
    ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21, tzinfo=BERLIN)),
    ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=BERLIN)),
    ("March-15-2024", datetime(2024, 3, 15, tzinfo=BERLIN)),
    ("yesterday", None),
    (True, None),
    (1e300, None),
    (float("nan"), None),
    ([2026], None),
]


@pytest.mark.parametrize(("value", "expected"), TIMES, ids=repr)
def test_a_time_without_an_offset_is_one_of_the_product_and_an_unreadable_one_is_none(
    value: Any, expected: datetime | None
) -> None:
    assert message({"text": "Hi.", "at": value}).said_at == expected


def test_names_can_be_stored_and_indexed_whatever_they_hold() -> None:
    odd = message({"text": "Hi.", "speaker": "A\0\ud800\nB", "session": "x" * 10_000, "id": "y" * 10_000})
    assert odd.speaker == "A ? B"
    assert len(odd.session) < NAME_CHARACTERS + 20
    assert odd.id != message({"text": "Hi.", "id": "y" * 10_001}).id
