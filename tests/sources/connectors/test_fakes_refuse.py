"""The services that tests play refuse what the real ones refuse, so that a connector that passes here asks rightly."""

import httpx
import pytest

from tests.sources.fakes.clickup import OAUTH, PERSONAL, FakeClickUp
from tests.sources.fakes.google_drive import ADDRESS, FakeGoogleDrive
from tests.sources.fakes.google_oauth import Access

FOREVER = float("inf")


@pytest.mark.parametrize(
    ("asked", "status", "reason"),
    [
        ("files?shape=round", 400, "badRequest"),
        ("files?pageSize=many", 400, "invalidParameter"),
        ("files?fields=files(id,nmae)", 400, "invalidParameter"),
        ("files?fields=files(id", 400, "invalidParameter"),
        ("files?q=name likes 'x'", 400, "invalid"),
        ("files?q='nobody' in parents", 404, "notFound"),
        ("files?includeItemsFromAllDrives=true", 403, "teamDrivesNotSupported"),
        ("files?corpora=drive&supportsAllDrives=true", 400, "invalid"),
        ("files?pageToken=made-up", 400, "invalid"),
        ("files/DRIVE", 404, "notFound"),  # without supportsAllDrives
        ("files/DOC?alt=media", 403, "fileNotDownloadable"),
        ("files/DOC/export?mimeType=image/png", 400, "badRequest"),
        ("files/DOC/export", 400, "required"),
        ("changes", 400, "required"),
        ("changes?pageToken=x", 400, "invalid"),
        ("changes?pageToken=0", 410, "pageTokenExpired"),
        ("about", 400, "required"),
    ],
)
def test_the_drive_refuses(google: FakeGoogleDrive, handbook: str, asked: str, status: int, reason: str) -> None:
    document, drive = google.store.doc("Ports", handbook, "Port 8443."), google.store.drive("Company")
    google.store.share(drive, ADDRESS)
    google.forgotten_before = 1
    google.oauth.handed_out["good"] = Access(
        ADDRESS, frozenset({"https://www.googleapis.com/auth/drive.readonly"}), FOREVER
    )
    address = f"{google.url}/drive/v3/{asked.replace('DOC', document).replace('DRIVE', drive)}"

    answer = httpx.get(address, headers={"Authorization": "Bearer good"})

    assert (answer.status_code, answer.json()["error"]["errors"][0]["reason"]) == (status, reason)


def test_the_drive_opens_contents_to_no_one_who_may_see_names_only(google: FakeGoogleDrive, handbook: str) -> None:
    document = google.store.doc("Ports", handbook, "Port 8443.")
    scope = "https://www.googleapis.com/auth/drive.metadata.readonly"
    google.oauth.handed_out["names"] = Access(ADDRESS, frozenset({scope}), FOREVER)
    address = f"{google.url}/drive/v3/files/{document}/export?mimeType=text/markdown"

    assert httpx.get(address, headers={"Authorization": "Bearer names"}).status_code == 403
    assert httpx.get(address, headers={"Authorization": "Bearer stale"}).status_code == 401
    assert httpx.get(address).status_code == 401


@pytest.mark.parametrize(
    ("token", "asked", "status", "code"),
    [
        ("", "v2/team", 400, "OAUTH_017"),
        ("pk_nobody", "v2/team", 401, "OAUTH_025"),
        (f"Bearer {PERSONAL}", "v2/team", 401, "OAUTH_025"),
        (OAUTH, "v2/team", 401, "OAUTH_025"),
        (f"Bearer {OAUTH}", "v2/team/TEAM/task", 401, "OAUTH_027"),
        (PERSONAL, "v2/team/TEAM/task?archived=true", 400, "INPUT_001"),
        (PERSONAL, "v2/team/TEAM/task?subtasks=yes", 400, "INPUT_002"),
        (PERSONAL, "v2/team/TEAM/task?date_updated_gt=today", 400, "INPUT_003"),
        (PERSONAL, "v2/team/TEAM/task?order_by=name", 400, "INPUT_004"),
        (PERSONAL, "v2/task/TASK/comment?start=1", 400, "INPUT_005"),
        (PERSONAL, "v2/task/nothing", 404, "ITEM_013"),
        (PERSONAL, "v3/workspaces/TEAM/docs?limit=500", 400, "PUBAPIDOCS_001"),
        (PERSONAL, "v3/workspaces/TEAM/docs/nothing/pages", 404, "PUBAPIDOCS_003"),
    ],
)
def test_clickup_refuses(clickup: FakeClickUp, board: str, *, token: str, asked: str, status: int, code: str) -> None:
    (team,) = clickup.store.workspaces
    task = clickup.store.task(board, "Order oil")
    address = f"{clickup.url}/api/{asked.replace('TEAM', team).replace('TASK', task)}"

    answer = httpx.get(address, headers={"Authorization": token} if token else {})

    assert (answer.status_code, answer.json()["ECODE"]) == (status, code)


def test_clickup_says_how_many_requests_are_left_and_turns_the_next_away(clickup: FakeClickUp, board: str) -> None:
    clickup.allowance = 1
    first, second = (httpx.get(f"{clickup.url}/api/v2/team", headers={"Authorization": PERSONAL}) for _ in range(2))

    assert first.headers["x-ratelimit-remaining"] == "0"
    assert (second.status_code, int(second.headers["x-ratelimit-reset"]) > 0) == (429, True)
