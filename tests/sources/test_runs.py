"""Runs: one at a time, by schedule, with back-off, and nothing of a credential anywhere."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from memories.choices import Tier, Trigger
from memories.models import Memory, Product
from memories.scheduling import Schedule, next_due, wait_after
from sources import connections, secrets, tasks
from sources.checks import check_secret_keys
from sources.choices import RunState, SourceState, SourceType
from sources.connectors.base import ConnectorError
from sources.decisions import tier_in_force
from sources.models import AuthorityDefault, Source, SyncRun
from sources.syncing import claims, engine
from tests.conftest import Clock
from tests.sources.feeds import TOKEN, Feed, connected, item, page, run

pytestmark = pytest.mark.django_db

LAMP = "The lamp oil is kept in the cellar."
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def feeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sources.syncing.engine.connector_of", lambda _: Feed)
    monkeypatch.setattr("sources.connections.connector_of", lambda _: Feed)


@pytest.fixture
def feed(lighthouse: Product) -> Source:
    return connections.connect(
        product=lighthouse, type_=SourceType.CLICKUP, name="lists", entered={"list": "9", "token": TOKEN},
        every_minutes=60,
    )  # fmt: skip


def now_of(source: Source) -> Source:
    return Source.objects.get(pk=source.pk)


# --- one at a time


def test_a_source_is_read_by_one_process_at_a_time(feed: Source, clock: Clock) -> None:
    assert claims.begin(feed.pk, trigger=Trigger.SCHEDULE)
    assert engine.sync(feed.pk, trigger=Trigger.PERSON) is None
    clock.pass_(minutes=4)
    run(feed, page(item("a", LAMP)))
    assert list(SyncRun.objects.order_by("id").values_list("state", "error")) == [
        (RunState.STOPPED, claims.DIED), (RunState.DONE, ""),
    ]  # fmt: skip


def test_whoever_was_overtaken_writes_nothing_more(feed: Source, clock: Clock) -> None:
    held = claims.begin(feed.pk, trigger=Trigger.SCHEDULE)
    assert held
    clock.pass_(minutes=4)
    assert claims.begin(feed.pk, trigger=Trigger.SCHEDULE)
    with pytest.raises(claims.ClaimLost):
        claims.keep(held, cursor={"at": 99})
    assert now_of(feed).cursor == {}


# --- failures


def test_failures_wait_longer_each_time_and_success_forgets_them(feed: Source, clock: Clock) -> None:
    waits = []
    for _ in range(3):
        run(feed, ConnectorError("It does not answer."), trigger=Trigger.SCHEDULE)
        due = now_of(feed).next_due_at
        assert due is not None
        waits.append(due - timezone.now())
    assert (now_of(feed).failures, now_of(feed).reason) == (3, "It does not answer.")
    assert waits[0] <= waits[1] <= waits[2]
    run(feed, page(item("a", LAMP)))
    assert (now_of(feed).failures, now_of(feed).reason) == (0, "")


def test_a_permanent_error_pauses_with_its_sentence_until_a_person_tries_again(feed: Source) -> None:
    run(feed, ConnectorError("The token was taken back; enter a new one.", permanent=True), trigger=Trigger.SCHEDULE)
    paused = now_of(feed)
    assert (paused.state, paused.reason) == (SourceState.PAUSED, "The token was taken back; enter a new one.")
    assert engine.sync(feed.pk, trigger=Trigger.SCHEDULE) is None
    run(feed, page(item("a", LAMP)), trigger=Trigger.PERSON)
    assert now_of(feed).state == SourceState.ACTIVE


def test_a_stop_is_no_failure_and_the_next_run_goes_on(feed: Source) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(feed, page(item("a", LAMP), cursor=7), KeyboardInterrupt())
    stopped = SyncRun.objects.get()
    assert (stopped.state, stopped.new) == (RunState.STOPPED, 1)
    assert (now_of(feed).cursor, now_of(feed).claim, now_of(feed).failures) == ({"at": 7}, None, 0)


# --- the clock


def test_beat_hands_out_what_is_due_once(feed: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(tasks.sync_source, "delay", lambda *arguments: sent.append(arguments))
    tasks.sync_due()
    tasks.sync_due()
    assert sent == [(str(feed.pk), "schedule", "")]


def test_no_more_sources_are_read_at_once_than_allowed(feed: Source, lighthouse: Product, settings: Settings) -> None:
    connected(lighthouse, "more lists", next_due_at=timezone.now())
    settings.SYNCS_AT_ONCE = 1
    assert len(connections.take_due()) == 1


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("schedule", "due"),
    [
        (Schedule(), None),
        (Schedule(every=timedelta(hours=1)), datetime(2026, 3, 2, 13, tzinfo=UTC)),
        (Schedule(times=[time(6), time(18)]), datetime(2026, 3, 2, 17, tzinfo=UTC)),
        (Schedule(times=[time(6)]), datetime(2026, 3, 3, 5, tzinfo=UTC)),
        (
            Schedule(every=timedelta(hours=11), quiet_from=time(22), quiet_until=time(5)),
            datetime(2026, 3, 3, 4, tzinfo=UTC),
        ),
    ],
)
def test_when_a_source_is_due(schedule: Schedule, due: datetime | None) -> None:
    assert next_due(schedule, after=NOON, zone=BERLIN, jitter=0) == due


def test_jitter_lengthens_by_a_tenth_and_five_minutes_at_most() -> None:
    hour, day = (next_due(Schedule(every=timedelta(hours=h)), after=NOON, zone=BERLIN, jitter=1) for h in (0.5, 24))
    assert (hour, day) == (NOON + timedelta(minutes=33), NOON + timedelta(hours=24, minutes=5))


def test_waiting_doubles_up_to_six_hours_and_obeys_the_outside_system() -> None:
    assert [wait_after(n) for n in (1, 2, 3, 50)] == [timedelta(minutes=m) for m in (2, 4, 8, 360)]
    assert wait_after(1, asked=900) == timedelta(minutes=15)


# --- authority


@pytest.mark.parametrize(
    ("own", "of_product", "tier", "why"),
    [
        ("", "", Tier.OFFICIAL, "the default for GitHub"),
        ("", "policy", Tier.POLICY, "the product's default for GitHub"),
        ("informal", "policy", Tier.INFORMAL, "set on this source"),
    ],
)
def test_the_tier_in_force_and_who_says_so(own: str, of_product: str, tier: Tier, why: str) -> None:
    found = tier_in_force(SourceType.GITHUB, own=own, of_product=of_product)
    assert (found.tier, found.why) == (tier, why)


def test_a_memory_keeps_the_tier_that_was_in_force_when_it_was_read(feed: Source, lighthouse: Product) -> None:
    AuthorityDefault.objects.create(product=lighthouse, type=SourceType.CLICKUP, tier=Tier.POLICY)
    run(feed, page(item("a", LAMP)))
    connections.set_default(lighthouse, SourceType.CLICKUP, "informal")
    run(feed, page(item("a", f"{LAMP} The rope is kept in the attic.")))
    tiers = Memory.objects.exclude(kind="Raw").order_by("id").values_list("tier", flat=True)
    assert list(tiers) == [Tier.POLICY, Tier.INFORMAL]


# --- credentials


def every_text_of_the_database() -> Iterator[str]:
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608  # its own tables
            yield from (row[0] for row in cursor.fetchall())


def test_a_credential_stands_nowhere_in_plain(feed: Source, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    failed = run(feed, ConnectorError(f"401 for https://lists.example.org/?token={TOKEN}"))
    assert failed.error == "401 for https://lists.example.org/?token=…"
    run(feed, RuntimeError(TOKEN))
    assert connections.try_out(SourceType.CLICKUP, {"token": TOKEN}) == "The token … opens one list."
    texts = [*every_text_of_the_database(), caplog.text, repr(now_of(feed)), str(now_of(feed).values)]
    assert [text for text in texts if TOKEN in text or TOKEN.encode().hex() in text] == []
    assert connections.secrets_of(now_of(feed)) == {"token": TOKEN}


def test_an_empty_secret_keeps_the_old_and_another_one_lists_everything_again(feed: Source) -> None:
    run(feed, page(item("a", LAMP), cursor=5))
    kept = connections.change(now_of(feed), entered={"list": "9", "token": ""})
    assert (connections.secrets_of(kept), kept.cursor) == ({"token": TOKEN}, {"at": 5})
    renewed = connections.change(kept, entered={"list": "9", "token": "another-token"})
    assert (connections.secrets_of(renewed), renewed.cursor) == ({"token": "another-token"}, {})


def test_keys_are_changed_without_losing_credentials(feed: Source, settings: Settings) -> None:
    old = settings.SOURCE_SECRET_KEYS
    settings.SOURCE_SECRET_KEYS = ["a new long key", *old]
    call_command("reseal")
    settings.SOURCE_SECRET_KEYS = ["a new long key"]
    assert secrets.unseal(bytes(now_of(feed).sealed)) == {"token": TOKEN}
    settings.SOURCE_SECRET_KEYS = ["a third key"]
    run(feed, page())
    assert "NEURONZ_SECRET_KEYS" in now_of(feed).reason


@pytest.mark.parametrize(
    ("keys", "are_made", "said"),
    [(["k" * 40], False, []), (["short"], False, ["sources.E001"]), (["k" * 40], True, ["sources.W001"])],
)
def test_the_system_check_tells_of_keys_that_will_not_do(
    settings: Settings, keys: list[str], are_made: bool, said: list[str]
) -> None:
    settings.SOURCE_SECRET_KEYS, settings.SOURCE_SECRET_KEYS_ARE_MADE, settings.EMBEDDED = keys, are_made, []
    assert [each.id for each in check_secret_keys()] == said


def test_a_worker_starts_without_the_packages_of_connectors() -> None:
    code = (
        "import django; django.setup(); import sys; from sources import tasks, api; "
        "print([m for m in ('googleapiclient', 'githubkit', 'markitdown') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
