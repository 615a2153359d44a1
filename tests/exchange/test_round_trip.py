"""Out of one server and into another: not a byte is different, and what is there lives on."""

import json
import threading
from typing import Any
from uuid import UUID

import hypothesis
import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from hypothesis import HealthCheck
from hypothesis.stateful import run_state_machine_as_test
from pytest_django import Settings

from conflicts import services as settling
from conflicts.choices import Answer
from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Reason, Status
from memories.models import Agent, Evidence, Memory, MemoryEvent, Mention, Product, Write
from memories.services import editing, embedding_upkeep, history, keys, products, recall, word_upkeep
from memories.services.exchange import exporting
from memories.services.exchange.tables import Extent
from tests import factories, guards
from tests.exchange.travel import TOKEN, exported, live_through, records, restored, statuses, wipe
from tests.stories.life import Life
from tests.stories.promises import Rows, World, check_memory, check_pairs


@pytest.fixture
def past(lighthouse: Product, a1: Actor, a2: Actor, curator: Actor) -> list[str]:
    live_through(lighthouse, a1, a2, curator)
    return exported(lighthouse)


@pytest.fixture
def elsewhere(past: list[str]) -> Product:
    wipe()
    return products.create_product(slug="lighthouse")


def test_the_past_holds_all_there_is(past: list[str]) -> None:
    assert statuses(past) == set(Status)
    assert {told["reason"] for told in records(past, "conflict")} == set(Reason)
    assert {told["answer"] for told in records(past, "conflict")} >= {"", "older", "newer", "neither", "correction"}
    assert {told["state"] for told in records(past, "conflict")} == {"open", "put_off", "settled"}
    assert {told["context"]["verb"] for told in records(past, "move")} >= {"add", "undo", "restore", "edit", "settle"}
    assert all(
        list(records(past, record))
        for record in ("agent", "write", "outcome", "evidence", "rule", "rule_move", "source", "item")
    )
    assert TOKEN not in "".join(past)
    assert any("青い" in line for line in past)


def test_an_export_that_was_imported_exports_the_same_bytes(past: list[str], elsewhere: Product) -> None:
    counts = restored(elsewhere, past)

    assert "".join(exported(elsewhere)) == "".join(past)
    assert counts == json.loads(past[-1])["counts"]


def test_exporting_twice_gives_the_same_bytes(past: list[str], lighthouse: Product) -> None:
    assert exported(lighthouse) == past


def test_what_came_back_can_be_found_and_goes_on(past: list[str], elsewhere: Product) -> None:
    restored(elsewhere, past)
    agent = Agent.objects.get(name="a1")
    by = factories.caller(keys.issue(agent=agent)[1])

    assert Mention.objects.filter(product=elsewhere, entity__key__contains="ada").exists()
    embedding_upkeep.embed_waiting()
    word_upkeep.index_waiting()
    assert not embedding_upkeep.waiting(elsewhere.pk).total
    found = recall.search(by=by, q="lamp blau").hits
    assert found[0].memory.content.startswith("The a1")
    assert factories.add(by, "The vault is empty.").outcome == "known"
    pair = Conflict.objects.visible_to(by).filter(state="open", reason="disagreement").first()
    assert pair
    assert settling.settle(by=by, pair_id=pair.pk, answer=Answer.NEWER).outcome == "settled"
    gone = Memory.objects.get(content="The a1 shared pump is gone.")
    assert editing.restore(by=by, memory_id=gone.pk).outcome == "restored"
    assert [move.verb for move in history.of(gone)] == ["add", "retire", "restore"]


def test_private_memories_stay_with_their_owner(past: list[str], elsewhere: Product) -> None:
    restored(elsewhere, past)

    by = factories.caller(keys.issue(agent=Agent.objects.get(name="a2"))[1])
    owners = set(Memory.objects.visible_to(by).values_list("owner__name", flat=True))
    assert owners == {None, "a2"}


def test_a_person_of_the_history_stands_there_without_a_way_in(past: list[str], elsewhere: Product) -> None:
    get_user_model().objects.all().delete()
    restored(elsewhere, past)

    settled = Conflict.objects.filter(settled_by__isnull=False).first()
    assert settled
    assert settled.settled_by
    assert settled.settled_by.username == "curator"
    assert not settled.settled_by.is_active
    assert not settled.settled_by.has_usable_password()


def test_an_agent_takes_along_what_it_may_read_and_no_more(past: list[str], lighthouse: Product, a1: Actor) -> None:
    own = exported(lighthouse, reader=a1)

    seen = set(Memory.objects.visible_to(a1).values_list("pk", flat=True))
    assert {UUID(told["id"]) for told in records(own, "memory")} == seen
    assert {told["owner"] for told in records(own, "memory")} == {None, str(a1.agent_id)}
    assert {UUID(told["memory"]) for told in records(own, "move")} == seen
    assert "a2 private" not in "".join(own)
    assert {told["agent"] for told in records(own, "write")} == {str(a1.agent_id)}


def test_an_agents_own_export_can_be_imported_too(past: list[str], lighthouse: Product, a1: Actor) -> None:
    own = exported(lighthouse, reader=a1)
    wipe()
    again = products.create_product(slug="lighthouse")
    restored(again, own)

    by = factories.caller(keys.issue(agent=Agent.objects.get(name="a1"))[1])
    assert exported(again, reader=by) == own


def test_private_memories_can_be_left_behind(past: list[str], lighthouse: Product) -> None:
    shared = exported(lighthouse, has_private=False)
    assert {told["scope"] for told in records(shared, "memory")} == {"shared"}
    assert "private lamp" not in "".join(shared)


def test_a_copy_on_the_same_server_gets_other_ids(past: list[str], lighthouse: Product) -> None:
    copy = products.create_product(slug="copy")
    restored(copy, past, has_new_ids=True)

    told, again = list(records(past, "memory")), list(records(exported(copy), "memory"))
    assert [each["content"] for each in sorted(told, key=lambda each: each["content"])] == [
        each["content"] for each in sorted(again, key=lambda each: each["content"])
    ]
    assert not {each["id"] for each in told} & {each["id"] for each in again}
    assert exported(lighthouse) == past
    taken_over = json.loads("[" + ",".join(past) + "]")
    ids = {each["id"] for each in taken_over if "id" in each}
    assert not [line for line in exported(copy) if any(id_ in line for id_ in ids)]


def test_a_text_that_was_being_read_is_read_on(lighthouse: Product, a1: Actor, read_queued: Any) -> None:
    write = factories.write(a1, "The mill stands. The dam holds.", wait=False)
    Write.objects.filter(pk=write.pk).update(state="reading", claim=UUID(int=1))
    lines = exported(lighthouse)
    wipe()
    restored(products.create_product(slug="lighthouse"), lines)

    assert read_queued() == 1
    assert factories.contents(Write.objects.get()) == ["The mill stands.", "The dam holds."]


def test_the_guards_are_back_afterwards(past: list[str], elsewhere: Product) -> None:
    restored(elsewhere, past)
    by = factories.caller(keys.issue(agent=Agent.objects.get(name="a1"))[1])

    with guards.refused_by("Memory:legal_births_only"):
        factories.stored_row(by, "Born disputed.", status=Status.DISPUTED)
    before = MemoryEvent.objects.count()
    factories.stored_row(by, "Born as ever.")
    assert MemoryEvent.objects.count() == before + 1


class Traveller(Life):
    """At the end of its life it moves, with all its neighbours."""

    def teardown(self) -> None:
        try:
            homes = list(Product.objects.filter(pk__in=self.world.product_ids))
            luggage = [exported(home) for home in homes]
            wipe()
            for home, lines in zip(homes, luggage, strict=True):
                again = products.create_product(slug=home.slug, name=home.name)
                restored(again, lines)
                assert exported(again) == lines
            guards.check_deferred()
            self.look_around(World([each.pk for each in Product.objects.all()], [], iter(()), iter(())))
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    def look_around(self, world: World) -> None:
        rows = Rows(world)
        for memory in rows.memories.values():
            check_memory(memory, rows)
        check_pairs(rows)


@pytest.mark.django_db
def test_whatever_happened_in_a_life_can_be_taken_along(settings: Settings) -> None:
    settings.READER = "tests.stories.life.WordReader"
    run_state_machine_as_test(
        Traveller,
        settings=hypothesis.settings(
            max_examples=8, stateful_step_count=20, deadline=None, database=None, derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


def save_elsewhere(by: Actor) -> None:
    factories.fact(by, "The lamp is out.")
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_an_export_is_of_one_moment(lighthouse: Product, a1: Actor) -> None:
    factories.fact(a1, "The lamp is lit.")
    lines = exporting.lines(Extent(lighthouse))
    told = [next(lines), next(lines), next(lines)]  # the agent and the first memory are out
    other = threading.Thread(target=save_elsewhere, args=[a1])
    other.start()
    other.join()
    told += lines

    assert [each["content"] for each in records(told, "memory")] == ["The lamp is lit."]
    assert len(list(records(told, "move"))) == len(list(records(told, "evidence"))) == 1
    assert Evidence.objects.count() == 2
