"""Who may open what in the admin: role × page × act, with the owner, a neighbour and a stranger."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories.actors import Actor
from memories.choices import Category, Reason, Role, Scope, Tier
from memories.cognition import claims
from memories.models import Agent, AgentKey, Memory, Product, Proposal, RuleEvent, Write
from memories.services import editing, rules
from sources.models import AuthorityDefault, Source, SyncRun, Upload
from tests import desk, factories

CURATED = ("fact", "raw text", "write", "conflict", "audit")
#: Shared by all people of a product: there are no private rules.
RULES = ("rule", "audit of rules", "cognition", "proposal")
MANAGED = ("source", "run", "import", "default", "agent", "key", "product")
SUPERUSERS = ("user", "group")
#: Pages of their own, without rows.
DRAWN = ("graph",)
OPENS = {
    "curator": (*CURATED, *RULES, *DRAWN),
    "manager": (*CURATED, *RULES, *MANAGED, *DRAWN),
    "superuser": (*CURATED, *RULES, *MANAGED, *SUPERUSERS, *DRAWN),
    "staff alone": (),
}
ACTS = {
    "fact": ("verify", "retire", "restore"),
    "write": ("retry", "cancel"),
    "cognition": ("run_now",),
    "rule": ("approve", "edit", "reject", "retire"),
    "key": ("rotate", "revoke"),
    "agent": ("new_key",),
}


@dataclass
class Pool:
    """One row for each page, all of one product."""

    rows: dict[str, Any]

    @property
    def words(self) -> list[str]:
        return [self.rows["fact"].content, self.rows["raw text"].content]


def pool(product: Product, agent: Actor, name: str, **labels: Any) -> Pool:
    fact = factories.fact(agent, f"The {name} lamp is lit.", tier=Tier.POLICY, **labels)
    write = factories.write(agent, f"The {name} door is green.", **labels)
    refused = editing.revise(by=agent, memory_id=fact.pk, content=f"The {name} lamp is dark.", tier=Tier.INFORMAL)
    source = Source.objects.get_or_create(product=product, name=f"{product.slug} shelf", type="upload")[0]
    rule = rules.propose(by=agent, text=f"Never dim the {name} lamp.").rule
    alike = [factories.fact(agent, f"The bell {verb} at dawn.") for verb in ("rings", "sounds")]
    return Pool(
        {
            "audit": fact.events.get(), "audit of rules": RuleEvent.objects.get(pgh_obj=rule), "rule": rule,
            "cognition": claims.settings_of(product),
            "proposal": Proposal.objects.get_or_create(
                product=product, kind="merge_facts", memory=alike[0], other_memory=alike[1]
            )[0],
            "fact": fact, "raw text": write.raw, "write": write, "product": product,
            "conflict": refused.fact.conflicts.get(),
            "agent": fact.agent, "key": AgentKey.objects.get(agent=fact.agent),
            "source": source,
            "run": SyncRun.objects.get_or_create(product=product, source=source, trigger="person")[0],
            "import": Upload.objects.create(product=product, name="shelf", kind="csv", tier="team", text="content"),
            "default": AuthorityDefault.objects.get_or_create(product=product, type="github", tier=Tier.TEAM)[0],
        }
    )  # fmt: skip


@pytest.fixture
def people(curator: Actor, manager: Actor, orchard: Product) -> dict[str, Client]:
    """Everybody belongs to the lighthouse, and nobody but the superuser to the orchard."""
    return {
        "curator": desk.at_desk(curator),
        "manager": desk.at_desk(manager),
        "superuser": desk.superuser(),
        "staff alone": desk.stranger(),
    }


@pytest.fixture
def ours(lighthouse: Product, a1: Actor) -> Pool:
    return pool(lighthouse, a1, "northern")


@pytest.fixture
def theirs(orchard: Product, b1: Actor) -> Pool:
    return pool(orchard, b1, "southern")


@pytest.fixture
def private(lighthouse: Product, a1: Actor) -> Pool:
    return pool(lighthouse, a1, "secret", scope=Scope.PRIVATE)


@pytest.fixture
def all_three(ours: Pool, theirs: Pool, private: Pool) -> tuple[Pool, Pool, Pool]:
    return ours, theirs, private


@pytest.mark.parametrize("role", OPENS)
@pytest.mark.parametrize("page", desk.PAGES)
def test_lists_open_by_role(people: dict[str, Client], ours: Pool, role: str, page: str) -> None:
    expected = 200 if page in OPENS[role] else 403
    assert people[role].get(desk.list_of(page)).status_code == expected


@pytest.mark.parametrize("role", OPENS)
@pytest.mark.parametrize("page", [*CURATED, *RULES, *MANAGED])
def test_pages_open_by_role_and_what_is_behind_a_wall_answers_like_nothing(
    people: dict[str, Client], ours: Pool, theirs: Pool, role: str, page: str
) -> None:
    def asked(row: Any) -> int:
        return people[role].get(desk.page_of(page, row), follow=True).status_code

    nothing = asked(type(ours.rows[page])(pk=uuid4()))
    assert nothing == 404 if page in OPENS[role] else nothing in (403, 404)
    assert asked(ours.rows[page]) == (200 if page in OPENS[role] else nothing)
    assert asked(theirs.rows[page]) == (200 if role == "superuser" else nothing)


@pytest.mark.parametrize("role", OPENS)
@pytest.mark.parametrize("page", CURATED)
def test_nobody_opens_what_is_private(people: dict[str, Client], private: Pool, role: str, page: str) -> None:
    answer = people[role].get(desk.page_of(page, private.rows[page]), follow=True)
    assert answer.status_code == 404
    assert "secret" not in answer.content.decode()


@pytest.mark.parametrize("role", OPENS)
@pytest.mark.parametrize("asked", [(page, act) for page in ACTS for act in ACTS[page]])
def test_acts_are_closed_behind_walls(
    people: dict[str, Client], all_three: tuple[Pool, Pool, Pool], role: str, asked: tuple[str, str]
) -> None:
    (_, theirs, private), (page, act) = all_three, asked
    walls = [] if role == "superuser" else [theirs.rows[page]]
    hidden = [private.rows[page]] if page in CURATED else []
    for row in [*walls, *hidden]:
        address = desk.act_of(page, act, row)
        assert people[role].get(address).status_code == 404
        assert desk.confirm(people[role], address, permissions=["read"], why="mine").status_code == 404


@pytest.mark.parametrize("page", ["agent", "key"])
def test_a_curator_has_no_key_in_hand(people: dict[str, Client], ours: Pool, page: str) -> None:
    for act in ACTS[page]:
        assert desk.confirm(people["curator"], desk.act_of(page, act, ours.rows[page])).status_code == 404
    assert desk.confirm(people["curator"], desk.act_of("agent", "create"), name="mole").status_code == 403
    assert AgentKey.objects.count() == 1


@pytest.mark.parametrize("role", ["curator", "manager", "superuser"])
@pytest.mark.parametrize("page", CURATED)
def test_lists_hold_the_words_of_ones_products_alone(
    people: dict[str, Client], all_three: tuple[Pool, Pool, Pool], role: str, page: str
) -> None:
    shown = people[role].get(desk.list_of(page)).content.decode()
    assert "northern" in shown
    assert ("southern" in shown) == (role == "superuser")
    assert "secret" not in shown


@pytest.mark.parametrize("role", ["curator", "manager", "superuser"])
def test_the_front_page_counts_and_shows_no_private_memory(
    people: dict[str, Client], ours: Pool, private: Pool, role: str
) -> None:
    answer = people[role].get(desk.FRONT)
    numbers = {figure.title: figure.number for figure in answer.context["figures"]}
    assert numbers["Current facts"] == str(Memory.objects.filter(owner=None).statements_only().current().count())
    assert numbers["Open conflicts"] == "1"
    assert "secret" not in answer.content.decode()


def test_the_badge_leaves_out_suggestions_persona_pairs_and_what_is_put_off(
    people: dict[str, Client], ours: Pool, private: Pool, a1: Actor
) -> None:
    def badge() -> Any:
        groups = people["curator"].get(desk.FRONT).context["sidebar_navigation"]
        return next(item.get("badge") for group in groups for item in group["items"] if item["title"] == "Facts")

    traits = [
        factories.fact(a1, words, category=Category.PERSONA, person="Kim") for words in ("Kim sings.", "Kim hums.")
    ]
    traits[1].conflicts.open_against(traits[0], reason=Reason.DISAGREEMENT)
    factories.fact(a1, "The roof is red.").conflicts.open_against(ours.rows["fact"], reason=Reason.UNSURE)
    assert badge() == "1"
    soon = timezone.now() + timedelta(days=7)
    type(ours.rows["conflict"]).objects.filter(pk=ours.rows["conflict"].pk).update(state="put_off", put_off_until=soon)
    assert badge() is None


def test_autocompletes_find_nothing_behind_a_wall(
    people: dict[str, Client], ours: Pool, theirs: Pool, private: Pool
) -> None:
    address = reverse("admin:autocomplete")
    asked = {"app_label": "memories", "model_name": "evidence", "field_name": "memory"}
    found = people["curator"].get(address, {**asked, "term": "lamp"}).json()["results"]
    assert {each["id"] for each in found} == {str(ours.rows["fact"].pk), str(ours.rows["conflict"].newer_id)}
    people_asked = {"app_label": "memories", "model_name": "membership", "field_name": "user", "term": "r"}
    assert people["manager"].get(address, people_asked).status_code == 403


def test_filters_offer_and_find_the_agents_and_sources_of_ones_products(
    people: dict[str, Client], ours: Pool, theirs: Pool
) -> None:
    shown = people["curator"].get(desk.list_of("fact")).content.decode()
    assert str(ours.rows["agent"].pk) in shown
    assert str(ours.rows["source"].pk) in shown
    assert str(theirs.rows["agent"].pk) not in shown
    assert str(theirs.rows["source"].pk) not in shown
    walled = people["curator"].get(desk.list_of("fact"), {"agent": str(theirs.rows["agent"].pk)})
    assert list(walled.context["cl"].result_list) == []


@pytest.mark.parametrize(
    "asked",
    ["author__password__startswith=p", "agent__keys__digest__isnull=0", "owner__isnull=0", "content__contains=x"],
)
def test_columns_that_no_filter_names_cannot_be_asked_for(people: dict[str, Client], ours: Pool, asked: str) -> None:
    assert people["superuser"].get(f"{desk.list_of('fact')}?{asked}").status_code == 400


#: Connections and defaults are made by people: the other pages fill by themselves.
ADDED_BY_HAND = ("source", "default")
#: A product's own default ends by its removal; the type's own holds again.
DELETED_BY_HAND = ("default",)


def test_nothing_is_added_or_deleted_by_hand(people: dict[str, Client], ours: Pool) -> None:
    for page in (*CURATED, *RULES, *MANAGED):
        base = f"admin:{desk.PAGES[page]}"
        if page not in ADDED_BY_HAND:
            assert people["superuser"].get(reverse(f"{base}_add")).status_code in (403, 404), page
        deleting = reverse(f"{base}_delete", args=[ours.rows[page].pk])
        if page not in DELETED_BY_HAND:
            assert people["superuser"].post(deleting, {"post": "yes"}).status_code == 403, page


def test_whoever_is_not_logged_in_is_asked_to(client: Client, ours: Pool) -> None:
    for page in (*CURATED, *RULES, *MANAGED):
        answer = client.get(desk.page_of(page, ours.rows[page]))
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/login/")
    assert client.get("/admin/login/").status_code == 200


def test_a_role_counts_in_its_own_product_alone(manager: Actor, orchard: Product, ours: Pool, theirs: Pool) -> None:
    """Manager here, curator there: the settings there stay closed."""
    theirs.rows["product"].memberships.create(user_id=manager.user_id, role=Role.CURATOR)
    client = desk.at_desk(manager)
    assert client.get(desk.page_of("fact", theirs.rows["fact"])).status_code == 200
    for page in MANAGED:
        assert client.get(desk.page_of(page, theirs.rows[page]), follow=True).status_code == 404
    assert desk.confirm(client, desk.act_of("agent", "create"), name="mole", product=str(orchard.pk)).status_code == 200
    assert not Agent.objects.filter(name="mole").exists()


def test_a_write_of_another_product_is_not_retried_from_the_list(
    people: dict[str, Client], ours: Pool, theirs: Pool
) -> None:
    desk.tick(people["curator"], "write", "retry_selected", [theirs.rows["write"]])
    assert Write.objects.get(pk=theirs.rows["write"].pk).state == theirs.rows["write"].state


@pytest.mark.parametrize("action", ["verify_selected", "retire_selected", "restore_selected"])
def test_a_forged_choice_of_rows_is_answered_with_a_sentence(people: dict[str, Client], action: str) -> None:
    forged = {"action": action, "_selected_action": "x"}
    answered = people["curator"].post(reverse("admin:memories_memory_changelist"), forged, follow=True)
    assert answered.status_code == 200
    assert "Choose rows from the list." in answered.content.decode()


def test_view_on_site_leads_nowhere(people: dict[str, Client]) -> None:
    assert people["curator"].get("/admin/r/1/1/").status_code == 404
