"""MCP over real HTTP: the official client against the site, and every way a request is turned away."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from mcp_types import CallToolResult
from pytest_django import Settings

from memories.services import keys
from neuronz.parsing import BODY_BYTES
from tests.neuronz.connections import no_database
from tests.neuronz.mcp_clients import ERAS, over_http, structure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("connections_are_ended")]

ACCEPT = {"Accept": "application/json, text/event-stream"}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def post(site: str, secret: str = "", body: Any = LIST_TOOLS, **headers: str) -> httpx.Response:
    authorization = {"Authorization": f"Bearer {secret}"} if secret else {}
    return httpx.post(f"{site}/mcp", json=body, headers={**ACCEPT, **authorization, **headers})


def said(response: httpx.Response) -> str:
    return str(response.json()["error"]["message"])


class TestCalls:
    @pytest.mark.parametrize("era", ERAS)
    def test_the_official_client_works_in_both_eras(self, site: str, a1_key: str, era: str) -> None:
        async def save_and_find() -> tuple[str, list[dict[str, Any]], int]:
            async with over_http(site, a1_key, era) as client:
                tools = await client.list_tools()
                await client.call_tool("fact_add", {"content": "The ferry leaves at nine."})
                found = structure(await client.call_tool("fact_search", {"query": "ferry"}))
                return client.protocol_version, found["results"], len(tools.tools)

        revision, results, tools = asyncio.run(save_and_find())

        assert (revision == "2026-07-28") == (era == "auto")
        assert [hit["memory"]["content"] for hit in results] == ["The ferry leaves at nine."]
        assert tools >= 8

    def test_without_a_session_nothing_is_kept_between_requests(self, site: str, a1_key: str) -> None:
        response = post(site, a1_key)

        assert response.headers["content-type"] == "application/json"
        assert "mcp-session-id" not in response.headers
        assert response.json()["result"]["tools"]

    @pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    def test_every_older_revision_is_served(self, site: str, a1_key: str, revision: str) -> None:
        """Each request stands for itself: none of them shakes hands first."""
        client = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
        hello = post(site, a1_key, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client})
        params = {"name": "fact_add", "arguments": {"content": "The ferry leaves at nine."}}
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
        added = post(site, a1_key, call, **{"MCP-Protocol-Version": revision}).json()["result"]

        assert hello.json()["result"]["protocolVersion"] == revision
        assert json.loads(added["content"][0]["text"])["outcome"] == "added"

    def test_the_product_comes_from_the_key_alone(self, site: str, a1_key: str, b1_key: str) -> None:
        async def save_and_look() -> list[Any]:
            async with over_http(site, a1_key) as mine, over_http(site, b1_key) as other:
                await mine.call_tool("fact_add", {"content": "The ferry leaves at nine."})
                return [structure(await each.call_tool("fact_list", {}))["results"] for each in (mine, other)]

        mine, other = asyncio.run(save_and_look())

        assert (len(mine), len(other)) == (1, 0)

    def test_a_large_text_fits(self, site: str, a1_key: str) -> None:
        async def keep() -> CallToolResult:
            async with over_http(site, a1_key) as client:
                return await client.call_tool("memory_add", {"text": "é" * 500_000, "wait": False})

        assert structure(asyncio.run(keep()))["state"] == "received"


class TestWhoIsTurnedAway:
    def test_no_key_is_asked_for_one(self, site: str) -> None:
        response = post(site)

        assert response.status_code == 401
        assert response.headers["www-authenticate"] == 'Bearer realm="neuronz"'
        assert "Send a valid agent key" in said(response)

    @pytest.mark.parametrize("secret", ["nonsense", "nz_0123456789ab_" + "a" * 43])
    def test_a_bad_key_is_called_invalid(self, site: str, secret: str) -> None:
        response = post(site, secret)

        assert response.status_code == 401
        assert 'error="invalid_token"' in response.headers["www-authenticate"]

    def test_a_revoked_key_is_a_bad_key(self, site: str, a1_key: str) -> None:
        verified = keys.verify(a1_key)
        assert verified is not None
        keys.revoke(key=verified.key)

        assert post(site, a1_key).status_code == 401

    @pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])
    def test_only_post_is_taken(self, site: str, a1_key: str, method: str) -> None:
        response = httpx.request(method, f"{site}/mcp", headers={"Authorization": f"Bearer {a1_key}"})

        assert (response.status_code, response.headers["allow"]) == (405, "POST")

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", ""])
    def test_a_foreign_host_is_misdirected(self, site: str, a1_key: str, host: str) -> None:
        assert post(site, a1_key, Host=host).status_code == 421

    @pytest.mark.parametrize(
        "host", ["brain.example", "brain.example:8443", "a.sub.example", "localhost:1", "[::1]:80"]
    )
    def test_hosts_of_the_settings_are_served(self, site: str, a1_key: str, settings: Settings, host: str) -> None:
        settings.ALLOWED_HOSTS = ["brain.example", ".sub.example", "localhost", "[::1]"]

        assert post(site, a1_key, Host=host).status_code == 200

    def test_pages_of_other_origins_are_refused(self, site: str, a1_key: str, settings: Settings) -> None:
        settings.CSRF_TRUSTED_ORIGINS = ["https://board.example"]

        for origin in ("https://evil.example", "null"):
            assert post(site, a1_key, Origin=origin).status_code == 403
        for origin in (site, "https://board.example"):
            assert post(site, a1_key, Origin=origin).status_code == 200

    def test_a_body_over_the_limit_is_refused(self, site: str, a1_key: str) -> None:
        def endless() -> Iterator[bytes]:
            for _ in range(BODY_BYTES // 2**20 + 2):
                yield b"x" * 2**20

        headers = {**ACCEPT, "Authorization": f"Bearer {a1_key}", "Content-Type": "application/json"}
        announced = httpx.post(f"{site}/mcp", content=b"x" * (BODY_BYTES + 1), headers=headers)
        streamed = httpx.post(f"{site}/mcp", content=endless(), headers=headers)

        assert (announced.status_code, streamed.status_code) == (413, 413)
        assert "at most 16 MiB" in said(announced)

    def test_a_key_over_its_rate_is_told_when_to_come_back(self, site: str, a1_key: str, settings: Settings) -> None:
        settings.RATE_PER_MINUTE = 2
        rest = httpx.get(f"{site}/api/v1/whoami/", headers={"Authorization": f"Bearer {a1_key}"})
        first, second = post(site, a1_key), post(site, a1_key)

        assert (rest.status_code, first.status_code, second.status_code) == (200, 200, 429)
        assert 1 <= int(second.headers["retry-after"]) <= 60
        assert "try again in" in said(second)

    def test_a_dead_database_is_not_a_bad_key(self, site: str, a1_key: str) -> None:
        assert post(site, a1_key).status_code == 200
        with no_database():
            response = post(site, a1_key)

        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        assert "The database does not answer now" in said(response)
        assert post(site, a1_key).status_code == 200

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b"5", json.dumps({"method": 5}).encode()])
    def test_no_body_breaks_it(self, site: str, a1_key: str, body: bytes) -> None:
        headers = {**ACCEPT, "Authorization": f"Bearer {a1_key}", "Content-Type": "application/json"}

        assert 400 <= httpx.post(f"{site}/mcp", content=body, headers=headers).status_code < 500

    def test_arguments_of_a_wrong_type_are_a_fault_of_the_protocol(self, site: str, a1_key: str) -> None:
        params = {"name": "fact_list", "arguments": ["x"]}
        response = post(site, a1_key, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})

        assert response.json()["error"]["code"] == -32602
