"""How many queries each reading call may take, however many rows there are. A change is a decision seen in the diff."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from memories.choices import Trigger
from memories.models import Product
from sources.choices import SourceType
from sources.models import Source, SyncRun
from tests.api.door import Door

#: Call → queries. One of each is the key; searches have two for their savepoint, which in production is none.
BUDGETS: dict[str, int] = {
    "whoami/": 1,
    "facts/": 7,
    "facts/?history=1": 7,
    "facts/?tag=ops&agent=a1&category=fact&recorded_after=2020-01-01": 7,
    "facts/?as_of=2099-01-01": 7,
    "memories/": 7,
    "memories/{fact}/": 8,
    "memories/{fact}/history/": 5,
    "memories/{fact}/similar/": 11,
    "memories/{fact}/evidence/": 3,
    "writes/": 16,
    "writes/{write}/": 16,
    "conflicts/": 14,
    "conflicts/?needs_clarification=0&persona=0": 14,
    "conflicts/{pair}/": 15,
    "graph/search/?q=gate": 7,
    "graph/entities/": 5,
    "rules/": 4,
    "sources/": 3,
    "sources/{source}/": 3,
    "search/?q=gate": 16,
    "search/?q=gate&raw=none&explain=1&tag=ops": 15,
}
#: Calls that write or look deeper, the same way: what is sent → queries. `#` is the number of the call.
ASKED = "Is gate 0 open all day, and who painted it?"
SENT: dict[str, tuple[str, dict[str, Any], int]] = {
    "recall": ("recall/", {"prompt": ASKED}, 40),
    "recall in a session": ("recall/", {"prompt": ASKED, "session": "s#"}, 60),
    "a rule": ("rules/", {"text": "Never paint gate #."}, 40),
    "a capture of one": ("captures/", {"session": "s#", "messages": 1}, 60),
    "a capture of fifty": ("captures/", {"session": "s#", "messages": 50}, 60),
}
Counted = Callable[..., AbstractContextManager[object]]


def furnish(door: Door, number: int) -> dict[str, str]:
    """A fact with a version, tags and evidence; a text with its receipt; an open pair."""
    fact = door.fact(f"Gate {number} is open at night.", tags=["ops"])
    receipt = door.write(f"Gate {number} is open at night. Gate {number} is open at dawn.")
    fact = door.patch(f"facts/{fact}/", {"content": f"Gate {number} is open all day."})["fact"]["id"]
    sides = [door.fact(f"Gate {number} was painted {colour}.") for colour in ("red", "blue")]
    pair = door.verdict(sides[1], "contradicts", sides[0])["conflict"]
    return {"fact": fact, "write": receipt["id"], "pair": pair, "source": a_source(number)}


def a_source(number: int) -> str:
    """With a run behind it."""
    source = Source.objects.create(product=Product.objects.get(), type=SourceType.FOLDER, name=f"gates {number}")
    SyncRun.objects.create(product=source.product, source=source, trigger=Trigger.SCHEDULE)
    return str(source.pk)


@pytest.mark.parametrize("path", BUDGETS)
def test_a_reading_call_stays_in_its_budget_with_one_row_and_with_many(
    door: Door, path: str, django_assert_max_num_queries: Counted
) -> None:
    ids = furnish(door, 0)
    door.get(path.format(**ids))
    with django_assert_max_num_queries(BUDGETS[path]):
        door.get(path.format(**ids))
    for number in range(1, 6):
        ids = furnish(door, number)
    with django_assert_max_num_queries(BUDGETS[path]):
        assert door.get(path.format(**ids)).code == 200


@pytest.mark.parametrize("name", SENT)
def test_recall_rules_and_captures_stay_in_theirs(
    door: Door, name: str, django_assert_max_num_queries: Counted
) -> None:
    path, body, most = SENT[name]

    def send(number: int) -> int:
        sent: dict[str, Any] = {
            key: value.replace("#", str(number)) if isinstance(value, str) else value for key, value in body.items()
        }
        if "messages" in sent:
            said = {"role": "user", "content": "Gate 9 is green."}
            sent["messages"] = [{**said, "id": str(place)} for place in range(sent["messages"])]
        return door.post(path, sent).code

    furnish(door, 0)
    send(0)
    with django_assert_max_num_queries(most):
        assert send(1) < 300
    for number in range(1, 6):
        furnish(door, number)
    with django_assert_max_num_queries(most):
        assert send(2) < 300
