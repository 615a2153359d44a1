"""What tests arrange with: plain functions over the services, and a row that goes around them for the guards."""

from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model

from memories.actors import Actor
from memories.choices import Category, Kind, Origin, Role, Scope, Status, Tier
from memories.models import Membership, Memory, Product, Write
from memories.provenance import NOWHERE, Provenance
from memories.services import intake, keys
from memories.services.drafts import About, Label
from memories.services.intake import FactAdded

#: What was handed to a worker meanwhile: ids of writes. Emptied before each test (conftest.py).
queued: list[UUID] = []


def note_queued(write_id: UUID) -> None:
    """Stands in for the broker: the setting ENQUEUE_READING names it in tests."""
    queued.append(write_id)


def agent(product: Product, name: str) -> Actor:
    """A new agent of the product, as its own key makes it known."""
    return caller(agent_key(product, name))


def agent_key(product: Product, name: str) -> str:
    """A new agent of the product, and the secret of its key."""
    return keys.create_agent(product=product, name=name)[1]


def caller(secret: str) -> Actor:
    verified = keys.verify(secret)
    assert verified is not None
    return verified.actor


def person(product: Product, name: str, role: Role = Role.CURATOR) -> Actor:
    """A person who belongs to the product."""
    user = get_user_model().objects.create_user(name, password=None, is_staff=True)
    Membership.objects.create(user=user, product=product, role=role)
    return Actor(type=Origin.PERSON, name=name, product_id=product.pk, user_id=user.pk)


def source(product: Product, name: str = "handbook") -> Actor:
    """A connected source. Its row is not needed: memories know sources by plain columns alone."""
    return Actor(type=Origin.SOURCE, name=name, product_id=product.pk, source_id=UUID(int=7))


def cognition(product: Product) -> Actor:
    return Actor(type=Origin.COGNITION, name="cognition", product_id=product.pk)


def label(
    *, tier: Tier = Tier.OFFICIAL, scope: Scope = Scope.SHARED, tags: tuple[str, ...] = (),
    metadata: dict[str, Any] | None = None, about: tuple[datetime | None, datetime | None] = (None, None),
) -> Label:  # fmt: skip
    return Label(tier, scope, tags, metadata or {}, About(*about))


def add(
    by: Actor, content: str, *, confirmed: bool = True, category: Category | None = Category.FACT,
    person: str | None = None, provenance: Provenance = NOWHERE, **labels: Any,
) -> FactAdded:  # fmt: skip
    """Save one fact. Where nothing is said: shared, official, category fact, confirmed (cases.md)."""
    return intake.add_fact(
        by=by, content=content, category=category, person=person, confirmed=confirmed, label=label(**labels),
        provenance=provenance,
    )  # fmt: skip


def fact(by: Actor, content: str, **more: Any) -> Memory:
    """Save one fact and return its memory."""
    return add(by, content, **more).fact


def write(
    by: Actor, text: str, *, confirmed: bool = False, wait: bool = True, provenance: Provenance = NOWHERE, **labels: Any
) -> Write:  # fmt: skip
    """Submit a text, and read it now unless told otherwise."""
    return intake.remember(
        by=by, text=text, label=label(**labels), confirmed=confirmed, provenance=provenance, wait=wait
    )


def contents(write: Write) -> list[str]:
    """The statements of a write, in the text's order."""
    return list(write.statements.order_by("position").values_list("memory__content", flat=True))


def row(by: Actor, content: str = "The lamp is lit.", **columns: Any) -> Memory:
    """A memory that is not stored yet and went through no service: what the guards are tried with."""
    values: dict[str, Any] = {
        "product_id": by.product_id,
        "content": content,
        "key": sha256(content.encode()).digest(),
        "kind": Kind.FACT,
        "status": Status.UNVERIFIED,
        "origin": by.type,
        "agent_id": by.agent_id,
        "author_id": by.user_id,
    }
    return Memory(**(values | columns))


def stored_row(by: Actor, content: str = "The lamp is lit.", **columns: Any) -> Memory:
    memory = row(by, content, **columns)
    memory.save(force_insert=True)
    return memory
