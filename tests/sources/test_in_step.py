"""Memories stay in step with their source, and what people and others said is respected."""

from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from memories.actors import Actor
from memories.choices import Status, Tier
from memories.models import Evidence, Memory, Product, Write
from memories.services import editing
from sources.choices import RunState
from sources.connectors.base import Gone, Skipped, Unchanged, Unread
from sources.models import Source, SourceItem
from tests import factories
from tests.sources.feeds import Feed, connected, fact, item, page, run, statuses

pytestmark = pytest.mark.django_db

TAMSIN, IVO, LAMP = "The duty lead is Tamsin.", "The duty lead is Ivo.", "The lamp oil is kept in the cellar."
PORT, NEW_PORT = "The gateway listens on port 8443.", "The gateway listens on port 9443."


@pytest.fixture
def feed(lighthouse: Product, monkeypatch: pytest.MonkeyPatch) -> Source:
    monkeypatch.setattr("sources.syncing.engine.connector_of", lambda _: Feed)
    return connected(lighthouse)


def test_old_news_that_arrives_late_never_replaces_newer(feed: Source) -> None:
    """Case 21."""
    newer = item("doc-9", TAMSIN, revised_at=datetime(2026, 2, 20, tzinfo=UTC))
    run(feed, page(newer))
    late = run(feed, page(item("doc-9", IVO, revised_at=datetime(2026, 1, 5, tzinfo=UTC))))
    assert [(each.kind, each.reason) for each in late.problems.all()] == [("skipped", "older revision, skipped")]
    before = Memory.objects.count(), Evidence.objects.count()
    run(feed, page(newer))
    assert statuses(TAMSIN, IVO) == ["verified", ""]
    assert (Memory.objects.count(), Evidence.objects.count()) == before


def test_what_another_item_says_stays_when_one_is_removed(feed: Source) -> None:
    run(feed, page(item("a", f"{TAMSIN} {LAMP}"), item("b", LAMP)))
    removed = run(feed, page(Gone("a")))
    assert (removed.removed, removed.retired) == (1, 1)
    assert statuses(TAMSIN, LAMP) == ["retired", "verified"]
    run(feed, page(Gone("b")))
    assert statuses(LAMP) == ["retired"]


def test_what_an_agent_says_too_stays_when_the_item_is_removed(feed: Source, a1: Actor) -> None:
    run(feed, page(item("a", LAMP)))
    factories.fact(a1, LAMP, tier=Tier.TEAM)
    run(feed, page(Gone("a")))
    assert statuses(LAMP) == ["verified"]


def test_what_a_person_restored_stays_when_the_item_is_removed(feed: Source, curator: Actor) -> None:
    run(feed, page(item("a", LAMP)))
    known = fact(LAMP)
    editing.retire(by=curator, memory_id=known.pk)
    editing.restore(by=curator, memory_id=known.pk)
    run(feed, page(Gone("a")))
    assert statuses(LAMP) == ["verified"]


def test_an_edit_of_a_person_is_not_undone_by_the_item_that_still_says_the_old(feed: Source, curator: Actor) -> None:
    run(feed, page(item("a", PORT)))
    editing.revise(by=curator, memory_id=fact(PORT).pk, content=NEW_PORT)
    run(feed, page(item("a", f"{PORT} {LAMP}")))
    assert statuses(PORT, NEW_PORT, LAMP) == ["superseded", "verified", "verified"]


def test_what_a_person_retired_stays_away(feed: Source, curator: Actor) -> None:
    run(feed, page(item("a", LAMP)))
    editing.retire(by=curator, memory_id=fact(LAMP).pk)
    run(feed, page(item("a", f"{LAMP} {TAMSIN}")))
    assert statuses(LAMP, TAMSIN) == ["retired", "verified"]
    run(feed, page(Gone("a")))
    run(feed, page(item("a", f"{LAMP} {TAMSIN}")))
    assert statuses(LAMP, TAMSIN) == ["retired", "verified"]


def test_a_source_withdraws_its_own_whatever_its_tier_became(feed: Source) -> None:
    Source.objects.filter(pk=feed.pk).update(tier=Tier.POLICY)
    run(feed, page(item("a", PORT)))
    Source.objects.filter(pk=feed.pk).update(tier=Tier.INFORMAL)
    run(feed, page(item("a", NEW_PORT)))
    assert statuses(PORT, NEW_PORT) == ["retired", "verified"]
    assert fact(NEW_PORT).tier == Tier.INFORMAL
    assert fact(PORT).tier == Tier.POLICY


def test_a_reworded_statement_supersedes_its_old_wording(feed: Source) -> None:
    run(feed, page(item("a", "The rope is kept in the old gatehouse by the harbour wall.")))
    done = run(feed, page(item("a", "The rope is kept in the new gatehouse by the harbour wall.")))
    assert (done.superseded, done.retired) == (1, 0)


def test_an_item_that_returns_changed_keeps_what_it_still_says(feed: Source) -> None:
    run(feed, page(item("a", f"{LAMP} {TAMSIN}")))
    run(feed, page(Gone("a")))
    done = run(feed, page(item("a", f"{LAMP} {PORT}")))
    assert (done.restored, done.brought_back, done.added) == (1, 2, 1)
    assert statuses(LAMP, TAMSIN, PORT) == ["verified", "retired", "verified"]


@pytest.mark.parametrize("formerly", ["old", ""], ids=["said by the source", "found by its text"])
def test_a_moved_item_keeps_its_memories(feed: Source, formerly: str) -> None:
    run(feed, page(item("old", LAMP)))
    gone = [] if formerly else [Gone("old")]
    moved = run(feed, page(*gone, item("new", LAMP, formerly=formerly)))
    assert moved.moved == 1
    assert statuses(LAMP) == ["verified"]
    assert list(SourceItem.objects.values_list("key", "state")) == [("new", "present")]


def test_what_a_sweep_does_not_meet_has_vanished_also_over_two_runs(feed: Source) -> None:
    run(feed, page(item("in/a", LAMP), item("in/b", TAMSIN), item("out", PORT)))
    half = run(feed, page(Unchanged("in/a"), begins="in/", cursor=2), RuntimeError("torn"))
    assert (half.state, half.removed) == (RunState.FAILED, 0)
    done = run(feed, page(ends="in/", cursor=3))
    assert Feed.cursors[-1] == {"at": 2}
    assert done.removed == 1
    assert statuses(LAMP, TAMSIN, PORT) == ["verified", "retired", "verified"]


def test_what_could_not_be_read_stays_and_what_is_skipped_goes(feed: Source) -> None:
    run(feed, page(item("a", LAMP), item("b", TAMSIN)))
    done = run(feed, page(Unread("a", "locked"), Skipped("b", "too large")))
    assert (done.failed, done.skipped, done.retired) == (1, 1, 1)
    assert statuses(LAMP, TAMSIN) == ["verified", "retired"]


def test_one_bad_item_never_stops_a_run(feed: Source, lighthouse: Product) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(secrets="refuse")
    done = run(feed, page(item("a", "The key is AKIAIOSFODNN7EXAMPLE."), item("b", LAMP)))
    assert (done.state, done.failed, done.new) == (RunState.DONE, 1, 1)
    assert statuses(LAMP) == ["verified"]


def test_every_memory_says_which_item_and_run_it_came_from(feed: Source) -> None:
    done = run(feed, page(item("a", LAMP)))
    evidence = fact(LAMP).evidence.get()
    assert (evidence.item_key, evidence.item_url) == ("a", "https://lists.example.org/a")
    assert (evidence.source_id, evidence.run_id) == (feed.pk, done.pk)


def test_a_reading_that_failed_is_made_up_by_the_next_run(feed: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("memories.services.statements._read", lambda _: 1 / 0)
        assert run(feed, page(item("a", LAMP))).failed == 1
    run(feed, page())
    assert statuses(LAMP) == ["verified"]
    assert Write.objects.count() == 1


def test_the_older_raw_text_leaves_recall_with_its_item(feed: Source) -> None:
    run(feed, page(item("a", PORT)))
    run(feed, page(item("a", NEW_PORT)))
    raws = Memory.objects.filter(kind="Raw").order_by("id")
    assert [each.status for each in raws] == [Status.SUPERSEDED, Status.VERIFIED]


def test_names_that_no_row_can_hold_stop_nothing(feed: Source) -> None:
    """Also names of JSON from outside: NUL, half a character, longer than an index holds."""
    endless = "".join(sha256(bytes([number])).hexdigest() for number in range(80))
    odd = replace(item("a\0b\ud800", "The odd lamp is lit."), title="\udfff", url="https://x.example/\0", version="\0")
    done = run(
        feed,
        page(
            odd,
            Unread("\ud800/", "\0 no"),
            Skipped(endless, "why"),
            item(endless, "Long."),
            item("c", "The last is lit."),
        ),
    )
    assert (done.state, done.new, done.failed) == (RunState.DONE, 2, 3)
    assert statuses("The odd lamp is lit.", "The last is lit.") == ["verified", "verified"]
    assert list(SourceItem.objects.order_by("key").values_list("key", flat=True)) == ["a\ufffdb\ufffd", "c"]
