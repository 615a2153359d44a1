"""Pages by cursor: every row once, in either direction, whatever is written meanwhile."""

from collections.abc import Callable, Iterator

import pytest

from memories import embeddings
from memories.actors import Actor
from memories.models import Memory
from tests import factories
from tests.api.door import Answer, Door
from tests.stubs import BrokenEmbedder

ROWS = 120


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.fixture
def ids(a1: Actor) -> list[str]:
    """120 facts, newest first. Read from one text, without vectors: that is quick."""
    with embeddings.override(BrokenEmbedder()):
        factories.write(a1, " ".join(f"Room {number} is warm." for number in range(ROWS)))
    found = Memory.objects.statements_only().order_by("-pk").values_list("pk", flat=True)
    assert len(found) == ROWS
    return [str(pk) for pk in found]


def walk(door: Door, page: Answer, direction: str, between: Callable[[], object] = lambda: None) -> Iterator[Answer]:
    """The page and all that follow it in one direction."""
    yield page
    while page[direction]:
        between()
        page = door.follow(page[direction])
        yield page


def seen(pages: list[Answer]) -> list[str]:
    return [memory["id"] for page in pages for memory in page["results"]]


@pytest.mark.parametrize("limit", [7, 50, 119, 120, 200])
def test_a_walk_forwards_and_back_sees_every_row_once_and_in_order(door: Door, ids: list[str], limit: int) -> None:
    forwards = list(walk(door, door.get("facts/", limit=limit), "next"))
    assert seen(forwards) == ids
    assert [len(page["results"]) for page in forwards[:-1]] == [limit] * (len(forwards) - 1)
    back = list(walk(door, forwards[-1], "previous"))
    assert seen(back[::-1]) == ids
    assert back[-1]["previous"] is None


def test_the_default_page_has_fifty(door: Door, ids: list[str]) -> None:
    assert [len(page["results"]) for page in walk(door, door.get("facts/"), "next")] == [50, 50, 20]


def test_rows_added_meanwhile_neither_repeat_nor_hide_any(door: Door, a1: Actor, ids: list[str]) -> None:
    added: list[str] = []

    def add() -> None:
        added.insert(0, str(factories.fact(a1, f"Hall {len(added)} is cold.").pk))

    forwards = list(walk(door, door.get("facts/", limit=25), "next", add))
    assert seen(forwards) == ids
    back = list(walk(door, forwards[-1], "previous", add))
    shown = seen(back[::-1])
    assert shown[-ROWS:] == ids
    assert shown == sorted(set(shown), reverse=True)
    assert shown[:-ROWS] == added[-len(shown) + ROWS :]
    assert len(shown) > ROWS


def test_rows_retired_meanwhile_are_left_out_and_hide_no_other(door: Door, ids: list[str]) -> None:
    first = door.get("facts/", limit=50)
    for id_ in (ids[49], ids[50]):  # the row that the cursor names, and the one after it
        door.delete(f"facts/{id_}/")
    assert seen(list(walk(door, door.follow(first["next"]), "next"))) == ids[51:]


def test_from_a_page_back_the_way_leads_forwards_again(door: Door, ids: list[str]) -> None:
    first = door.get("facts/", limit=50)
    second = door.follow(first["next"])
    back = door.follow(second["previous"])
    assert seen([back]) == seen([first])
    assert seen([door.follow(back["next"])]) == seen([second])


def test_links_keep_the_filters(door: Door, ids: list[str], a1: Actor) -> None:
    for number in range(5):
        factories.fact(a1, f"Tag {number}", tags=("ops", "a&b=c"))
    first = door.get("facts/", limit=2, tag=["ops", "a&b=c"], tag_mode="all")
    assert len(seen(list(walk(door, first, "next")))) == 5


def test_an_empty_list_has_no_links(door: Door) -> None:
    assert door.get("facts/").body == {"next": None, "previous": None, "results": []}


def test_every_list_is_paged_alike(door: Door) -> None:
    for number in range(3):
        older, newer = door.fact(f"Door {number} is open."), door.fact(f"Door {number} is shut.")
        door.verdict(newer, "contradicts", older)
        door.write(f"Gate {number} is open.")
    for path in ("memories/", "facts/", "writes/", "conflicts/"):
        pages = list(walk(door, door.get(path, limit=1), "next"))
        whole = door.get(path, limit=200)["results"]
        assert [row for page in pages for row in page["results"]] == whole
        assert len(whole) >= 3


@pytest.mark.parametrize("path", ["memories/", "facts/", "writes/", "conflicts/"])
@pytest.mark.parametrize("cursor", ["x", "a", "b1", "a" + "0" * 33, "z" + "0" * 32, "a\0", "%", "ä", "a\ud800", "[]"])
def test_a_made_up_cursor_is_a_400_that_says_so(door: Door, path: str, cursor: str) -> None:
    refused = door.get(path, cursor=cursor)
    assert (refused.code, refused.fields) == (400, {"cursor"})


def test_a_cursor_to_no_row_is_still_a_place_in_the_order(door: Door, ids: list[str]) -> None:
    assert door.get("facts/", cursor="a" + "0" * 32)["results"] == []
    assert seen([door.get("facts/", cursor="a" + "f" * 32, limit=3)]) == ids[:3]
    assert seen([door.get("facts/", cursor="b" + "f" * 32)]) == []
    assert seen([door.get("facts/", cursor="b" + "0" * 32, limit=3)]) == ids[-3:]
