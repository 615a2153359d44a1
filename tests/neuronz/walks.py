"""Walks through the doors: calls in an order that a caller might make them in."""

from collections.abc import Callable
from typing import Any, Protocol
from uuid import UUID

NOBODYS_ID = str(UUID(int=42))


class Caller(Protocol):
    """Calls a tool, and gives its answer as a dict, or an empty one when it was refused."""

    def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]: ...


Walk = Callable[[Caller], object]


def save_and_read(call: Caller) -> None:
    about = {"from": "2026-07-01", "until": "2026-07-31T12:00:00+02:00"}
    metadata = {"b": None, "a": [1, {"c": None}]}
    added = call(
        "fact_add", content="Ana leads the port office.", category="persona", person="Ana", confirmed=True,
        tier="team", tags=["ops", "net", "ops"], metadata=metadata, about=about,
    )  # fmt: skip
    call("fact_get", id=added["fact"]["id"])
    call("fact_search", query="who leads the port office?")
    call("memory_search", q="port office", tier=["team"], raw="none", tag="ops")


def look_at_the_graph(call: Caller) -> None:
    call("fact_add", content="Ana Lima showed Valve V-1603 to Ben Ito.")
    call("graph_search", query="V-1603")
    call("graph_search", q="Ana Lima", type="person", limit=1)
    call("graph_search", query="nobody at all")
    call("graph_search", query="Ana", type="wizard")


def recall_for_prompts(call: Caller) -> None:
    call("fact_add", content="The Harbor gateway listens on port 8443.", confirmed=True)
    call("fact_add", content="Ana prefers short mails.", category="persona", person="Ana")
    asked = "On which port does the Harbor gateway listen? Ana asks."
    assert call("recall", prompt=asked)["memories"]
    call("recall", prompt=asked, session="s1")
    assert call("recall", prompt=asked, session="s1")["text"] == ""
    call("recall", prompt=asked, max_tokens=1)
    call("recall", prompt="Thanks!")
    for wrong in ({"prompt": ""}, {"prompt": 5}, {"max_tokens": 0}, {"max_tokens": "many"}, {"session": "s" * 201},
                  {"agent": "a2"}, {"prompt": "x" * 200_001}):  # fmt: skip
        call("recall", **({"prompt": asked} | wrong))


def propose_rules(call: Caller) -> None:
    call("rule_propose", text="Never deploy on Fridays.", why="It broke twice.")
    call("rule_propose", text="never deploy  on fridays.")
    call("rule_list")
    call("recall", prompt="May I deploy on Friday?")
    for wrong in (
        {"text": ""},
        {"text": "..."},
        {"text": 5},
        {"text": "x" * 9_000},
        {"why": 5},
        {"status": "approved"},
    ):
        call("rule_propose", **({"text": "Always sign."} | wrong))
    call("rule_list", limit=0)
    call("rule_list", cursor="zzz")


def repeat(call: Caller) -> None:
    call("fact_add", content="The harbor gateway listens on port 8443.")
    call("fact_add", content="the harbor  gateway listens on port 8443.", confirmed=True)
    call("fact_add", content="The harbor gateway listens on port 9443.")
    call("fact_add", content="The harbor gateway listens on port 8443.", scope="private")


def replace_contradict_and_settle(call: Caller) -> None:
    old, new, third = (
        call("fact_add", content=f"The harbor gateway listens on port {port}.")["fact"]["id"] for port in (1, 2, 3)
    )
    call("fact_resolve", fact=new, other=old, verdict="replaces", why="moved")
    pair = call("fact_resolve", fact=third, other=new, verdict="contradicts")["conflict"]
    call("fact_resolve", fact=third, other=new, verdict="perhaps")
    call("fact_search", query="gateway port")
    call("list_conflicts")
    call("list_conflicts", state="settled")
    call("resolve_conflict", conflict=pair, answer="newer")
    call("resolve_conflict", conflict=pair, answer="older")
    call("list_conflicts", state="settled")
    call("fact_list", history=True)


def edit_and_retire(call: Caller) -> None:
    fact = call("fact_add", content="The ferry leaves at nine.")["fact"]["id"]
    edited = call("fact_update", id=fact, content="The ferry leaves at ten.", confirmed=True, why="typo")["fact"]["id"]
    call("fact_update", id=fact, content="The ferry leaves at noon.")
    call("fact_update", id=edited, confirmed=True)
    call("fact_delete", id=edited, why="sunk")
    call("fact_delete", id=edited)
    call("fact_list")
    call("fact_list", status=["retired", "superseded"])


def act_against_a_higher_tier(call: Caller) -> None:
    policy = call("fact_add", content="Backups are kept for ninety days.", tier="policy")["fact"]["id"]
    weak = call("fact_add", content="Backups are kept for ten days.", tier="team")["fact"]["id"]
    call("fact_resolve", fact=weak, other=policy, verdict="replaces", tier="team")
    call("fact_update", id=policy, content="Backups are kept for a week.")
    call("fact_delete", id=policy)
    call("list_conflicts")


def write_texts(call: Caller) -> None:
    call("memory_add", text="The ferry leaves at nine. The ferry has two decks.", tags=["ferry"], wait=True)
    call("memory_add", text="The ferry leaves at nine.", confirmed=True)
    call("memory_add", text="...")
    call("memory_add", text="The token is ghp_0123456789abcdefghijklmnopqrstuvwxyz.")
    call("memory_add", text="The ferry is new.", wait=False)
    call("memory_search", q="ferry", raw="only", explain=False)


def give_a_string_where_a_list_is_expected(call: Caller) -> None:
    """Case 17."""
    for number, tags in enumerate((["ops"], ["o"], ["ops", "net"], [])):
        call("fact_add", content=f"Pump {number} runs at night.", tags=tags)
    call("fact_list", tag="ops")
    call("fact_list", tag=["ops"])
    call("fact_list", tag=["ops", "net"])
    call("fact_list", tag=["ops", "net"], tag_mode="all")
    for sent in ("ops", {"x": 1}, 5, ["a" * 65], ["a"] * 2, [str(number) for number in range(33)]):
        call("fact_add", content="The lamp is lit.", tags=sent)


def send_nothing(call: Caller) -> None:
    """Case 11."""
    for content in ("", "   ", "\n\t", "...", "--", 5, ["x"], "a\0b", "a" * 8001):
        call("fact_add", content=content)
    call("fact_add")
    call("fact_add", content="It rains.", kind="wizard")
    call("fact_search", query="")
    call("memory_search", q=" ")
    call("fact_list", history=True)


def send_what_does_not_fit(call: Caller) -> None:
    for wrong in (
        {"category": "wizard"}, {"tier": "boss"}, {"scope": "secret"}, {"confirmed": "perhaps"}, {"person": 5},
        {"metadata": [1]}, {"metadata": {"a": "x" * 17_000}}, {"about": "yesterday"}, {"about": {"since": "2026"}},
        {"about": {"from": "2026-07-12T09:00:00"}}, {"about": {"from": "2026-07-13", "until": "2026-07-12"}},
        {"id": NOBODYS_ID}, {"status": "verified"}, {"product": "orchard"},
    ):  # fmt: skip
        call("fact_add", content="It rains.", **wrong)
    for beyond in ({"limit": 0}, {"limit": 101}, {"limit": "many"}, {"as_of": "soon"}, {"kind": ["Wizard"]}):
        call("fact_search", query="rain", **beyond)
    call("fact_list", cursor="zzz")
    call("memory_add", text="a" * (2**20 + 1))
    call("fact_list", history=True)


def name_what_is_not_there(call: Caller) -> None:
    """Case 19."""
    fact = call("fact_add", content="Pump A runs at night.")["fact"]["id"]
    for unknown in (NOBODYS_ID, "Pump C", fact[:8]):
        call("fact_get", id=unknown)
        call("fact_update", id=unknown, content="Pump A runs at noon.")
        call("fact_delete", id=unknown)
        call("fact_resolve", fact=fact, other=unknown, verdict="replaces")
        call("resolve_conflict", conflict=unknown, answer="newer")
    call("fact_get", id=fact)


def ask_for_a_day(call: Caller) -> None:
    """Case 23."""
    for day in (12, 13, 14):
        call("fact_add", content=f"Site inspection number {day}.", about=f"2026-07-{day}")
    call("fact_list", about_after="2026-07-13", about_before="2026-07-13")
    call("memory_search", q="site inspection", about_after="2026-07-13T00:00:00Z")
    call("fact_search", query="what happened 100000 years ago")


WALKS: list[Walk] = [
    save_and_read, repeat, replace_contradict_and_settle, edit_and_retire, act_against_a_higher_tier, write_texts,
    give_a_string_where_a_list_is_expected, send_nothing, send_what_does_not_fit, name_what_is_not_there, ask_for_a_day,
    look_at_the_graph, recall_for_prompts, propose_rules,
]  # fmt: skip
