"""The second seed, paragraph by paragraph (seeds/what-a-memory-is.md)."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from memories.actors import Actor
from memories.choices import Scope, Tier
from memories.errors import InvalidInput
from memories.filters import Filters, narrowed
from memories.models import Evidence, Memory, Product, Write
from memories.services import editing
from tests import factories
from tests.api.door import Door

PORT, NEW_PORT = "The Harbor gateway listens on port 8443.", "The Harbor gateway listens on port 9443."
RELEASE = (
    "Release 4.2 was approved on Tuesday. Tamsin owns the rollout. The Harbor gateway listens on port 8443. "
    "Rollbacks take ten minutes."
)
#: A binary file, as it comes through as text in one way or another.
BLOB = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x90" + Random(1).randbytes(3_000)  # noqa: S311  # no secret
BLOBS = [BLOB.decode("latin-1"), BLOB.decode("utf-8", "replace"), BLOB[:300].decode("latin-1")]


@pytest.fixture
def handbook(lighthouse: Product) -> Actor:
    return factories.source(lighthouse)


# --- what a memory is


def test_whatever_is_written_lands_in_one_pool_and_is_searched_together(
    door: Door, other: Door, handbook: Actor, curator: Actor
) -> None:
    by_agent = door.fact("The pier lamp is green.")
    other.write("The pier lamp was made in Tarnvik.")
    factories.write(handbook, "The pier lamp burns oil.")
    editing.revise(by=curator, memory_id=by_agent, content="The pier lamp is red.")
    for agent in (door, other):
        assert set(agent.found("pier lamp", raw="none")) == {
            "The pier lamp is red.", "The pier lamp was made in Tarnvik.", "The pier lamp burns oil.",
        }  # fmt: skip
    origins = {each["origin"] for each in door.page()}
    assert origins == {"agent", "source", "person"}


def test_two_products_never_see_each_others_memories(door: Door, stranger: Door) -> None:
    door.fact(PORT)
    stranger.fact(NEW_PORT)
    assert (door.listed(), stranger.listed()) == ([PORT], [NEW_PORT])
    assert (door.found("Harbor gateway"), stranger.found("Harbor gateway")) == ([PORT], [NEW_PORT])


# --- what a memory carries


def test_a_memory_carries_when_it_was_recorded_and_what_time_it_is_about(door: Door) -> None:
    fact = door.save(PORT, about={"from": "2026-07-12T09:30:00Z", "until": "2026-07-14T09:30:00Z"})["fact"]
    assert fact["about"] == {"from": "2026-07-12T09:30:00Z", "until": "2026-07-14T09:30:00Z"}
    assert abs(datetime.fromisoformat(fact["recorded_at"]) - timezone.now()) < timedelta(minutes=1)


def test_its_kind_is_derived_and_a_writer_never_sets_it(door: Door) -> None:
    for kind in ("Fact", "Raw", "Schema", "Intention"):
        assert door.post("facts/", {"content": PORT, "kind": kind}).fields == {"kind"}
        assert door.post("memories/", {"text": PORT, "kind": kind}).fields == {"kind"}
    door.write(RELEASE)
    kinds = {each["kind"] for each in door.page("memories/")}
    assert "Raw" in kinds
    assert not kinds & {"Schema", "Intention"}


def test_metadata_is_kept_verbatim_and_never_interpreted(door: Door) -> None:
    metadata = {"status": "retired", "tier": "policy", "scope": "private", "agent": "a2", "n": [1, {"x": None}]}
    fact = door.save(PORT, metadata=metadata)["fact"]
    assert fact["metadata"] == metadata
    assert (fact["status"], fact["tier"], fact["scope"], fact["agent"]) == ("verified", "official", "shared", "a1")


def test_its_status_and_history_say_whether_it_is_current_and_what_it_replaced(door: Door) -> None:
    old = door.fact(PORT)
    new = door.patch(f"facts/{old}/", {"content": NEW_PORT})["fact"]
    assert (new["current"], new["replaces"], new["replaced_by"]) == (True, [old], None)
    assert (door.memory(old)["current"], door.memory(old)["replaced_by"]) == (False, new["id"])


def test_nothing_is_ever_rewritten_in_place(door: Door) -> None:
    old = door.save(PORT, tags=["net"])["fact"]
    door.patch(f"facts/{old['id']}/", {"content": NEW_PORT})
    now = door.memory(old["id"])
    fixed = set(old) - {"status", "current", "replaced_by"}
    assert {name: now[name] for name in fixed} == {name: old[name] for name in fixed}


# --- one write, several memories


def test_a_paragraph_gives_the_verbatim_text_and_several_facts_each_searchable_on_its_own(door: Door) -> None:
    receipt = door.write(RELEASE)
    assert door.memory(receipt["raw"])["content"] == RELEASE
    contents = [each["memory"]["content"] for each in receipt["statements"]]
    assert len(contents) == 4
    assert all(content in RELEASE for content in contents)
    assert door.found("Who owns the rollout?", raw="none")[0] == "Tamsin owns the rollout."
    assert door.found("How long do rollbacks take?", raw="none")[0] == "Rollbacks take ten minutes."
    assert RELEASE in door.found("rollout", raw="only")


def test_memories_grow_faster_than_writes(door: Door) -> None:
    for text in (RELEASE, "Otters live under the pier. They eat eels."):
        door.write(text)
    assert Memory.objects.count() > 2 * Write.objects.count()


@pytest.mark.parametrize("text", ["", " \n ", "....", "\ud800\udfff", *BLOBS], ids=range(7))
def test_a_text_without_a_statement_leaves_only_the_verbatim_record(door: Door, text: str) -> None:
    receipt = door.write(text)
    assert (receipt["state"], receipt["reason"]) == ("done", "")
    assert (receipt["statements"], Memory.objects.count()) == ([], 1)


def test_a_derived_fact_that_contradicts_a_stored_one_supersedes_it(door: Door) -> None:
    old = door.fact(PORT)
    statement = door.write(NEW_PORT)["statements"][0]
    assert (statement["outcome"], statement["against"]) == ("superseded", old)
    assert (door.status(old), door.memory(old)["replaced_by"]) == ("superseded", statement["memory"]["id"])
    assert door.listed() == [NEW_PORT]
    assert set(door.found("Harbor gateway port")) == {NEW_PORT}


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_text_may_replace_a_fact_and_repeat_it_in_the_next_sentence(door: Door, confirmed: bool) -> None:
    for number, order in enumerate(([NEW_PORT, PORT], [PORT, NEW_PORT], [NEW_PORT, PORT, NEW_PORT])):
        old = door.fact(PORT, confirmed=False, scope="private" if number == 1 else "shared")
        receipt = door.write(" ".join(order), confirmed=confirmed, scope="private" if number == 1 else "shared")
        assert (receipt["state"], receipt["reason"]) == ("done", "")
        assert [each["memory"]["content"] for each in receipt["statements"]] == order
        assert all(each["memory"]["current"] for each in receipt["statements"] if each["memory"]["id"] != old)


def test_subject_to_authority(door: Door) -> None:
    old = door.fact(PORT, tier="policy")
    statement = door.write(NEW_PORT)["statements"][0]
    assert (statement["outcome"], statement["against"]) == ("refused", old)
    memory = statement["memory"]
    assert (memory["status"], memory["needs_clarification"], memory["current"]) == ("conflicting", True, False)
    assert door.listed() == [PORT]
    assert set(door.found("Harbor gateway port")) == {PORT}
    assert [each["id"] for each in door.pairs(needs_clarification=1)] == memory["conflicts"]


def test_a_text_that_says_what_lost_its_currency_leaves_search_and_its_other_statements_stay(door: Door) -> None:
    receipt = door.write(RELEASE)
    door.write(NEW_PORT)
    found = door.found("rollout of release 4.2 and the Harbor gateway port")
    assert RELEASE not in found
    assert PORT not in found
    assert "Tamsin owns the rollout." in found
    assert RELEASE not in door.listed("memories/")
    assert door.memory(receipt["raw"])["content"] == RELEASE


# --- where memories come from


def test_only_an_agent_can_choose_a_private_scope(
    door: Door, handbook: Actor, lighthouse: Product, curator: Actor
) -> None:
    assert door.save(PORT, scope="private")["fact"]["scope"] == "private"
    for by in (handbook, factories.cognition(lighthouse), curator):
        with pytest.raises(InvalidInput):
            factories.write(by, PORT, scope=Scope.PRIVATE)
        with pytest.raises(InvalidInput):
            factories.fact(by, PORT, scope=Scope.PRIVATE)
    assert Memory.objects.count() == 1


def test_statements_of_a_source_are_verified_and_carry_its_tier(door: Door, handbook: Actor) -> None:
    factories.write(handbook, PORT, tier=Tier.TEAM)
    (fact,) = door.page()
    assert (fact["status"], fact["tier"], fact["scope"], fact["origin"]) == ("verified", "team", "shared", "source")


# --- shared and private


def test_shared_is_the_default_and_is_read_by_every_agent_at_once(door: Door, other: Door) -> None:
    assert door.save(PORT)["fact"]["scope"] == "shared"
    assert (other.listed(), other.found("Harbor gateway")) == ([PORT], [PORT])


def test_private_is_read_by_its_agent_alone_and_by_no_person(door: Door, other: Door, curator: Actor) -> None:
    fact = door.fact(PORT, scope="private")
    root = get_user_model().objects.create_superuser("root")
    assert (door.listed(), other.listed(), other.get(f"facts/{fact}/").code) == ([PORT], [], 404)
    assert not narrowed(curator, Filters(history=True)).exists()
    for user in (root, get_user_model().objects.get(username="curator")):
        assert not Memory.objects.shown_to(user).exists()
        assert not Write.objects.shown_to(user).exists()


def test_reads_span_both_scopes_and_may_be_restricted_to_one(door: Door) -> None:
    door.fact(PORT)
    door.fact("My note about the Harbor gateway.", scope="private")
    for read in (door.listed, partial(door.found, "Harbor gateway")):
        assert [len(read(scope=scope)) for scope in ("all", "shared", "private")] == [2, 1, 1]
        assert read() == read(scope="all")


def test_a_private_memory_never_changes_a_shared_one(door: Door) -> None:
    shared = door.fact(PORT)
    statement = door.write(NEW_PORT, scope="private", tier="policy")["statements"][0]
    assert (statement["outcome"], statement["against"], statement["similar"]) == ("added", None, [])
    assert door.status(shared) == "verified"
    assert door.save(PORT, scope="private")["outcome"] == "added"


# --- source authority


def test_an_agent_states_its_tier_and_defaults_to_official(door: Door) -> None:
    assert door.save(PORT)["fact"]["tier"] == "official"
    for tier in ("policy", "official", "team", "informal"):
        assert door.save(f"Here is a {tier} fact.", tier=tier)["fact"]["tier"] == tier


def test_a_tier_is_fixed_when_the_memory_is_written(door: Door) -> None:
    fact = door.fact(PORT, tier="team")
    new = door.patch(f"facts/{fact}/", {"content": NEW_PORT, "tier": "policy"})["fact"]
    assert (door.memory(fact)["tier"], new["tier"]) == ("team", "team")


def test_authority_reorders_only_what_was_already_close(door: Door) -> None:
    strong, exact = "The Harbor gateway has a policy about noise.", "The Harbor gateway listens on port 8443."
    door.fact(strong, tier="policy")
    door.fact(exact, tier="informal")
    assert door.found("Which port does the gateway listen on: 8443?")[0] == exact
    door.fact("The red lamp hangs left.", tier="informal")
    door.fact("The red lamp hangs right.", tier="policy")
    assert door.found("red lamp hangs")[0] == "The red lamp hangs right."


def test_authority_never_hides_anything(door: Door) -> None:
    contents = {tier: f"The pier lamp is a {tier} matter." for tier in ("policy", "official", "team", "informal")}
    for tier, content in contents.items():
        door.fact(content, tier=tier)
    assert {each["content"]: each["tier"] for each in door.page()} == {text: tier for tier, text in contents.items()}
    assert set(door.found("pier lamp")) == set(contents.values())


@pytest.mark.parametrize(("older", "newer", "outcome"), [
    ("team", "team", "replaced"), ("team", "official", "replaced"), ("team", "informal", "refused"),
    ("policy", "policy", "replaced"), ("policy", "official", "refused"),
])  # fmt: skip
def test_the_same_tier_or_a_higher_one_replaces_normally_and_a_lower_one_is_kept_aside(
    *, door: Door, older: str, newer: str, outcome: str
) -> None:
    first, second = door.fact(PORT, tier=older), door.fact(NEW_PORT, tier=newer)
    assert door.verdict(second, "replaces", first)["outcome"] == outcome
    assert door.listed() == [PORT if outcome == "refused" else NEW_PORT]
    assert door.status(second) == ("conflicting" if outcome == "refused" else "verified")


# --- what belongs in memory


def test_secrets_are_masked_before_anything_is_stored_and_the_receipt_says_so(door: Door) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    receipt = door.write(f"The deploy token is {secret} for now. Otters live under the pier.")
    assert [each["kind"] for each in receipt["masked"]] == ["GitHub token"]
    assert secret not in door.save(f"The old deploy token was {secret} then.")["fact"]["content"]
    stored = [*Memory.objects.values_list("content", flat=True), *Evidence.objects.values_list("excerpt", flat=True)]
    assert not any(secret in text for text in stored)
    assert not any(secret in text for text in door.found(secret))


def test_a_source_of_the_same_name_in_another_product_is_another_source(
    door: Door, stranger: Door, handbook: Actor, orchard: Product
) -> None:
    factories.write(handbook, PORT)
    factories.write(replace(handbook, product_id=orchard.pk), NEW_PORT)
    assert (door.listed(), stranger.listed()) == ([PORT], [NEW_PORT])
