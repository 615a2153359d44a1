"""The search box of facts: by words, by meaning, bounded, and never behind a wall."""

from typing import Any

import pytest
from django.test import Client

from memories.actors import Actor
from memories.choices import Scope
from memories.services import editing, looking_up
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def shown(client: Client, **asked: Any) -> list[str]:
    """What the list shows; what only means something close is marked."""
    rows = client.get(desk.list_of("fact"), asked).context["cl"].result_list
    return [f"{'~ ' if getattr(row, 'is_near', False) else ''}{row.content}" for row in rows]


def test_what_holds_the_words_comes_first_and_what_is_close_in_meaning_after_it(ada: Client, a1: Actor) -> None:
    factories.fact(a1, "Releases of the northern lamp happen on Tuesdays.")
    factories.fact(a1, "The northern lamp happens to be lit on Tuesdays at dusk.")
    factories.fact(a1, "Apples are ripe.")
    assert shown(ada, q="northern lamp happens on tuesdays at dusk") == [
        "The northern lamp happens to be lit on Tuesdays at dusk.",
        "~ Releases of the northern lamp happen on Tuesdays.",
    ]


def test_words_alone_can_be_asked_for(ada: Client, a1: Actor) -> None:
    factories.fact(a1, "Releases of the northern lamp happen on Tuesdays.")
    assert shown(ada, q="northern lamp happens on tuesdays at dusk")
    assert shown(ada, q="northern lamp happens on tuesdays at dusk", how="words") == []


def test_what_is_close_says_so_on_the_page(ada: Client, a1: Actor) -> None:
    factories.fact(a1, "Releases of the northern lamp happen on Tuesdays.")
    page = ada.get(desk.list_of("fact"), {"q": "northern lamp happens on tuesdays at dusk"}).content.decode()
    assert "close in meaning" in page


def test_nothing_behind_a_wall_or_a_filter_is_found_by_meaning(
    ada: Client, a1: Actor, b1: Actor, curator: Actor
) -> None:
    for by, more in ((a1, {"scope": Scope.PRIVATE}), (b1, {})):
        factories.fact(by, "The northern lamp is lit on Tuesdays.", **more)
    retired = factories.fact(a1, "The northern lamp is dim on Tuesdays.")
    editing.retire(by=curator, memory_id=retired.pk)
    assert shown(ada, q="northern lamp is bright on Tuesdays") == []
    assert shown(ada, q="northern lamp is bright on Tuesdays", status="retired") == [f"~ {retired.content}"]


def test_a_dead_embedder_leaves_the_words(ada: Client, a1: Actor, settings: Any) -> None:
    factories.fact(a1, "The northern lamp is lit.")
    settings.EMBEDDER = "nowhere"
    assert shown(ada, q="northern lamp") == ["The northern lamp is lit."]


def test_what_is_found_is_bounded_and_can_be_acted_upon_together(
    ada: Client, a1: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking_up, "MOST_BY_WORDS", 3)
    for number in range(5):
        factories.fact(a1, f"The northern lamp {number} is lit.")
    assert len(shown(ada, q="northern lamp", how="words")) == 3
    answer = ada.post(
        desk.list_of("fact") + "?q=northern+lamp&how=words",
        {"action": "retire_selected", "_selected_action": ["x"], "select_across": "1", "index": "0"},
    )
    assert answer.context["number"] == 3
