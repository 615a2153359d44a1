"""The admin in tests: who sits at the desk, and how its dialogs and lists are answered."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from memories.actors import Actor

PAGES = {
    "fact": "memories_memory",
    "raw text": "memories_rawtext",
    "write": "memories_write",
    "rule": "memories_rule",
    "cognition": "memories_cognitionsettings",
    "proposal": "memories_proposal",
    "graph": "memories_entity",
    "conflict": "conflicts_conflict",
    "source": "sources_source",
    "run": "sources_syncrun",
    "import": "sources_upload",
    "default": "sources_authoritydefault",
    "audit": "memories_memoryevent",
    "audit of rules": "memories_ruleevent",
    "agent": "memories_agent",
    "key": "memories_agentkey",
    "product": "memories_product",
    "user": "auth_user",
    "group": "auth_group",
}
FRONT = "/admin/"


def at_desk(person: Actor) -> Client:
    """A browser in which this person is logged in."""
    return logged_in(get_user_model().objects.get(username=person.name))


def logged_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def superuser() -> Client:
    return logged_in(get_user_model().objects.create_superuser("root"))


def stranger() -> Client:
    """Staff by Django's flag, and nothing else."""
    return logged_in(get_user_model().objects.create_user("stella", is_staff=True))


def list_of(page: str) -> str:
    return reverse(f"admin:{PAGES[page]}_changelist")


def page_of(page: str, row: Model) -> str:
    return reverse(f"admin:{PAGES[page]}_change", args=[row.pk])


def act_of(page: str, act: str, row: Model | None = None) -> str:
    return reverse(f"admin:{PAGES[page]}_{act}", args=[row.pk] if row else [])


def confirm(client: Client, address: str, **typed: Any) -> Any:
    """Send an opened dialog, as its page does."""
    return client.post(address, {"_form_submitted": "True", **typed})


def tick(client: Client, page: str, act: str, rows: list[Any], *, query: str = "") -> Any:
    """Tick rows of a list and run an act on them."""
    sent = {"action": act, "_selected_action": [str(row.pk) for row in rows], "index": "0"}
    return client.post(list_of(page) + query, sent, follow=True)


def said(answer: Any) -> list[str]:
    """The messages that the next page shows."""
    return [str(message) for message in answer.context["messages"]]
