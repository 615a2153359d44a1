"""Messages as JSON Lines are turns, and HTML is read by its tags; places are those in the raw text."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

from memories.reading import Context, PlainReader
from memories.reading.documents import document
from tests.memories.reading.conftest import NOON, Read

Texts = Callable[..., list[str]]


def lines(*messages: object) -> str:
    return "\n".join(json.dumps(each) for each in messages)


def test_json_lines_are_turns_with_speaker_and_day(read: Read) -> None:
    raw = lines(
        {"at": "2025-05-08T10:00:00Z", "speaker": "Ann", "content": "I moved to Riga yesterday."},
        {"at": "2025-05-09T10:00:00Z", "speaker": "Bo", "content": "The café opens at nine."},
    )
    found = read(raw)
    assert [each.text for each in found] == ["Ann moved to Riga yesterday.", "The café opens at nine."]
    assert found[0].about_from == datetime(2025, 5, 7, tzinfo=UTC)
    assert [json.loads(f'"{raw[each.start : each.end]}"') for each in found] == [
        "I moved to Riga yesterday.", "The café opens at nine.",
    ]  # fmt: skip


def test_escapes_keep_lines_and_emoji_apart(texts: Texts) -> None:
    raw = lines(
        {"role": "user", "content": 'The gate is "new" 😀.\n\n- The lamp is red.\n- The hall has two doors.'},
        {"role": "user", "content": [{"type": "text", "text": "The keys hang in the office."}]},
    )
    assert texts(raw) == [
        'The gate is "new" 😀.', "The lamp is red.", "The hall has two doors.", "The keys hang in the office.",
    ]  # fmt: skip


def test_what_a_machine_says_in_json_lines_is_not_read(texts: Texts) -> None:
    raw = lines(
        {"role": "system", "content": "The assistant is a pirate."},
        {"role": "tool", "content": "The build has failed."},
        {"role": "user", "content": "The harbour has three piers."},
    )
    assert texts(raw) == ["The harbour has three piers."]


def test_other_json_is_no_transcript() -> None:
    for raw in ('{"port": 8443}', '{"a": 1}\nThe lamp is red.', "[1, 2]\n[3]", '{"content": "One line alone."}'):
        assert all(block.speaker is None for block in document(raw).blocks)


def test_what_is_visible_is_as_long_as_the_text() -> None:
    raw = lines({"content": 'Ünïcode \\ "quoted"\t😀'}, {"content": "plain"}) + "\n\n"
    assert len(document(raw).visible) == len(raw)


def test_a_heading_in_html_is_the_subject_of_what_stands_below_it(texts: Texts) -> None:
    raw = "<h1>Handbook</h1>\n<h2>Gateway</h2>\n<ul><li>Port: 8443</li>\n<li>The owner is <b>Ana Lima</b>.</ul>\n"
    assert texts(raw) == ["Gateway: Port: 8443", "The owner is Ana Lima."]


def test_paragraphs_in_html_are_no_one_sentence_and_scripts_none(texts: Texts) -> None:
    raw = (
        "<div><p>The hall is open</p><p>The gate is closed</p>"
        "<script>var lamp = 'The lamp is red.'</script><style>p { color: red }</style></div>"
    )
    assert texts(raw) == ["The hall is open", "The gate is closed"]


def test_indented_html_is_no_code(read: Read) -> None:
    raw = "<div>\n\n      <p>The ferry has two decks.</p>\n\n</div>\n"
    assert [(each.text, each.is_code) for each in read(raw)] == [("The ferry has two decks.", False)]


def test_hostile_json_and_html_end() -> None:
    for raw in (
        "\n".join(['{"content": "' + "\\\\" * 50_000 + '"}'] * 4),
        "\n".join(["{" * 20_000] * 4),
        "<h1>" * 20_000,
        "<script>" * 20_000,
        "<li " * 20_000,
    ):
        PlainReader().read(raw, Context(NOON))


def test_what_nobody_can_say_is_no_statement(texts: Texts) -> None:
    assert texts(
        "It is difficult to say how many stars form each year. It is unclear whether the gate is open. "
        "It's hard to predict. It is clear that the gate is open. It is hard to lift the gate by hand."
    ) == ["It is clear that the gate is open.", "It is hard to lift the gate by hand."]
