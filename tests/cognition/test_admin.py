"""The pages of cognition: what it learned and did, what waits, and how it is set."""

import pytest
from django.urls import reverse

from memories.actors import Actor
from memories.choices import ProposalState, Status, Trigger
from memories.cognition import claims
from memories.models import CognitionSettings, Memory, Product, Proposal
from tests import desk, factories
from tests.cognition.conftest import Think
from tests.cognition.test_summaries import FACTS

pytestmark = pytest.mark.django_db

OLD, NEW = "The <b>crane</b> stands on quay seven.", "A <b>crane</b> stands at quay seven."


def address(product: Product) -> str:
    return reverse("admin:memories_cognitionsettings_change", args=[product.pk])


@pytest.fixture
def waiting(lighthouse: Product, a1: Actor) -> Proposal:
    sides = factories.fact(a1, OLD), factories.fact(a1, NEW)
    return Proposal.objects.create(
        product=lighthouse, kind="merge_facts", memory=sides[0], other_memory=sides[1], reason="They seem the same."
    )


def act(person: Actor, name: str, proposal: Proposal, **more: str) -> str:
    sent = {"action": name, "_selected_action": [str(proposal.pk)], **more}
    answer = desk.at_desk(person).post(f"{desk.list_of('proposal')}?state=open&state=accepted", sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_says_what_was_learned_and_what_each_step_did(
    think: Think, curator: Actor, a1: Actor, lighthouse: Product
) -> None:
    for each in FACTS:
        factories.fact(a1, each)
    think()
    page = desk.at_desk(curator).get(address(lighthouse)).content.decode()
    assert "Summaries (1)" in page
    assert "Summary of Ana Lima" in page
    assert "facts behind it" in page
    assert "Look for contradictions" in page
    assert "Lighthouse" in desk.at_desk(curator).get(desk.list_of("cognition")).content.decode()


def test_a_manager_sets_it_and_a_curator_only_looks(manager: Actor, curator: Actor, lighthouse: Product) -> None:
    claims.settings_of(lighthouse)
    sent = {
        "is_on": "on", "every_minutes": "60", "quiet_from": "22:00", "quiet_until": "06:00", "seconds_per_day": "600",
        "tokens_per_day": "0", "steps": ["wake", "upkeep"],
    }  # fmt: skip
    assert desk.at_desk(curator).post(address(lighthouse), sent).status_code == 403
    assert desk.at_desk(manager).post(address(lighthouse), sent).status_code == 302
    row = CognitionSettings.objects.get(pk=lighthouse.pk)
    assert (row.every_minutes, row.seconds_per_day) == (60, 600)
    assert "consolidate" in row.steps_off
    assert "wake" not in row.steps_off
    half = desk.at_desk(manager).post(address(lighthouse), sent | {"quiet_until": ""})
    assert "both a beginning and an end" in half.content.decode()


def test_strangers_see_neither_page(orchard: Product, lighthouse: Product, waiting: Proposal) -> None:
    claims.settings_of(lighthouse)
    eve = factories.person(orchard, "eve")
    assert desk.at_desk(eve).get(address(lighthouse)).status_code == 404
    assert "crane" not in desk.at_desk(eve).get(desk.list_of("proposal")).content.decode()
    act(eve, "accept", waiting, confirmed="1")
    waiting.refresh_from_db()
    assert waiting.state == ProposalState.OPEN


def test_many_are_decided_after_a_look_and_undone(waiting: Proposal, curator: Actor) -> None:
    listed = desk.at_desk(curator).get(desk.list_of("proposal")).content.decode()
    assert "&lt;b&gt;" in listed
    assert "<b>crane</b>" not in listed
    shown = act(curator, "accept", waiting)
    assert "Nothing has changed yet" in shown
    waiting.refresh_from_db()
    assert waiting.state == ProposalState.OPEN
    act(curator, "accept", waiting, confirmed="1", why="Seen.")
    gone = Memory.objects.get(pk=str(waiting.other_memory_id))
    assert (gone.status, gone.replaced_by_id) == (Status.SUPERSEDED, waiting.memory_id)
    act(curator, "undo", waiting, confirmed="1")
    gone.refresh_from_db()
    waiting.refresh_from_db()
    assert (gone.status, waiting.state, waiting.decided_by_name) == (Status.VERIFIED, ProposalState.REJECTED, "curator")


def test_what_waits_stands_on_the_front_page(waiting: Proposal, curator: Actor) -> None:
    page = desk.at_desk(curator).get(desk.FRONT).content.decode()
    assert "Proposals to decide" in page


def test_run_now_asks_a_worker(curator: Actor, lighthouse: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    claims.settings_of(lighthouse)
    asked: list[object] = []
    monkeypatch.setattr("memories.tasks.run_cognition.delay", lambda *told: asked.append(told))
    button = reverse("admin:memories_cognitionsettings_run_now", args=[lighthouse.pk])
    desk.at_desk(curator).post(button, {"_form_submitted": "1"}, HTTP_HX_REQUEST="true")
    desk.at_desk(curator).post(button, HTTP_HX_REQUEST="true")
    assert asked
    assert asked[0][:3] == (str(lighthouse.pk), Trigger.PERSON.value, curator.name)  # type: ignore[index]
