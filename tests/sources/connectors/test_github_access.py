"""Who GitHub lets in, how long it makes us wait, and what staff are told."""

from time import time

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from sources.connectors.base import ConnectorError
from sources.connectors.github import GitHub
from sources.connectors.github.api import api_root
from tests.sources.connectors.shelf import Shelf
from tests.sources.fakes.github_hub import App, Hub
from tests.sources.fakes.github_store import Repo

EVERYTHING = ["discussion:3", "doc:README.md", "doc:docs/oncall.md", "issue:1", "issue:2", "release:500"]


@pytest.fixture(scope="module")
def keys() -> tuple[str, str]:
    """A private key as GitHub hands it out, and its public one."""
    key = rsa.generate_private_key(65537, 2048)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()


def refusal(shelf: Shelf) -> ConnectorError:
    with pytest.raises(ConnectorError) as error:
        shelf.news()
    assert "good" not in str(error.value)
    return error.value


def test_every_part_is_read_and_a_second_run_is_free(shelf: Shelf, hub: Hub) -> None:
    shelf.news()
    shelf.news()
    asked, left = len(hub.paths), hub.remaining

    assert sorted(shelf.items) == EVERYTHING
    assert shelf.news() == []
    assert len(hub.paths) - asked == 5  # the repository, and one for each listing
    assert left == hub.remaining


def test_the_test_of_a_connection_says_what_it_opens(shelf: Shelf) -> None:
    assert shelf.connect().test() == "The private repository octo/handbook can be read, with every part that is chosen."


def test_a_token_that_expired_is_for_people(shelf: Shelf, hub: Hub) -> None:
    shelf.news()
    hub.expiry["good"] = time() - 1

    error = refusal(shelf)

    assert (error.permanent, "Enter new ones" in error.sentence) == (True, True)
    assert sorted(shelf.items) == EVERYTHING


@pytest.mark.parametrize(
    ("missing", "part", "named"),
    [
        ("contents", "docs", "Documents can't be read .* Contents: read"),
        ("issues", "issues", "Issues can't be read .* Issues: read"),
        ("discussions", "discussions", "Discussions can't be read .* Discussions: read"),
    ],
)
def test_a_missing_permission_is_named(shelf: Shelf, hub: Hub, missing: str, part: str, named: str) -> None:
    hub.tokens["good"] = set(hub.tokens["good"]) - {missing}
    shelf.values["parts"] = (part,)

    for call in (shelf.connect().test, shelf.news):
        with pytest.raises(ConnectorError, match=named) as error:
            call()
        assert error.value.permanent


def test_a_repository_that_is_not_shown_is_a_sentence(shelf: Shelf) -> None:
    shelf.secrets.clear()

    error = refusal(shelf)

    assert (error.permanent, "Check the names" in error.sentence) == (True, True)


def test_a_public_repository_needs_no_credentials(shelf: Shelf, repo: Repo) -> None:
    repo.is_private, shelf.secrets = False, {}
    shelf.values["parts"] = ("docs", "issues", "pulls", "releases")

    shelf.news()

    assert len(shelf.items) == 5


def test_a_used_up_limit_ends_the_run_and_the_next_goes_on(shelf: Shelf, hub: Hub, waits: list[float]) -> None:
    hub.remaining = 4
    error = refusal(shelf)
    asked = len(hub.paths)

    assert error.permanent is False
    assert 1700 < (error.retry_after or 0) <= 1801
    assert (asked, waits) == (5, [])  # four, and one of GraphQL; nothing is asked once the limit is known to be used up

    hub.remaining = 5000
    shelf.news()
    assert sorted(shelf.items) == EVERYTHING


def test_a_secondary_limit_is_obeyed(shelf: Shelf, hub: Hub, waits: list[float]) -> None:
    hub.fail("/issues$", 403, "You have exceeded a secondary rate limit.", Retry_After="5")

    shelf.news()

    assert sorted(shelf.items) == EVERYTHING
    assert 5 <= waits[0] < 6


def test_a_server_that_fails_half_way_leaves_what_was_read(shelf: Shelf, hub: Hub) -> None:
    for _ in range(4):
        hub.fail("/releases", 502)

    assert refusal(shelf).permanent is False
    assert sorted(shelf.items) == EVERYTHING[1:-1]

    shelf.news()
    assert sorted(shelf.items) == EVERYTHING


def test_an_app_reads_with_tokens_it_fetches(shelf: Shelf, hub: Hub, keys: tuple[str, str]) -> None:
    private, public = keys
    hub.app = App("77", 4711, public)
    hub.tokens.clear()
    shelf.values |= {"app_id": "77", "installation_id": "4711"}
    shelf.secrets = {"private_key": private}

    shelf.news()

    assert sorted(shelf.items) == EVERYTHING
    assert hub.paths.count("/app/installations/4711/access_tokens") == 1


@pytest.mark.parametrize(("app_id", "installation"), [("78", "4711"), ("77", "4712")])
def test_an_app_that_is_not_let_in_is_a_sentence(
    shelf: Shelf, hub: Hub, keys: tuple[str, str], app_id: str, installation: str
) -> None:
    hub.app = App("77", 4711, keys[1])
    shelf.values |= {"app_id": app_id, "installation_id": installation}
    shelf.secrets = {"private_key": keys[0]}

    error = refusal(shelf)

    assert (error.permanent, "doesn't give this app a token" in error.sentence) == (True, True)


@pytest.mark.parametrize(
    ("values", "secrets", "sentence"),
    [
        ({"app_id": "77"}, {}, "needs all three"),
        ({"app_id": "77", "installation_id": "1"}, {"private_key": "hello"}, "private key can't be read"),
        ({"app_id": "77", "installation_id": "1"}, {"private_key": "k", "token": "good"}, "not both"),
        ({"base_url": "ftp://git.example.org"}, {}, "has to begin with https"),
    ],
)
def test_fields_that_do_not_fit_are_sentences(
    hub: Hub, shelf: Shelf, values: dict[str, str], secrets: dict[str, str], sentence: str
) -> None:
    shelf.values, shelf.secrets = {**shelf.values, **values}, secrets

    with pytest.raises(ConnectorError, match=sentence) as error:
        shelf.connect().test()

    assert error.value.permanent


@pytest.mark.parametrize("entered", ["handbook", "octo/handbook/tree", "", "octo/hand book", "octo/handbook?x=1"])
def test_what_is_no_repository_is_refused(shelf: Shelf, entered: str) -> None:
    shelf.values["repository"] = entered

    with pytest.raises(ConnectorError, match="owner/name"):
        shelf.connect()


@pytest.mark.parametrize("entered", ["https://github.com/octo/handbook", "octo/handbook.git", " octo/handbook "])
def test_an_address_that_was_pasted_will_do(shelf: Shelf, entered: str) -> None:
    shelf.values["repository"] = entered

    assert "octo/handbook" in shelf.connect().test()


def test_a_repository_that_moved_is_followed(shelf: Shelf, hub: Hub, repo: Repo) -> None:
    shelf.news()
    repo.full_name, hub.former_names = "octo-org/guide", {"octo/handbook"}

    assert "It is called octo-org/guide now." in shelf.connect().test()
    assert shelf.news() == []

    repo.commit(files={"README.md": "# Guide\n"})
    shelf.news()
    assert shelf.items["doc:README.md"].url == f"{hub.server.url}/octo-org/guide/blob/main/README.md"


def test_another_repository_under_the_name_is_read_from_the_start(shelf: Shelf, repo: Repo) -> None:
    shelf.news()
    repo.id, repo.issues, repo.comments = 2002, {}, {}

    shelf.news()

    assert sorted(shelf.items) == [key for key in EVERYTHING if "issue" not in key]


def test_what_is_no_api_is_a_sentence(shelf: Shelf, hub: Hub) -> None:
    hub.fail("/repos/", 200, "")
    hub.failures[0] = (hub.failures[0][0], type(hub.failures[0][1])(200, b"<html>"))

    assert "not GitHub's API" in refusal(shelf).sentence


@pytest.mark.parametrize(
    ("entered", "root"),
    [
        ("", "https://api.github.com/"), ("https://github.com", "https://api.github.com/"),
        ("https://git.example.org", "https://git.example.org/api/v3/"), ("git.example.org", "https://git.example.org/api/v3/"),
        ("https://git.example.org/api/v3", "https://git.example.org/api/v3/"), ("https://octo.ghe.com", "https://api.octo.ghe.com/"),
    ],
)  # fmt: skip
def test_the_api_stands_behind_the_address_that_people_know(entered: str, root: str) -> None:
    assert api_root(entered) == root


def test_no_private_address_is_reached_without_the_setting(settings: object) -> None:
    connection = Shelf(GitHub, {"repository": "octo/handbook", "base_url": "https://127.0.0.1"}, {"token": "good"})

    with pytest.raises(ConnectorError, match="inside this network"):
        connection.connect().test()
