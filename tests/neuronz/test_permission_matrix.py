"""Role × page × act, over every address of the admin: one that is new and in no table below fails.

The owner's side is tried with rows of one product; against it stand a curator, a manager and a superuser of the same,
a manager of another product, staff without a product, and nobody. Private rows are tried by everyone.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, reverse

from conflicts.models import Conflict
from memories.actors import Actor
from memories.choices import ProposalKind, Role, Scope, Tier
from memories.cognition import claims
from memories.models import AgentKey, MemoryEvent, Product, Proposal, Rule, RuleEvent, SavedView, Write
from memories.services import editing, rules
from sources.models import AuthorityDefault, Source, SyncRun, Upload
from tests import desk, factories

NOBODY, SUPERUSER, MANAGER, CURATOR = 3, 2, 1, 0
#: What a person must be at least, to open the pages of a model.
LEAST = {
    "memories_memory": CURATOR, "memories_rawtext": CURATOR, "memories_write": CURATOR, "memories_rule": CURATOR,
    "memories_memoryevent": CURATOR, "memories_ruleevent": CURATOR, "conflicts_conflict": CURATOR,
    "memories_cognitionsettings": CURATOR, "memories_proposal": CURATOR, "memories_entity": CURATOR,
    "memories_agent": MANAGER,
    "memories_agentkey": MANAGER, "memories_product": MANAGER, "sources_source": MANAGER,
    "sources_syncrun": MANAGER, "sources_authoritydefault": MANAGER, "sources_upload": MANAGER,
    "auth_user": SUPERUSER, "auth_group": SUPERUSER,
}  # fmt: skip
#: Pages that every model of Django's admin has. Nothing is typed in or deleted where nothing else is said below.
COMMON = {"changelist": None, "change": None, "add": NOBODY, "delete": NOBODY, "history": NOBODY}
VIEWS = {"save_view": None, "delete_view": None}
#: What each model has besides, and what a person must be where it is not as for the model.
OWN: dict[str, dict[str, int | None]] = {
    "memories_memory": {
        "done": None, "undo_many": None, "act": None, "desk": None, "put": None, "verify": None, "retire": None,
        "restore": None,
    },
    "conflicts_conflict": {"undo": None, "confirm": None, "desk": None, "put": None},
    "memories_write": {"retry": None, "cancel": None},
    "memories_rule": {"approve": None, "edit": None, "reject": None, "retire": None},
    "memories_entity": {"picture": None, "around": None, "facts": None},
    "memories_cognitionsettings": {"run_now": None},
    "memories_agent": {"create": None, "connect": None, "new_key": None},
    "memories_agentkey": {"rotate": None, "revoke": None},
    "memories_product": {"create": SUPERUSER},
    "sources_source": {
        "add": None, "test": None, "test_one": None, "now": None, "retry": None, "sync_now": None, "dry_run": None,
        "pause": None, "resume": None, "list_again": None,
    },
    "sources_authoritydefault": {"add": None, "delete": None},
    "sources_upload": {"create": None, "begin": None, "discard": None, "progress": None},
    "auth_user": {"add": None, "delete": None, "history": None, "password_change": None},
    "auth_group": {"add": None, "delete": None, "history": None},
}  # fmt: skip
#: Addresses of no model: who comes there sees their own things, or a way in.
OPEN = {
    "index", "login", "logout", "password_change", "password_change_done", "jsi18n", "search", "autocomplete",
    "view_on_site", "app_list", "conflicts_persona",
}  # fmt: skip
#: What a source of uploads has no use for.
RUNS = ("sync_now", "dry_run", "pause", "resume", "list_again")
#: Allowed, but not with what the matrix can send: each has its own tests.
NEED_MORE = {"done", "undo_many", "put", "delete_view", "save_view", "desk", "retry", "cancel", "test", "test_one"}
NEED_MORE |= {*RUNS}
#: The graph is asked by a product and a name; tests/memories/test_admin_graph.py does.
NEED_MORE |= {"picture", "around", "facts"}
DENIED = (302, 403, 404, 405)

pytestmark = pytest.mark.django_db


def addresses() -> Iterator[tuple[str, URLPattern]]:
    """Every named address of the admin."""

    def walk(patterns: Any) -> Iterator[URLPattern]:
        for each in patterns:
            yield from [each] if isinstance(each, URLPattern) else walk(each.url_patterns)

    yield from ((str(each.name), each) for each in walk(admin.site.get_urls()) if each.name)


def case(name: str) -> tuple[str, str, int]:
    """The model, the page, and what a person must be at least."""
    for model, least in LEAST.items():
        if name.startswith(f"{model}_"):
            page = name.removeprefix(f"{model}_")
            views = {} if least == SUPERUSER else VIEWS
            pages = {**COMMON, **views, **OWN.get(model, {})}
            if page in pages:
                said = pages[page]
                return model, page, least if said is None else said
    raise AssertionError(f"The address admin:{name} is new: say in this file who may open it.")


def test_every_address_has_its_case() -> None:
    names = {name for name, _ in addresses()}
    of_models = {name for name in names if name not in OPEN}
    assert {name for name in of_models if case(name) is None} == set()
    assert names >= OPEN
    said = {f"{model}_{page}" for model, pages in OWN.items() for page in pages}
    assert said - names == set(), "a case of an address that is no more"


@pytest.fixture
def rows(lighthouse: Product, a1: Actor, curator: Actor) -> dict[str, Any]:
    return of_product(lighthouse, a1, "northern", curator)


def of_product(product: Product, agent: Actor, name: str, person: Actor, **labels: Any) -> dict[str, Any]:
    """One row for the page of every model."""
    fact = factories.fact(agent, f"The {name} lamp is lit.", tier=Tier.POLICY, **labels)
    write = factories.write(agent, f"The {name} door is green.", **labels)
    editing.revise(by=agent, memory_id=fact.pk, content=f"The {name} lamp is dark.", tier=Tier.INFORMAL)
    source = Source.objects.create(product=product, name=f"{name} shelf", type="upload")
    rule = rules.propose(by=agent, text=f"Never dim the {name} lamp.").rule
    user = get_user_model().objects.get(username=person.name)
    return {
        "memories_memory": fact, "memories_rawtext": write.raw, "memories_write": write, "memories_rule": rule,
        "memories_memoryevent": fact.events.first(), "memories_ruleevent": RuleEvent.objects.filter(pgh_obj=rule).get(),
        "conflicts_conflict": Conflict.objects.get(older=fact), "memories_agent": fact.agent,
        "memories_agentkey": AgentKey.objects.get(agent=fact.agent), "memories_product": product,
        "memories_cognitionsettings": claims.settings_of(product),
        "memories_proposal": Proposal.objects.create(
            product=product, kind=ProposalKind.MERGE_FACTS, memory=fact,
            other_memory=fact.conflicts_as_older.get().newer,
        ),
        "sources_source": source,
        "sources_syncrun": SyncRun.objects.create(product=product, source=source, trigger="person"),
        "sources_authoritydefault": AuthorityDefault.objects.create(product=product, type="folder", tier="team"),
        "sources_upload": Upload.objects.create(product=product, name="x", kind="csv", tier="team", text="content\nx"),
        "auth_user": user, "auth_group": user, "memories_entity": fact,
        "view": SavedView.objects.create(person=user, page="memories_memory", name=name),
    }  # fmt: skip


def address_of(name: str, pattern: URLPattern, rows: dict[str, Any]) -> str:
    model = case(name)[0]
    said = {
        "view": rows["view"].pk, "act": UUID(int=9), "receipt": f"{UUID(int=9)}.1.2", "verb": "retire",
    }  # fmt: skip
    names = pattern.pattern.converters
    return reverse(f"admin:{name}", kwargs={each: said.get(each, rows[model].pk) for each in names})


def is_denied(answer: Any) -> bool:
    return answer.status_code in DENIED and "northern" not in answer.content.decode()


def state() -> Any:
    """All that could have been changed."""
    return [
        sorted(map(str, model.objects.values_list()))
        for model in (Rule, SavedView, AgentKey, Source, AuthorityDefault, Upload, Write, Product)
    ] + [MemoryEvent.objects.count(), list(Conflict.objects.values_list("state", "reason").order_by("pk"))]


def person(role: str, lighthouse: Product, orchard: Product) -> tuple[Client, int]:
    """Who asks, and how much they are in the product whose rows they ask for: less than a curator is -1."""
    if role == "superuser":
        return desk.superuser(), SUPERUSER
    if role == "nobody":
        return Client(), -1
    if role == "staff alone":
        return desk.stranger(), -1
    if role == "outsider":
        return desk.at_desk(factories.person(orchard, "mallory", Role.MANAGER)), -1
    client = desk.at_desk(factories.person(lighthouse, f"the {role}", Role(role)))
    return client, MANAGER if role == "manager" else CURATOR


@pytest.mark.parametrize("role", ["curator", "manager", "superuser", "outsider", "staff alone", "nobody"])
def test_a_role_opens_what_is_its_own_and_nothing_else(
    rows: dict[str, Any], lighthouse: Product, orchard: Product, role: str
) -> None:
    client, rank = person(role, lighthouse, orchard)
    before = state()
    wrong: list[tuple[Any, ...]] = []
    for name, pattern in addresses():
        if name in OPEN:
            continue
        _, page, least = case(name)
        has_row = bool(pattern.pattern.converters)
        address = address_of(name, pattern, rows)
        if rank >= least:
            answer = client.get(address)
            if page not in NEED_MORE and answer.status_code in (403, 404):
                wrong.append((name, "GET", answer.status_code))
        elif has_row or role != "outsider":  # whose own lists and forms of the other product are open
            answers = (client.get(address), client.post(address, {"_form_submitted": "True"}))
            wrong += [(name, each.wsgi_request.method, each.status_code) for each in answers if not is_denied(each)]
    assert not wrong
    assert state() == before, "looking, and asking without the right, changes nothing"


@pytest.mark.parametrize("role", ["curator", "manager", "superuser"])
def test_nobody_opens_what_is_private(
    lighthouse: Product, orchard: Product, a2: Actor, curator: Actor, role: str
) -> None:
    hidden = of_product(lighthouse, a2, "hidden", curator, scope=Scope.PRIVATE)
    client, _ = person(role, lighthouse, orchard)
    models = ("memories_memory", "memories_rawtext", "memories_write", "memories_memoryevent", "conflicts_conflict")
    before = state()
    wrong: list[tuple[Any, ...]] = []
    for name, pattern in addresses():
        if name in OPEN or case(name)[0] not in models:
            continue
        address = address_of(name, pattern, hidden)
        asked = [client.get(address)]
        if "object_id" in pattern.pattern.converters:
            asked.append(client.post(address, {"_form_submitted": "True", "content": "The hidden lamp is mine."}))
            wrong += [(name, each.status_code) for each in asked if each.status_code not in DENIED]
        wrong += [(name, "shows it") for each in asked if "hidden lamp" in each.content.decode()]
    assert not wrong
    assert state() == before


@pytest.mark.parametrize("role", ["curator", "manager", "outsider", "staff alone"])
def test_autocompletes_and_search_offer_nothing_behind_a_wall(
    rows: dict[str, Any], lighthouse: Product, orchard: Product, b1: Actor, role: str
) -> None:
    theirs, others = "a1", "b1"
    client, _ = person(role, lighthouse, orchard)
    for app, model, field in (
        ("memories", "memory", "agent"), ("memories", "membership", "user"), ("memories", "agentkey", "agent"),
        ("sources", "source", "product"), ("auth", "user", "groups"),
    ):  # fmt: skip
        asked = {"app_label": app, "model_name": model, "field_name": field, "term": ""}
        answer = client.get(reverse("admin:autocomplete"), asked)
        if answer.status_code not in DENIED:  # what the person may open is offered, and no more
            offered = " ".join(each["text"] for each in answer.json()["results"])
            assert (theirs if role == "outsider" else others) not in offered
    if role in ("outsider", "staff alone"):
        found = client.get(reverse("admin:search"), {"s": "northern"}).content.decode()
        assert "northern lamp" not in found


def test_what_is_listed_of_another_product_is_empty(
    rows: dict[str, Any], lighthouse: Product, orchard: Product
) -> None:
    client = person("outsider", lighthouse, orchard)[0]
    for name, _ in addresses():
        if name.endswith("_changelist") and case(name)[2] <= MANAGER:
            assert "northern" not in client.get(reverse(f"admin:{name}")).content.decode()
