"""Many facts at once: looked at first, done with a reason, and taken back as one act."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from conflicts import services as settling
from conflicts.choices import Answer
from memories.actors import Actor
from memories.choices import Scope, Status, Verb, VerdictGiven
from memories.decisions import Refusal
from memories.errors import InvalidInput
from memories.models import Memory, Product
from memories.services import bulk, editing, history, resolving
from memories.services.bulk import BUILT_ON, Receipt
from tests import desk, factories

#: A preview of any number of rows: the list it was asked from, the rows behind the walls, and what holds them back.
DONE = 8
PREVIEW = {Verb.VERIFY: 15, Verb.RETIRE: 15, Verb.RESTORE: 17}


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def lamps(by: Actor, number: int, *, confirmed: bool = False) -> list[Memory]:
    return [factories.fact(by, f"Lamp {place} is lit.", confirmed=confirmed) for place in range(number)]


def statuses(rows: list[Memory]) -> list[str]:
    found = dict(Memory.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", "status"))
    return [found[row.pk] for row in rows]


def preview(client: Client, act: str, rows: list[Memory], *, query: str = "", across: bool = False) -> Any:
    sent = {"action": f"{act}_selected", "_selected_action": [str(row.pk) for row in rows], "index": "0"}
    return client.post(desk.list_of("fact") + query, {**sent, "select_across": "1" if across else "0"})


def act(client: Client, verb: str, ids: str, why: str = "") -> Any:
    return client.post(reverse("admin:memories_memory_act", args=[verb]), {"ids": ids, "why": why}, follow=True)


def run(client: Client, verb: str, rows: list[Memory], *, query: str = "", why: str = "") -> Any:
    """Preview, then act on what the preview offers."""
    return act(client, verb, preview(client, verb, rows, query=query).context["ids"], why)


def undo(client: Client, done: Any, why: str = "") -> Any:
    address = reverse("admin:memories_memory_undo_many", args=[done.context["receipt"]])
    return client.post(address, {"why": why}, follow=True)


# --- the preview


def test_a_preview_says_how_many_will_change_and_why_the_others_will_not(
    ada: Client, a1: Actor, curator: Actor
) -> None:
    rows = [*lamps(a1, 3), factories.fact(a1, "The door is green.")]
    editing.retire(by=curator, memory_id=rows[2].pk)
    page = preview(ada, "verify", rows)
    assert page.context["number"] == 2
    assert {each.sentence: each.number for each in page.context["left"]} == {
        "It is so already.": 1,
        editing.EDIT_REFUSED[Refusal.NOT_CURRENT]: 1,
    }
    assert "Nothing has changed yet." in page.content.decode()
    assert statuses(rows) == ["unverified", "unverified", "retired", "verified"]


@pytest.mark.parametrize("verb", bulk.ACTS)
def test_what_the_preview_says_is_what_the_act_does(lighthouse: Product, a1: Actor, curator: Actor, verb: Verb) -> None:
    """Every status and every obstacle there is, by both."""
    rows = lamps(a1, 8)
    editing.verify(by=curator, memory_id=rows[1].pk)
    editing.retire(by=curator, memory_id=rows[2].pk)
    editing.revise(by=curator, memory_id=rows[3].pk, content="Lamp 3 is dark.")
    resolving.resolve(by=a1, newer_id=rows[5].pk, older_id=rows[4].pk, verdict=VerdictGiven.CONTRADICTS)
    resolving.resolve(by=a1, newer_id=rows[7].pk, older_id=rows[6].pk, verdict=VerdictGiven.CONTRADICTS)
    settling.settle(by=curator, pair_id=rows[7].conflicts.get().pk, answer=Answer.NEWER)
    twin = factories.fact(a1, "The door is green.")
    editing.retire(by=curator, memory_id=twin.pk)
    again = factories.fact(a1, "The door is green.")
    for pair in again.conflicts.all():  # what a person retired is said again: stored conflicting
        settling.settle(by=curator, pair_id=pair.pk, answer=Answer.NEWER)
    ids = [row.pk for row in [*rows, twin]]
    expected = bulk.preview(by=curator, ids=ids, verb=verb)
    result = bulk.act(by=curator, ids=ids, verb=verb)
    assert set(result.done) == {row.pk for row in expected.can}
    assert dict(result.refused) == {row.pk: sentence for row, sentence in expected.refused}


def test_of_two_that_say_the_same_only_one_is_restored(a1: Actor, curator: Actor) -> None:
    rows = []
    for _ in range(2):
        rows.append(factories.fact(a1, "The lamp is lit."))
        editing.retire(by=a1, memory_id=rows[-1].pk)
    ids = [row.pk for row in rows]
    expected = bulk.preview(by=curator, ids=ids, verb=Verb.RESTORE)
    assert [row.pk for row in expected.can] == ids[:1]
    assert bulk.act(by=curator, ids=ids, verb=Verb.RESTORE).done == ids[:1]


def test_all_that_match_are_chosen_across_pages(ada: Client, a1: Actor) -> None:
    rows = lamps(a1, 60)
    factories.fact(a1, "The door is green.")
    page = preview(ada, "verify", rows[:1], query="?status=unverified", across=True)
    assert page.context["number"] == 60
    done = act(ada, "verify", page.context["ids"])
    assert desk.said(done) == ["60 verified."]


def test_one_act_is_bounded_and_says_so(ada: Client, a1: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.admin.bulk.MOST_AT_ONCE", 3)
    page = preview(ada, "verify", lamps(a1, 5), query="?status=unverified", across=True)
    assert page.context["number"] == 3
    assert "these are the newest 3 of them" in page.content.decode()
    with pytest.raises(InvalidInput):
        bulk.act(by=a1, ids=[UUID(int=each) for each in range(1_001)], verb=Verb.VERIFY)


@pytest.mark.parametrize("verb", PREVIEW)
def test_a_preview_costs_the_same_for_any_number(
    ada: Client, a1: Actor, verb: Verb, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rows = lamps(a1, 20)
    preview(ada, str(verb), rows)
    with django_assert_num_queries(PREVIEW[verb]):
        preview(ada, str(verb), rows)


def test_the_page_of_an_act_costs_the_same_for_any_number(
    ada: Client, a1: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    done = run(ada, "verify", lamps(a1, 20))
    with django_assert_num_queries(DONE):
        ada.get(reverse("admin:memories_memory_done", args=[done.context["receipt"]]))


# --- the act


def test_the_act_stands_in_each_history_with_name_and_reason(ada: Client, a1: Actor) -> None:
    rows = lamps(a1, 3)
    done = run(ada, "verify", rows, why="I saw them all.")
    assert desk.said(done) == ["3 verified."]
    assert statuses(rows) == ["verified"] * 3
    for row in rows:
        last = history.of(row)[-1]
        assert (last.verb, last.by_name, last.why) == ("verify", "curator", "I saw them all.")
    assert "I saw them all." in done.content.decode()


def test_what_changed_between_preview_and_act_is_left_and_said(ada: Client, a1: Actor, curator: Actor) -> None:
    rows = lamps(a1, 2)
    ids = preview(ada, "retire", rows).context["ids"]
    editing.revise(by=curator, memory_id=rows[0].pk, content="Lamp 0 is dark.")
    assert desk.said(act(ada, "retire", ids)) == [
        "1 retired.", "1 left as they were: 1 × A superseded memory can't be retired.",
    ]  # fmt: skip


def test_nothing_to_do_leaves_no_receipt(ada: Client, a1: Actor) -> None:
    rows = lamps(a1, 1, confirmed=True)
    assert act(ada, "verify", str(rows[0].pk)).redirect_chain == [(desk.list_of("fact"), 302)]
    assert act(ada, "verify", "nonsense,,").redirect_chain == [(desk.list_of("fact"), 302)]


# --- undo


@pytest.mark.parametrize(
    ("verb", "before"), [("verify", "unverified"), ("retire", "unverified"), ("restore", "retired")]
)
def test_undo_takes_back_exactly_the_act(ada: Client, a1: Actor, curator: Actor, verb: str, before: str) -> None:
    rows, other = lamps(a1, 3), factories.fact(a1, "The door is green.")
    if verb == "restore":
        for row in [*rows, other]:
            editing.retire(by=curator, memory_id=row.pk)
    done = run(ada, verb, rows)
    before_other = statuses([other])
    back = undo(ada, done, why="Wrong lamps.")
    assert desk.said(back) == ["3 taken back."]
    assert statuses(rows) == [before] * 3
    assert statuses([other]) == before_other
    assert [history.of(row)[-1].why for row in rows] == ["Wrong lamps."] * 3
    assert "Nothing of this act stands any more." in back.content.decode()
    assert desk.said(undo(ada, done)) == ["3 left as they were: 3 × It was taken back already."]


def test_what_was_built_on_is_left_and_the_rest_taken_back(ada: Client, a1: Actor, curator: Actor) -> None:
    rows = lamps(a1, 3)
    done = run(ada, "verify", rows)
    editing.revise(by=curator, memory_id=rows[1].pk, content="Lamp 1 is dark.")
    assert desk.said(undo(ada, done)) == ["2 taken back.", f"1 left as they were: 1 × {BUILT_ON}"]
    assert statuses(rows) == ["unverified", "superseded", "unverified"]


def test_a_restored_fact_that_another_gave_way_to_stays(ada: Client, a1: Actor, curator: Actor) -> None:
    [lamp] = lamps(a1, 1)
    editing.retire(by=curator, memory_id=lamp.pk)
    done = run(ada, "restore", [lamp], query="?status=retired")
    copy = factories.fact(a1, "Lamp 0 is still lit.")
    resolving.resolve(by=a1, newer_id=copy.pk, older_id=lamp.pk, verdict=VerdictGiven.DUPLICATE)
    assert desk.said(undo(ada, done)) == [f"1 left as they were: 1 × {BUILT_ON}"]
    assert statuses([lamp]) == ["unverified"]


def test_a_retired_side_whose_pair_was_settled_since_stays_retired(ada: Client, a1: Actor, curator: Actor) -> None:
    rows = lamps(a1, 2)
    resolving.resolve(by=a1, newer_id=rows[1].pk, older_id=rows[0].pk, verdict=VerdictGiven.CONTRADICTS)
    done = run(ada, "retire", rows[:1], query="?status=disputed")
    settling.settle(by=curator, pair_id=rows[1].conflicts.get().pk, answer=Answer.NEWER)
    assert desk.said(undo(ada, done)) == [f"1 left as they were: 1 × {BUILT_ON}"]
    assert statuses(rows) == ["retired", "verified"]


def test_a_retired_fact_that_was_said_again_stays_retired(ada: Client, a1: Actor, curator: Actor) -> None:
    [lamp] = lamps(a1, 1)
    done = run(ada, "retire", [lamp])
    again = factories.fact(a1, "Lamp 0 is lit.")
    assert again.pk != lamp.pk
    assert desk.said(undo(ada, done))[0].startswith("1 left as they were")
    assert statuses([lamp]) == ["retired"]


# --- walls


def test_a_private_or_foreign_fact_is_in_no_preview_act_or_undo(ada: Client, a1: Actor, b1: Actor) -> None:
    hidden = [
        factories.fact(a1, "The vault is blue.", scope=Scope.PRIVATE, confirmed=False),
        factories.fact(b1, "The apples are ripe.", confirmed=False),
    ]
    page = preview(ada, "verify", hidden)
    assert (page.context["number"], page.context["left"]) == (0, [])
    act(ada, "retire", ",".join(str(row.pk) for row in hidden))
    assert statuses(hidden) == ["unverified", "unverified"]


def test_another_products_receipt_is_not_found(ada: Client, orchard: Product, b1: Actor) -> None:
    otto = desk.at_desk(factories.person(orchard, "otto"))
    rows = lamps(b1, 1)
    done = run(otto, "verify", rows)
    for written in (done.context["receipt"], "nonsense", f"{UUID(int=1)}.1.2"):
        assert ada.get(reverse("admin:memories_memory_done", args=[written])).status_code == 404
        assert ada.post(reverse("admin:memories_memory_undo_many", args=[written])).status_code == 404
    assert statuses(rows) == ["verified"]


@pytest.mark.parametrize("name", ["memories_memory_act", "memories_memory_undo_many"])
def test_a_link_alone_changes_nothing(ada: Client, a1: Actor, name: str) -> None:
    assert ada.get(reverse(f"admin:{name}", args=["verify"])).status_code == 405


def test_staff_alone_acts_on_nothing(a1: Actor) -> None:
    rows = lamps(a1, 1)
    assert act(desk.stranger(), "verify", str(rows[0].pk)).status_code == 404
    assert statuses(rows) == [Status.UNVERIFIED]


def test_a_superuser_acts_in_several_products_at_once_and_takes_all_back(a1: Actor, b1: Actor) -> None:
    root, rows = desk.superuser(), [*lamps(a1, 1), *lamps(b1, 1)]
    done = run(root, "verify", rows)
    assert desk.said(done) == ["2 verified."]
    assert desk.said(undo(root, done)) == ["2 taken back."]
    assert statuses(rows) == ["unverified", "unverified"]


def test_a_receipt_reads_as_it_was_written() -> None:
    receipt = Receipt(UUID(int=7), 3, 9)
    assert Receipt.read(str(receipt)) == receipt
    for wrong in ("", "7.3.9", f"{UUID(int=7)}.3", f"{UUID(int=7)}.a.b"):
        with pytest.raises(InvalidInput):
            Receipt.read(wrong)


def test_parts_of_one_act_are_undone_as_one_and_another_persons_act_is_not_joined(
    ada: Client, a1: Actor, manager: Actor
) -> None:
    facts = [factories.fact(a1, f"Lamp {number} is lit.") for number in range(3)]
    act = desk.tick(ada, "fact", "retire_selected", facts).context["act"]
    json = {"Accept": "application/json"}
    address, other = reverse("admin:memories_memory_act", args=["retire"]), desk.at_desk(manager)
    told = [ada.post(address, {"ids": str(fact.pk), "act": act}, headers=json).json()["receipt"] for fact in facts[:2]]
    foreign = other.post(address, {"ids": str(facts[2].pk), "act": act}, headers=json).json()["receipt"]
    acts, firsts, lasts = zip(*(each.split(".") for each in told), strict=True)
    assert len(set(acts)) == 1
    assert foreign.split(".")[0] not in acts
    whole = f"{acts[0]}.{min(map(int, firsts))}.{max(map(int, lasts))}"
    ada.post(reverse("admin:memories_memory_undo_many", args=[whole]))
    assert [Memory.objects.get(pk=fact.pk).status for fact in facts] == ["verified", "verified", "retired"]
