"""Who may see and settle pairs in the admin, and open Persona: role × page × act."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import Category, Reason, Scope, VerdictGiven
from memories.models import Memory, Product, Write
from memories.services import resolving
from tests import desk, factories

ROLES = ("curator", "manager", "superuser", "staff alone", "stranger")
INSIDE = ("curator", "manager", "superuser")
PERSONA = "/admin/conflicts/conflict/persona/"
Send = Callable[[Client, Conflict], int]


def pair(by: Actor, name: str, *, persona: bool = False, **labels: object) -> Conflict:
    category = Category.PERSONA if persona else Category.FACT
    person = "Kim" if persona else None
    older, newer = (
        factories.fact(by, f"The {name} lamp {state}.", category=category, person=person, **labels)
        for state in ("is lit", "is dark")
    )
    resolving.resolve(by=by, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven.CONTRADICTS)
    opened: Conflict = newer.conflicts.get()
    return opened


@pytest.fixture
def people(curator: Actor, manager: Actor, orchard: Product) -> dict[str, Client]:
    """All of the lighthouse, but for the stranger, who curates the orchard."""
    return {
        "curator": desk.at_desk(curator),
        "manager": desk.at_desk(manager),
        "superuser": desk.superuser(),
        "staff alone": desk.stranger(),
        "stranger": desk.at_desk(factories.person(orchard, "otto")),
    }


def opens(client: Client, row: Conflict) -> int:
    return client.get(desk.page_of("conflict", row)).status_code


def settles(client: Client, row: Conflict) -> int:
    return client.post(desk.page_of("conflict", row), {"answer": "newer"}).status_code


def undoes(client: Client, row: Conflict) -> int:
    return client.post(desk.act_of("conflict", "undo", row)).status_code


def confirms(client: Client, row: Conflict) -> int:
    return client.post(desk.act_of("conflict", "confirm", row)).status_code


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("send", [opens, settles, undoes, confirms])
def test_a_pair_is_there_for_its_product_alone(
    people: dict[str, Client], a1: Actor, b1: Actor, role: str, send: Send
) -> None:
    ours = pair(a1, "northern")
    assert send(people[role], ours) == ((200 if send is opens else 302) if role in INSIDE else 404)
    ours.refresh_from_db()
    assert (ours.state == "settled") == (send is settles and role in INSIDE)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("send", [opens, settles, undoes, confirms])
def test_nobody_sees_or_settles_a_private_pair(people: dict[str, Client], a1: Actor, role: str, send: Send) -> None:
    private = pair(a1, "secret", scope=Scope.PRIVATE)
    assert send(people[role], private) == 404
    private.refresh_from_db()
    assert private.state == "open"


@pytest.mark.parametrize("queue", ["open", "clarify", "suggested", "put_off", "settled"])
@pytest.mark.parametrize("asked", [(role, about) for role in INSIDE for about in ("", "persona")])
def test_no_queue_shows_what_is_behind_a_wall(
    people: dict[str, Client], a1: Actor, b1: Actor, queue: str, asked: tuple[str, str]
) -> None:
    role, about = asked
    pair(b1, "southern", persona=bool(about))
    pair(a1, "secret", persona=bool(about), scope=Scope.PRIVATE)
    page = people[role].get(desk.list_of("conflict"), {"queue": queue, "about": about})
    assert "secret" not in page.content.decode()
    assert ("southern" in page.content.decode()) == (role == "superuser" and queue == "open")
    assert all(tab.number == "" for tab in page.context["queues"] if role != "superuser")


@pytest.mark.parametrize("role", ROLES)
def test_persona_opens_by_role_and_shows_ones_products_alone(
    people: dict[str, Client], a1: Actor, b1: Actor, role: str
) -> None:
    for by, name, scope in ((a1, "northern", "shared"), (b1, "southern", "shared"), (a1, "secret", "private")):
        factories.fact(by, f"Kim keeps the {name} lamp.", category=Category.PERSONA, person="Kim", scope=Scope(scope))
        pair(by, name, persona=True, scope=Scope(scope))
    page = people[role].get(PERSONA)
    assert page.status_code == (403 if role == "staff alone" else 200)
    words = page.content.decode()
    assert "secret" not in words
    assert ("northern" in words) == (role in INSIDE)
    assert ("southern" in words) == (role in ("superuser", "stranger"))


def test_whoever_is_not_logged_in_is_asked_to(a1: Actor) -> None:
    ours = pair(a1, "northern")
    for address in (PERSONA, desk.list_of("conflict"), desk.page_of("conflict", ours)):
        assert Client().get(address).status_code == 302
    assert settles(Client(), ours) == 302
    ours.refresh_from_db()
    assert ours.state == "open"


def test_nobody_in_particular_is_shown_nothing(a1: Actor) -> None:
    pair(a1, "northern")
    for model in (Conflict, Memory, Write):
        assert not model.objects.shown_to(AnonymousUser()).exists()


@pytest.mark.parametrize("role", INSIDE)
def test_badges_count_ones_products_alone(people: dict[str, Client], a1: Actor, b1: Actor, role: str) -> None:
    for by, scope in ((a1, Scope.SHARED), (b1, Scope.SHARED), (a1, Scope.PRIVATE)):
        pair(by, f"{scope} northern", scope=scope)
        pair(by, f"{scope} trait of the", persona=True, scope=scope)
    factories.fact(a1, "The roof is red.").conflicts.open_against(
        factories.fact(a1, "The roof is tall."), reason=Reason.UNSURE
    )
    badges = {
        item["title"]: item.get("badge")
        for group in people[role].get(desk.FRONT).context["sidebar_navigation"]
        for item in group["items"]
    }
    expected = "2" if role == "superuser" else "1"
    assert (badges["Facts"], badges["Persona"]) == (expected, expected)


def test_persona_has_its_address() -> None:
    assert reverse("admin:conflicts_persona") == PERSONA
