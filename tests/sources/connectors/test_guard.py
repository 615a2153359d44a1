"""Where connectors may go: not inside, in no spelling, by no name and by no redirect."""

from collections.abc import Sequence

import pytest

from sources.connectors import guard, http
from sources.connectors.base import ConnectorError
from sources.connectors.http import Outbound
from tests.sources.fakes.serving import SECRET, Answer, Answering

ANY = "0.0.0.0"  # noqa: S104  # nothing is bound to it


def names(monkeypatch: pytest.MonkeyPatch, *answers: Sequence[str]) -> list[str]:
    """A name service that gives these answers in turn; what it was asked is returned."""
    left, asked = list(answers), []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return list(left.pop(0) if len(left) > 1 else left[0])

    monkeypatch.setattr(guard, "resolve", resolve)
    return asked


# --- where it may go --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", ANY, "224.0.0.1",
     "168.63.129.16", "255.255.255.255", "192.0.2.1", "::1", "::", "fc00::1", "fe80::1", "fd00:ec2::254", "ff02::1",
     "::ffff:127.0.0.1", "::ffff:a00:1", "::7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::",
     "2001:0:7f00:1:0:0:80ff:fffe"],
)  # fmt: skip
def test_a_name_that_leads_inside_is_refused(address: str, service: Outbound, monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, ["140.82.112.3", address])

    with pytest.raises(ConnectorError, match=r"git\.example leads to an address") as refusal:
        service.get("https://git.example/")

    assert refusal.value.permanent


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/",
     "https://127.1/", "https://0x7f.1/", "https://127.0.0.1./", "https://[::ffff:127.0.0.1]/"],
)  # fmt: skip
def test_an_inner_address_is_refused_in_every_spelling(url: str, service: Outbound) -> None:
    with pytest.raises(ConnectorError, match="address") as refusal:
        service.get(url)

    assert refusal.value.permanent


@pytest.mark.parametrize("url", ["http://example.org/", "ftp://example.org/", "https:///x", "file:///etc/passwd", "x"])
def test_only_https_is_spoken(url: str, service: Outbound) -> None:
    with pytest.raises(ConnectorError, match="address") as refusal:
        service.get(url)

    assert refusal.value.permanent


def test_credentials_in_an_address_are_refused_and_not_repeated(service: Outbound) -> None:
    with pytest.raises(ConnectorError, match="user name or a password") as refusal:
        service.get("https://me:hunter22@example.org/")

    assert "hunter22" not in str(refusal.value)


def test_a_setting_allows_this_machine(private_allowed: None, service: Outbound, answering: Answering) -> None:
    server = answering(Answer(body={"is": "here"}))

    assert service.get(f"{server.url}/docs", params={"page": 2}).json() == {"is": "here"}
    assert (server.asked[0].path, server.asked[0].query) == ("/docs", {"page": "2"})
    assert server.asked[0].headers["user-agent"] == http.USER_AGENT


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254", ANY, "ff02::1"])
def test_no_setting_allows_what_holds_a_machines_credentials(
    address: str, private_allowed: None, service: Outbound, monkeypatch: pytest.MonkeyPatch
) -> None:
    names(monkeypatch, [address])

    with pytest.raises(ConnectorError, match="no document lives at"):
        service.get("https://git.example/")


def test_the_checked_address_is_the_one_connected_to(
    private_allowed: None, service: Outbound, answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that changes its answer is not asked a second time for one connection."""
    server = answering(Answer(body=b"ours"))
    asked = names(monkeypatch, ["127.0.0.1"], ["127.0.0.99"])

    answer = service.get(server.url.replace("127.0.0.1", "git.example"))

    assert (answer.content, asked) == (b"ours", ["git.example"])
    assert server.asked[0].headers["host"].startswith("git.example:")


# --- redirects --------------------------------------------------------------------------------------------


def moved(to: str, status: int = 302) -> Answer:
    return Answer(status, headers={"Location": to})


def test_a_redirect_within_the_host_keeps_the_credentials(
    private_allowed: None, service: Outbound, answering: Answering
) -> None:
    server = answering(moved("/new", 301), Answer(body=b"here"))

    assert service.get(f"{server.url}/old").content == b"here"
    assert [each.headers.get("authorization") for each in server.asked] == [f"Bearer {SECRET}"] * 2


def test_a_redirect_to_another_host_drops_the_credentials(
    private_allowed: None, service: Outbound, answering: Answering
) -> None:
    other = answering(Answer(body=b"there"))
    server = answering(moved(f"{other.url}/new"))

    assert service.get(server.url).content == b"there"
    assert SECRET not in str(other.asked[0].headers)
    assert other.asked[0].headers["user-agent"] == http.USER_AGENT


def test_a_redirect_inside_is_refused(private_allowed: None, service: Outbound, answering: Answering) -> None:
    server = answering(moved("http://169.254.169.254/latest/meta-data/"))

    with pytest.raises(ConnectorError, match="no document lives at"):
        service.get(server.url)


def test_redirects_end(private_allowed: None, service: Outbound, answering: Answering) -> None:
    server = answering(moved("/again"))

    with pytest.raises(ConnectorError, match="sends us on") as refusal:
        service.get(server.url)

    assert len(server.asked) == http.MOST_REDIRECTS + 1
    assert refusal.value.permanent


def test_what_is_posted_is_not_sent_on(private_allowed: None, service: Outbound, answering: Answering) -> None:
    server = answering(moved("/elsewhere", 307))

    with pytest.raises(ConnectorError, match="sends us on"):
        service.request("POST", server.url, json={"token": SECRET})
