"""Connecting a program: what it is told, by command and in the admin, with a key that works in its place."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client as Browser
from django.urls import reverse

from memories import connecting
from memories.actors import Actor
from memories.connecting import Access, Client
from memories.models import Agent, AgentKey, Product
from memories.services import keys
from tests import desk, factories

ACCESS = Access(url="https://memory.example.org", key="nz_0123456789ab_secret", clone="/home/kim/neuronz")
SECRET = re.compile(r"nz_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")
#: Where the key itself never stands in the file: the client takes it from its environment or asks for it.
FILES = [
    (Client.CODEX, "~/.codex/config.toml"),
    (Client.CODEX, "~/.codex/hooks.json"),
    (Client.GEMINI, "~/.gemini/settings.json"),
    (Client.CURSOR, "~/.cursor/mcp.json"),
    (Client.VSCODE, ".vscode/mcp.json"),
]


def text_of(client: Client, where: str) -> str:
    return next(step.text for step in connecting.steps(client, ACCESS) if step.where == where)


@pytest.mark.parametrize("client", list(Client))
def test_every_client_is_told_the_address_and_the_key(client: Client) -> None:
    steps = connecting.steps(client, ACCESS)
    said = "\n".join(step.text for step in steps)
    assert client in connecting.LABELS
    assert ACCESS.url in said
    assert ACCESS.key in said
    assert all(step.title and step.text for step in steps)


@pytest.mark.parametrize(("client", "where"), FILES)
def test_files_are_read_by_their_own_formats_and_leave_the_key_out(client: Client, where: str) -> None:
    text = text_of(client, where)
    read = tomllib.loads(text) if where.endswith(".toml") else json.loads(text)
    assert read
    assert ACCESS.key not in text


def test_hooks_call_the_script_of_the_clone() -> None:
    hooks = json.loads(text_of(Client.CODEX, "~/.codex/hooks.json"))["hooks"]
    command = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    assert command == "python3 /home/kim/neuronz/plugins/claude-code/scripts/hook.py recall"


def test_gemini_counts_its_time_limits_in_milliseconds() -> None:
    hooks = json.loads(text_of(Client.GEMINI, "~/.gemini/settings.json"))["hooks"]
    assert hooks["BeforeAgent"][0]["hooks"][0]["timeout"] >= 1_000


# --- the command


@pytest.mark.django_db
class TestCommand:
    def test_it_makes_the_agent_and_prints_its_key_in_place(
        self, lighthouse: Product, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call_command("connect", "codex", product="lighthouse", url="https://memory.example.org/")
        printed = capsys.readouterr().out
        caller = keys.verify(SECRET.findall(printed)[0])
        assert caller
        assert (caller.actor.name, caller.product) == ("codex", lighthouse)
        assert '"https://memory.example.org/mcp"' in printed

    def test_an_agent_that_is_there_gets_a_further_key(
        self, a1: Actor, a1_key: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call_command("connect", "cursor", product="lighthouse", agent="a1")
        caller = keys.verify(SECRET.findall(capsys.readouterr().out)[0])
        assert caller
        assert caller.actor == a1
        assert keys.verify(a1_key)

    def test_a_key_that_is_given_is_used_and_none_is_made(
        self, a1_key: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call_command("connect", "vscode", key=a1_key)
        assert a1_key in capsys.readouterr().out
        assert AgentKey.objects.count() == 1

    def test_a_revoked_key_is_refused(self, a1_key: str) -> None:
        keys.revoke(key=AgentKey.objects.get())
        with pytest.raises(CommandError, match="revoked"):
            call_command("connect", "vscode", key=a1_key)

    def test_without_product_or_key_it_says_what_is_missing(self, db: None) -> None:
        with pytest.raises(CommandError, match="--product SLUG"):
            call_command("connect", "codex")
        assert not Agent.objects.exists()


# --- the page


@pytest.fixture
def address() -> str:
    return reverse("admin:memories_agent_connect")


@pytest.fixture
def mona(manager: Actor) -> Browser:
    return desk.at_desk(manager)


def agent_of(actor: Actor) -> str:
    return str(actor.agent_id)


def test_the_page_makes_a_key_and_shows_it_in_place(mona: Browser, a1: Actor, address: str) -> None:
    answer = mona.post(address, {"client": "codex", "agent": agent_of(a1)})
    caller = keys.verify(SECRET.findall(answer.content.decode())[0])
    assert caller
    assert caller.actor == a1
    assert "no-store" in answer["Cache-Control"]
    assert "http://testserver/mcp" in answer.content.decode()
    assert AgentKey.objects.filter(created_by="manager").count() == 1


def test_looking_at_the_page_makes_no_key(mona: Browser, a1: Actor, address: str) -> None:
    before = AgentKey.objects.count()
    page = mona.get(address, {"client": "codex", "agent": agent_of(a1)}).content.decode()
    assert "a1 in" in page
    assert AgentKey.objects.count() == before


@pytest.mark.parametrize("sent", [{"client": "wizard"}, {"client": ""}, {}])
def test_an_unknown_program_makes_no_key(mona: Browser, a1: Actor, address: str, sent: dict[str, Any]) -> None:
    before = AgentKey.objects.count()
    assert mona.post(address, {"agent": agent_of(a1)} | sent).status_code == 200
    assert AgentKey.objects.count() == before


def test_an_agent_of_another_product_can_not_be_chosen(mona: Browser, a1: Actor, b1: Actor, address: str) -> None:
    before = AgentKey.objects.count()
    page = mona.post(address, {"client": "codex", "agent": agent_of(b1)}).content.decode()
    assert "b1" not in page
    assert AgentKey.objects.count() == before


def test_the_page_is_the_managers(curator: Actor, a1: Actor, address: str) -> None:
    before = AgentKey.objects.count()
    kim = desk.at_desk(curator)
    assert kim.get(address).status_code == 403
    assert kim.post(address, {"client": "codex", "agent": agent_of(a1)}).status_code == 403
    assert AgentKey.objects.count() == before


def test_without_an_agent_the_page_says_what_comes_first(mona: Browser, address: str) -> None:
    assert "Make one first" in mona.get(address).content.decode()


def test_the_list_of_agents_leads_to_the_page(mona: Browser, a1: Actor, address: str) -> None:
    assert address in mona.get(desk.list_of("agent")).content.decode()
    assert factories.queued == []


@pytest.mark.parametrize("client", list(Client))
def test_the_documentation_says_the_same(client: Client) -> None:
    page = (Path(settings.BASE_DIR) / "docs" / "connect.md").read_text()
    assert all(step.text in page for step in connecting.steps(client, Access(url="http://127.0.0.1:8000")))
