"""`manage.py remember` with chat transcripts."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memories import embeddings, limits
from memories.actors import Actor
from memories.choices import Kind
from memories.models import Evidence, Memory, Product
from tests.sources.conftest import CHOIR, KEY, Remember, StoppingEmbedder, write_lines

pytestmark = pytest.mark.django_db


def said_of(text: str) -> Evidence:
    """What is known of where the raw text came from."""
    return Evidence.objects.get(memory__kind=Kind.RAW, memory__content=text)


def raw_texts() -> list[str]:
    return list(Memory.objects.filter(kind=Kind.RAW).order_by("id").values_list("content", flat=True))


def test_each_message_is_a_write_of_its_own_kept_verbatim(remember: Remember, transcript: Path) -> None:
    said = remember(transcript)
    assert "files       1 read" in said
    assert "messages    2 read" in said
    assert raw_texts() == [CHOIR, KEY]


def test_a_message_keeps_who_said_it_when_and_where(remember: Remember, transcript: Path) -> None:
    remember(transcript)
    said = said_of(KEY)
    assert (said.session, said.message, said.speaker) == ("s1", "m2", "Bo")
    assert said.said_at == datetime(2023, 5, 8, 13, 57, tzinfo=UTC)
    assert said.item_key == f"{transcript.parent.name}/chat.jsonl"


def test_yesterday_is_the_day_before_it_was_said(remember: Remember, transcript: Path) -> None:
    remember(transcript)
    fact = Memory.objects.statements_only().get(content__contains="choir")
    assert fact.about_from == datetime(2023, 5, 7, tzinfo=UTC)


def test_a_time_without_an_offset_is_one_of_the_product_s_zone(
    remember: Remember, transcript: Path, lighthouse: Product
) -> None:
    Product.objects.update(zone="Asia/Tokyo")
    remember(transcript)
    assert said_of(CHOIR).said_at == datetime(2023, 5, 8, 4, 56, tzinfo=UTC)


@pytest.mark.parametrize("options", [{}, {"agent": "a1"}], ids=["source", "agent"])
def test_a_message_already_remembered_is_passed_over(
    remember: Remember, transcript: Path, a1: Actor, options: dict[str, str]
) -> None:
    remember(transcript, **options)
    with transcript.open("a") as file:
        file.write('{"session": "s1", "id": "m3", "text": "The boat leaves at noon."}\n')
    said = remember(transcript, **options)
    assert "messages    1 read, 2 known" in said
    assert len(raw_texts()) == 3


def test_a_message_is_known_again_under_another_file_name(remember: Remember, transcript: Path, tmp_path: Path) -> None:
    remember(transcript)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(transcript.read_bytes())
    assert "messages    2 known" in remember(copy)


def test_two_chats_that_number_their_messages_alike_are_both_remembered(remember: Remember, tmp_path: Path) -> None:
    one = write_lines(tmp_path / "one.jsonl", {"session": 1, "id": 1, "text": "The boat leaves at noon."})
    two = write_lines(tmp_path / "two.jsonl", {"session": 1, "id": 1, "text": "The boat leaves at dusk."})
    remember(one, two)
    remember(one, two)
    assert raw_texts() == ["The boat leaves at noon.", "The boat leaves at dusk."]


def test_lines_that_say_nothing_are_counted_and_broken_ones_named(remember: Remember, transcript: Path) -> None:
    with transcript.open("a") as file:
        file.write('\n{"question": "Who?"}\n{"text": \n')
    said = remember(transcript)
    assert "messages    2 read, 2 silent, 1 failed" in said
    assert "chat.jsonl, line 5: no JSON" in said
    assert "exit 1" in said


def test_a_message_over_the_limit_fails_alone(remember: Remember, tmp_path: Path) -> None:
    chat = write_lines(
        tmp_path / "chat.jsonl", {"id": 1, "text": "x" * (limits.TEXT_BYTES + 1)}, {"id": 2, "text": "Hi."}
    )
    said = remember(chat)
    assert "messages    1 read, 1 failed" in said
    assert "A text has at most 1 MiB" in said


def test_json_lines_that_are_no_chat_are_skipped_in_a_folder_and_fail_when_named(
    remember: Remember, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    questions = write_lines(folder / "questions.jsonl", {"question": "Who?"})
    assert "skipped     data/questions.jsonl: no line of it is a message with a text" in remember(folder)
    assert "exit 1" in remember(questions)


def test_characters_that_cannot_be_stored_do_not_stop_a_chat(remember: Remember, tmp_path: Path) -> None:
    chat = write_lines(
        tmp_path / "chat.jsonl", {"id": "a\0\ud800", "speaker": "\0", "text": "The lamp\0 is\ud800 lit."}
    )
    assert "messages    1 read" in remember(chat)
    assert "messages    1 known" in remember(chat)


def test_ctrl_c_in_the_middle_of_a_chat_goes_on_with_the_message_it_stopped_at(
    remember: Remember, transcript: Path, no_patience: None
) -> None:
    with embeddings.override(StoppingEmbedder(at=KEY)):
        said = remember(transcript)
    assert "messages    1 read" in said
    assert "exit 130" in said
    assert "messages    1 read, 1 known" in remember(transcript)
    assert raw_texts() == [CHOIR, KEY]


def test_queued_messages_wait_for_a_worker(remember: Remember, transcript: Path) -> None:
    said = remember(transcript, queue=True)
    assert "files       1 queued" in said
    assert "messages    2 queued" in said
    assert "is read by the worker" in said
