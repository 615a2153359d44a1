"""What goes wrong with Google Drive, and that each of it is told as what to do about it."""

import pytest

from sources.connectors.base import ConnectorError, Skipped, Unread
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.google_drive import (
    ADDRESS,
    BROKEN,
    CLIENT,
    CLIENT_SECRET,
    PERSON,
    REFRESH_TOKEN,
    TOO_FAST,
    TOO_MANY,
    FakeGoogleDrive,
)
from tests.sources.fakes.google_oauth import new_service_account
from tests.sources.fakes.google_rules import refusal
from tests.sources.fakes.google_store import DOC, FORM, SHORTCUT
from tests.sources.fakes.serving import Answer, Asked


@pytest.fixture
def signed_in(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> Shelf:
    """The folder, read by a person's refresh token instead of a service account."""
    google.store.share(handbook, PERSON)
    drive_shelf.values |= {"client_id": CLIENT, "token_url": google.token_url}
    drive_shelf.secrets = {"client_secret": CLIENT_SECRET, "refresh_token": REFRESH_TOKEN}
    return drive_shelf


def test_the_test_says_who_sees_what(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> None:
    google.store.doc("Ports", handbook, "The gateway listens on port 8443.")

    assert drive_shelf.connect().test() == f"{ADDRESS} sees “Handbook” with 1 files and folders directly in it."


def test_only_reading_is_asked_for(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> None:
    drive_shelf.run()

    (access,) = google.oauth.handed_out.values()
    assert access.scopes == {"https://www.googleapis.com/auth/drive.readonly"}


def test_an_access_token_that_expires_in_mid_run_is_renewed(
    google: FakeGoogleDrive, handbook: str, signed_in: Shelf
) -> None:
    for place in range(4):
        google.store.doc(f"Page {place}", handbook, f"Room {place}.")

    def expire(asked: Asked) -> Answer | None:
        if google.count("/export") == 3:
            google.oauth.expire()
        return None

    google.disturb(expire)

    assert len(signed_in.run().items) == 4
    assert google.count("/token") == 2


@pytest.mark.parametrize(
    ("secrets", "sentence"),
    [
        ({"refresh_token": "1//revoked"}, "Google doesn't accept the refresh token any more"),
        ({"client_secret": "GOCSPX-other"}, "Google doesn't know this client ID and secret"),
        ({"client_secret": ""}, "Enter the key file of a service account, or all three"),
        ({"service_account": "{not json"}, "Paste the whole JSON file"),
        ({"service_account": "[]"}, "Paste the whole JSON file"),
    ],
)
def test_credentials_that_are_refused_stop_the_source_and_are_not_repeated(
    signed_in: Shelf, secrets: dict[str, str], sentence: str
) -> None:
    signed_in.secrets |= secrets

    with pytest.raises(ConnectorError) as refused:
        signed_in.run()

    assert refused.value.permanent
    assert sentence in refused.value.sentence
    assert not any(secret and secret in refused.value.sentence for secret in signed_in.secrets.values())


def test_a_key_that_was_deleted_stops_the_source(google: FakeGoogleDrive, drive_shelf: Shelf) -> None:
    google.oauth.accounts[ADDRESS] = new_service_account(ADDRESS)

    with pytest.raises(ConnectorError, match="doesn't accept the service account's key") as refused:
        drive_shelf.run()

    assert refused.value.permanent


def test_a_token_without_the_scope_stops_the_source(google: FakeGoogleDrive, signed_in: Shelf) -> None:
    google.oauth.refresh_tokens[REFRESH_TOKEN] = (CLIENT, PERSON, frozenset({"openid"}))

    with pytest.raises(ConnectorError, match=r"drive\.readonly") as refused:
        signed_in.run()

    assert refused.value.permanent


def test_a_folder_that_is_no_longer_shared_stops_the_source_and_nothing_counts_as_removed(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    google.store.doc("Ports", handbook, "The gateway listens on port 8443.")
    drive_shelf.run()
    google.store.unshare(handbook, ADDRESS)

    with pytest.raises(ConnectorError, match=f"Share it with {ADDRESS} as Viewer") as refused:
        drive_shelf.run()

    assert refused.value.permanent
    assert drive_shelf.titles() == ["Ports"]


def test_a_file_or_a_folder_in_the_bin_is_no_folder_to_read(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    drive_shelf.values["folder"] = google.store.doc("Ports", handbook, "Text.")
    with pytest.raises(ConnectorError, match="a file, not a folder"):
        drive_shelf.run()

    google.store.trash(handbook)
    drive_shelf.values["folder"] = handbook
    with pytest.raises(ConnectorError, match="in the bin"):
        drive_shelf.run()

    drive_shelf.values["folder"] = "https://docs.example.org/no folder"
    with pytest.raises(ConnectorError, match="no folder of Google Drive"):
        drive_shelf.run()


@pytest.mark.parametrize("answer", [TOO_FAST, TOO_MANY, BROKEN])
def test_a_service_that_is_busy_for_a_moment_is_waited_for(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf, waits: list[float], answer: Answer
) -> None:
    google.store.doc("Ports", handbook, "The gateway listens on port 8443.")
    google.disturb(lambda asked: answer if "/export" in asked.path else None, times=2)

    assert drive_shelf.run().titles() == ["Ports"]
    assert len(waits) == 2


def test_a_rate_limit_that_lasts_ends_the_run_and_the_next_one_goes_on(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    for place in range(30):
        google.store.doc(f"Page {place}", handbook, f"Room {place}.")
    exports: list[Asked] = []

    def tire(asked: Asked) -> Answer | None:
        if "/export" in asked.path:
            exports.append(asked)
        return TOO_FAST if len(exports) > 25 else None

    google.disturb(tire, times=4)
    with pytest.raises(ConnectorError, match="asks us to slow down") as refused:
        drive_shelf.run()

    assert not refused.value.permanent
    assert len(drive_shelf.items) == 20
    exports.clear()
    assert len(drive_shelf.run().items) == 30
    assert len(drive_shelf.read()) == 10


def test_a_service_that_is_down_ends_the_run_instead_of_failing_every_document(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    for place in range(30):
        google.store.doc(f"Page {place}", handbook, f"Room {place}.")
    google.disturb(lambda asked: BROKEN if "/export" in asked.path else None, times=1_000)

    with pytest.raises(ConnectorError, match="an error of its own") as refused:
        drive_shelf.run()

    assert not refused.value.permanent
    assert google.count("/export") == 5 * 4


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("accessNotConfigured", "The Drive API is switched off"),
        ("domainPolicy", "don't let apps read Drive"),
        ("dailyLimitExceeded", "quota for today is used up"),
    ],
)
def test_refusals_of_the_whole_service_are_told_in_words(
    google: FakeGoogleDrive, drive_shelf: Shelf, reason: str, sentence: str
) -> None:
    google.disturb(lambda asked: refusal(403, reason, "No.").answer if "/files/" in asked.path else None, times=9)

    with pytest.raises(ConnectorError, match=sentence):
        drive_shelf.run()


def test_what_is_not_read_says_why(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> None:
    store = google.store
    reasons = {
        store.add("Survey", handbook, FORM): "it is a form",
        store.add("photo.png", handbook, "image/png", size="9"): "it is of a type that is not read (image/png)",
        store.add("old.doc", handbook, "application/msword"): "save it as .docx",
        store.add("Short cut", handbook, SHORTCUT): "it is a shortcut",
        store.add("film.pdf", handbook, "application/pdf", size=str(80 * 2**20)): "it is too large (80 MB",
        store.add("closed.pdf", handbook, "application/pdf", capabilities={"canDownload": False}): "doesn't let",
        store.file("broken.pdf", handbook, b"%PDF-1.7 nothing", "application/pdf"): "damaged",
        store.file("broken.docx", handbook, b"PK\3\4 nothing", "application/vnd.openxmlformats-officedocument."
                   "wordprocessingml.document"): "damaged",
        store.file("binary.txt", handbook, b"\0\1\2"): "it is no text",
        store.file("empty.txt", handbook, b" \n"): "there is no text in it",
        store.file("mystery", handbook, b"?", "application/octet-stream"): "of a type that is not read",
    }  # fmt: skip
    store.file("known.md", handbook, b"The oil is in the cellar.", "application/octet-stream")

    drive_shelf.run()

    told = {change.key: change.reason for change in drive_shelf.told if isinstance(change, Skipped)}
    assert told.keys() == reasons.keys()
    assert all(reasons[key] in told[key] for key in reasons)
    assert drive_shelf.titles() == ["known.md"]


def test_a_document_too_large_to_export_as_markdown_is_read_as_text_or_left_out(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    google.export_limit = 400
    pictures = google.store.doc("Pictures", handbook, "")
    google.store.exports[pictures] = {"text/markdown": b"x" * 500, "text/plain": b"The lens is in the lamp room."}
    long = google.store.doc("Long", handbook, "y" * 500)

    drive_shelf.run()

    assert drive_shelf.text("Pictures") == "The lens is in the lamp room."
    assert drive_shelf.told.count(Skipped(long, "it is too large (Google exports at most 10 MB)")) == 1


def test_pictures_inside_a_document_are_no_text(google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf) -> None:
    google.store.doc(
        "Lens", handbook, "The lens ![][image1] is clean.\n\n[image1]: <data:image/png;base64,iVBORw0KGgo=>\n"
    )

    assert drive_shelf.run().text("Lens").strip() == "The lens  is clean."


def test_a_document_that_goes_away_after_it_was_listed_has_gone(
    google: FakeGoogleDrive, handbook: str, drive_shelf: Shelf
) -> None:
    quick = google.store.add("Quick", handbook, DOC)
    google.disturb(lambda asked: refusal(404, "notFound", "No.").answer if "/export" in asked.path else None)

    drive_shelf.run()

    assert quick not in drive_shelf.items
    assert not [change for change in drive_shelf.told if isinstance(change, Unread)]
