"""The first seed, paragraph by paragraph (seeds/persistent-memory.txt)."""

import pytest

from memories.actors import Actor
from memories.models import Agent, AgentKey, Memory, Product
from memories.services import editing, keys
from tests.api.door import Door

PORT, NEW_PORT = "The Harbor gateway listens on port 8443.", "The Harbor gateway listens on port 9443."
RETRIES = "Retries are capped at 3 with exponential backoff and jitter."
FRIDAYS, NEVER, MONDAYS = (
    "The Kestrel team deploys on Fridays.", "The Kestrel team never deploys on Fridays.",
    "The Kestrel team deploys only on Mondays.",
)  # fmt: skip


def disputed(door: Door, older: str = FRIDAYS, newer: str = NEVER, **more: object) -> tuple[str, str, str]:
    """Two facts that contradict each other, and their pair."""
    first, second = door.fact(older, **more), door.fact(newer, **more)
    return first, second, str(door.verdict(second, "contradicts", first)["conflict"])


# --- a durable store of facts


def test_agents_carry_facts_from_one_session_to_the_next(door: Door, a1_key: str) -> None:
    door.fact(RETRIES)
    assert Door(a1_key).found("how many retries")[0] == RETRIES
    rotated = keys.rotate(key=AgentKey.objects.get(agent__name="a1"))[1]
    assert Door(rotated).found("how many retries")[0] == RETRIES


def test_every_agent_of_the_profile_carries_them_and_no_other_profile(door: Door, other: Door, stranger: Door) -> None:
    door.fact(RETRIES)
    assert (other.listed(), stranger.listed(), stranger.found(RETRIES)) == ([RETRIES], [], [])


def test_every_fact_is_tagged_with_its_kind_and_its_status(door: Door) -> None:
    for category in ("fact", "entity", "term", "instruction", "persona", "other"):
        door.fact(f"Here is a {category} about Ivo.", category=category)
    assert {(each["category"], each["status"], each["kind"] != "Raw") for each in door.page()} == {
        (category, "verified", True)
        for category in ("fact", "entity", "term", "instruction", "persona", "other")
    }  # fmt: skip
    assert door.listed(category="term") == ["Here is a term about Ivo."]


# --- how it works


def test_small_entries_let_a_search_return_exactly_the_fact_a_prompt_needs(door: Door) -> None:
    door.write(
        "# Harbor\n\nThe Harbor gateway listens on port 8443. Tamsin leads the night shift.\n\n"
        "The ferry leaves at nine. Otters live under the pier."
    )
    assert door.found("Which port does the Harbor gateway listen on?", raw="none")[0] == PORT


def test_a_claim_the_agent_has_not_confirmed_is_unverified(door: Door) -> None:
    assert door.save(PORT, confirmed=False)["fact"]["status"] == "unverified"


@pytest.mark.parametrize("how", ["the agent confirms it", "it is said again, confirmed", "a person verifies it"])
def test_an_unverified_claim_stays_so_until_something_settles_it(
    door: Door, other: Door, curator: Actor, how: str
) -> None:
    fact = door.fact(PORT, confirmed=False)
    other.fact(PORT, confirmed=False)
    assert door.status(fact) == "unverified"
    if how == "the agent confirms it":
        door.patch(f"facts/{fact}/", {"confirmed": True})
    elif how == "it is said again, confirmed":
        other.fact(PORT)
    else:
        editing.verify(by=curator, memory_id=fact)
    assert door.status(fact) == "verified"
    assert door.history(fact)[-1]["verb"] == "verify"


def test_a_settlement_settles_an_unverified_claim_too(door: Door) -> None:
    first, _, pair = disputed(door, confirmed=False)
    door.settle(pair, "older")
    assert door.status(first) == "verified"


def test_a_new_fact_is_simply_added(door: Door) -> None:
    door.fact(FRIDAYS)
    saved = door.save("Otters live under the pier.")
    assert (saved["outcome"], saved["similar"]) == ("added", [])


@pytest.mark.parametrize(
    ("verdict", "listed"),
    [("duplicate", [PORT]), ("replaces", [NEW_PORT]), ("contradicts", [])],
)
def test_of_similar_facts_the_agent_keeps_the_old_replaces_it_or_flags_a_contradiction(
    door: Door, verdict: str, listed: list[str]
) -> None:
    first, saved = door.fact(PORT), door.save(NEW_PORT)
    assert [each["memory"]["id"] for each in saved["similar"]] == [first]
    assert door.listed() == [NEW_PORT, PORT]
    door.verdict(saved["fact"]["id"], verdict, first)
    assert door.listed() == listed
    assert door.found("Harbor gateway port") == listed


def test_correcting_a_fact_keeps_the_old_one_in_its_history(door: Door) -> None:
    old = door.fact(PORT)
    new = door.patch(f"facts/{old}/", {"content": NEW_PORT, "confirmed": True})["fact"]["id"]
    assert door.listed() == door.found("Harbor gateway port") == [NEW_PORT]
    assert (door.status(old), door.status(new)) == ("superseded", "verified")
    assert [move["content"] for move in door.history(new) if move["verb"] == "add"] == [PORT, NEW_PORT]


def test_deleting_a_fact_retires_it_rather_than_destroying_the_record(door: Door) -> None:
    fact = door.fact(PORT)
    door.delete(f"facts/{fact}/", {"why": "The gateway is gone."})
    assert (door.listed(), door.found("Harbor gateway port")) == ([], [])
    assert (door.memory(fact)["content"], door.history(fact)[-1]["why"]) == (PORT, "The gateway is gone.")
    door.post(f"facts/{fact}/restore/")
    assert door.listed() == [PORT]


def test_contradicting_facts_drop_out_of_recall_until_they_are_settled(door: Door, other: Door) -> None:
    first, second, pair = disputed(door)
    for agent in (door, other):
        assert (agent.listed(), agent.found("Kestrel deploy day")) == ([], [])
    assert {door.status(first), door.status(second)} == {"disputed"}
    other.settle(pair, "newer")
    assert door.found("Kestrel deploy day") == [NEVER]


# --- settling contradictions


def test_a_third_fact_opens_its_own_pair_and_settling_one_settles_only_those_two(door: Door, other: Door) -> None:
    first, second, pair = disputed(door)
    third = other.fact(MONDAYS)
    another = other.verdict(third, "contradicts", first)["conflict"]
    assert {each["id"] for each in door.pairs()} == {pair, another}
    settled = door.settle(pair, "older")
    assert settled["remaining"] == [another]
    assert [door.status(each) for each in (first, second, third)] == ["disputed", "retired", "disputed"]
    assert [each["id"] for each in door.pairs()] == [another]
    door.settle(another, "older")
    assert door.found("Kestrel deploy day") == [FRIDAYS]


def test_contradictions_of_persona_traits_are_counted_apart(door: Door) -> None:
    _, _, plain = disputed(door)
    _, _, persona = disputed(door, "Ivo likes tea.", "Ivo hates tea.", category="persona", person="Ivo")
    assert [each["id"] for each in door.pairs(persona=1)] == [persona]
    assert [each["id"] for each in door.pairs(persona=0)] == [plain]


def test_one_of_these_is_true(door: Door) -> None:
    first, second, pair = disputed(door)
    door.settle(pair, "newer", why="Tamsin said so.")
    assert (door.status(first), door.status(second), door.listed()) == ("retired", "verified", [NEVER])
    assert [move["to"] for move in door.history(first)] == ["verified", "disputed", "retired"]


def test_none_of_these_is_true(door: Door) -> None:
    first, second, pair = disputed(door)
    door.settle(pair, "neither")
    assert (door.status(first), door.status(second), door.listed()) == ("retired", "retired", [])
    assert Memory.objects.count() == 2


def test_none_is_true_here_is_what_is(door: Door) -> None:
    first, second, pair = disputed(door)
    correction = door.settle(pair, "correction", correction=MONDAYS)["correction"]
    assert (correction["status"], door.listed()) == ("verified", [MONDAYS])
    assert (door.status(first), door.status(second)) == ("retired", "retired")
    told = door.get(f"conflicts/{pair}/")
    assert (told["older"]["id"], told["newer"]["id"], told["correction"]) == (first, second, correction["id"])


def test_not_now_is_a_question_put_off_and_not_answered(door: Door) -> None:
    first, second, pair = disputed(door)
    door.settle(pair, "not_now")
    assert (door.pairs(), [each["id"] for each in door.pairs(state="put_off")]) == ([], [pair])
    assert {door.status(first), door.status(second)} == {"disputed"}
    assert door.found("Kestrel deploy day") == []


# --- similar facts


@pytest.mark.parametrize(("floor", "is_listed"), [(0.5, True), (0.8, True), (0.999, False)])
def test_the_threshold_of_similarity_is_the_products_setting(
    door: Door, lighthouse: Product, floor: float, is_listed: bool
) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(fact_neighbor_floor=floor)
    door.fact(PORT)
    saved = door.save(NEW_PORT)
    assert bool(saved["similar"]) == is_listed
    assert bool(door.get(f"facts/{saved['fact']['id']}/similar/")["results"]) == is_listed
    assert door.get("whoami/")["settings"]["fact_neighbor_floor"] == floor


def test_the_floor_is_080_unless_set(lighthouse: Product) -> None:
    assert lighthouse.fact_neighbor_floor == 0.8


def test_only_live_facts_are_similar(door: Door) -> None:
    gone, old = door.fact(PORT), door.fact("The Harbor gateway listens on port 7443.")
    door.delete(f"facts/{gone}/")
    new = door.patch(f"facts/{old}/", {"content": NEW_PORT})["fact"]["id"]
    similar = door.save("The Harbor gateway listens on port 1443.")["similar"]
    assert [each["memory"]["id"] for each in similar] == [new]


# --- using it


def test_remember_that_saves_a_fact_directly(door: Door) -> None:
    fact = door.fact(RETRIES, category="instruction")
    assert door.memory(fact)["agent"] == "a1"
    assert Agent.objects.get(name="a1").memories.count() == 1
    assert door.found("backoff and jitter") == [RETRIES]
