"""Facts in the admin: the list, the page of one fact, and what a person does there."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from memories.actors import Actor
from memories.choices import Category, Status, Tier
from memories.models import Evidence, Memory, Product
from memories.provenance import Provenance
from memories.services import editing, history
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def shown(client: Client, **asked: Any) -> list[str]:
    """The facts that the list shows."""
    return [memory.content for memory in client.get(desk.list_of("fact"), asked).context["cl"].result_list]


# --- the list


def test_the_list_shows_what_is_current_newest_first(ada: Client, a1: Actor, curator: Actor) -> None:
    factories.fact(a1, "The lamp is lit.")
    factories.fact(a1, "The door is green.", confirmed=False)
    editing.retire(by=curator, memory_id=factories.fact(a1, "The roof is red.").pk)
    factories.write(a1, "The raw text stays on its own page. Whatever it says.")
    assert shown(ada)[-2:] == ["The door is green.", "The lamp is lit."]
    assert "The roof is red." not in shown(ada)
    assert shown(ada, status="retired") == ["The roof is red."]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("deploys", ["Deploys happen on Tuesdays."]),
        ("tuesday deploy", ["Deploys happen on Tuesdays."]),
        ("デプロイ", ["本番のデプロイは火曜日です。"]),
        ("النشر", ["تتم عمليات النشر أيام الثلاثاء."]),
        ("STRASSE", ["Die Straße ist gesperrt."]),
        ("ops-113", ["See OPS-113 for the limits."]),
        ("deploys never", []),
        ("§§ !!", []),
        ("' | & ! ( :*", []),
    ],
)
def test_words_are_searched_in_every_script(ada: Client, a1: Actor, typed: str, found: list[str]) -> None:
    for content in (
        "Deploys happen on Tuesdays.",
        "本番のデプロイは火曜日です。",
        "تتم عمليات النشر أيام الثلاثاء.",
        "Die Straße ist gesperrt.",
        "See OPS-113 for the limits.",
    ):
        factories.fact(a1, content)
    assert shown(ada, q=typed, how="words") == found


def test_a_fact_is_found_by_its_id(ada: Client, a1: Actor, b1: Actor) -> None:
    assert shown(ada, q=str(factories.fact(a1, "The lamp is lit.").pk)) == ["The lamp is lit."]
    assert shown(ada, q=str(factories.fact(b1, "The apples are ripe.").pk)) == []


def test_filters_narrow(ada: Client, a1: Actor, a2: Actor) -> None:
    summer = datetime(2026, 7, 12, 12, tzinfo=UTC)
    factories.fact(a1, "The lamp is lit.", tier=Tier.POLICY, tags=("light",), category=Category.INSTRUCTION)
    factories.fact(a2, "The door is green.", confirmed=False, about=(summer, summer))
    lamp, door = ["The lamp is lit."], ["The door is green."]
    assert shown(ada, tier="policy") == lamp
    assert shown(ada, tag="light") == lamp
    assert shown(ada, category="instruction") == lamp
    assert shown(ada, status="unverified") == door
    assert shown(ada, agent=str(a2.agent_id)) == door
    assert shown(ada, about_from_from="2026-07-12", about_from_to="2026-07-12") == door
    assert shown(ada, about_from_from="2026-07-13") == []
    assert shown(ada, recorded_at_to="2020-01-01") == []
    assert shown(ada, origin=["agent"], tier=["policy", "official"]) == door + lamp
    assert shown(ada, agent="nonsense") == []
    assert shown(ada, raw="nonsense") == []


def test_a_source_filters_by_the_evidence(ada: Client, lighthouse: Product, a1: Actor) -> None:
    by = factories.source(lighthouse)
    factories.fact(by, "The handbook says so.", provenance=Provenance(source_id=by.source_id, source_name="handbook"))
    factories.fact(a1, "The lamp is lit.")
    assert shown(ada, source=str(by.source_id)) == ["The handbook says so."]


# --- the page


def edit(client: Client, memory: Memory, content: str, why: str = "") -> Any:
    return client.post(desk.page_of("fact", memory), {"content": content, "why": why}, follow=True)


def test_an_edit_is_a_new_version_with_the_persons_name(ada: Client, a1: Actor) -> None:
    old = factories.fact(a1, "The lamp is lit.", tier=Tier.POLICY)
    answer = edit(ada, old, "The lamp is dark.", why="I looked.")
    old.refresh_from_db()
    new = old.replaced_by
    assert new is not None
    assert (old.status, new.content, new.status) == (Status.SUPERSEDED, "The lamp is dark.", Status.VERIFIED)
    moves = [(move.verb, move.by_name, move.why) for move in history.of(new)]
    assert moves == [("add", "a1", ""), ("edit", "curator", "I looked."), ("add", "curator", "I looked.")]
    assert answer.redirect_chain == [(desk.page_of("fact", new), 302)]
    assert desk.said(answer) == ["Saved as a new version."]
    assert "I looked." in answer.content.decode()


def test_the_same_words_with_a_browsers_line_ends_are_no_new_version(ada: Client, a1: Actor) -> None:
    memory = factories.fact(a1, "The lamp is lit.\nThe door is green.")
    assert desk.said(edit(ada, memory, "The lamp is lit.\r\nThe door is green.")) == ["Nothing changed."]
    assert Memory.objects.count() == 1


def test_whoever_edits_an_old_version_reads_why_not_and_keeps_the_words(ada: Client, a1: Actor, curator: Actor) -> None:
    old = factories.fact(a1, "The lamp is lit.")
    editing.revise(by=curator, memory_id=old.pk, content="The lamp is dark.")
    answer = edit(ada, old, "The lamp is broken.")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "Only a current fact can be edited" in page
    assert "The lamp is broken." in page
    assert Memory.objects.count() == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "This field is required."),
        ("…!", "at least one letter"),
        ("x" * 9000, "at most 8,000"),
        ("a\0b", "Null characters"),
    ],
)
def test_words_that_cannot_be_stored_are_refused_with_a_sentence(
    ada: Client, a1: Actor, content: str, sentence: str
) -> None:
    answer = edit(ada, factories.fact(a1, "The lamp is lit."), content)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert Memory.objects.count() == 1


def test_a_fact_in_an_open_pair_is_read_only_and_says_so(ada: Client, a1: Actor) -> None:
    policy = factories.fact(a1, "The lamp is lit.", tier=Tier.POLICY)
    refused = editing.revise(by=a1, memory_id=policy.pk, content="The lamp is dark.", tier=Tier.TEAM).fact
    page = ada.get(desk.page_of("fact", refused)).content.decode()
    assert "settle the pair first" in page
    assert "<textarea" not in page
    assert "The lamp is lit." in page
    assert edit(ada, refused, "The lamp is broken.").status_code == 200
    assert Memory.objects.count() == 2


def test_the_page_says_where_a_fact_comes_from(ada: Client, a1: Actor) -> None:
    origin = Provenance(source_name="handbook", item_key="lamps.md", item_url="https://example.org/lamps")
    factories.write(a1, "# Lamps\n\nThe northern lamp is lit at dusk.", provenance=origin)
    fact = Memory.objects.statements_only().get(content__contains="dusk")
    page = ada.get(desk.page_of("fact", fact)).content.decode()
    assert 'href="https://example.org/lamps"' in page
    link = re.search(r'href="([^"]+\?passage=[^"#]+)#passage"', page)
    assert link
    assert '<mark id="passage">The northern lamp is lit at dusk.</mark>' in ada.get(link[1]).content.decode()


def test_an_address_that_would_run_is_shown_but_not_followed(ada: Client, a1: Actor) -> None:
    fact = factories.fact(
        a1, "The lamp is lit.", provenance=Provenance(item_key="lamps", item_url="javascript:alert(1)")
    )
    page = ada.get(desk.page_of("fact", fact)).content.decode()
    assert "javascript:alert" not in page


def test_words_are_never_markup(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "<script>alert('lamp')</script> is a lamp.", tags=("<b>x</b>",), metadata={"<i>": "<u>"})
    for address in (desk.list_of("fact"), desk.page_of("fact", fact), desk.FRONT):
        page = ada.get(address).content.decode()
        assert "<script>alert('lamp')" not in page
        assert "<b>x</b>" not in page
        assert "<u>" not in page


def test_a_foreign_passage_marks_nothing(ada: Client, a1: Actor, b1: Actor) -> None:
    mine, theirs = factories.write(a1, "The lamp is lit at dusk."), factories.write(b1, "The apples are ripe.")
    passage = Evidence.objects.filter(raw=theirs.raw).exclude(memory=theirs.raw).get()
    for asked in (passage.pk, "nonsense"):
        page = ada.get(f"{desk.page_of('raw text', mine.raw)}?passage={asked}")
        assert page.status_code == 200
        assert "<mark" not in page.content.decode()


# --- acts


def test_verify_retire_and_restore_say_who_and_why(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)
    for act, status in (("verify", Status.VERIFIED), ("retire", Status.RETIRED), ("restore", Status.VERIFIED)):
        desk.confirm(ada, desk.act_of("fact", act, fact), why=f"{act} it")
        fact.refresh_from_db()
        assert fact.status == status
    moves = [(move.verb, move.by_type, move.by_name, move.why) for move in history.of(fact)][1:]
    assert moves == [(verb, "person", "curator", f"{verb} it") for verb in ("verify", "retire", "restore")]


@pytest.mark.parametrize("act", ["verify", "retire", "restore"])
def test_a_link_alone_changes_nothing(ada: Client, a1: Actor, act: str) -> None:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)
    assert "dialog" in ada.get(desk.act_of("fact", act, fact)).content.decode()
    fact.refresh_from_db()
    assert fact.status == Status.UNVERIFIED


def test_a_page_offers_what_its_status_allows(ada: Client, a1: Actor, curator: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)

    def offered() -> list[str]:
        return [act["title"] for act in ada.get(desk.page_of("fact", fact)).context["actions_detail"]]

    assert offered() == ["Verify", "Retire"]
    editing.retire(by=curator, memory_id=fact.pk)
    assert offered() == ["Restore"]


def test_a_refused_act_shows_its_sentence(ada: Client, a1: Actor, curator: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    answer = ada.post(desk.act_of("fact", "restore", fact), {"_form_submitted": "True"}, follow=True)
    assert desk.said(answer) == ["Only a retired memory can be restored, and this one is not retired."]


def test_htmx_is_sent_on_to_the_page(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)
    answer = ada.post(desk.act_of("fact", "verify", fact), {"_form_submitted": "True"}, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == desk.page_of("fact", fact)


def test_djangos_own_log_keeps_no_words(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.")
    edit(ada, fact, "The lamp is dark.")
    desk.confirm(ada, desk.act_of("fact", "retire", fact))
    assert not LogEntry.objects.exists()
