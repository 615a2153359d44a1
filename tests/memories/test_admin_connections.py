"""Agents and their keys, products and their people, in the admin."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.actors import Actor
from memories.choices import Role
from memories.models import Agent, AgentKey, Membership, Product
from memories.services import keys
from tests import desk, factories

SECRET = re.compile(r"nz_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def mona(manager: Actor) -> Client:
    return desk.at_desk(manager)


def secret_in(answer: Any) -> str:
    found = SECRET.search(answer.content.decode())
    assert found
    return found[0]


# --- agents and keys


def test_a_new_agents_key_is_shown_once_and_works(mona: Client, lighthouse: Product) -> None:
    answer = desk.confirm(mona, desk.act_of("agent", "create"), product=str(lighthouse.pk), name="scribe")
    secret = secret_in(answer)
    caller = keys.verify(secret)
    assert caller
    assert caller.actor.name == "scribe"
    assert "no-store" in answer["Cache-Control"]
    key = AgentKey.objects.get(agent__name="scribe")
    assert key.created_by == "manager"
    for address in (desk.page_of("agent", key.agent), desk.list_of("key"), desk.list_of("agent"), desk.FRONT):
        page = mona.get(address).content.decode()
        assert not SECRET.search(page)
    assert key.prefix in mona.get(desk.page_of("agent", key.agent)).content.decode()


def test_the_key_lies_in_no_session_cookie_or_message(mona: Client, lighthouse: Product) -> None:
    answer = desk.confirm(mona, desk.act_of("agent", "create"), product=str(lighthouse.pk), name="scribe")
    secret = secret_in(answer)
    assert secret not in str(dict(mona.session))
    assert secret not in str(mona.cookies)
    assert "Location" not in answer


def test_a_name_that_is_taken_is_refused_in_the_dialog(mona: Client, lighthouse: Product, a1: Actor) -> None:
    answer = desk.confirm(mona, desk.act_of("agent", "create"), product=str(lighthouse.pk), name="a1")
    assert "has an agent named" in answer.content.decode()
    assert Agent.objects.count() == 1


def test_rotating_shows_a_new_key_and_gives_the_old_one_a_day(mona: Client, a1_key: str) -> None:
    old = AgentKey.objects.get()
    secret = secret_in(desk.confirm(mona, desk.act_of("key", "rotate", old)))
    old.refresh_from_db()
    assert keys.verify(secret)
    assert keys.verify(a1_key)
    assert old.expires_at
    assert 23 < (old.expires_at - timezone.now()).total_seconds() / 3600 <= 24


def test_a_key_is_rotated_once(mona: Client, a1_key: str) -> None:
    old = AgentKey.objects.get()
    address = desk.act_of("key", "rotate", old)
    desk.confirm(mona, address)
    answer = mona.post(address, {"_form_submitted": "True"}, follow=True)
    assert desk.said(answer) == ["This key is revoked or rotated already; rotate the agent's newest key."]
    assert AgentKey.objects.count() == 2


def test_revoking_ends_a_key_at_once(mona: Client, a1_key: str) -> None:
    desk.confirm(mona, desk.act_of("key", "revoke", AgentKey.objects.get()))
    assert keys.verify(a1_key) is None


def test_a_further_key_may_be_for_reading_alone(mona: Client, a1: Actor) -> None:
    agent = Agent.objects.get()
    secret = secret_in(desk.confirm(mona, desk.act_of("agent", "new_key", agent), permissions=["read"]))
    caller = keys.verify(secret)
    assert caller
    assert caller.key.permissions == ["read"]


def test_the_digest_of_a_key_is_never_fetched(mona: Client, a1: Actor) -> None:
    with CaptureQueriesContext(connection) as asked:
        for address in (desk.list_of("key"), desk.list_of("agent"), desk.page_of("agent", Agent.objects.get())):
            mona.get(address)
    assert not [query["sql"] for query in asked if '"digest"' in query["sql"]]


# --- products and people


def settings_of(product: Product, **changed: str) -> dict[str, str]:
    return {
        "name": product.name, "zone": "UTC", "fact_neighbor_floor": "0.8", "secrets": "mask",
        "memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0", **changed,
    }  # fmt: skip


def test_a_manager_changes_settings(mona: Client, lighthouse: Product) -> None:
    sent = settings_of(lighthouse, zone="Europe/Berlin", fact_neighbor_floor="0.9", slug="another")
    assert mona.post(desk.page_of("product", lighthouse), sent).status_code == 302
    lighthouse.refresh_from_db()
    assert (lighthouse.zone, lighthouse.fact_neighbor_floor, lighthouse.slug) == ("Europe/Berlin", 0.9, "lighthouse")


@pytest.mark.parametrize(("field", "value"), [("zone", "Mars/Olympus"), ("fact_neighbor_floor", "1.5"), ("name", "")])
def test_settings_that_cannot_be_are_refused(mona: Client, lighthouse: Product, field: str, value: str) -> None:
    answer = mona.post(desk.page_of("product", lighthouse), settings_of(lighthouse, **{field: value}))
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors[field]


def people_of(product: Product, *rows: tuple[str, Role]) -> dict[str, str]:
    """The settings page with some people added."""
    sent = settings_of(product, **{"memberships-TOTAL_FORMS": str(len(rows))})
    for place, (name, role) in enumerate(rows):
        sent |= {f"memberships-{place}-user": name, f"memberships-{place}-role": role}
        sent |= {f"memberships-{place}-id": "", f"memberships-{place}-product": str(product.pk)}
    return sent


def test_a_manager_adds_a_colleague_by_user_name(mona: Client, lighthouse: Product) -> None:
    get_user_model().objects.create_user("kim", is_staff=True)
    answer = mona.post(desk.page_of("product", lighthouse), people_of(lighthouse, ("kim", Role.CURATOR)))
    assert answer.status_code == 302
    assert Membership.objects.get(user__username="kim").role == Role.CURATOR


def test_an_unknown_or_doubled_name_is_refused_with_a_sentence(mona: Client, lighthouse: Product) -> None:
    get_user_model().objects.create_user("kim", is_staff=True)
    unknown = mona.post(desk.page_of("product", lighthouse), people_of(lighthouse, ("nobody", Role.CURATOR)))
    twice = people_of(lighthouse, ("kim", Role.CURATOR), ("kim", Role.MANAGER))
    known = people_of(lighthouse, ("manager", Role.CURATOR))
    assert "Nobody has this user name" in unknown.content.decode()
    for sent in (twice, known):
        assert mona.post(desk.page_of("product", lighthouse), sent).status_code == 200
    assert list(Membership.objects.values_list("user__username", flat=True)) == ["manager"]


def test_the_page_lists_who_belongs_to_the_product_and_nobody_else(
    mona: Client, lighthouse: Product, orchard: Product
) -> None:
    factories.person(orchard, "stranger")
    page = mona.get(desk.page_of("product", lighthouse)).content.decode()
    assert 'value="manager"' in page
    assert "stranger" not in page


def test_only_a_superuser_makes_products(mona: Client, db: None) -> None:
    address = desk.act_of("product", "create")
    assert desk.confirm(mona, address, slug="harbour", name="Harbour").status_code == 403
    root = desk.superuser()
    assert "A slug has" in desk.confirm(root, address, slug="Harbour!", name="").content.decode()
    assert desk.confirm(root, address, slug="harbour", name="Harbour").status_code == 302
    assert Product.objects.get(slug="harbour").name == "Harbour"


def test_a_superuser_invites_a_curator(lighthouse: Product) -> None:
    root = desk.superuser()
    sent = {
        "username": "kim", "usable_password": "true", "password1": "lamp-at-dusk-7", "password2": "lamp-at-dusk-7",
        "is_active": "on", "is_staff": "on", "memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0",
        "memberships-0-product": str(lighthouse.pk), "memberships-0-role": "curator", "memberships-0-id": "",
        "memberships-0-user": "",
    }  # fmt: skip
    assert root.post("/admin/auth/user/add/", sent).status_code == 302
    kim = Client()
    assert kim.login(username="kim", password="lamp-at-dusk-7")
    assert kim.get(desk.list_of("fact")).status_code == 200


def test_an_empty_server_tells_a_superuser_how_to_begin(db: None) -> None:
    assert "Begin with a product" in desk.superuser().get(desk.FRONT).content.decode()


def test_an_empty_product_says_how_to_begin(mona: Client) -> None:
    assert "How do I begin?" in mona.get(desk.FRONT).content.decode()


def test_staff_alone_is_told_whom_to_ask(db: None) -> None:
    assert "You don't belong to a product yet" in desk.stranger().get(desk.FRONT).content.decode()
