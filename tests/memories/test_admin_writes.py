"""Writes and raw texts in the admin."""

import pytest
from django.test import Client

from memories.actors import Actor
from memories.choices import WriteState
from memories.models import Memory, Write
from memories.services import claims
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def failed(by: Actor, text: str = "The lamp is broken.") -> Write:
    write = factories.write(by, text, wait=False)
    held = claims.claim(write.pk)
    assert held
    claims.fail(held, reason="ConnectionError: the reader is away.")
    write.refresh_from_db()
    return write


def test_failed_writes_are_found_by_filter_and_badge(ada: Client, a1: Actor) -> None:
    write = failed(a1)
    factories.write(a1, "The door is green.")
    answer = ada.get(desk.list_of("write"), {"state": "failed"})
    assert list(answer.context["cl"].result_list) == [write]
    assert "the reader is away" in answer.content.decode()
    badges = {
        item["title"]: item.get("badge") for group in answer.context["sidebar_navigation"] for item in group["items"]
    }
    assert badges["Writes"] == "1"
    assert badges["Facts"] is None


def test_a_failed_write_is_tried_again_and_queued(ada: Client, a1: Actor) -> None:
    write = failed(a1)
    factories.queued.clear()
    with_commit = ada.post(desk.act_of("write", "retry", write), {"_form_submitted": "True"}, follow=True)
    assert desk.said(with_commit) == ["Queued again; reload to see how it went."]
    write.refresh_from_db()
    assert write.state == WriteState.RECEIVED


@pytest.mark.django_db(transaction=True)
def test_what_is_retried_reaches_a_worker_once_it_is_committed(ada: Client, a1: Actor) -> None:
    rows = [failed(a1, "The lamp is broken."), failed(a1, "The door is stuck.")]
    factories.queued.clear()
    answer = desk.tick(ada, "write", "retry_selected", rows, query="?state=failed")
    assert desk.said(answer) == ["2 queued again."]
    assert set(factories.queued) == {write.pk for write in rows}


def test_only_what_failed_is_retried_and_only_what_waits_is_cancelled(ada: Client, a1: Actor) -> None:
    done, waiting = factories.write(a1, "The door is green."), factories.write(a1, "The lamp is lit.", wait=False)
    refused = ada.post(desk.act_of("write", "retry", done), {"_form_submitted": "True"}, follow=True)
    assert desk.said(refused) == ["Only a failed write can be retried, and this one is done."]
    cancelled = ada.post(desk.act_of("write", "cancel", waiting), {"_form_submitted": "True"}, follow=True)
    assert desk.said(cancelled) == ["Cancelled. The raw text stays."]
    assert Write.objects.get(pk=waiting.pk).state == WriteState.CANCELLED
    assert Memory.objects.filter(pk=waiting.raw_id).exists()


@pytest.mark.parametrize(("state", "offered"), [("failed", ["Retry"]), ("done", []), ("received", ["Cancel"])])
def test_a_write_offers_what_its_state_allows(ada: Client, a1: Actor, state: str, offered: list[str]) -> None:
    write = failed(a1) if state == "failed" else factories.write(a1, "The lamp is lit.", wait=state == "done")
    acts = ada.get(desk.page_of("write", write)).context["actions_detail"]
    assert [act["title"] for act in acts] == offered


def test_a_write_shows_what_became_of_each_statement(ada: Client, a1: Actor) -> None:
    factories.fact(a1, "The northern door is green.", confirmed=False)
    write = factories.write(a1, "The northern door is green. The southern lamp is lit.")
    page = ada.get(desk.page_of("write", write))
    assert page.context["counts"] == [("Added", 1), ("Known already", 1)] or page.context["counts"] == [
        ("Known already", 1),
        ("Added", 1),
    ]
    assert "The southern lamp is lit." in page.content.decode()


def test_a_raw_text_shows_every_word_and_what_was_read(ada: Client, a1: Actor) -> None:
    write = factories.write(a1, "# Lamps\n\nThe northern lamp is lit at dusk.\n\n<em>Not markup</em>")
    page = ada.get(desk.page_of("raw text", write.raw)).content.decode()
    assert "# Lamps\n\nThe northern lamp is lit at dusk.\n\n&lt;em&gt;Not markup&lt;/em&gt;" in page
    for memory in write.raw.statements.all():
        assert desk.page_of("fact", memory) in page
