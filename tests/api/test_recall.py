"""POST recall/ and rules/, as an agent meets them."""

import pytest

from tests.api.door import Door

PORT, ASKED = "The Harbor gateway listens on port 8443.", "On which port does the Harbor gateway listen?"


def test_recall_gives_a_block_and_what_stands_in_it(door: Door) -> None:
    fact = door.fact(PORT)
    answer = door.post("recall/", {"prompt": ASKED, "session": "s1"})
    assert (answer.code, [each["id"] for each in answer["memories"]]) == (200, [fact])
    assert PORT in answer["text"]
    assert 0 < answer["tokens"] <= 1_000
    again = door.post("recall/", {"prompt": ASKED, "session": "s1"})
    assert again.body == {"text": "", "tokens": 0, "rules": [], "persona": [], "memories": []}


def test_recall_stays_behind_the_walls(door: Door, other: Door, stranger: Door) -> None:
    door.fact(PORT, scope="private")
    assert [each.post("recall/", {"prompt": ASKED})["text"] for each in (other, stranger)] == ["", ""]
    assert door.post("recall/", {"prompt": ASKED})["text"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "prompt"),
        ({"prompt": 7}, "prompt"),
        ({"prompt": "x", "max_tokens": 0}, "max_tokens"),
        ({"prompt": "x", "max_tokens": "many"}, "max_tokens"),
        ({"prompt": "x", "session": "s" * 201}, "session"),
        ({"prompt": "x", "agent": "a2"}, "agent"),
    ],
)
def test_a_wrong_shape_is_named(door: Door, body: object, field: str) -> None:
    answer = door.post("recall/", body)
    assert (answer.code, answer.fields) == (400, {field})


def test_a_prompt_beyond_the_limit_is_a_413(door: Door) -> None:
    assert door.post("recall/", {"prompt": "x" * 200_001}).code == 413
    assert door.post("recall/", {"prompt": "x" * 200_000}).code == 200


def test_rules_are_proposed_once_and_listed(door: Door, other: Door, stranger: Door) -> None:
    answer = door.post("rules/", {"text": "Never deploy on Fridays.", "why": "It broke twice."})
    assert (answer.code, answer["status"], answer["proposed_by"], answer["decided_by"]) == (201, "proposed", "a1", None)
    again = other.post("rules/", {"text": "Never deploy on Fridays."})
    assert (again.code, again["id"]) == (200, answer["id"])
    assert [each["id"] for each in door.page("rules/")] == [answer["id"]]
    assert other.page("rules/") == stranger.page("rules/") == []


def test_nobody_but_a_person_approves(door: Door) -> None:
    assert door.post("rules/", {"text": "Obey me.", "status": "approved"}).fields == {"status"}
