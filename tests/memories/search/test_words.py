"""The word index: what finds what, in every script, and that nothing breaks it."""

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.search.indexing import MOST_BYTES, index
from memories.search.ranking import Counts, Scorer
from memories.search.words import query_terms, query_words, quoted, terms

MEBIBYTE = 1 << 20

CASE_9 = [
    "仓库钥匙放在前台抽屉里。",
    "会议改到周四下午。",
    "倉庫の鍵は受付の引き出しにあります。",
    "ลูกค้าชอบกาแฟเย็น",
    "Der Schlüssel liegt in der Straße 5.",
]


def words_of(text: str) -> str:
    return index(text).words


def covered(query: str, text: str, pool: list[str] | None = None) -> float:
    """How much of the query the text covers among the texts of a pool."""
    held = [set(terms(each)) for each in pool or [text]]
    frequencies = {term: sum(term in each for each in held) for term in query_terms(query)}
    scorer, own = Scorer(query_words(query), Counts(len(held), frequencies)), set(terms(text))
    return scorer.score([1.0 if term in own else 0.0 for term in scorer.terms])[1]


# --- every script


@pytest.mark.parametrize(
    ("query", "place"), [("前台抽屉", 0), ("周四", 1), ("引き出し", 2), ("กาแฟ", 3), ("strasse", 4), ("茶", None)]
)
def test_a_query_in_any_script_finds_its_own_sentence_and_no_other(query: str, place: int | None) -> None:
    found = [number for number, text in enumerate(CASE_9) if covered(query, text, CASE_9) > 0]
    assert found == ([] if place is None else [place])


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("strasse", "Straße"),
        ("STRASSE", "straße"),
        ("zurich", "Zürich"),
        ("reunion", "réunion"),
        ("lodz", "Łódź"),
        ("ﬁne", "fine"),
        ("abc123", "ＡＢＣ１２３"),
        ("ﾊﾞｯｸｱｯﾌﾟ", "バックアップ"),
        ("istanbul", "İSTANBUL"),
        ("ısparta", "ISPARTA"),
        ("еще", "ещё"),
        ("замок", "за\u0301мок"),
        ("ΑΘΗΝΑ", "Αθήνα"),
        ("دفتر", "دَفْتَر"),
        ("ادارة", "إدارة"),
        ("دفترها", "دفــترها"),
        ("दफ्तर", "दफ़्तर"),
        ("سلام", "سلام"),
        ("42", "٤٢"),
        ("42", "๔๒"),
        ("cafe", "cafe\u0301"),
        ("soft", "so\u00adft"),
        ("obrien", "O’Brien"),
        ("équipe", "d’équipe"),
        ("ankara", "Ankara'daki"),
    ],
)
def test_ways_of_writing_the_same_word_are_the_same(query: str, text: str) -> None:
    assert covered(query, f"x {text} x") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("йод", "иод"),  # й is a letter of its own
        ("कल", "कील"),  # so is a Hindi vowel sign
        ("か", "が"),  # and a Japanese voicing mark
        ("มา", "มี"),  # and a Thai vowel
    ],
)
def test_marks_that_readers_need_are_kept(one: str, other: str) -> None:
    assert covered(one, other) == 0.0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("policy migration", "Policies were reviewed, the migrations are running."),
        ("kündigungsfristen", "Die Kündigungsfrist beträgt drei Monate."),
        ("haus vertrag", "Die Häuser und die Verträge sind in Bremen."),
        ("développeur prefere", "Les développeurs préfèrent travailler à distance."),
        ("reunión corta", "A la usuaria le gustan las reuniones cortas."),
        ("резервного копирования", "Резервное копирование базы запускается ночью."),
        ("çay şeker", "Kullanıcı şekersiz çay içmeyi tercih ediyor."),
        ("اجتماعات مكتب", "يُعقد اجتماع في المكاتب الجديدة."),
        ("बैठकें गोदामों", "बैठक गोदाम में होती है।"),
        ("서랍", "사무실 열쇠는 서랍에 있습니다."),
        ("鍵", "倉庫の鍵は受付にあります。"),
        ("집", "집에 있습니다."),
    ],
)
def test_inflected_forms_find_each_other(query: str, text: str) -> None:
    assert covered(query, text) >= 0.75


def test_a_question_in_chinese_finds_the_sentence_that_answers_it() -> None:
    scores = [covered("仓库的钥匙放在什么地方", text, CASE_9) for text in CASE_9]
    assert scores.index(max(scores)) == 0
    assert scores[1:] == [0.0] * 4


# --- identifiers


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("ZX-4471-B", "ZX-4471-B was signed off by the night shift."),
        ("zx-4471-b", "Part (ZX-4471-B), approved."),
        ("zx4471b", "ZX-4471-B was signed off."),
        ("v2.4.1", "We run v2.4.1."),
        ("2.4.1", "We run v2.4.1."),
        ("sources/tasks.py", "See sources/tasks.py, line 4"),
        ("tasks.py", "See `sources/tasks.py`."),
        ("kim.lee@mail.example.org", "Write to <kim.lee@mail.example.org>."),
        ("mail.example.org", "Write to kim.lee@mail.example.org."),
        ("www.example.org", "at https://www.example.org/a/b.html?x=1"),
        ("example.org/a/b.html", "at https://www.example.org/a/b.html"),
        ("snake_case", "def snake_case():"),
        ("CamelCase", "class CamelCase:"),
        ("camel case", "class CamelCase:"),
        ("http server", "class HTTPServer:"),
        ("#1234", "closes #1234"),
        ("1234", "closes #1234"),
        ("C++", "written in C++."),
        ("C#", "written in C#"),
        (".env", "kept in .env"),
        ("config/.env", "kept in config/.env"),
        ("1000", "costs 1,000 a month"),
        ("wifi", "the Wi-Fi is down"),
        ("Wi‑Fi", "the Wi-Fi is down"),
        ("10 GB", "holds 10GB"),
        ("8081端口", "测试环境使用 8081 端口。"),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(query: str, text: str) -> None:
    assert covered(query, text) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("query", "own", "lookalike"),
    [
        ("V-1605", "Valve V-1605 was replaced in January.", "Valve V-1603 leaks at the flange."),
        ("use-001", "Route use-001 is closed.", "Route use-002 is open."),
        ("v2.4.1", "We run v2.4.1.", "We ran v2.4.2."),
        ("C++", "written in C++", "written in C"),
        ("x" * 70 + "1", "key " + "x" * 70 + "1", "key " + "x" * 70 + "2"),
    ],
)
def test_lookalikes_stay_apart(query: str, own: str, lookalike: str) -> None:
    pool = [own, lookalike]
    assert covered(query, own, pool) == pytest.approx(1.0)
    assert covered(query, lookalike, pool) < 0.9


# --- queries


def test_stop_words_are_dropped_when_anything_else_remains() -> None:
    assert query_terms("where is the gateway")[0] == "gateway"
    assert "the" not in query_terms("where is the gateway")
    assert query_terms("to be or not to be")


def test_a_text_keeps_its_stop_words_so_that_a_query_of_them_alone_finds_it() -> None:
    assert covered("to be or not to be", "To be, or not to be") == pytest.approx(1.0)


def test_the_same_query_word_counts_once() -> None:
    assert query_words("gateway Gateway GATEWAY") == query_words("gateway")


def test_a_prompt_is_cut_to_its_most_telling_words() -> None:
    filler = " ".join(f"word{'abcdefghij'[number % 10]}{'abcdefghij'[number // 10 % 10]}" for number in range(100))
    asked = query_terms(f"{filler} ZX-4471-B {filler}")
    assert len(asked) <= 64
    assert "zx-4471-b" in asked


@pytest.mark.parametrize("query", ["", " ", "...", "🎉", "\0", "\udc80", "'", "\\", "' | '", "!&|():*", "\u0301", "ـ"])
def test_a_query_without_words_asks_for_nothing(query: str) -> None:
    assert query_terms(query) == []


@given(st.text(max_size=300))
def test_any_query_is_bounded_and_free_of_what_postgresql_refuses(query: str) -> None:
    asked = query_terms(query)
    assert len(asked) <= 64
    assert all(0 < len(term) <= 64 and "\0" not in term for term in asked)
    "".join(asked).encode()  # no broken surrogates


@given(st.text(max_size=120))
def test_a_text_is_found_by_itself(text: str) -> None:
    asked = query_words(text)
    held = set(terms(text))
    assert all(any(set(way.terms) <= held for way in word.ways[:1]) for word in asked)


@given(st.text(max_size=200))
def test_the_literal_of_any_text_is_well_formed(text: str) -> None:
    literal = words_of(text)
    assert "\0" not in literal
    literal.encode()
    assert all(quoted(term) in literal for term in terms(text))


# --- literals and sizes


def test_a_literal_has_each_term_once() -> None:
    assert words_of("Port 8443, port 9443") == "'port' '8443' '9443'"


def test_quotes_and_backslashes_are_doubled() -> None:
    assert words_of(r"C:\temp") .startswith(r"'c:\\temp' ")  # fmt: skip
    assert quoted("it's") == "'it''s'"


def _letters(seed: int, alphabet: str, size: int) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=size))  # noqa: S311 - the same text every time


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_letters(1, string.ascii_lowercase + "    ", MEBIBYTE), id="distinct words"),
        pytest.param(_letters(2, string.ascii_letters + string.digits + "+/", MEBIBYTE), id="base64"),
        pytest.param("a" * MEBIBYTE, id="one word"),
        pytest.param("a" + "\u0301\u0323" * (MEBIBYTE // 4), id="marks"),
        pytest.param(_letters(3, "".join(map(chr, range(0x4E00, 0x9FFF))), MEBIBYTE // 3), id="Chinese"),
        pytest.param("\0'\\" * (MEBIBYTE // 3), id="signs"),
    ],
)
def test_a_mebibyte_of_anything_is_read_in_seconds_and_stays_within_the_limit(text: str) -> None:
    started = time.process_time()
    literal = words_of(text)
    assert time.process_time() - started < 10
    assert len(literal.encode()) <= MOST_BYTES


def test_a_text_over_the_limit_is_found_by_its_first_words() -> None:
    numbered = " ".join(f"word{number}x" for number in range(30_000))
    literal = words_of(f"marigold {numbered} tarnvik")
    assert literal.startswith("'marigold' ")
    assert "tarnvik" not in literal


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["it's C:\\temp ZX-4471-B", "仓库 กาแฟ e\u0301", _letters(4, string.printable, 50_000)]
)
def test_postgresql_takes_the_literal(text: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT length(%s::tsvector)", [words_of(text)])
        assert cursor.fetchone()[0] == len(set(terms(text)))
