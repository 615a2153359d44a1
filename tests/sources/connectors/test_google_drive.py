"""Google Drive in step, read from a server that speaks its API: whatever people do in a folder."""

import pytest

from sources.connectors.base import Gone, Item, Unread
from tests.sources.connectors.shelf import Shelf, Stopped
from tests.sources.fakes.google_drive import ADDRESS, BROKEN, FakeGoogleDrive
from tests.sources.fakes.serving import Answer, Asked


def fetched(google: FakeGoogleDrive) -> int:
    return sum(each.query.get("alt") == "media" for each in google.asked)


def test_every_kind_of_document_is_read_from_a_folder_and_the_folders_in_it(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    deep = google.store.folder("2026", google.store.folder("Plans", handbook))
    google.store.doc("Ports", handbook, "# Ports\n\nThe gateway listens on port 8443.\n")
    google.store.sheet(
        "Services", deep, {"Live": [["Service", "Port"], ["billing", 8443]], "Old": [["Service"], ["fax"]]}
    )
    google.store.slides("Kick-off", deep, "The launch is on 12 May 2026.")
    google.store.file("notes.md", handbook, b"Noor leads payments.", "text/markdown")
    google.store.file("page.html", handbook, b"<h1>Oil</h1><p>The oil is in the cellar.</p>", "text/html")
    google.store.file("rota.csv", handbook, b"Day,Person\nMonday,Ivo\n", "text/csv")

    drive_shelf.run()

    assert drive_shelf.titles() == ["Kick-off", "Ports", "Services", "notes.md", "page.html", "rota.csv"]
    assert "port 8443" in drive_shelf.text("Ports")
    assert "## Live" in drive_shelf.text("Services")
    assert "| billing | 8443 |" in drive_shelf.text("Services")
    assert "fax" in drive_shelf.text("Services")
    assert "The oil is in the cellar." in drive_shelf.text("page.html")
    assert "| Monday | Ivo |" in drive_shelf.text("rota.csv")
    ports = next(item for item in drive_shelf.items.values() if item.title == "Ports")
    assert ports.url == f"https://drive.google.com/file/d/{ports.key}/view?usp=drivesdk"
    assert ports.revised_at is not None


def test_an_unchanged_drive_costs_three_requests_and_no_download(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    for place in range(30):
        google.store.doc(f"Page {place}", handbook, f"Room {place} is on floor {place}.")
    drive_shelf.run()
    google.asked.clear()

    drive_shelf.run()

    assert drive_shelf.told == []
    assert [each.path for each in google.asked] == ["/token", f"/drive/v3/files/{handbook}", "/drive/v3/changes"]


def test_a_changed_a_renamed_and_a_new_document_are_read_and_the_others_are_not(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    ports = google.store.doc("Ports", handbook, "The gateway listens on port 8443.")
    oil = google.store.file("oil.txt", handbook, b"The oil is in the cellar.")
    google.store.doc("Rota", handbook, "Ivo is on duty on Monday.")
    drive_shelf.run()
    google.store.write(ports, "The gateway listens on port 9443.")
    google.store.rename(oil, "lamp oil.txt")
    google.store.doc("Keys", handbook, "The key hangs by the door.")
    google.asked.clear()

    drive_shelf.run()

    assert drive_shelf.read() == ["Keys", "Ports", "lamp oil.txt"]
    assert drive_shelf.text("Ports") == "The gateway listens on port 9443."
    assert drive_shelf.items[oil].title == "lamp oil.txt"
    assert fetched(google) == 3


def test_what_is_binned_deleted_moved_out_or_no_longer_shared_has_gone_and_comes_back(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    store = google.store
    elsewhere = store.folder("Elsewhere")
    binned, deleted, moved = (store.doc(name, handbook, f"{name} is here.") for name in ("Binned", "Deleted", "Moved"))
    store.doc("Kept", handbook, "It stays.")
    drive_shelf.run()
    store.trash(binned)
    store.delete(deleted)
    store.move(moved, elsewhere)

    drive_shelf.run()

    assert {change.key for change in drive_shelf.told if isinstance(change, Gone)} == {binned, deleted, moved}
    assert drive_shelf.titles() == ["Kept"]

    store.trash(binned, trashed=False)
    store.move(moved, handbook)

    assert drive_shelf.run().titles() == ["Binned", "Kept", "Moved"]


def test_a_folder_that_moves_takes_what_is_below_it_along(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    store = google.store
    attic = store.folder("Attic")
    box = store.folder("Box", attic)
    store.doc("Letter", store.folder("Deeper", box), "The letter is from 1912.")
    store.doc("Kept", handbook, "It stays.")
    assert drive_shelf.run().titles() == ["Kept"]

    store.move(box, handbook)
    assert drive_shelf.run().titles() == ["Kept", "Letter"]

    store.move(box, attic)
    google.asked.clear()
    assert drive_shelf.run().titles() == ["Kept"]
    assert fetched(google) == 0

    store.move(box, handbook)
    drive_shelf.run()
    store.trash(box)
    assert drive_shelf.run().titles() == ["Kept"]


def test_a_document_that_moves_into_a_folder_made_in_the_same_hour_is_kept(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its change may be told before that of the folder, even on another page."""
    monkeypatch.setattr("sources.connectors.google_drive.api.PAGE", 1)
    ports = google.store.doc("Ports", handbook, "The gateway listens on port 8443.")
    drive_shelf.run()
    new = google.store.folder("New", handbook)
    google.store.move(ports, new)
    google.store.rename(new, "Newer")
    google.asked.clear()

    drive_shelf.run()

    assert not [change for change in drive_shelf.told if isinstance(change, Gone)]
    assert drive_shelf.titles() == ["Ports"]
    assert fetched(google) == 0


def test_changes_elsewhere_in_the_drive_are_no_matter_of_ours(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    store = google.store
    private = store.folder("Private")
    store.share(private, ADDRESS)
    diary = store.doc("Diary", private, "Dear diary.")
    drive_shelf.run()
    store.write(diary, "Dear, dear diary.")
    store.delete(store.doc("Draft", private, "Nothing."))

    assert drive_shelf.run().told == []


def test_a_shared_drive_is_read_as_a_whole(google: FakeGoogleDrive, drive_shelf: Shelf) -> None:
    shared = google.store.drive("Company")
    google.store.share(shared, ADDRESS)
    ports = google.store.doc("Ports", google.store.folder("Ops", shared), "The gateway listens on port 8443.")
    drive_shelf.values["folder"] = f"https://drive.google.com/drive/folders/{shared}?usp=sharing"

    assert drive_shelf.connect().test() == f"{ADDRESS} sees “Company” with 1 files and folders directly in it."
    assert drive_shelf.run().titles() == ["Ports"]

    google.store.write(ports, "The gateway listens on port 9443.")
    assert drive_shelf.run().read() == ["Ports"]

    google.store.delete(ports)
    assert drive_shelf.run().titles() == []


def test_another_folder_replaces_the_first(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> None:
    google.store.doc("Ports", handbook, "The gateway listens on port 8443.")
    drive_shelf.run()
    other = google.store.folder("Other")
    google.store.share(other, ADDRESS)
    google.store.doc("Keys", other, "The key hangs by the door.")
    drive_shelf.values["folder"] = other

    assert drive_shelf.run().titles() == ["Keys"]


@pytest.mark.parametrize("refusal", ["gone", "invalid"])
def test_a_change_token_that_is_refused_leads_to_a_listing_without_downloads(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf, refusal: str
) -> None:
    for place in range(5):
        google.store.doc(f"Page {place}", handbook, f"Room {place} is on floor {place}.")
    drive_shelf.run()
    dropped = next(iter(drive_shelf.items))
    google.store.delete(dropped)
    google.store.doc("Keys", handbook, "The key hangs by the door.")
    if refusal == "gone":
        google.forgotten_before = len(google.store.log)
    else:
        drive_shelf.cursor = {**drive_shelf.cursor, "token": "not-a-token"}
    google.asked.clear()

    drive_shelf.run()

    assert drive_shelf.read() == ["Keys"]
    assert dropped not in drive_shelf.items
    assert len(drive_shelf.items) == 5
    assert fetched(google) == 1


def test_a_first_run_that_is_killed_goes_on_where_it_stopped(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sources.connectors.google_drive.api.PAGE", 25)
    for shelf in range(3):
        below = google.store.folder(f"Shelf {shelf}", handbook)
        for place in range(30):
            google.store.doc(f"Page {shelf}-{place}", below, f"Room {place} is on floor {shelf}.")
    total = 0
    for pages in (0, 1, 2, 3):
        with pytest.raises(Stopped):
            drive_shelf.run(pages=pages)
        total += len(drive_shelf.read())

    total += len(drive_shelf.run().read())

    assert len(drive_shelf.items) == 90
    assert total == 90, "what was stored was not read again"


def test_a_kill_at_any_page_of_a_run_of_changes_loses_nothing(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    store = google.store
    ids = [store.doc(f"Page {place}", handbook, f"Room {place}.") for place in range(45)]
    drive_shelf.run()
    for stop in range(1, 4):
        for id_ in ids[:44]:
            store.write(id_, f"Room {id_} after change {stop}.")
        store.trash(ids[44], trashed=stop % 2 == 1)
        with pytest.raises(Stopped):
            drive_shelf.run(pages=stop - 1)

        drive_shelf.run()

        assert all(f"after change {stop}" in drive_shelf.items[id_].text for id_ in ids[:44])
        assert (ids[44] in drive_shelf.items) == (stop % 2 == 0)


def test_a_document_that_fails_is_reported_and_tried_again_although_it_did_not_change(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    bad = google.store.doc("Bad", handbook, "It breaks.")
    google.store.doc("Good", handbook, "It works.")
    google.disturb(lambda asked: BROKEN if f"{bad}/export" in asked.path else None, times=4)

    drive_shelf.run()

    assert drive_shelf.titles() == ["Good"]
    assert [change for change in drive_shelf.told if isinstance(change, Unread)] == [
        Unread(bad, "Google Drive answers with an error of its own (503). It is tried again later.")
    ]
    assert drive_shelf.run().titles() == ["Bad", "Good"]
    assert drive_shelf.run().told == []


def test_a_folder_that_vanishes_while_it_is_listed_does_not_stop_the_listing(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    doomed = google.store.folder("Doomed", handbook)
    for place in range(3):
        google.store.doc(f"Page {place}", google.store.folder(f"Shelf {place}", handbook), f"Room {place}.")

    def vanish(asked: Asked) -> Answer | None:
        if doomed in asked.query.get("q", "") and doomed in google.store.files:
            google.store.delete(doomed)
        return None

    google.disturb(vanish)
    assert drive_shelf.run().titles() == ["Page 0", "Page 1", "Page 2"]


def test_a_text_that_is_too_long_is_cut_and_says_so(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> None:
    google.store.file("long.txt", handbook, b"The well is deep and old.\n" * 60_000)

    drive_shelf.run()

    (item,) = (change for change in drive_shelf.told if isinstance(change, Item))
    assert item.left_out == "Only the first 1.0 MB of 1.5 MB were read."
    assert item.text.endswith("The well is deep and old.")
