"""Cases from public bug reports (shared/cases.md) about finding: 7, 9, 23 and 27."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import pytest
from django.test import Client

from memories import embeddings
from memories.actors import Actor
from memories.models import Embedding, Memory
from memories.services import embedding_upkeep
from tests import factories
from tests.api.door import Door
from tests.stubs import BrokenEmbedder, TableEmbedder

ROOMS = [f"The support crew closed a ticket about heating in room {number}." for number in range(1, 41)]
CODE = "ZX-4471-B was signed off by the night shift."
CLOSE, FAR = [1.0, 0.1], [0.2, 1.0]


@contextmanager
def embedder_of_case_7(kind: str) -> Iterator[None]:
    """As it is, switched off, or one that rates the forty sentences closer to the query than the one."""
    favouring = TableEmbedder("favouring", 8, {"signed off": FAR, "ZX-4471-B": [1.0, 0.0], "support crew": CLOSE})
    chosen: dict[str, AbstractContextManager[Any]] = {
        "working": nullcontext(), "off": embeddings.override(BrokenEmbedder()),
        "wrong": embeddings.override(favouring),
    }  # fmt: skip
    with chosen[kind]:
        yield


@pytest.mark.parametrize("kind", ["working", "off", "wrong"])
def test_case_7_an_exact_identifier_beats_a_vague_neighbour(door: Door, a1: Actor, kind: str) -> None:
    with embedder_of_case_7(kind):
        factories.write(a1, "\n\n".join(ROOMS))
        door.fact(CODE)
        assert Memory.objects.statements_only().count() == 41
        hits = door.get("search/", q="ZX-4471-B", limit=5, explain=1)["results"]
    assert hits[0]["memory"]["content"] == CODE
    assert hits[0]["why"]["words"] > 0
    assert len(hits) == (1 if kind == "off" else 5)


SCRIPTS = {
    "前台抽屉": "仓库钥匙放在前台抽屉里。", "周四": "会议改到周四下午。",
    "引き出し": "倉庫の鍵は受付の引き出しにあります。", "กาแฟ": "ลูกค้าชอบกาแฟเย็น",
    "strasse": "Der Schlüssel liegt in der Straße 5.",
}  # fmt: skip


def test_case_9_words_without_spaces_are_searchable(door: Door) -> None:
    with embeddings.override(BrokenEmbedder()):
        for text in SCRIPTS.values():
            assert door.memory(door.fact(text))["content"] == text
        for query, text in SCRIPTS.items():
            found = door.found(query)
            assert found[0] == text
            assert len(found) < len(SCRIPTS)


INSPECTIONS = {
    "2026-07-12": "The site inspection found rust.", "2026-07-13": "The site inspection found a crack.",
    "2026-07-14": "The site inspection found nothing.",
}  # fmt: skip
#: Times beyond all calendars.
BEYOND = ["what happened 100000 years ago", "十万年前", "in the year 99999999999", "on 31 February 2026"]


@pytest.fixture
def inspections(door: Door) -> None:
    for day, text in INSPECTIONS.items():
        door.fact(text, about=day)


@pytest.mark.usefixtures("inspections")
def test_case_23_a_day_is_a_day(door: Door) -> None:
    assert door.found("site inspection on 13 July 2026")[0] == INSPECTIONS["2026-07-13"]
    assert door.found("site inspection on 12 July 2026")[0] == INSPECTIONS["2026-07-12"]


@pytest.mark.usefixtures("inspections")
def test_case_23_a_query_without_a_date_applies_no_window(door: Door) -> None:
    assert set(door.found("we did the site inspection")) == set(INSPECTIONS.values())


@pytest.mark.usefixtures("inspections")
@pytest.mark.parametrize("q", BEYOND)
def test_case_23_times_beyond_all_calendars_answer_200(door: Door, q: str) -> None:
    assert door.get("search/", q=q).code == 200


@pytest.mark.usefixtures("inspections")
def test_case_23_a_plain_date_filters_its_whole_day(door: Door) -> None:
    found = door.found("site inspection", about_after="2026-07-13", about_before="2026-07-13")
    assert found == [INSPECTIONS["2026-07-13"]]


def waiting() -> Any:
    return Client().get("/readyz").json()["embeddings_waiting"]


def test_case_27_changing_the_embedding_model(door: Door) -> None:
    small, large = TableEmbedder("small", 8), TableEmbedder("large", 16)
    texts = [f"The {colour} pump stands in hall {number}." for number, colour in enumerate(("red", "blue", "green"))]
    with embeddings.override(small):
        facts = [door.fact(text) for text in texts]
    with embeddings.override(large):
        fourth = door.save("The white pump stands in hall 4.")
        assert (fourth["outcome"], fourth["fact"]["embedding"]) == ("added", "ready")
        assert door.delete(f"facts/{facts[0]}/")["outcome"] == "retired"
        assert set(door.found("pump hall")) == {*texts[1:], "The white pump stands in hall 4."}
        assert waiting() == {"pending": 2, "failed": 0}
        assert door.memory(facts[1])["embedding"] == "pending"
        assert embedding_upkeep.embed_waiting() == 2
        assert waiting() == {"pending": 0, "failed": 0}
        hits = door.get("search/", q="blue pump", explain=1)["results"]
        assert {hit["memory"]["content"] for hit in hits} == {*texts[1:], "The white pump stands in hall 4."}
        assert hits[0]["why"]["meaning"] > 0
    sizes = {(row.model, row.dimensions, len(row.vector)) for row in Embedding.objects.filter(vector__isnull=False)}
    assert sizes == {("small", 8, 8), ("large", 16, 16)}
    with embeddings.override(BrokenEmbedder("large", 16)):
        fifth = door.save("The black pump stands in hall 5.")["fact"]
        assert (fifth["embedding"], door.found("black pump")[0]) == ("failed", fifth["content"])
        assert waiting() == {"pending": 0, "failed": 1}
    with embeddings.override(large):
        assert embedding_upkeep.embed_waiting(again=True) == 1
        assert door.memory(fifth["id"])["embedding"] == "ready"
