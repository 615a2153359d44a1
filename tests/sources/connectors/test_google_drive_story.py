"""A folder of Google Drive through its life, by the real engine: after each run the memories are looked at."""

from collections.abc import Callable

import pytest
from django.db.models import QuerySet

from memories.choices import Kind, Trigger
from memories.models import Memory, Product
from sources import connections
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SourceItem, SyncProblem, SyncRun
from sources.syncing import engine
from tests.sources.fakes.google_drive import ADDRESS, TOO_FAST, FakeGoogleDrive
from tests.sources.fakes.google_oauth import new_service_account
from tests.sources.fakes.serving import Answer, Asked

Sync = Callable[[], SyncRun]

pytestmark = pytest.mark.django_db

PORT, NEW_PORT = "The gateway listens on port 8443.", "The gateway listens on port 9443."
OIL = "The lamp oil is kept in the cellar."
NOOR = "Noor leads the payments team."
RENT = "The office in Tarnvik costs 900 crowns a month."


@pytest.fixture
def source(lighthouse: Product, google: FakeGoogleDrive, handbook: str) -> Source:
    entered = {"folder": handbook, "api_url": google.url, "service_account": google.key_file()}
    return connections.connect(product=lighthouse, type_=SourceType.GOOGLE_DRIVE, name="handbook", entered=entered)


@pytest.fixture
def sync(source: Source) -> Sync:
    def run() -> SyncRun:
        done = engine.sync(source.pk, trigger=Trigger.PERSON)
        assert done is not None
        return done

    return run


def statuses(*contents: str) -> list[str]:
    """Of statements; the raw text of a short document may read the same."""
    found = Memory.objects.exclude(kind=Kind.RAW)
    return [", ".join(found.filter(content=each).values_list("status", flat=True)) for each in contents]


def test_a_folder_through_its_life(google: FakeGoogleDrive, handbook: str, source: Source, sync: Sync) -> None:
    store = google.store
    ports = store.doc("Ports", handbook, f"# Ports\n\n{PORT} {OIL}\n")
    people = store.file("people.txt", store.folder("People", handbook), NOOR.encode())
    elsewhere = store.folder("Elsewhere")
    rent = store.doc("Rent", elsewhere, RENT)

    # first
    run = sync()
    assert (run.state, run.error, run.seen, run.new, run.added) == (RunState.DONE, "", 2, 2, 3)
    assert statuses(PORT, OIL, NOOR, RENT) == ["verified", "verified", "verified", ""]
    assert {each.tier for each in Memory.objects.filter(content=PORT)} == {"official"}
    assert SourceItem.objects.get(key=ports).url == f"https://drive.google.com/file/d/{ports}/view?usp=drivesdk"

    # unchanged
    before = Memory.objects.count()
    google.asked.clear()
    run = sync()
    assert (run.state, run.new, run.changed) == (RunState.DONE, 0, 0)
    assert (Memory.objects.count(), len(google.asked)) == (before, 3)

    # changed: only the statement that changed is superseded
    store.write(ports, f"# Ports\n\n{NEW_PORT} {OIL}\n")
    run = sync()
    assert (run.changed, run.superseded, run.retired) == (1, 1, 0)
    assert statuses(PORT, NEW_PORT, OIL) == ["superseded", "verified", "verified"]

    is_renamed_moved_and_binned(google, handbook, ports=ports, rent=rent, people=people, sync=sync)
    fails_half_way_and_goes_on(google, handbook, source, sync)
    has_a_change_token_that_is_too_old(google, sync)
    loses_its_key_and_its_share(google, handbook, source, sync)


def is_renamed_moved_and_binned(
    google: FakeGoogleDrive, handbook: str, *, ports: str, rent: str, people: str, sync: Sync
) -> None:
    """And all the way back."""
    store = google.store
    (elsewhere,) = store.files[rent]["parents"]
    store.rename(ports, "Ports and oil")
    store.move(rent, handbook)
    store.trash(people)
    run = sync()
    assert (run.new, run.removed, run.superseded) == (1, 1, 0)
    assert statuses(NEW_PORT, OIL, RENT, NOOR) == ["verified", "verified", "verified", "retired"]
    assert SourceItem.objects.get(key=ports).title == "Ports and oil"

    store.trash(people, trashed=False)
    store.move(rent, elsewhere)
    run = sync()
    assert (run.restored, run.brought_back, run.removed) == (1, 1, 1)
    assert statuses(NOOR, RENT) == ["verified", "retired"]


def rooms() -> "QuerySet[Memory]":
    return Memory.objects.exclude(kind=Kind.RAW).filter(status="verified", content__startswith="Room")


def fails_half_way_and_goes_on(google: FakeGoogleDrive, handbook: str, source: Source, sync: Sync) -> None:
    for place in range(30):
        google.store.doc(f"Room {place}", handbook, f"Room {place} is on floor {place} of the tower.")
    exports: list[Asked] = []

    def tire(asked: Asked) -> Answer | None:
        if "/export" in asked.path:
            exports.append(asked)
        return TOO_FAST if len(exports) > 25 else None

    google.disturb(tire, times=4)
    run = sync()
    source.refresh_from_db()
    assert (run.state, run.new) == (RunState.FAILED, 20)
    assert "asks us to slow down" in run.error
    assert source.state == SourceState.ACTIVE

    exports.clear()
    run = sync()
    assert (run.state, run.new, run.unchanged) == (RunState.DONE, 10, 20)
    assert sorted(rooms().values_list("content", flat=True)) == sorted(
        f"Room {place} is on floor {place} of the tower." for place in range(30)
    ), "nothing is missing, and nothing is there twice"


def has_a_change_token_that_is_too_old(google: FakeGoogleDrive, sync: Sync) -> None:
    """Everything is listed, what went meanwhile is retired, and nothing is downloaded."""
    gone = next(id_ for id_, file in google.store.files.items() if file["name"] == "Room 7")
    google.store.delete(gone)
    google.forgotten_before = len(google.store.log)
    google.asked.clear()

    run = sync()

    assert (run.state, run.removed, run.unchanged, google.count("/export")) == (RunState.DONE, 1, 31, 0)
    assert statuses("Room 7 is on floor 7 of the tower.") == ["retired"]


def loses_its_key_and_its_share(google: FakeGoogleDrive, handbook: str, source: Source, sync: Sync) -> None:
    """The source is paused with a sentence, nothing counts as removed, and all is well once it is mended."""
    google.oauth.accounts[ADDRESS] = new_service_account(ADDRESS)
    run = sync()
    source.refresh_from_db()
    assert (run.state, source.state) == (RunState.FAILED, SourceState.PAUSED)
    assert source.reason == (
        "Google doesn't accept the service account's key, or no longer. Make a new key and enter it."
    )
    assert rooms().count() == 29

    connections.change(source, entered={**source.values, "service_account": google.key_file()})
    google.store.unshare(handbook, ADDRESS)
    run = sync()
    assert f"Share it with {ADDRESS} as Viewer" in run.error
    assert rooms().count() == 29

    google.store.share(handbook, ADDRESS)
    run = sync()
    assert (run.state, run.new, run.removed) == (RunState.DONE, 0, 0)
    source.refresh_from_db()
    assert source.state == SourceState.ACTIVE


def test_a_broken_document_is_a_problem_of_the_run_and_stops_nothing(
    google: FakeGoogleDrive, handbook: str, sync: Sync
) -> None:
    broken = google.store.file("broken.pdf", handbook, b"%PDF-1.7 nothing", "application/pdf")
    google.store.doc("Ports", handbook, PORT)

    run = sync()

    assert (run.state, run.skipped, run.new) == (RunState.DONE, 1, 1)
    problem = SyncProblem.objects.get(run=run)
    assert (problem.key, problem.reason) == (broken, "it is damaged, or protected by a password")
    assert statuses(PORT) == ["verified"]
