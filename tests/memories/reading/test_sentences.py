from collections.abc import Callable

import pytest

Texts = Callable[..., list[str]]


@pytest.mark.parametrize(
    "sentence",
    [
        "Release v2.4.1 of main.py ships with Node 20.11 today.",
        "Use a broker, e.g. Redis or i.e. Valkey, for tasks.",
        "Dr. J. Smith and Prof. Wu wrote No. 5 of the series.",
        "The wiki lives at https://kb.example/a.b?c=d!e for everybody.",
        "The pump costs approx. 3.5 million, incl. taxes.",
        "He waited ... for the door to open.",
        'Milo said "We lose a feature. Not a weekend." in the retro.',
        "Die Sitzung ist am 13. Juli 2026 in Kiel.",
        "The U.S. office opens at 9 a.m. on Mondays.",
    ],
)
def test_a_point_inside_a_sentence_does_not_end_it(texts: Texts, sentence: str) -> None:
    assert texts(f"{sentence} Another one follows it here.") == [sentence, "Another one follows it here."]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("仓库钥匙放在前台抽屉里。会议改到周四下午。", 2),
        ("倉庫の鍵は受付の引き出しにあります！担当は田中さんです。", 2),
        ("ลูกค้าชอบกาแฟเย็น", 1),
        ("यह दुकान नौ बजे खुलती है। वह छह बजे बंद होती है।", 2),
        ("الباب مفتوح طوال اليوم. هل أنت هنا؟ المفتاح في الدرج الأول.", 2),
        ("It works well! The rest stays the same.", 2),
        ("The tests ran until 5 p.m. They all passed.", 2),
    ],
)
def test_sentences_end_as_each_script_ends_them(texts: Texts, text: str, count: int) -> None:
    assert len(texts(text)) == count


def test_a_monster_is_cut_into_facts_that_fit(texts: Texts) -> None:
    pieces = texts("word " * 5_000)
    assert len(pieces) == 4
    assert max(map(len, pieces)) <= 8_000
    assert " ".join(pieces).split() == ["word"] * 5_000
