"""ClickUp in step, read from a server that speaks its API: whatever people do with tasks and Docs."""

import pytest

from sources.connectors.base import Gone, Skipped, Unchanged, Unread
from sources.connectors.clickup import walk
from tests.sources.connectors.shelf import Shelf, Stopped
from tests.sources.fakes.clickup import BROKEN, OAUTH, FakeClickUp
from tests.sources.fakes.clickup_store import moment, person

DAY = 24 * 3_600


@pytest.fixture
def tomorrow(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The connector's clock: how many seconds it is ahead."""
    from time import time as real

    ahead = [0.0]
    monkeypatch.setattr("sources.connectors.clickup.connector.time", lambda: real() + ahead[0])
    return ahead


def test_a_task_is_read_with_all_that_is_said_about_it(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    task = clickup.store.task(
        board,
        "Move the gateway",
        "The gateway listens on **port 8443**.",
        status={"status": "in review", "type": "custom"},
        due_date=moment(2026, 5, 12),
        assignees=[person("Noor"), person("Ivo")],
        priority={"id": "2", "priority": "high"},
        tags=[{"name": "infra"}],
    )
    first = clickup.store.comment(task, "Ivo", "The old one broke.")
    clickup.store.comment(task, "Noor", "A new one is on its way.")
    clickup.store.comment(task, "Tamsin", "Which one?", reply_to=first)

    (item,) = board_shelf.run().items.values()

    assert item.text == (
        "# Move the gateway\n\n"
        "- Task “Move the gateway” is in the list Backend.\n"
        "- Task “Move the gateway” has the status in review.\n"
        "- Task “Move the gateway” is due on 12 May 2026.\n"
        "- Task “Move the gateway” is assigned to Noor and Ivo.\n"
        "- Task “Move the gateway” has the priority high.\n"
        "- Task “Move the gateway” is tagged infra.\n\n"
        "## Description\n\nThe gateway listens on **port 8443**.\n\n"
        "## Comments\n\n"
        "Ivo wrote on 2 March 2026: The old one broke.\n\n"
        "Tamsin wrote on 2 March 2026: Which one?\n\n"
        "Noor wrote on 2 March 2026: A new one is on its way.\n"
    )
    assert (item.title, item.url) == ("Move the gateway", f"https://app.clickup.com/t/{task}")
    assert item.revised_at is not None


def test_a_due_date_is_the_day_that_was_meant_where_the_people_are(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    clickup.store.task(board, "Order oil", due_date=moment(2026, 5, 11, 20))  # four in the morning in Singapore
    board_shelf.values["zone"] = "Asia/Singapore"

    assert "is due on 12 May 2026." in board_shelf.run().text("Order oil")


def test_an_unchanged_workspace_costs_two_requests(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    for place in range(30):
        clickup.store.comment(clickup.store.task(board, f"Task {place}"), "Ivo", "Yes, it is so.")
    clickup.store.page(clickup.store.doc(board_shelf.values["workspace"], "Handbook"), "Ports", "Port 8443.")
    board_shelf.run()
    clickup.asked.clear()

    board_shelf.run()

    assert len(clickup.asked) == 2
    assert all(isinstance(change, Unchanged) for change in board_shelf.told)
    assert len(board_shelf.items) == 31


def test_what_changed_is_read_and_nothing_else(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    store = clickup.store
    moved, closed, said, _ = (store.task(board, name) for name in ("Move", "Close", "Say", "Rest"))
    doc = store.doc(board_shelf.values["workspace"], "Handbook")
    page = store.page(doc, "Ports", "The gateway listens on port 8443.")
    store.page(doc, "Oil", "The oil is in the cellar.")
    board_shelf.run()
    store.tick(3_600)
    store.edit(moved, name="Move on")
    store.close(closed)
    store.comment(said, "Ivo", "It is done.")
    store.task(board, "New", parent=moved)
    store.write(doc, page, "The gateway listens on port 9443.")

    board_shelf.run()

    assert board_shelf.read() == ["Close", "Handbook › Ports", "Move on", "New", "Say"]
    assert "has the status complete." in board_shelf.text("Close")
    assert board_shelf.text("Handbook › Ports") == "The gateway listens on port 9443."


def test_deleted_and_archived_tasks_are_found_when_all_are_listed(
    clickup: FakeClickUp, board: str, board_shelf: Shelf, tomorrow: list[float]
) -> None:
    deleted, archived, back, _ = (clickup.store.task(board, name) for name in ("Delete", "Archive", "Back", "Keep"))
    board_shelf.run()
    clickup.store.delete(deleted)
    clickup.store.tasks[archived]["archived"] = True
    kept = clickup.store.tasks.pop(back)

    assert len(board_shelf.run().items) == 4, "the feed does not tell of it"

    tomorrow[0] = DAY
    clickup.asked.clear()
    assert board_shelf.run().titles() == ["Keep"]
    assert clickup.count("/comment") == 0

    clickup.store.tasks[back] = kept
    tomorrow[0] = 2 * DAY
    assert board_shelf.run().titles() == ["Back", "Keep"]


def test_closed_tasks_comments_and_docs_may_be_left_out(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    open_, closed = (clickup.store.task(board, name) for name in ("Open", "Closed"))
    clickup.store.close(closed)
    clickup.store.comment(open_, "Ivo", "Private matters.")
    clickup.store.page(clickup.store.doc(board_shelf.values["workspace"], "Handbook"), "Ports", "Port 8443.")
    assert len(board_shelf.run().items) == 3

    board_shelf.values |= {"closed": False, "docs": False, "comments": False}
    board_shelf.items.clear()
    board_shelf.run()

    assert board_shelf.titles() == ["Open"]
    assert "Private" not in board_shelf.text("Open")
    clickup.store.close(open_)
    board_shelf.run()
    assert Skipped(f"task:{open_}", "it is closed") in board_shelf.told
    assert board_shelf.titles() == []


def test_more_tasks_than_a_page_are_all_read_also_when_they_changed_in_one_moment(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    clickup.allowance = 10_000
    for place in range(120):
        clickup.store.task(board, f"One by one {place}")
    at_once = [clickup.store.task(board, f"At once {place}") for place in range(230)]
    for task in at_once:
        clickup.store.tasks[task]["date_updated"] = str(clickup.store.now)

    assert len(board_shelf.run().items) == 350
    assert board_shelf.run().read() == []


def test_a_task_that_changes_while_the_others_are_listed_hides_none_of_them(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    """Paging by numbers would miss one: what changes moves to the end, and the rest moves up."""
    clickup.allowance = 10_000
    tasks = [clickup.store.task(board, f"Task {place}") for place in range(250)]
    for page in board_shelf.connect().pages({}):
        board_shelf._store(page)
        for task in tasks[:3]:
            clickup.store.edit(task, name="Again and again")
        del tasks[:3]

    assert len(board_shelf.items) == 250


def test_a_run_that_is_killed_goes_on_where_it_stopped(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    clickup.allowance = 10_000
    for place in range(130):
        clickup.store.task(board, f"Task {place}")
    total = 0
    for pages in (1, 3, 5):
        with pytest.raises(Stopped):
            board_shelf.run(pages=pages)
        total += len(board_shelf.read())

    total += len(board_shelf.run().read())

    assert (len(board_shelf.items), total) == (130, 130)


def test_a_task_that_fails_is_reported_and_tried_again_although_it_did_not_change(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    bad = clickup.store.task(board, "Bad")
    clickup.store.tick(DAY)
    gone = clickup.store.task(board, "Gone")
    clickup.store.task(board, "Good")
    clickup.store.tick(DAY)
    clickup.store.task(board, "Last")
    broken = (f"{bad}/comment", f"{gone}/comment")
    clickup.disturb(lambda asked: BROKEN if asked.path.endswith(broken) else None, times=8)

    board_shelf.run()

    assert board_shelf.titles() == ["Good", "Last"]
    assert [change.key for change in board_shelf.told if isinstance(change, Unread)] == [f"task:{bad}", f"task:{gone}"]
    clickup.store.delete(gone)
    assert board_shelf.run().titles() == ["Bad", "Good", "Last"]
    assert Gone(f"task:{gone}") in board_shelf.told
    assert "again" not in board_shelf.cursor


def test_long_talk_is_read_to_a_bound_and_says_so(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    task = clickup.store.task(board, "Talk")
    for place in range(230):
        clickup.store.comment(task, "Ivo", f"Remark {place}.")

    (item,) = board_shelf.run().items.values()

    assert item.left_out == "Only its newest 200 comments were read."
    assert "Remark 229." in item.text
    assert "Remark 29." not in item.text


def test_what_shows_late_is_still_met(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    clickup.store.task(board, "First")
    board_shelf.run()
    late = clickup.store.task(board, "Late")
    clickup.store.tasks[late]["date_updated"] = str(clickup.store.now - walk.OVERLAP + 60_000)

    assert board_shelf.run().titles() == ["First", "Late"]


def test_an_oauth_token_is_sent_as_a_bearer(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    clickup.store.task(board, "First")
    clickup.authorized[OAUTH].add(board_shelf.values["workspace"])
    board_shelf.secrets["token"] = OAUTH

    assert board_shelf.run().titles() == ["First"]
