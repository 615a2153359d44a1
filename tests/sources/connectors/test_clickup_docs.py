"""The Docs of ClickUp in step, and what is read of a workspace."""

from sources.connectors.base import Unread
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.clickup import BROKEN, FakeClickUp


def test_the_pages_of_docs_are_read_with_the_pages_below_them(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    doc = clickup.store.doc(board_shelf.values["workspace"], "Handbook")
    top = clickup.store.page(doc, "Ports", "The gateway listens on port 8443.")
    deep = clickup.store.page(doc, "Old ports", "It was port 8080 once.", below=top)
    clickup.store.page(doc, "Empty", "")

    board_shelf.run()

    assert board_shelf.titles() == ["Handbook › Ports", "Handbook › Ports › Old ports"]
    item = board_shelf.items[f"page:{doc}:{deep}"]
    assert item.url == f"https://app.clickup.com/{board_shelf.values['workspace']}/v/dc/{doc}/{deep}"


def test_pages_and_docs_that_are_removed_are_gone_at_once(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    store, workspace = clickup.store, board_shelf.values["workspace"]
    doc, other, archived = (store.doc(workspace, name) for name in ("Handbook", "Diary", "Old"))
    page = store.page(doc, "Ports", "Port 8443.")
    store.page(doc, "Oil", "The oil is in the cellar.")
    store.page(other, "Monday", "It rained.")
    store.page(archived, "Rules", "No smoking.")
    assert len(board_shelf.run().items) == 4
    del store.pages[doc][page]
    store.docs[doc]["date_updated"] = store.tick()
    store.docs[other]["deleted"] = True
    store.docs[archived]["archived"] = True

    assert board_shelf.run().titles() == ["Handbook › Oil"]


def test_what_was_removed_before_everything_is_listed_again_is_gone(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    """Staff may ask for that at any time: the cursor is empty then, and knows no Docs."""
    store, workspace = clickup.store, board_shelf.values["workspace"]
    for name in ("Handbook", "Diary"):
        store.page(store.doc(workspace, name), "Page", f"This is {name}.")
    board_shelf.run()
    store.docs.popitem()
    board_shelf.cursor = {}
    clickup.disturb(lambda asked: BROKEN if asked.path.endswith("/pages") else None, times=4)

    assert board_shelf.run().titles() == ["Diary › Page", "Handbook › Page"], "one could not be read"
    assert board_shelf.run().titles() == ["Handbook › Page"]


def test_only_the_spaces_and_lists_that_were_named_are_read(
    clickup: FakeClickUp, board: str, board_shelf: Shelf
) -> None:
    store, workspace = clickup.store, board_shelf.values["workspace"]
    space = store.lists[board]["space"]
    folder = store.folder(space, "Plans")
    plans, other = store.list_(space, "2026", folder), store.space(workspace, "Sales")
    for list_, name in ((board, "Backend task"), (plans, "Plan"), (store.list_(other, "Leads"), "Call")):
        store.task(list_, name)
    for parent, name in (((space, 4), "A"), ((folder, 5), "B"), ((plans, 6), "C"), ((other, 4), "D")):
        store.page(store.doc(workspace, name, parent), "Page", f"This is {name}.")

    board_shelf.values["spaces"] = [f"https://app.clickup.com/{workspace}/v/o/s/{space}"]
    assert board_shelf.run().titles() == ["A › Page", "B › Page", "Backend task", "C › Page", "Plan"]

    board_shelf.values |= {"spaces": [], "lists": [plans]}
    assert board_shelf.run().titles() == ["C › Page", "Plan"]
    assert board_shelf.connect().test() == "Noor sees the workspace “Lighthouse”, of it the lists 2026."


def test_a_doc_that_fails_is_reported_and_tried_again(clickup: FakeClickUp, board: str, board_shelf: Shelf) -> None:
    doc = clickup.store.doc(board_shelf.values["workspace"], "Handbook")
    clickup.store.page(doc, "Ports", "Port 8443.")
    clickup.disturb(lambda asked: BROKEN if asked.path.endswith("/pages") else None, times=4)

    assert board_shelf.run().titles() == []
    assert [type(change) for change in board_shelf.told] == [Unread]
    assert board_shelf.run().titles() == ["Handbook › Ports"]
