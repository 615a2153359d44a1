"""Agents and their keys: issued, verified, rotated, revoked. The secret leaves this module once."""

import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memories import limits
from memories.actors import Actor
from memories.choices import Origin, Permission
from memories.errors import Conflict, InvalidInput
from memories.models import Agent, AgentKey, Product

#: `nz_` for secret scanners, a public prefix to find the row by, 256 bits that nobody stores.
KEY = re.compile(r"nz_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
#: How long the old key goes on working after a rotation.
GRACE = timedelta(hours=24)
#: `last_used_at` is written at most this often: it answers "is it in use?", not "when exactly?".
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Caller:
    """A verified key: who acts and what the key permits."""

    actor: Actor
    key: AgentKey
    product: Product

    def may(self, permission: Permission) -> bool:
        return permission in self.key.permissions


@transaction.atomic
def create_agent(*, product: Product, name: str, created_by: str = "") -> tuple[Agent, str]:
    """A new agent and the secret of its first key, which is shown now and never again."""
    name = name.strip()
    if not 1 <= len(name) <= limits.AGENT_NAME_CHARACTERS or not name.isprintable():
        raise InvalidInput.of("name", f"An agent's name has 1 to {limits.AGENT_NAME_CHARACTERS} printable characters.")
    agent, is_new = Agent.objects.get_or_create(product=product, name=name)
    if not is_new:
        raise Conflict(
            f"The product {product.slug} has an agent named {name!r} already; choose another name or rotate its key."
        )
    _, secret = issue(agent=agent, created_by=created_by)
    return agent, secret


def issue(
    *, agent: Agent, permissions: tuple[Permission, ...] = (Permission.READ, Permission.WRITE), created_by: str = "",
    rotated_from: AgentKey | None = None,
) -> tuple[AgentKey, str]:  # fmt: skip
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    key = AgentKey.objects.create(
        agent=agent,
        prefix=prefix,
        digest=_digest(secret),
        permissions=[permission.value for permission in permissions],
        created_by=created_by,
        rotated_from=rotated_from,
    )
    return key, f"nz_{prefix}_{secret}"


@transaction.atomic
def rotate(*, key: AgentKey, created_by: str = "", grace: timedelta = GRACE) -> tuple[AgentKey, str]:
    """A new key with the same permissions; the old one ends after `grace`, so that nothing stops meanwhile."""
    old = AgentKey.objects.select_for_update().select_related("agent").get(pk=key.pk)
    if old.revoked_at or AgentKey.objects.filter(rotated_from=old).exists():
        raise Conflict("This key is revoked or rotated already; rotate the agent's newest key.")
    permissions = tuple(Permission(name) for name in old.permissions)
    end = timezone.now() + grace
    AgentKey.objects.filter(pk=old.pk).update(expires_at=min(end, old.expires_at) if old.expires_at else end)
    return issue(agent=old.agent, permissions=permissions, created_by=created_by, rotated_from=old)


def revoke(*, key: AgentKey, revoked_by: str = "") -> None:
    """End a key at once: nothing is cached. Revoking again changes nothing."""
    told = {"revoked_at": timezone.now(), "revoked_by": revoked_by}
    AgentKey.objects.filter(pk=key.pk, revoked_at__isnull=True).update(**told)


def verify(secret: str) -> Caller | None:
    """Who calls with this key, or None. One query, and the same work for an unknown prefix."""
    parts = KEY.fullmatch(secret)
    if not parts:
        return None
    now = timezone.now()
    key = AgentKey.objects.select_related("agent__product").filter(prefix=parts[1]).first()
    expected = bytes(key.digest) if key else b"\0" * 32
    if not hmac.compare_digest(_digest(parts[2]), expected) or not key or not _is_valid(key, now=now):
        return None
    _note_use(key, now=now)
    agent = key.agent
    actor = Actor(type=Origin.AGENT, name=agent.name, product_id=agent.product_id, agent_id=agent.pk)
    return Caller(actor=actor, key=key, product=agent.product)


def _is_valid(key: AgentKey, *, now: datetime) -> bool:
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now)


def _note_use(key: AgentKey, *, now: datetime) -> None:
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    if key.last_used_at is None or key.last_used_at < now - USE_NOTED_EVERY:
        AgentKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
