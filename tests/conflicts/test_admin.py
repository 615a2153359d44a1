"""Conflicts in the admin: the queues, the page of one pair, the answers and their undo."""

import pytest
from django.test import Client
from django.urls import reverse

from conflicts import services
from conflicts.choices import Answer
from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Reason, VerdictGiven
from memories.models import Memory
from memories.provenance import Provenance
from memories.services import editing, resolving
from tests import desk, factories
from tests.conflicts.conftest import LIT, OFF, Opens


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def shown(client: Client, **asked: str) -> list[Conflict]:
    return list(client.get(desk.list_of("conflict"), asked).context["cl"].result_list)


# --- the queues


def test_each_pair_stands_in_its_queue(ada: Client, opened: Opens, curator: Actor) -> None:
    firm = opened()
    clarify = opened(Reason.AUTHORITY, older="The door is green.", newer="The door is red.")
    unsure = opened(Reason.UNSURE, older="The roof leaks.", newer="The roof is tight.")
    later = opened(older="The well is deep.", newer="The well is shallow.")
    done = opened(older="The gate is open.", newer="The gate is shut.")
    services.settle(by=curator, pair_id=later.pk, answer=Answer.NOT_NOW)
    services.settle(by=curator, pair_id=done.pk, answer=Answer.NEWER)
    assert shown(ada) == [clarify, firm]
    assert shown(ada, queue="clarify") == [clarify]
    assert shown(ada, queue="suggested") == [unsure]
    assert shown(ada, queue="put_off") == [later]
    assert shown(ada, queue="settled") == [done]
    assert shown(ada, queue="nonsense") == [clarify, firm]
    tabs = {tab.title: tab.number for tab in ada.get(desk.list_of("conflict")).context["queues"]}
    assert tabs == {"Open": "2", "Needs clarification": "1", "Suggestions": "1", "Put off": "1", "Settled": ""}


def test_a_row_says_who_wrote_each_side_and_what_was_taken_out(ada: Client, opened: Opens, curator: Actor) -> None:
    pair = opened()
    editing.retire(by=curator, memory_id=pair.older_id)
    page = ada.get(desk.list_of("conflict")).content.decode()
    for words in (LIT, OFF, "a1", "Disputed", "Official", "They disagree", "One side was retired meanwhile"):
        assert words in page


def test_the_badge_counts_what_the_gate_counts(ada: Client, opened: Opens) -> None:
    opened()
    opened(Reason.UNSURE, older="The roof leaks.", newer="The roof is tight.")
    items = {
        item["title"]: item
        for group in ada.get(desk.FRONT).context["sidebar_navigation"]
        for item in group["items"]
    }  # fmt: skip
    assert items["Facts"]["badge"] == str(Conflict.objects.in_badge().count()) == "1"
    assert items["Facts"]["badge_link"] == desk.list_of("conflict")


# --- the page


def test_both_facts_stand_side_by_side_with_what_differs(ada: Client, a1: Actor, opened: Opens) -> None:
    origin = Provenance(source_name="handbook", item_key="port.md", item_url="https://example.org/port")
    pair = opened(older="The server listens on port 8080.", newer="The server listens on port 9090.", provenance=origin)
    page = ada.get(desk.page_of("conflict", pair))
    assert page.context["differs"] == [("Number", "8080", "9090")]
    words = page.content.decode()
    for expected in ("<mark>8080</mark>", "<mark>9090</mark>", 'href="https://example.org/port"', "handbook"):
        assert expected in words


def test_the_passage_of_a_text_leads_to_the_raw_text(ada: Client, a1: Actor) -> None:
    factories.write(a1, "Hear this. The northern lamp is lit at dusk.", confirmed=True)
    older = Memory.objects.statements_only().get(content__contains="dusk")
    newer = factories.fact(a1, "The northern lamp is lit at dawn.")
    resolving.resolve(by=a1, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)
    page = ada.get(desk.page_of("conflict", Conflict.objects.get())).content.decode()
    assert f"{reverse('admin:memories_rawtext_change', args=[older.raw_id])}?passage=" in page


def test_other_pairs_of_a_side_are_linked(ada: Client, a1: Actor, opened: Opens) -> None:
    pair = opened()
    third = factories.fact(a1, "The lamp is broken.")
    resolving.resolve(by=a1, newer_id=third.pk, older_id=pair.older_id, verdict=VerdictGiven.CONTRADICTS)
    other = third.conflicts.get()
    assert desk.page_of("conflict", other) in ada.get(desk.page_of("conflict", pair)).content.decode()


def test_words_are_never_markup(ada: Client, opened: Opens) -> None:
    pair = opened(older="The <script>lamp()</script> is lit.", newer="The <script>lamp()</script> is off.")
    for address in (desk.list_of("conflict"), desk.page_of("conflict", pair)):
        assert "<script>lamp()" not in ada.get(address).content.decode()


@pytest.mark.parametrize(
    ("reason", "answers"),
    [
        (Reason.DISAGREEMENT, ["older", "newer", "neither", "correction", "not_now"]),
        (Reason.AUTHORITY, ["older", "newer", "neither", "correction", "not_now"]),
        (Reason.UNSURE, ["older", "newer", "neither", "correction", "not_now", "both"]),
    ],
)
def test_a_page_offers_what_the_pair_can_take(ada: Client, opened: Opens, reason: Reason, answers: list[str]) -> None:
    assert ada.get(desk.page_of("conflict", opened(reason))).context["answers"] == answers
