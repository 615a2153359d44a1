"""Documents of a branch: read once, kept in step with the branch, and nothing fetched twice."""

import pytest

from sources.connectors.base import ConnectorError, Gone, Item, Skipped, Unread
from tests.conftest import Clock
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.github_hub import Hub
from tests.sources.fakes.github_store import Repo


@pytest.fixture
def docs(shelf: Shelf) -> Shelf:
    shelf.values["parts"] = ("docs",)
    return shelf


def blobs(hub: Hub) -> int:
    return sum("/git/blobs/" in path for path in hub.paths)


def test_a_first_run_reads_the_documents_of_the_default_branch(docs: Shelf, hub: Hub) -> None:
    docs.news()

    assert sorted(docs.items) == ["doc:README.md", "doc:docs/oncall.md"]
    item = docs.items["doc:docs/oncall.md"]
    assert (item.title, item.url) == ("docs/oncall.md", f"{hub.web}/blob/main/docs/oncall.md")
    assert "Noor leads the payments team." in item.text
    assert str(item.revised_at) == "2026-03-01 09:00:00+00:00"


def test_a_run_that_finds_nothing_new_makes_two_requests_that_cost_nothing(docs: Shelf, hub: Hub) -> None:
    docs.news()
    before, left = len(hub.paths), hub.remaining

    assert docs.news() == []
    assert hub.paths[before:] == ["/repos/octo/handbook", "/repos/octo/handbook/branches/main"]
    assert hub.remaining == left


def test_only_a_changed_document_is_fetched_again(docs: Shelf, hub: Hub, repo: Repo, clock: Clock) -> None:
    docs.news()
    fetched = blobs(hub)
    clock.pass_(days=1)
    repo.commit(files={"README.md": "# Handbook\n\nThe gateway listens on port 9443.\n"})

    [change] = docs.news()

    assert isinstance(change, Item)
    assert "9443" in change.text
    assert (change.revised_at, blobs(hub)) == (clock.now, fetched + 1)


def test_a_commit_of_the_same_files_lists_nothing(docs: Shelf, hub: Hub, repo: Repo) -> None:
    docs.news()
    repo.commit(files={})
    before = len(hub.paths)

    assert docs.news() == []
    assert len(hub.paths) == before + 2


def test_a_renamed_document_says_what_it_was_called(docs: Shelf, repo: Repo) -> None:
    docs.news()
    text = repo.branches["main"].files["docs/oncall.md"]
    repo.commit(files={"docs/oncall.md": None, "docs/duty.md": text})

    [change] = docs.news()

    assert isinstance(change, Item)
    assert (change.key, change.formerly) == ("doc:docs/duty.md", "doc:docs/oncall.md")


def test_a_removed_document_vanishes_and_one_moved_in_appears(docs: Shelf, repo: Repo) -> None:
    docs.news()
    repo.commit(files={"docs/oncall.md": None, "docs/new.md": "Lamp oil is kept in the cellar.\n"})

    assert {type(each).__name__: each.key for each in docs.news()} == {
        "Item": "doc:docs/new.md",
        "Gone": "doc:docs/oncall.md",
    }


def test_patterns_choose_the_documents(docs: Shelf, repo: Repo) -> None:
    docs.news()
    docs.values |= {"patterns": ("docs/**", "*.py"), "without": ("oncall.md",)}

    assert [type(each).__name__ for each in docs.news()] == ["Item", "Gone", "Gone"]
    assert sorted(docs.items) == ["doc:src/app.py"]


def test_another_branch_is_read_when_it_is_chosen(docs: Shelf, hub: Hub, repo: Repo) -> None:
    repo.commit(branch="release/1", base=repo.branches["main"], files={"docs/oncall.md": None})
    docs.values["branch"] = "release/1"

    docs.news()

    assert docs.items["doc:README.md"].url == f"{hub.web}/blob/release/1/README.md"
    assert len(docs.items) == 1


def test_a_missing_branch_is_a_sentence(docs: Shelf) -> None:
    docs.values["branch"] = "nowhere"

    with pytest.raises(ConnectorError, match="no branch nowhere") as error:
        docs.news()

    assert error.value.permanent


def test_a_renamed_default_branch_costs_no_blob(docs: Shelf, hub: Hub, repo: Repo) -> None:
    docs.news()
    fetched = blobs(hub)
    repo.branches = {"trunk": repo.branches["main"]}
    repo.default_branch, repo.renamed_branches = "trunk", {"main": "trunk"}

    assert docs.news() == []
    assert blobs(hub) == fetched


def test_a_forced_push_back_is_no_older_revision(docs: Shelf, repo: Repo, clock: Clock) -> None:
    first = repo.branches["main"]
    clock.pass_(days=1)
    repo.commit(files={"README.md": "The gateway listens on port 1.\n"})
    docs.news()
    repo.branches["main"] = first

    [change] = docs.news()

    assert isinstance(change, Item)
    assert ("8443" in change.text, change.revised_at) == (True, None)


def test_an_empty_repository_has_no_documents(docs: Shelf, repo: Repo) -> None:
    repo.branches, repo.commits = {}, {}

    assert docs.news() == []


def test_what_is_no_text_is_left_out_with_a_reason(docs: Shelf, repo: Repo) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    repo.modes["link.md"] = "120000"
    repo.commit(files={"bin.md": b"\0\1", "lfs.md": pointer, "link.md": "README.md", "odd.md": b"\xff\xfa",
                           "huge.md": "x" * (10 * 2**20 + 1)})  # fmt: skip

    skipped = {each.key: each.reason for each in docs.news() if isinstance(each, Skipped)}

    assert skipped == {
        "doc:bin.md": "it is binary",
        "doc:lfs.md": "its content is kept in Git LFS, which is not read",
        "doc:link.md": "it is a link to another file",
        "doc:odd.md": "it is not in UTF-8",
        "doc:huge.md": "it is larger than 10 MiB",
    }


def test_a_long_document_is_cut_and_says_so(docs: Shelf, repo: Repo) -> None:
    repo.commit(files={"long.md": "The lamp burns oil.\n" * 60_000})

    docs.news()

    item = docs.items["doc:long.md"]
    assert len(item.text) <= 2**20
    assert item.text.endswith("oil.\n")
    assert "first MiB" in item.left_out


def test_one_document_that_fails_stops_nothing_and_is_tried_again(docs: Shelf, hub: Hub) -> None:
    hub.fail("/git/blobs/", 404)

    assert [type(each) for each in docs.news()] == [Unread, Item]
    assert [each.key for each in docs.news()] == ["doc:README.md"]
    assert docs.news() == []


def test_a_stop_in_mid_sweep_goes_on_from_the_cursor(docs: Shelf, hub: Hub, repo: Repo) -> None:
    repo.commit(files={f"many/{at:02}.md": f"Lamp {at} burns oil.\n" for at in range(45)})
    docs.news(pages=2)
    read = len(docs.items)
    repo.commit(files={"README.md": "# Changed\n\nThe lamp is new.\n"})

    docs.news()

    assert (read, len(docs.items)) == (20, 47)
    assert blobs(hub) == 47 + 20  # only the page that was not stored is fetched twice
    [change] = docs.news()
    assert change.key == "doc:README.md"


def test_a_sweep_whose_commit_was_pushed_away_begins_again(docs: Shelf, repo: Repo) -> None:
    repo.commit(files={f"many/{at:02}.md": f"Lamp {at} burns oil.\n" for at in range(45)})
    docs.news(pages=2)
    repo.branches, repo.commits = {}, {}
    repo.commit(files={"README.md": "# New\n\nThe lamp is new.\n"})

    docs.news()

    assert list(docs.items) == ["doc:README.md"]


def test_a_tree_too_large_for_one_answer_is_read_folder_by_folder(docs: Shelf, hub: Hub) -> None:
    hub.truncates_over = 2

    docs.news()

    assert sorted(docs.items) == ["doc:README.md", "doc:docs/oncall.md"]


def test_documents_that_are_not_wanted_any_more_go(docs: Shelf) -> None:
    docs.news()
    docs.values["parts"], docs.cursor = ("issues",), {}  # the engine forgets the cursor when fields change

    assert {each.key for each in docs.news() if isinstance(each, Gone)} == {"doc:README.md", "doc:docs/oncall.md"}
