"""`manage.py mcp` as a client starts it: a program of its own, the protocol on its standard output, the key in its
environment."""

import asyncio
import subprocess
import sys
from typing import Any

import psycopg
import pytest
from django.db import connection
from mcp import Client

from memories.services import keys
from neuronz.mcp.threads import THREADS
from tests.neuronz.mcp_clients import ERAS, MANAGE, over_stdio, sentence, structure

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("era", ERAS)
def test_a_client_saves_finds_and_is_told_what_is_wrong(environment: dict[str, str], a1_key: str, era: str) -> None:
    async def use(client: Client) -> tuple[dict[str, Any], str]:
        await client.call_tool("fact_add", {"content": "The ferry leaves at nine."})
        found = structure(await client.call_tool("fact_search", {"query": "ferry"}))
        return found, sentence(await client.call_tool("fact_search", {"qurey": "ferry"}))

    found, complaint = asyncio.run(used(environment, a1_key, use, era))

    assert [hit["memory"]["content"] for hit in found["results"]] == ["The ferry leaves at nine."]
    assert complaint.startswith("qurey: Not a field here.")


def test_many_calls_stay_within_the_pool(environment: dict[str, str], a1_key: str) -> None:
    async def use(client: Client) -> tuple[int, int]:
        results = [await client.call_tool("fact_list", {}) for _ in range(50)]
        results += await asyncio.gather(*(client.call_tool("fact_list", {}) for _ in range(20)))
        return sum(not each.is_error for each in results), await asyncio.to_thread(count_connections)

    before = count_connections()
    succeeded, after = asyncio.run(used(environment, a1_key, use))

    assert succeeded == 70
    assert after - before <= THREADS


def test_a_key_revoked_meanwhile_ends(environment: dict[str, str], a1_key: str) -> None:
    verified = keys.verify(a1_key)
    assert verified is not None

    async def use(client: Client) -> str:
        await asyncio.to_thread(keys.revoke, key=verified.key)
        return sentence(await client.call_tool("fact_list", {}))

    assert "Send a valid agent key" in asyncio.run(used(environment, a1_key, use))


@pytest.mark.parametrize(
    ("key", "said"), [("", "Set NEURONZ_API_KEY to an agent's key"), ("nz_wrong", "NEURONZ_API_KEY holds no valid key")]
)
def test_without_a_good_key_it_ends_with_a_sentence(environment: dict[str, str], key: str, said: str) -> None:
    ended = subprocess.run(
        [sys.executable, MANAGE, "mcp"], env=environment | {"NEURONZ_API_KEY": key}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False, timeout=180,
    )  # fmt: skip

    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_only_the_protocol_is_on_standard_output(environment: dict[str, str], a1_key: str) -> None:
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"t","version":"1"}}}\n'
    )
    ended = subprocess.run(
        [sys.executable, MANAGE, "mcp"], env=environment | {"NEURONZ_API_KEY": a1_key}, capture_output=True, text=True,
        input=hello, check=False, timeout=180,
    )  # fmt: skip

    assert ended.returncode == 0, ended.stderr
    (line,) = ended.stdout.splitlines()
    assert '"serverInfo":{"name":"neuronz"' in line


async def used(environment: dict[str, str], secret: str, use: Any, era: str = ERAS[0]) -> Any:
    async with over_stdio(environment, secret, era) as client:
        return await use(client)


def count_connections() -> int:
    """Connections to the test's database, the test's own among them."""
    with psycopg.connect(**{**connection.get_connection_params(), "cursor_factory": None}) as outside:
        row = outside.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()").fetchone()
    return int(row[0]) if row else 0
