from collections.abc import Callable
from datetime import UTC, datetime
from textwrap import dedent

from memories.choices import Category
from tests.memories.reading.conftest import Read

Texts = Callable[..., list[str]]


def test_marks_links_images_and_comments_are_not_part_of_what_is_said(texts: Texts) -> None:
    text = "The **Harbor** gateway <!-- check. Twice --> runs `nginx` ![logo](a.png), see [the runbook](https://x.example/a_b)."
    assert texts(text) == ["The Harbor gateway runs nginx , see the runbook."]


def test_a_span_is_the_passage_it_was_read_from(read: Read) -> None:
    text = "# Gateway\n\nIt was *moved* in July. \n\n> - The port is **8443** now.\n>   It serves [TLS](x).\n"
    passages = [text[one.start : one.end] for one in read(text)]
    assert passages == [
        "It was *moved* in July.",
        "The port is **8443** now.",
        "It serves [TLS](x).",
    ]


def test_names_with_underscores_and_lone_stars_keep_them(texts: Texts) -> None:
    text = "Never push to release/* or read max_pool_size and __init__ files."
    assert texts(text) == ["Never push to release/* or read max_pool_size and init files."]


def test_headings_front_matter_and_rules_are_no_statements(texts: Texts) -> None:
    text = "---\ntitle: Port\n---\n\n# The gateway listens here\n\n***\n\nAnother heading\n===\n\nThe port is 8443.\n"
    assert texts(text) == ["The port is 8443."]


def test_a_line_drawn_under_sentences_does_not_make_them_a_heading(texts: Texts) -> None:
    assert texts("Payments are made every Tuesday.\n-----\nInvoices go to finance.") == [
        "Payments are made every Tuesday.",
        "Invoices go to finance.",
    ]


def test_key_and_value_bullets_are_facts_of_their_heading_and_bare_words_are_not(texts: Texts) -> None:
    assert texts("## Gateway\n- Port: 8443\n- apples\n- [x] TLS = on\n- [Runbook](run.md)\n") == [
        "Gateway: Port: 8443",
        "Gateway: TLS = on",
    ]


def test_a_heading_that_names_nothing_is_no_subject(texts: Texts) -> None:
    assert texts("# Lumen 3.2\n\n## Changed\n\n- minimum memory: 4 GB\n") == ["Lumen 3.2: minimum memory: 4 GB"]
    assert texts("## Usage\n\n- minimum memory: 4 GB\n") == ["minimum memory: 4 GB"]


def test_a_full_sentence_needs_no_heading(texts: Texts) -> None:
    assert texts("# Lumen\n\nThe archive closes at noon.\n") == ["The archive closes at noon."]


def test_a_table_is_read_row_by_row_under_its_header(read: Read) -> None:
    text = "| Service | Port |\n|---|---|\n| billing | **8443** |\n| search | 9443 |\n"
    rows = read(text)
    assert [row.text for row in rows] == ["Service: billing; Port: 8443", "Service: search; Port: 9443"]
    assert text[rows[1].start : rows[1].end] == "| search | 9443 |"


def test_code_is_kept_as_one(read: Read) -> None:
    text = "Run this:\n\n```sh\nmake dev  # <!-- kept -->\n\nmake test\n```\n"
    (code,) = read(text)
    assert code.text == "make dev  # <!-- kept -->\n\nmake test"
    assert code.category == Category.OTHER
    assert text[code.start : code.end].startswith("```sh")


def test_wrapped_prose_is_joined_and_listed_lines_are_not(texts: Texts) -> None:
    wrapped = """
        The staging cluster can only be reached through the VPN of the office, that is
        set up by every new engineer in the first week. The maintenance window opens at
        ten in the evening of every second Sunday."""
    assert len(texts(dedent(wrapped))) == 2
    listed = "Release 22.1 moved to Friday\nAbdi fixes the rounding bug\nMarisol starts on the validation of addresses"
    assert len(texts(listed)) == 3


def test_a_transcript_is_read_turn_by_turn_with_its_speakers(read: Read) -> None:
    text = "Amadou: hey, who's on call?\nFreja: I prefer night shifts\nAmadou: ok.\nFreja: pg-1 moved to port 5433\n"
    said = read(text)
    assert [(one.text, one.person) for one in said] == [
        ("Freja prefers night shifts", "Freja"),
        ("pg-1 moved to port 5433", None),
    ]


def test_a_dated_turn_brings_its_own_today(read: Read) -> None:
    text = (
        "(1:56 pm on 8 May, 2023) Caroline: I went to the museum yesterday.\n(9 May 2023) Mel: The show opened today.\n"
    )
    first, second = read(text)
    assert (first.about_from, second.about_from) == (datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 5, 9, tzinfo=UTC))


def test_values_inside_a_dated_turn_are_no_speakers(read: Read) -> None:
    text = (
        "(3 March 2026) Freja: The values are:\n\nport: 8443\nname: gateway\n\n"
        "(4 March 2026) Amadou: I prefer night shifts.\n"
    )
    assert [(one.text, one.person) for one in read(text)][-1] == ("Amadou prefers night shifts.", "Amadou")


def test_an_empty_document_says_nothing(texts: Texts) -> None:
    for empty in [
        "",
        "   ",
        "\n\t",
        "...",
        "--",
        "***",
        "😀",
        "# Title",
        "https://example.com/a",
        "[a](b)",
        "[a]: http://b",
    ]:
        assert texts(empty) == []
