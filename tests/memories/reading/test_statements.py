from collections.abc import Callable

import pytest

from tests.memories.reading.conftest import Read

Texts = Callable[..., list[str]]


@pytest.mark.parametrize(
    "talk",
    [
        "Hello everyone!",
        "Hi all, how are you?",
        "Hello! How can I help you today?",
        "Thanks Beata for the croissants :)",
        "Best regards",
        "Sounds good, see you tomorrow!",
        "Sure, happy to help.",
        "I hope you are all well!",
        "Could it be the new driver?",
        "the demo laptop, where is it??",
        "Maybe it is the cache.",
        "I think it is the cache, but I'm not sure.",
        "It is the cache, maybe.",
        "no clue, could be anything tbh",
        "Steps to follow:",
        "Wed 7 Oct",
        "谢谢大家！",
        "你好吗？",
        "也许是缓存。",
    ],
)
def test_talk_questions_and_guesses_are_no_statements(texts: Texts, talk: str) -> None:
    assert texts(talk) == []


@pytest.mark.parametrize(
    "statement",
    [
        "The Harbor gateway listens on port 8443.",
        "Sanna smokes.",
        "Port: 8443",
        "仓库钥匙放在前台抽屉里。",
        "ลูกค้าชอบกาแฟเย็น",
        "Hello World is printed by the sample program of the first chapter in the book.",
        "ZX-4471-B was signed off by the night shift.",
        "Thanks to 3 new nodes the build takes 7 minutes.",
    ],
)
def test_statements_are_kept_word_by_word(texts: Texts, statement: str) -> None:
    assert texts(statement) == [statement]


def test_a_greeting_before_the_point_is_left_out_and_the_span_follows(read: Read) -> None:
    text = "Hi team, the deploy moved to Friday."
    (statement,) = read(text)
    assert statement.text == "the deploy moved to Friday."
    assert text[statement.start : statement.end] == statement.text


def test_names_and_identifiers_come_with_the_statement(read: Read) -> None:
    (statement,) = read("Valve V-1603 was shown to Petra Novak by ops@x.example on Friday.")
    assert statement.names == ("V-1603", "Petra Novak", "ops@x.example")
