"""Cases from public bug reports (shared/cases.md) about texts and sources: 21 and 29, as far as they exist."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.utils import timezone

from memories.actors import Actor
from memories.choices import WriteState
from memories.models import Memory, Product, Write
from memories.provenance import Provenance
from memories.reading import Verdict
from memories.services import claims
from sources.services import Result, upload_document
from sources.uploaders import uploader
from tests import factories
from tests.api.door import Door
from tests.conftest import Clock
from tests.stubs import StubReader

FERRY = "The ferry leaves at nine. The ferry has two decks."
TAMSIN, IVO = "The duty lead is Tamsin.", "The duty lead is Ivo."
ITEM = Provenance(source_id=UUID(int=7), source_name="handbook", item_key="doc-9", item_url="https://drive.example/9")


def deliver(source: Actor, text: str, changed: datetime) -> Write:
    return factories.write(source, text, provenance=replace(ITEM, said_at=changed))


def test_case_21_the_same_revision_again_adds_nothing(door: Door, lighthouse: Product) -> None:
    source = factories.source(lighthouse)
    for _ in range(2):
        deliver(source, TAMSIN, datetime(2026, 2, 20, tzinfo=UTC))
    (fact,) = door.page()
    assert (fact["content"], fact["status"], fact["replaces"]) == (TAMSIN, "verified", [])
    assert (fact["source"]["name"], fact["source"]["item"], fact["source"]["url"]) == (
        "handbook", "doc-9", "https://drive.example/9",
    )  # fmt: skip
    evidence = door.get(f"facts/{fact['id']}/evidence/")["results"]
    assert [each["source"]["item"] for each in evidence] == ["doc-9", "doc-9"]


def test_case_21_an_older_revision_that_comes_late_is_skipped_and_reported(door: Door, lighthouse: Product) -> None:
    to = uploader(product=lighthouse)
    newer, older = datetime(2026, 2, 20, tzinfo=UTC), datetime(2026, 1, 5, tzinfo=UTC)
    feed = [(TAMSIN, newer), (IVO, older), (TAMSIN, newer)]
    steps = [upload_document(key="doc-9", text=text, to=to, revised_at=revised) for text, revised in feed]
    assert [(step.result, step.reason) for step in steps] == [
        (Result.READ, ""), (Result.SKIPPED, "older revision, skipped"), (Result.KNOWN, ""),
    ]  # fmt: skip
    assert door.listed() == [TAMSIN]
    assert not Memory.objects.filter(content=IVO).exists()


def test_case_21_a_newer_revision_supersedes_and_the_older_text_leaves_search(
    door: Door, lighthouse: Product, stub_reader: StubReader
) -> None:
    stub_reader.judge(TAMSIN, IVO, Verdict.REPLACES)
    source = factories.source(lighthouse)
    deliver(source, IVO, datetime(2026, 1, 5, tzinfo=UTC))
    deliver(source, TAMSIN, datetime(2026, 2, 20, tzinfo=UTC))
    assert door.listed() == [TAMSIN]
    assert set(door.found("duty lead")) == {TAMSIN}
    assert [move["content"] for move in door.history(door.page()[0]["id"]) if move["verb"] == "add"] == [IVO, TAMSIN]


def test_case_29_a_failed_step_is_visible_and_can_be_repeated(
    door: Door, stub_reader: StubReader, read_queued: Callable[[], int]
) -> None:
    stub_reader.error = RuntimeError("the extractor is out of order")
    receipt = door.post("memories/", {"text": FERRY})
    assert (receipt.code, receipt["state"]) == (201, "failed")
    assert "out of order" in receipt["reason"]
    assert door.memory(receipt["raw"])["content"] == FERRY
    stub_reader.error = None
    for _ in range(2):
        door.post(f"writes/{receipt['id']}/retry/")
        read_queued()
    done = door.get(f"writes/{receipt['id']}/")
    assert (done["state"], done["reason"], len(done["statements"])) == ("done", "", 2)
    assert Memory.objects.statements_only().count() == 2


def test_case_29_what_was_stored_before_the_failure_is_not_stored_twice(
    door: Door, stub_reader: StubReader, read_queued: Callable[[], int]
) -> None:
    text = " ".join(f"Deck {number} is open." for number in range(100))
    stub_reader.error, stub_reader.error_after = RuntimeError("out of order"), 70
    receipt = door.write(text)
    assert receipt["state"] == "failed"
    assert 0 < len(receipt["statements"]) < 100
    stub_reader.reset()
    door.post(f"writes/{receipt['id']}/retry/")
    read_queued()
    done = door.get(f"writes/{receipt['id']}/")
    assert (done["state"], len(done["statements"])) == ("done", 100)
    assert {each["outcome"] for each in done["statements"]} == {"added"}
    assert Memory.objects.statements_only().count() == 100


def test_case_29_a_killed_job_is_taken_up_again_once(
    door: Door, stub_reader: StubReader, read_queued: Callable[[], int], clock: Clock
) -> None:
    receipt = door.post("memories/", {"text": FERRY, "wait": False})
    assert claims.claim(UUID(receipt["id"])) is not None  # a worker that dies now
    assert (read_queued(), door.get(f"writes/{receipt['id']}/")["state"]) == (0, WriteState.READING)
    clock.now = timezone.now() + claims.CLAIM + timedelta(seconds=1)
    assert claims.forgotten() == [UUID(receipt["id"])]
    assert (read_queued(), read_queued()) == (1, 0)
    assert len(door.get(f"writes/{receipt['id']}/")["statements"]) == 2
    assert Memory.objects.statements_only().count() == 2
