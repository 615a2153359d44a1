"""Agents' keys: shown once, verified in one query, ended by time, revocation or rotation."""

import re
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from memories.choices import Origin, Permission
from memories.errors import Conflict, InvalidInput
from memories.models import Agent, AgentKey, Product
from memories.services import keys
from tests import factories
from tests.conftest import Clock

SHAPE = re.compile(r"nz_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def key(a1_key: str) -> AgentKey:
    """The row of the first key of a1."""
    return AgentKey.objects.get()


def is_good(secret: str) -> bool:
    return keys.verify(secret) is not None


# --- issuing ------------------------------------------------------------------------------------------


def test_a_key_has_a_public_prefix_and_a_secret_that_nobody_stores(a1_key: str, key: AgentKey) -> None:
    assert SHAPE.fullmatch(a1_key)
    _, prefix, secret = a1_key.split("_", 2)
    assert key.prefix == prefix
    assert bytes(key.digest) == sha256(secret.encode()).digest()
    stored = AgentKey.objects.values().get()
    assert all(secret not in str(value) for value in stored.values())
    assert secret not in str(key)


def test_every_key_is_another(lighthouse: Product) -> None:
    made = [factories.agent_key(lighthouse, f"agent {number}") for number in range(5)]
    assert len(set(made)) == 5


def test_a_key_makes_its_agent_known(lighthouse: Product, a1_key: str) -> None:
    caller = keys.verify(a1_key)
    assert caller is not None
    agent = Agent.objects.get()
    assert (caller.actor.type, caller.actor.name, caller.product) == (Origin.AGENT, "a1", lighthouse)
    assert (caller.actor.agent_id, caller.actor.product_id) == (agent.pk, lighthouse.pk)
    assert (caller.actor.user_id, caller.actor.source_id, caller.actor.is_person) == (None, None, False)


@pytest.mark.parametrize("name", ["", "   "])
def test_an_agent_needs_a_name(lighthouse: Product, name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        keys.create_agent(product=lighthouse, name=name)
    assert set(refused.value.fields) == {"name"}


def test_a_name_is_taken_once_in_a_product(lighthouse: Product, orchard: Product, a1_key: str) -> None:
    with pytest.raises(Conflict, match="already"):
        keys.create_agent(product=lighthouse, name=" a1 ")
    assert factories.caller(factories.agent_key(orchard, "a1")).product_id == orchard.pk


@pytest.mark.parametrize("permissions", [(Permission.READ,), (Permission.WRITE,), (Permission.READ, Permission.WRITE)])
def test_a_key_permits_what_it_was_issued_for(key: AgentKey, permissions: tuple[Permission, ...]) -> None:
    _, secret = keys.issue(agent=key.agent, permissions=permissions)
    caller = keys.verify(secret)
    assert caller is not None
    assert {permission for permission in Permission if caller.may(permission)} == set(permissions)


# --- verifying ----------------------------------------------------------------------------------------


def test_verifying_takes_one_query(a1_key: str, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    is_good(a1_key)  # the first use of a minute is noted
    with django_assert_num_queries(1):
        caller = keys.verify(a1_key)
        assert caller is not None
        assert (caller.product.slug, caller.actor.name) == ("lighthouse", "a1")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key: "",
        lambda key: key[:-1],
        lambda key: f"{key}x",
        lambda key: f" {key}",
        lambda key: f"{key}\n",
        lambda key: key.upper(),
        lambda key: key.replace("nz_", "sk_"),
        lambda key: key.replace("_", "-", 1),
        lambda key: "Bearer " + key,
        lambda key: key[:16],
        lambda key: key[:15] + "é" + key[16:],
    ],
)
def test_a_key_of_another_shape_asks_no_question(
    a1_key: str, django_assert_num_queries: DjangoAssertNumQueries, spoil: Callable[[str], str]
) -> None:
    with django_assert_num_queries(0):
        assert keys.verify(spoil(a1_key)) is None


def test_a_wrong_secret_or_an_unknown_prefix_is_nobody(
    a1_key: str, a2_key: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    wrong = [
        a1_key[:16] + a2_key[16:],
        "nz_0123456789ab_" + a1_key[16:],
        a1_key[:-1] + ("A" if a1_key[-1] != "A" else "B"),
    ]
    for secret in wrong:
        with django_assert_num_queries(1):
            assert keys.verify(secret) is None
    assert set(AgentKey.objects.values_list("last_used_at", flat=True)) == {None}


# --- ending -------------------------------------------------------------------------------------------


def test_a_key_ends_when_it_expires(a1_key: str, key: AgentKey, clock: Clock) -> None:
    AgentKey.objects.filter(pk=key.pk).update(expires_at=clock.now + timedelta(hours=1))
    clock.pass_(minutes=59)
    assert is_good(a1_key)
    clock.pass_(minutes=1)
    assert not is_good(a1_key)


def test_a_revoked_key_ends_at_once(a1_key: str, key: AgentKey) -> None:
    assert is_good(a1_key)
    keys.revoke(key=key)
    assert not is_good(a1_key)


def test_revoking_again_changes_nothing(key: AgentKey, clock: Clock) -> None:
    keys.revoke(key=key)
    clock.pass_(hours=1)
    keys.revoke(key=key)
    key.refresh_from_db()
    assert key.revoked_at == clock.now - timedelta(hours=1)


def test_revoking_one_key_leaves_the_others(a1_key: str, key: AgentKey, a2_key: str) -> None:
    other, secret = keys.issue(agent=key.agent)
    keys.revoke(key=key)
    assert [is_good(each) for each in (a1_key, secret, a2_key)] == [False, True, True]
    assert other.agent == key.agent


# --- rotating -----------------------------------------------------------------------------------------


def test_a_rotated_key_works_on_for_a_day(a1_key: str, key: AgentKey, clock: Clock) -> None:
    new, secret = keys.rotate(key=key, created_by="curator")
    assert (new.agent, new.rotated_from, new.created_by, new.expires_at) == (key.agent, key, "curator", None)
    clock.pass_(hours=23, minutes=59)
    assert (is_good(a1_key), is_good(secret)) == (True, True)
    clock.pass_(minutes=1)
    assert (is_good(a1_key), is_good(secret)) == (False, True)


def test_a_rotation_may_be_at_once(a1_key: str, key: AgentKey, clock: Clock) -> None:
    _, secret = keys.rotate(key=key, grace=timedelta(0))
    assert (is_good(a1_key), is_good(secret)) == (False, True)


def test_a_rotation_never_lengthens_a_life(key: AgentKey, clock: Clock) -> None:
    soon = clock.now + timedelta(hours=1)
    AgentKey.objects.filter(pk=key.pk).update(expires_at=soon)
    keys.rotate(key=key)
    key.refresh_from_db()
    assert key.expires_at == soon


def test_a_rotation_keeps_the_permissions(key: AgentKey) -> None:
    narrow, _ = keys.issue(agent=key.agent, permissions=(Permission.READ,))
    new, _ = keys.rotate(key=narrow)
    assert new.permissions == [Permission.READ]


@pytest.mark.parametrize("before", ["revoked", "rotated"])
def test_only_the_newest_living_key_is_rotated(key: AgentKey, before: str) -> None:
    if before == "revoked":
        keys.revoke(key=key)
    else:
        keys.rotate(key=key)
    count = AgentKey.objects.count()
    with pytest.raises(Conflict, match="revoked or rotated"):
        keys.rotate(key=key)
    assert AgentKey.objects.count() == count


# --- use ----------------------------------------------------------------------------------------------


def test_its_last_use_is_noted_once_a_minute(
    a1_key: str, key: AgentKey, clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    start = clock.now
    noted = []
    for queries, seconds in [(2, 0), (1, 30), (1, 30), (2, 1)]:
        clock.pass_(seconds=seconds)
        with django_assert_num_queries(queries):
            assert is_good(a1_key)
        key.refresh_from_db()
        noted.append((key.last_used_at or start) - start)
    assert noted == [timedelta(0), timedelta(0), timedelta(0), timedelta(seconds=61)]


def test_a_refused_use_is_no_use(a1_key: str, key: AgentKey) -> None:
    keys.revoke(key=key)
    is_good(a1_key)
    key.refresh_from_db()
    assert key.last_used_at is None
    assert key.revoked_at is not None
    assert key.revoked_at <= timezone.now()
