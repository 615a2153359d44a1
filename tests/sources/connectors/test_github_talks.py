"""Issues, pull requests, releases and discussions: what was said, by whom and when, and nothing asked for twice."""

import pytest

from memories.reading import Context, PlainReader
from sources.connectors.base import Gone, Item, Unread
from tests.conftest import Clock
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.github_hub import Hub
from tests.sources.fakes.github_store import Repo


@pytest.fixture
def talks(shelf: Shelf) -> Shelf:
    shelf.values["parts"] = ("issues", "pulls")
    return shelf


def test_an_issue_is_read_with_its_comments_speakers_and_days(talks: Shelf, hub: Hub, repo: Repo, clock: Clock) -> None:
    clock.pass_(days=2)
    repo.comment(1, "I moved it to the large runner.\r\n\r\nPort: 8443 is open.", by="bo-li")
    repo.comment(1, "- The runner has 8 GB of memory.", by="build[bot]")

    talks.news()

    item = talks.items["issue:1"]
    assert item.text == (
        "# Deploy fails (#1)\n\n(1 March 2026) GitHub: Issue #1 “Deploy fails” is open.\n\n"
        "(1 March 2026) ann: The deploy job needs 4 GB of memory.\n\n"
        "(3 March 2026) bo-li: I moved it to the large runner.\n\nPort\\: 8443 is open.\n\n"
        "(3 March 2026) build-bot: Comment:\n\n- The runner has 8 GB of memory.\n"
    )
    assert (item.title, item.url) == ("#1 Deploy fails", f"{hub.web}/issues/1")
    assert item.revised_at == clock.now


def test_reading_gives_every_statement_its_speaker_and_day(talks: Shelf, repo: Repo, clock: Clock) -> None:
    repo.comment(1, "I prefer the nightly window for deploys.", by="bo-li")
    repo.comment(1, "```\nport: 8443\nname: gateway\n```\n\nThe config names the gateway.", by="cy")
    talks.news()

    read = PlainReader().read(talks.items["issue:1"].text, Context(clock.now))

    assert {each.text: each.person for each in read}["Bo-li prefers the nightly window for deploys."] == "bo-li"
    assert "Issue #1 “Deploy fails” is open." in [each.text for each in read]
    assert not any("March 2026" in each.text for each in read)


def test_a_first_comment_changes_no_statement_that_was_there(talks: Shelf, repo: Repo, clock: Clock) -> None:
    talks.news()
    before = [each.text for each in PlainReader().read(talks.items["issue:1"].text, Context(clock.now))]
    clock.pass_(days=1)
    repo.comment(1, "The runner has 8 GB of memory.")
    talks.news()

    after = [each.text for each in PlainReader().read(talks.items["issue:1"].text, Context(clock.now))]

    assert before == ["Issue #1 “Deploy fails” is open.", "The deploy job needs 4 GB of memory."]
    assert after == [*before, "The runner has 8 GB of memory."]


def test_nothing_new_costs_one_free_request(talks: Shelf, hub: Hub) -> None:
    talks.news()
    talks.news()  # the first one after a sweep learns the ETag
    before, left = len(hub.paths), hub.remaining

    assert talks.news() == []
    assert hub.paths[before:] == ["/repos/octo/handbook", "/repos/octo/handbook/issues"]
    assert hub.remaining == left


def test_only_a_changed_talk_is_read_again(talks: Shelf, hub: Hub, repo: Repo, clock: Clock) -> None:
    for at in range(30):
        repo.issue(f"Lamp {at}", f"Lamp {at} burns oil.")
        clock.pass_(minutes=10)
        repo.comment(at + 4, "It is lit.")
    talks.news()
    clock.pass_(hours=1)
    repo.comment(7, "It is out.")
    before = len(hub.paths)

    [change] = talks.news()

    assert change.key == "issue:7"
    assert hub.paths[before:].count("/repos/octo/handbook/issues/7/comments") == 1
    assert len(hub.paths) == before + 3


def test_a_closed_issue_says_so(talks: Shelf, repo: Repo, clock: Clock) -> None:
    talks.news()
    clock.pass_(hours=1)
    repo.touch(1, state="closed", state_reason="not_planned", assignees=[{"login": "ann"}], labels=[{"name": "ci"}])

    [change] = talks.news()

    assert isinstance(change, Item)
    assert "is closed as not planned, assigned to ann, with the labels ci." in change.text


def test_a_pull_request_is_read_with_its_reviews(talks: Shelf, hub: Hub, repo: Repo) -> None:
    repo.review(2, "The runner costs 5 euros a day.")
    repo.touch(2, state="closed", pull_request={"merged_at": repo.stamp})

    talks.news()

    item = talks.items["issue:2"]
    assert "Pull request #2 “Use the large runner” is merged." in item.text
    assert "cy: The runner costs 5 euros a day." in item.text
    assert item.url == f"{hub.web}/pull/2"


def test_a_part_that_is_off_is_not_read(talks: Shelf) -> None:
    talks.values["parts"] = ("issues",)
    talks.news()
    assert list(talks.items) == ["issue:1"]

    talks.values["parts"] = ("pulls",)
    talks.news()
    assert list(talks.items) == ["issue:2"]


def test_a_deleted_issue_is_found_by_the_daily_listing(talks: Shelf, hub: Hub, repo: Repo, clock: Clock) -> None:
    repo.comment(2, "It stays.")
    talks.news()
    del repo.issues[1]
    clock.pass_(hours=2)
    assert talks.news() == []

    clock.pass_(days=1)
    before = len(hub.paths)

    assert talks.news() == [Gone("issue:1")]
    assert len(hub.paths) == before + 2  # nothing that is known is read again


def test_hundreds_are_listed_without_a_gap_while_some_are_deleted(talks: Shelf, repo: Repo, clock: Clock) -> None:
    for at in range(250):
        clock.pass_(seconds=0 if 100 < at < 230 else 30)  # more than a page in one second as well
        repo.issue(f"Lamp {at}", "It burns oil.")
    talks.news(pages=4)
    for number in range(4, 14):
        del repo.issues[number]

    talks.news()

    assert set(talks.items) == {f"issue:{number}" for number in repo.issues} | {f"issue:{n}" for n in range(4, 14)}
    clock.pass_(days=2)
    talks.news()
    assert set(talks.items) == {f"issue:{number}" for number in repo.issues}


def test_a_stop_in_mid_listing_reads_one_page_twice(talks: Shelf, hub: Hub, repo: Repo, clock: Clock) -> None:
    for at in range(50):
        clock.pass_(seconds=30)
        repo.issue(f"Lamp {at}", "It burns oil.")
        repo.comment(at + 4, "It is lit.")
    talks.news(pages=3)

    talks.news()

    comments = [path for path in hub.paths if path.endswith("/comments") and "/issues/" in path]
    assert len(talks.items) == 52
    assert len(set(comments)) == 50
    assert len(comments) == 50 + 20  # only the page that was not stored is read twice


def test_one_talk_that_fails_stops_nothing_and_is_tried_again(talks: Shelf, hub: Hub, repo: Repo) -> None:
    repo.comment(1, "It is lit.")
    hub.fail("/issues/1/comments", 422)

    assert {each.key: type(each) for each in talks.news()} == {"issue:1": Unread, "issue:2": Item}
    assert [each.key for each in talks.news()] == ["issue:1"]
    assert talks.news() == []


def test_an_issue_that_was_moved_while_it_could_not_be_read_is_gone(talks: Shelf, hub: Hub, repo: Repo) -> None:
    repo.comment(1, "It is lit.")
    hub.fail("/issues/1/comments", 422)
    talks.news()
    del repo.issues[1]

    assert talks.news() == [Gone("issue:1")]


def test_issues_that_are_switched_off_are_gone(talks: Shelf, repo: Repo) -> None:
    talks.news()
    repo.has_issues = False

    assert talks.news() == [Gone("issue:1"), Gone("issue:2")]
    assert talks.news() == []


# --- releases ---------------------------------------------------------------------------------------------


@pytest.fixture
def releases(shelf: Shelf) -> Shelf:
    shelf.values["parts"] = ("releases",)
    return shelf


def test_releases_are_read_and_kept_in_step(releases: Shelf, hub: Hub, repo: Repo) -> None:
    repo.release("v1.1", "Not yet.", draft=True)
    releases.news()
    [(key, item)] = releases.items.items()
    assert item.text == "# v1.0\n\nRelease v1.0 was published on 1 March 2026.\n\nThe first release.\n"
    assert (key, item.url) == ("release:500", f"{hub.web}/releases/tag/v1.0")

    left = hub.remaining
    assert (releases.news(), hub.remaining) == ([], left)

    repo.releases[1]["body"] = "The first release, mended."
    assert [each.key for each in releases.news()] == ["release:500"]

    del repo.releases[1]
    assert releases.news() == [Gone("release:500")]


# --- discussions ------------------------------------------------------------------------------------------


@pytest.fixture
def discussions(shelf: Shelf) -> Shelf:
    shelf.values["parts"] = ("discussions",)
    return shelf


def test_discussions_are_read_with_what_was_answered(discussions: Shelf, hub: Hub, repo: Repo, clock: Clock) -> None:
    for at in range(15):
        repo.discussion(f"Lamp {at}", "It burns oil.")
    clock.pass_(hours=1)
    discussions.news()
    assert len(discussions.items) == 16
    assert discussions.items["discussion:3"].url == f"{hub.web}/discussions/3"

    clock.pass_(hours=1)
    repo.reply(3, "I prefer Emacs.")
    asked = len(hub.paths)
    [change] = discussions.news()
    assert isinstance(change, Item)
    assert "(1 March 2026) eve: I prefer Emacs." in change.text
    assert "Discussion #3 “Which editor?” in Ideas is open." in change.text
    assert len(hub.paths) == asked + 2

    clock.pass_(hours=1)
    assert discussions.news() == []


def test_a_deleted_discussion_is_found_by_the_daily_listing(discussions: Shelf, repo: Repo, clock: Clock) -> None:
    discussions.news()
    del repo.discussions[3]
    clock.pass_(days=1)

    assert discussions.news() == [Gone("discussion:3")]


def test_a_discussion_that_changes_while_all_are_listed_is_not_lost(
    discussions: Shelf, repo: Repo, clock: Clock
) -> None:
    for at in range(25):
        repo.discussion(f"Lamp {at}", "It burns oil.")
    discussions.news(pages=2)
    clock.pass_(minutes=1)
    repo.reply(20, "It is lit.")
    repo.reply(3, "I prefer Emacs.")
    discussions.news()
    discussions.news()

    assert len(discussions.items) == 26
    assert "Emacs" in discussions.items["discussion:3"].text


def test_discussions_that_are_off_are_not_asked_for(discussions: Shelf, hub: Hub, repo: Repo) -> None:
    repo.has_discussions = False

    assert discussions.news() == []
    assert discussions.news() == []
    assert "/api/graphql" not in hub.paths
