"""A list is taken along with its filters, and nothing that the person may not see."""

import json
from typing import Any

from memories.actors import Actor
from memories.choices import Scope, Tier
from tests import desk, factories


def exported(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def test_all_that_match_leave_as_json_lines(a1: Actor, b1: Actor, curator: Actor) -> None:
    factories.fact(a1, "The lamp is lit.", tier=Tier.POLICY, tags=("light",), metadata={"room": 7})
    factories.fact(a1, "The door is green.")
    factories.fact(a1, "The cellar is locked.", tier=Tier.POLICY, scope=Scope.PRIVATE)
    factories.fact(b1, "The apples are ripe.", tier=Tier.POLICY)
    sent = {"action": "export_selected", "_selected_action": ["x"], "select_across": "1", "index": "0"}
    answer = desk.at_desk(curator).post(f"{desk.list_of('fact')}?tier=policy", sent)
    assert answer["Content-Disposition"].startswith('attachment; filename="facts-')
    (found,) = exported(answer)
    assert (found["content"], found["tier"], found["tags"], found["metadata"]) == (
        "The lamp is lit.", "policy", ["light"], {"room": 7},
    )  # fmt: skip
