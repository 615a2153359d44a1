"""What the first document says of the dashboard, paragraph by paragraph, as a person sees it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conflicts.models import Conflict
from conflicts.services import wake_put_off
from memories.actors import Actor
from memories.choices import Category, Status, VerdictGiven
from memories.models import Memory
from memories.services import history, resolving
from tests import desk, factories
from tests.conftest import Clock

OLD, NEW = "Retries are capped at 3.", "Retries are capped at 5."


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


@pytest.fixture
def pair(a1: Actor) -> Conflict:
    return contradiction(a1, OLD, NEW)


def contradiction(by: Actor, older: str, newer: str, **labels: Any) -> Conflict:
    first, second = factories.fact(by, older, **labels), factories.fact(by, newer, **labels)
    resolving.resolve(by=by, newer_id=second.pk, older_id=first.pk, verdict=VerdictGiven.CONTRADICTS)
    opened: Conflict = second.conflicts.get(older=first)
    return opened


def facts(client: Client, **asked: str) -> list[str]:
    return [memory.content for memory in client.get(desk.list_of("fact"), asked).context["cl"].result_list]


def listed(client: Client, **asked: str) -> list[Conflict]:
    return list(client.get(desk.list_of("conflict"), asked).context["cl"].result_list)


def badge(client: Client, title: str) -> str | None:
    groups = client.get(desk.FRONT).context["sidebar_navigation"]
    found: list[str | None] = [
        item.get("badge") for group in groups for item in group["items"] if item["title"] == title
    ]
    return found[0]


def settle(client: Client, pair: Conflict, answer: str, **typed: str) -> None:
    assert client.post(desk.page_of("conflict", pair), {"answer": answer, **typed}).status_code == 302


def status(content: str) -> str:
    return Memory.objects.get(content=content).status


def test_every_fact_stands_in_the_facts_view_with_its_kind_and_status(ada: Client, a1: Actor) -> None:
    factories.fact(a1, "The lamp is lit.", confirmed=False)
    page = ada.get(desk.list_of("fact")).content.decode()
    for words in ("The lamp is lit.", "Fact", "Unverified"):
        assert words in page


def test_facts_can_be_searched_filtered_and_edited(ada: Client, a1: Actor) -> None:
    lamp = factories.fact(a1, "The lamp is lit.", category=Category.TERM)
    factories.fact(a1, "The door is green.")
    assert facts(ada, q="lamp") == facts(ada, category="term") == ["The lamp is lit."]
    ada.post(desk.page_of("fact", lamp), {"content": "The lamp is dark.", "why": ""})
    assert facts(ada, q="lamp") == ["The lamp is dark."]


def test_a_profile_never_shows_the_facts_of_another(ada: Client, a1: Actor, b1: Actor) -> None:
    factories.fact(a1, "The lamp is lit.")
    factories.fact(b1, "The apples are ripe.")
    assert facts(ada) == ["The lamp is lit."]


def test_a_claim_that_is_not_confirmed_is_unverified_until_a_person_settles_it(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "The lamp is lit.", confirmed=False)
    assert facts(ada, status="unverified") == ["The lamp is lit."]
    desk.confirm(ada, desk.act_of("fact", "verify", fact))
    assert facts(ada, status="verified") == ["The lamp is lit."]


def test_correcting_a_fact_keeps_the_old_version_as_superseded(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, OLD)
    ada.post(desk.page_of("fact", fact), {"content": NEW, "why": "Raised."})
    assert (status(OLD), status(NEW)) == (Status.SUPERSEDED, Status.VERIFIED)
    page = ada.get(desk.page_of("fact", Memory.objects.get(content=NEW)))
    assert [version.content for version in page.context["versions"]] == [OLD, NEW]


def test_deleting_a_fact_retires_it(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, OLD)
    desk.confirm(ada, desk.act_of("fact", "retire", fact))
    assert facts(ada) == []
    assert facts(ada, status="retired") == [OLD]


def test_a_contradiction_is_listed_in_the_conflicts_tab_of_facts(ada: Client, pair: Conflict) -> None:
    tabs = ada.get(desk.list_of("fact")).content.decode()
    assert f'href="{desk.list_of("conflict")}"' in tabs
    assert "Conflicts (1)" in tabs
    assert listed(ada) == [pair]


def test_a_warning_beside_facts_shows_how_many_are_open(ada: Client, a1: Actor, pair: Conflict) -> None:
    assert badge(ada, "Facts") == "1"
    contradiction(a1, "The gate is open.", "The gate is shut.")
    assert badge(ada, "Facts") == "2"


def test_both_are_disputed_and_out_of_recall_until_settled(ada: Client, a1: Actor, pair: Conflict) -> None:
    assert (status(OLD), status(NEW)) == (Status.DISPUTED, Status.DISPUTED)
    assert facts(ada) == []
    settle(ada, pair, "newer")
    assert facts(ada) == [NEW]


def test_a_third_fact_opens_its_own_pair_and_settling_one_settles_only_those_two(
    ada: Client, a1: Actor, pair: Conflict
) -> None:
    third = factories.fact(a1, "Retries are capped at 7.")
    resolving.resolve(by=a1, newer_id=third.pk, older_id=pair.older_id, verdict=VerdictGiven.CONTRADICTS)
    settle(ada, pair, "newer")
    assert listed(ada) == [third.conflicts.get()]
    assert third.content not in facts(ada)


def test_contradictions_between_two_persona_traits_appear_on_the_persona_page_instead(ada: Client, a1: Actor) -> None:
    tea = contradiction(a1, "Kim prefers tea.", "Kim prefers coffee.", category=Category.PERSONA, person="Kim")
    assert listed(ada) == []
    assert (badge(ada, "Facts"), badge(ada, "Persona")) == (None, "1")
    assert desk.page_of("conflict", tea) in ada.get(reverse("admin:conflicts_persona")).content.decode()


def test_one_of_these_is_true_returns_to_verified_and_the_other_is_retired(ada: Client, pair: Conflict) -> None:
    settle(ada, pair, "older", why="Measured.")
    assert (status(OLD), status(NEW)) == (Status.VERIFIED, Status.RETIRED)
    last = history.of(pair.newer)[-1]
    assert (last.by_name, last.why) == ("curator", "Measured.")


def test_none_of_these_is_true_retires_both_and_nothing_replaces_them(ada: Client, pair: Conflict) -> None:
    settle(ada, pair, "neither")
    assert (status(OLD), status(NEW)) == (Status.RETIRED, Status.RETIRED)
    assert facts(ada) == []


def test_none_is_true_here_is_what_is_stores_the_correction_as_a_verified_fact(ada: Client, pair: Conflict) -> None:
    settle(ada, pair, "correction", correction="Retries are capped at 4.")
    assert (status(OLD), status(NEW)) == (Status.RETIRED, Status.RETIRED)
    assert status("Retries are capped at 4.") == Status.VERIFIED
    assert facts(ada) == ["Retries are capped at 4."]


def test_not_now_puts_the_question_off_and_it_comes_back_later(ada: Client, pair: Conflict, clock: Clock) -> None:
    settle(ada, pair, "not_now")
    assert (listed(ada), badge(ada, "Facts")) == ([], None)
    assert listed(ada, queue="put_off") == [pair]
    clock.pass_(days=7, minutes=1)
    wake_put_off()
    assert listed(ada) == [pair]


def test_facts_can_be_read_edited_and_curated_on_the_facts_page(ada: Client, a1: Actor, curator: Actor) -> None:
    fact = factories.fact(a1, OLD, confirmed=False)
    for act, expected in (("verify", Status.VERIFIED), ("retire", Status.RETIRED), ("restore", Status.VERIFIED)):
        desk.confirm(ada, desk.act_of("fact", act, fact), why=act)
        assert status(OLD) == expected
    assert [move.why for move in history.of(fact)[1:]] == ["verify", "retire", "restore"]


def test_the_similarity_threshold_is_a_setting_of_the_product(a1: Actor, manager: Actor, lighthouse: Any) -> None:
    page = desk.at_desk(manager).get(desk.page_of("product", lighthouse)).content.decode()
    assert 'name="fact_neighbor_floor"' in page
    assert "0.8" in page
