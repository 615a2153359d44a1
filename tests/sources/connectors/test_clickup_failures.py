"""What goes wrong with ClickUp, and that each of it is told as what to do about it."""

import pytest

from sources.connectors.base import ConnectorError
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.clickup import BROKEN, OAUTH, PERSONAL, FakeClickUp, refused


def test_the_test_says_who_sees_what(board_shelf: Shelf) -> None:
    assert board_shelf.connect().test() == "Noor sees the workspace “Lighthouse”."


def test_a_token_that_was_revoked_stops_the_source_and_is_not_repeated(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    clickup.store.task(board, "First")
    board_shelf.run()
    del clickup.authorized[PERSONAL]

    with pytest.raises(ConnectorError, match="doesn't accept the token") as refusal:
        board_shelf.run()

    assert refusal.value.permanent
    assert PERSONAL not in refusal.value.sentence
    assert board_shelf.titles() == ["First"]


def test_a_workspace_that_the_token_was_not_given_stops_the_source(board_shelf: Shelf) -> None:
    board_shelf.secrets["token"] = OAUTH

    with pytest.raises(ConnectorError, match="doesn't open this workspace") as refusal:
        board_shelf.run()

    assert refusal.value.permanent
    with pytest.raises(ConnectorError, match="doesn't see the workspace"):
        board_shelf.connect().test()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"workspace": "Lighthouse"}, "no number of ClickUp's workspace"),
        ({"lists": ["https://example.org/"]}, "no number of ClickUp's lists"),
        ({"zone": "Mars/Olympus"}, "no time zone"),
        ({"spaces": ["123"]}, "doesn't see one of the spaces or lists"),
    ],
)
def test_what_was_entered_wrongly_is_told(board_shelf: Shelf, values: dict[str, object], sentence: str) -> None:
    board_shelf.values |= values

    with pytest.raises(ConnectorError, match=sentence) as refusal:
        board_shelf.run()

    assert refusal.value.permanent


def test_a_missing_token_is_told_before_anything_is_asked(clickup: FakeClickUp, board_shelf: Shelf) -> None:
    board_shelf.secrets["token"] = " "

    with pytest.raises(ConnectorError, match="Enter an API token"):
        board_shelf.run()

    assert clickup.asked == []


def test_the_rate_limit_is_waited_for(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    """150 tasks with their comments are more requests than a minute allows."""
    for place in range(150):
        clickup.store.task(board, f"Task {place}")

    assert len(board_shelf.run().items) == 150
    assert clickup.turned_away == 0


def test_a_rate_limit_that_lasts_ends_the_run_and_the_next_one_goes_on(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    for place in range(60):
        clickup.store.task(board, f"Task {place}")
    limited = refused(429, "APP_002", "Rate limit reached").answer
    clickup.disturb(lambda asked: limited if clickup.count("/comment") > 45 else None, times=4)

    with pytest.raises(ConnectorError, match="asks us to slow down") as refusal:
        board_shelf.run()

    assert not refusal.value.permanent
    assert len(board_shelf.items) == 40
    clickup.asked.clear()
    assert len(board_shelf.run().items) == 60
    assert len(board_shelf.read()) == 20


def test_a_service_that_is_down_ends_the_run_instead_of_failing_every_task(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    for place in range(30):
        clickup.store.task(board, f"Task {place}")
    clickup.disturb(lambda asked: BROKEN if "/comment" in asked.path else None, times=1_000)

    with pytest.raises(ConnectorError, match="an error of its own") as refusal:
        board_shelf.run()

    assert not refusal.value.permanent
    assert clickup.count("/comment") == 5 * 4


def test_answers_that_are_not_what_the_documents_promise_end_the_run_with_a_sentence(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    clickup.disturb(lambda _: refused(403, "", "No.").answer)

    with pytest.raises(ConnectorError, match="doesn't allow this"):
        board_shelf.run()
