"""Settling in the admin: the answers, what is refused, and the undo."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from conflicts.choices import Answer, State
from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Reason, Status, Tier, VerdictGiven
from memories.models import Memory
from memories.services import editing, history, resolving
from tests import desk, factories
from tests.conflicts.conftest import LIT, OFF, Opens, sides


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def answer(client: Client, pair: Conflict, answer: Answer | str, **typed: str) -> Any:
    return client.post(desk.page_of("conflict", pair), {"answer": str(answer), **typed}, follow=True)


def undo(client: Client, pair: Conflict, why: str = "") -> Any:
    return client.post(desk.act_of("conflict", "undo", pair), {"why": why}, follow=True)


# --- the answers


@pytest.mark.parametrize(
    ("given", "after", "sentence"),
    [
        (Answer.OLDER, ("verified", "retired"), "Settled: the older is true. It is verified and in recall."),
        (Answer.NEWER, ("retired", "verified"), "Settled: the newer is true. It is verified and in recall."),
        (Answer.NEITHER, ("retired", "retired"), "Settled: neither is true. Both were retired."),
    ],
)
def test_a_person_settles_with_one_answer(
    ada: Client, opened: Opens, given: Answer, after: tuple[str, str], sentence: str
) -> None:
    pair = opened()
    [said] = desk.said(answer(ada, pair, given, why="I looked."))
    assert said.startswith(sentence)
    assert sides(pair) == after
    moves = history.of(pair.older)
    assert (moves[-1].by_name, moves[-1].by_type, moves[-1].why) == ("curator", "person", "I looked.")
    page = ada.get(desk.page_of("conflict", pair)).content.decode()
    for words in (str(given.label), "curator", "I looked."):
        assert words in page


def test_none_is_true_here_is_what_is(ada: Client, opened: Opens) -> None:
    pair = opened()
    answer(ada, pair, Answer.CORRECTION, correction="The lamp is broken.", why="It fell.")
    pair.refresh_from_db()
    assert pair.correction is not None
    assert (pair.correction.content, pair.correction.status) == ("The lamp is broken.", Status.VERIFIED)
    assert sides(pair) == ("retired", "retired")
    assert desk.page_of("fact", pair.correction) in ada.get(desk.page_of("conflict", pair)).content.decode()


def test_not_now_puts_off_for_seven_days_unless_a_date_is_named(ada: Client, opened: Opens) -> None:
    pair = opened()
    page = ada.get(desk.page_of("conflict", pair))
    offered = page.context["form"]["until"].value()
    assert offered == (timezone.localdate() + timedelta(days=7)).isoformat()
    [said] = desk.said(answer(ada, pair, Answer.NOT_NOW, until=offered))
    assert said.startswith("Put off until ")
    pair.refresh_from_db()
    assert pair.put_off_until is not None
    assert (pair.state, pair.put_off_until.date().isoformat()) == (State.PUT_OFF, offered)
    assert answer(ada, pair, Answer.NOT_NOW).status_code == 200
    assert answer(ada, pair, Answer.NEWER).redirect_chain, "what was put off can be settled before its date"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"answer": "not_now", "until": "2020-01-01"}, "The date must lie in the future."),
        ({"answer": "not_now", "until": "soon"}, "Write the date as 2026-12-31."),
        ({"answer": "correction", "correction": "…!"}, "at least one letter"),
        ({"answer": "correction", "correction": LIT}, "That is what one of the two says"),
        ({"answer": "older", "correction": "The lamp is broken."}, "but chose another answer"),
        ({"answer": "both"}, "Only of a suggestion"),
        ({"answer": "perhaps"}, "Select a valid choice"),
        ({}, "This field is required."),
    ],
)
def test_what_cannot_be_taken_is_said_in_a_sentence_and_nothing_changes(
    ada: Client, opened: Opens, typed: dict[str, str], sentence: str
) -> None:
    pair = opened()
    page = ada.post(desk.page_of("conflict", pair), {**typed, "why": "My reason"})
    assert page.status_code == 200
    assert sentence in page.content.decode()
    assert "My reason" in page.content.decode(), "what was typed stays"
    assert sides(pair) == ("disputed", "disputed")


def test_a_settled_pair_is_not_settled_again(ada: Client, opened: Opens) -> None:
    pair = opened()
    answer(ada, pair, Answer.NEWER)
    assert "settled already" in answer(ada, pair, Answer.OLDER).content.decode()
    assert sides(pair) == ("retired", "verified")


def test_a_winner_in_another_pair_names_what_holds_it(ada: Client, a1: Actor, opened: Opens) -> None:
    pair = opened()
    third = factories.fact(a1, "The lamp is broken.")
    resolving.resolve(by=a1, newer_id=third.pk, older_id=pair.older_id, verdict=VerdictGiven.CONTRADICTS)
    settled = answer(ada, pair, Answer.OLDER)
    assert "It stays disputed until another pair it stands in is settled." in desk.said(settled)[0]
    assert [each.pair for each in settled.context["remaining"]] == [third.conflicts.get()]


def test_a_side_taken_out_meanwhile_is_said_and_settled_with_one_click(
    ada: Client, opened: Opens, curator: Actor
) -> None:
    pair = opened()
    editing.retire(by=curator, memory_id=pair.older_id)
    page = ada.get(desk.page_of("conflict", pair))
    assert "The older fact was retired meanwhile." in page.content.decode()
    assert page.context["closing"] == Answer.NEWER
    assert Answer.OLDER not in page.context["answers"]
    answer(ada, pair, page.context["closing"])
    assert sides(pair) == ("retired", "verified")


def test_a_pair_of_which_both_sides_are_gone_closes_with_none_is_true(
    ada: Client, opened: Opens, curator: Actor
) -> None:
    pair = opened()
    for side in (pair.older_id, pair.newer_id):
        editing.retire(by=curator, memory_id=side)
    assert ada.get(desk.page_of("conflict", pair)).context["closing"] == Answer.NEITHER
    assert desk.said(answer(ada, pair, Answer.NEITHER)) == ["Settled: neither is true."]


def test_a_suggestion_is_dismissed_or_confirmed(ada: Client, opened: Opens) -> None:
    dismissed = opened(Reason.UNSURE)
    assert desk.said(answer(ada, dismissed, Answer.BOTH)) == ["Settled: both are true. Neither was changed."]
    assert sides(dismissed) == ("verified", "verified")
    pair = opened(Reason.UNSURE, older="The roof leaks.", newer="The roof is tight.")
    said = desk.said(ada.post(desk.act_of("conflict", "confirm", pair), follow=True))
    assert said == ["Confirmed: they disagree. Both are out of recall until the pair is settled."]
    pair.refresh_from_db()
    assert (pair.reason, sides(pair)) == (Reason.DISAGREEMENT, ("disputed", "disputed"))


def test_a_refused_edit_is_clarified(ada: Client, a1: Actor) -> None:
    policy = factories.fact(a1, LIT, tier=Tier.POLICY)
    refused = editing.revise(by=a1, memory_id=policy.pk, content=OFF, tier=Tier.TEAM).fact
    pair = refused.conflicts.get()
    answer(ada, pair, Answer.NEWER, why="The policy is outdated.")
    assert sides(pair) == ("retired", "verified")


# --- undo


def test_undo_brings_both_back_to_what_they_were(ada: Client, opened: Opens) -> None:
    pair = opened()
    answer(ada, pair, Answer.CORRECTION, correction="The lamp is broken.")
    assert desk.said(undo(ada, pair, why="Wrong lamp.")) == [
        "Undone: the pair is open again, and each fact has the status it had."
    ]
    pair.refresh_from_db()
    assert (pair.state, sides(pair)) == (State.OPEN, ("disputed", "disputed"))
    assert Memory.objects.get(content="The lamp is broken.").status == Status.RETIRED
    assert history.of(pair.older)[-1].why == "Wrong lamp."


def test_what_was_built_on_is_not_undone_and_says_why(ada: Client, opened: Opens, curator: Actor) -> None:
    pair = opened()
    answer(ada, pair, Answer.NEWER)
    editing.revise(by=curator, memory_id=pair.newer_id, content="The lamp is off at night.")
    [said] = desk.said(undo(ada, pair))
    assert said.startswith("Something was built on this settlement since")
    assert sides(pair) == ("retired", "superseded")


@pytest.mark.parametrize("act", ["undo", "confirm"])
def test_a_link_alone_changes_nothing(ada: Client, opened: Opens, act: str) -> None:
    pair = opened(Reason.UNSURE)
    if act == "undo":
        answer(ada, pair, Answer.NEWER)
    before = sides(pair)
    assert ada.get(desk.act_of("conflict", act, pair)).status_code == 405
    assert ada.get(desk.page_of("conflict", pair) + "?answer=older").status_code == 200
    assert sides(pair) == before


def test_nothing_is_sent_without_its_token(curator: Actor, opened: Opens) -> None:
    pair = opened()
    guarded = Client(enforce_csrf_checks=True)
    guarded.cookies = desk.at_desk(curator).cookies
    assert guarded.post(desk.page_of("conflict", pair), {"answer": "newer"}).status_code == 403
    assert guarded.post(desk.act_of("conflict", "undo", pair)).status_code == 403
    assert sides(pair) == ("disputed", "disputed")


def test_a_pair_that_does_not_exist_is_not_found(ada: Client, lighthouse: Any) -> None:
    missing = Conflict(pk=uuid4())
    assert ada.get(desk.page_of("conflict", missing)).status_code == 404
    for act in ("undo", "confirm"):
        assert ada.post(desk.act_of("conflict", act, missing)).status_code == 404
