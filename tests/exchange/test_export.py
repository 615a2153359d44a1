"""The doors: an agent takes along what it may read, an operator all of a product; and nothing is forgotten."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from memories.actors import Actor
from memories.choices import Scope
from memories.models import Product
from memories.services.exchange.tables import all_tables
from tests import factories, guards
from tests.api.door import Door

#: Models that stay behind, each with its reason.
LEFT_BEHIND = {
    "Product": "its name stands in the header; its settings belong to the server",
    "Membership": "people and their roles belong to the server",
    "AgentKey": "a key opens one server",
    "Embedding": "made anew from the content",
    "IdempotentAnswer": "answers of one server, kept for a day",
    "Given": "what recall gave in sessions of one server, kept for days",
    **dict.fromkeys(("Entity", "Mention", "Relation", "RelationEvidence"), "the graph is made anew from the memories"),
    "TermCounts": "counted anew",
    **dict.fromkeys(("SavedView", "Assignment", "Preference"), "how people of one server work"),
    "Pulse": "when tasks of one server ran",
    "ErasureReceipt": "what one server erased and when",
    "ErasedStatement": "hashes with the secret of one server",
    "CognitionSettings": "settings of the server",
    "CognitionRun": "what one server did and when",
    "Proposal": "asked anew",
    "AuthorityDefault": "a setting of the server",
    "SyncRun": "what one server did and when",
    "SyncProblem": "what one server met",
    "ModelUse": "what a language model read for a product on a day: a bill, and no memory",
    "Upload": "a file that waits to be read; what was read of it leaves with the memories",
    "RawText": "the same rows as Memory",
}


def test_every_model_leaves_with_its_product_or_stays_for_a_reason() -> None:
    """A new model needs a Table in its app's exporter, or a line above."""
    ours = {each.__name__ for app in guards.APPS for each in apps.get_app_config(app).get_models()}
    assert ours - {table.model.__name__ for table in all_tables()} - set(LEFT_BEHIND) == set()


@pytest.mark.parametrize("table", all_tables(), ids=lambda table: table.record)
def test_every_column_leaves_or_stays_for_a_reason(table: Any) -> None:
    """A new column needs a place in its Table, among `columns` or in `left_out`."""
    columns = {each.name for each in table.model._meta.concrete_fields}
    assert columns - {table.column(name).name for name in table.columns} == set(table.left_out)


class TestRest:
    def test_what_the_key_may_read_comes_line_by_line(self, a1: Actor, a2: Actor, a1_key: str, b1: Actor) -> None:
        for by, scope in ((a1, Scope.SHARED), (a1, Scope.PRIVATE), (a2, Scope.SHARED), (a2, Scope.PRIVATE)):
            factories.fact(by, f"{by.name} {scope}", scope=scope)
        factories.fact(b1, "beyond the wall")

        answer = Door(a1_key).get("export/")

        assert answer.headers["Content-Type"] == "application/x-ndjson"
        contents = [line["content"] for line in answer.body if line["record"] == "memory"]
        assert contents == ["a1 shared", "a1 private", "a2 shared"]
        assert answer.body[0] == {
            "record": "neuronz", "version": 1, "product": {"slug": "lighthouse", "name": "Lighthouse"},
        }  # fmt: skip
        assert answer.body[-1]["counts"]["memory"] == 3

    def test_who_asks_for_json_lines_gets_them(self, a1_key: str) -> None:
        door = Door(a1_key)
        assert door.send("GET", "export/", Accept="application/x-ndjson").code == 200
        assert door.get("export/", kind="Fact").fields == {"kind"}
        assert door.get("export/", format="csv").fields == {"format"}


class TestCommand:
    def test_a_file_is_whole_and_for_this_user_alone(self, lighthouse: Product, a1: Actor, tmp_path: Path) -> None:
        factories.fact(a1, "The lamp is lit.", scope=Scope.PRIVATE)
        out = tmp_path / "lighthouse.jsonl"

        call_command("export", "--product", "lighthouse", "--out", str(out))

        lines = [json.loads(line) for line in out.read_text().splitlines()]
        assert [line["content"] for line in lines if line["record"] == "memory"] == ["The lamp is lit."]
        assert out.stat().st_mode & 0o777 == 0o600
        assert list(tmp_path.iterdir()) == [out]

    def test_private_memories_can_be_left_out(
        self, lighthouse: Product, a1: Actor, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        factories.fact(a1, "Mine.", scope=Scope.PRIVATE)
        factories.fact(a1, "Ours — 我们的.")
        call_command("export", "--product", "lighthouse", "--shared-only")
        told = capfdbinary.readouterr().out.decode()
        assert "Ours — 我们的." in told
        assert "Mine." not in told

    def test_a_product_or_folder_that_is_not_there_ends_in_a_sentence(self, lighthouse: Product) -> None:
        with pytest.raises(CommandError, match="There is no product 'moon'"):
            call_command("export", "--product", "moon")
        with pytest.raises(CommandError, match="can't be written: no such file or directory"):
            call_command("export", "--product", "lighthouse", "--out", "/nowhere/at/all.jsonl")
