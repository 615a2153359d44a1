"""Whatever the text: no exception, spans inside it, statements that say something, and time that grows with length."""

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.reading import MAX_STATEMENT_LENGTH, Context, PlainReader
from tests.memories.reading.conftest import NOON

PIECES = st.sampled_from(
    [
        "- ", "> ", "# ", "```\n", "|a|b|\n|-|-|\n", "|1|", "\n", "\r\n", "\r", "\t", "**", "_", "[a](b", ")", "<!--",
        "-->", "---\n", "===\n", "Ann: ", "(8 May 2023) Bob: ", "2026-07-12 ", "9999-12-31", "e.g. ", "“", '"', "?",
        "。", "؟", "।", "端口", "ไทย", "🙂", "\u200f", "\x00", "\ud800", "&#0;", "&amp;", "`", "~~", "\\",
        "The port is 8443. ", "not ", "yesterday ", "\u2028", "\ufeff", "12. Mai ", "A: ",
    ]
)  # fmt: skip
MARKED = st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text() | MARKED)
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for statement in PlainReader().read(text, Context(NOON, timezone="Europe/Berlin")):
        assert 0 <= statement.start < statement.end <= len(text)
        assert any(map(str.isalnum, statement.text))
        assert len(statement.text) <= MAX_STATEMENT_LENGTH
        assert (statement.about_from or NOON).tzinfo


@settings(max_examples=200, deadline=None)
@given(MARKED, MARKED)
def test_any_two_texts_are_compared_without_an_exception(newer: str, older: str) -> None:
    comparison = PlainReader().compare(newer, older)
    assert all(one.this or one.other for one in comparison.differs)


#: What grammar adds when a clause gets its subject back.
SMALL_WORDS = {"is", "are", "was", "were", "in", "s", "the", "user", "has", "does", "will", "would"}


@settings(max_examples=200, deadline=None)
@given(MARKED)
def test_nothing_is_invented(text: str) -> None:
    """Every word of a statement stands in the text."""
    for statement in PlainReader().read(text, Context(NOON)):
        passage = text[statement.start : statement.end]
        if "&" not in passage and "|" not in text:
            unmarked = "".join(filter(str.isalnum, text.lower()))
            assert all(word in unmarked for word in words(statement.text) - SMALL_WORDS)


SAID = [
    "Ivo leads the harbour team and reports to Lena. He has been there since May, and he likes it.",
    "The Kestrel gateway, which was built in Turin, listens on port 9443; it serves four sites.",
    "# Kestrel\n\n- port: 9443\n- restarts at night\n\nIt was moved to Porto, although the old site still stands.",
    "Nadia Brandt, the treasurer, signs every invoice. Brandt works from home, keeping the ledger on paper.",
    "I prefer trains, don't eat fish and have two dogs. My sister Olga, whose flat is in Bergen, collects stamps.",
]


@pytest.mark.parametrize("text", SAID)
def test_every_content_word_comes_from_the_text_or_its_context(text: str) -> None:
    known = words(text) | SMALL_WORDS | {"ruth"}
    found = PlainReader().read(text, Context(NOON, speaker="Ruth"))
    assert found
    for statement in found:
        assert {word for word in words(statement.text) if word not in known and word.rstrip("s") not in known} == set()


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower()))


@pytest.mark.parametrize(
    "unit",
    [
        "The pump A runs at night. ", "- Port: 8443 is used\n", "a", ".", "word ", "[", "[a](", "`a ", "*a ", "<a ",
        "<!-- ", '"a ', "„a", "> " * 50 + "x is here\n", "- " * 50 + "x is here\n", "|1|2|\n", "[a]: b\n", "a\n",
        "端口", "😀", "A: ", "ลูกค้าชอบกาแฟเย็น", "Aa ", "1 ", "a@", "~~a ", "12 July ", "hi, ",
        "\n", "Ann: it is 1\nBob: it is 2\n",
    ],
)  # fmt: skip
def test_time_grows_with_length(unit: str) -> None:
    """Four times the text takes about four times as long; quadratic would be sixteen."""
    short, long = (_seconds(unit, length) for length in (25_000, 100_000))
    assert long < 10 * short + 0.3


def test_deep_nesting_and_many_bullets_lose_nothing() -> None:
    stairs = "".join(f"{'  ' * depth}- Step {depth} is done well\n" for depth in range(300))
    assert len(PlainReader().read(stairs, Context(NOON))) == 300
    assert len(PlainReader().read("- Port 8443 is used here\n" * 5_000, Context(NOON))) == 5_000


def _seconds(unit: str, length: int) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    started = time.process_time()
    PlainReader().read(text, Context(NOON))
    return time.process_time() - started
