"""How texts and facts come in: receipts, raw texts kept as they are, and bad input that stores nothing."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from memories import embeddings, limits, screening
from memories.actors import Actor
from memories.choices import Category, Kind, Origin, Outcome, Scope, Status, Tier, WriteState
from memories.errors import InvalidInput, TooLarge
from memories.models import Embedding, Evidence, Memory, Product, Write
from memories.provenance import Provenance
from memories.services import embedding_upkeep, intake
from tests import factories
from tests.factories import add, fact, write
from tests.stubs import BrokenEmbedder, StubReader

SAID = datetime(2026, 2, 28, 9, 30, tzinfo=UTC)


def nothing_is_stored() -> bool:
    return not any(model.objects.exists() for model in (Memory, Write, Evidence, Embedding))


# --- texts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "  Two  spaces.\r\n\tA tab.\n\n",
        "Café (decomposed: Cafe\u0301) 仓库 ☃ 🗝",
        "# Title\n\n- one\n- two\n",
        "\u202eright to left",
    ],
)
def test_a_text_is_kept_byte_for_byte(a1: Actor, stub_reader: StubReader, text: str) -> None:
    written = write(a1, text)
    raw = Memory.objects.get(pk=written.raw_id)
    assert raw.content.encode() == text.encode()
    assert (raw.kind, raw.category, written.replaced_characters, written.masked) == (Kind.RAW, Category.OTHER, 0, [])


def test_the_statements_are_traced_to_their_passages(a1: Actor, stub_reader: StubReader) -> None:
    text = "The lamp is lit.\n  The door is shut.  "
    written = write(a1, text)
    assert factories.contents(written) == ["The lamp is lit.", "The door is shut."]
    for statement in written.statements.all():
        passage = Evidence.objects.get(memory=statement.memory)
        assert (passage.raw_id, passage.write_id, statement.memory.raw_id) == (
            written.raw_id,
            written.pk,
            written.raw_id,
        )
        assert text[passage.start : passage.end] == passage.excerpt == statement.memory.content


def test_the_raw_record_carries_its_own_evidence(a1: Actor, stub_reader: StubReader) -> None:
    origin = Provenance(session="s-1", message="m-1", speaker="Ivo", said_at=SAID)
    written = write(a1, "The lamp is lit.", provenance=origin)
    told = Evidence.objects.get(memory=written.raw)
    assert (told.session, told.message, told.speaker, told.said_at) == ("s-1", "m-1", "Ivo", SAID)
    assert (told.start, told.end, told.excerpt) == (0, 16, "")
    inherited = Evidence.objects.get(memory=written.statements.get().memory)
    assert (inherited.session, inherited.speaker, inherited.said_at) == ("s-1", "Ivo", SAID)


def test_the_reader_is_told_when_and_by_whom(lighthouse: Product, a1: Actor, stub_reader: StubReader) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(zone="Europe/Berlin")
    written = write(a1, "One.")
    write(a1, "Two.", provenance=Provenance(speaker="Ivo", said_at=SAID, item_key="plan.md"))
    first, second = stub_reader.contexts
    assert (first.reference_time, first.speaker, first.title, first.timezone) == (
        written.created_at,
        None,
        None,
        "Europe/Berlin",
    )
    assert (second.reference_time, second.speaker, second.title) == (SAID, "Ivo", "plan.md")


def test_labels_of_a_text_are_those_of_its_statements(a1: Actor, stub_reader: StubReader) -> None:
    written = write(
        a1, "The lamp is lit.", confirmed=True, tier=Tier.TEAM, scope=Scope.PRIVATE, tags=("ops",), metadata={"n": [1]},
        about=(SAID, None),
    )  # fmt: skip
    for memory in (written.raw, written.statements.get().memory):
        assert (memory.tier, memory.owner_id, memory.tags, memory.metadata) == (
            "team",
            a1.agent_id,
            ["ops"],
            {"n": [1]},
        )
        assert (memory.about_from, memory.about_until, memory.status) == (SAID, None, Status.VERIFIED)
        assert (memory.origin, memory.agent_id) == (Origin.AGENT, a1.agent_id)


@pytest.mark.parametrize("text", ["", "...", "--", "\n\t", "   "])
def test_a_text_with_no_statement_leaves_only_the_raw_record(a1: Actor, text: str) -> None:
    written = write(a1, text)
    assert (written.state, written.reason, written.statements.count()) == (WriteState.DONE, "", 0)
    assert [each.content for each in Memory.objects.all()] == [text]


def test_characters_that_cannot_be_stored_are_replaced_and_counted(a1: Actor, stub_reader: StubReader) -> None:
    written = write(a1, "A\0B\ud800C. Fine.")
    assert written.replaced_characters == 2
    assert written.raw.content == "A\ufffdB\ufffdC. Fine."
    assert factories.contents(written) == ["A\ufffdB\ufffdC.", "Fine."]


def test_a_receipt_lists_what_was_masked(a1: Actor, stub_reader: StubReader) -> None:
    secret = "postgres://keeper:w4ter-under-bridge@db.example.com/harbor"
    expected = screening.mask(f"Use {secret} here.")
    assert expected.masks
    written = write(a1, f"Use {secret} here.")
    assert "w4ter-under-bridge" not in written.raw.content
    assert written.masked == [{"kind": kind, "start": start, "end": end} for kind, start, end in expected.masks]
    assert not Memory.objects.filter(content__contains="w4ter-under-bridge").exists()
    assert not Evidence.objects.filter(excerpt__contains="w4ter-under-bridge").exists()


def test_a_product_may_refuse_credentials(lighthouse: Product, a1: Actor) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(secrets="refuse")
    text = "Use postgres://keeper:w4ter-under-bridge@db.example.com/harbor here."
    for save, field in ((write, "text"), (fact, "content")):
        with pytest.raises(InvalidInput) as refused:
            save(a1, text)
        assert set(refused.value.fields) == {field}
        assert "w4ter" not in refused.value.sentence
    assert nothing_is_stored()


def test_a_fact_is_masked_too(a1: Actor) -> None:
    added = add(a1, "Use postgres://keeper:w4ter-under-bridge@db.example.com/harbor here.")
    assert "w4ter" not in added.fact.content
    assert "w4ter" not in Evidence.objects.get().excerpt


@pytest.mark.parametrize("filler", ["x", "é"])
def test_the_limit_of_a_text_is_one_mebibyte(a1: Actor, settings: Settings, filler: str) -> None:
    fits = filler * (limits.TEXT_BYTES // len(filler.encode()))
    assert write(a1, fits, wait=False).state == WriteState.RECEIVED
    with pytest.raises(TooLarge) as refused:
        write(a1, fits + "!", wait=False)
    assert refused.value.data == {"limit": limits.TEXT_BYTES}
    assert Write.objects.count() == 1


def test_only_an_agent_writes_privately(lighthouse: Product, curator: Actor) -> None:
    for by in (factories.source(lighthouse), factories.cognition(lighthouse), curator):
        for save in (write, fact):
            with pytest.raises(InvalidInput) as refused:
                save(by, "The lamp is lit.", scope=Scope.PRIVATE)
            assert set(refused.value.fields) == {"scope"}
    assert nothing_is_stored()


def test_a_text_for_later_is_handed_over_when_it_is_committed(
    a1: Actor, stub_reader: StubReader, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        written = write(a1, "The lamp is lit.", wait=False)
        assert factories.queued == []
    assert factories.queued == [written.pk]
    assert (written.state, written.statements.count()) == (WriteState.RECEIVED, 0)


def test_a_dead_broker_loses_nothing(
    a1: Actor, stub_reader: StubReader, settings: Settings, read_queued: Any,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:  # fmt: skip
    settings.ENQUEUE_READING = "memories.tasks.enqueue_reading"
    from memories.tasks import read_write

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read_write, "delay", _nobody_answers)
        with django_capture_on_commit_callbacks(execute=True):
            written = write(a1, "The lamp is lit.", wait=False)
    assert read_queued() == 1
    written.refresh_from_db()
    assert written.state == WriteState.DONE


def _nobody_answers(write_id: str) -> None:
    from kombu.exceptions import OperationalError

    raise OperationalError("no broker")


# --- one fact -----------------------------------------------------------------------------------------


def test_a_fact_is_stored_as_given(a1: Actor) -> None:
    content = "  The Harbor  gateway\tlistens on port 8443. "
    added = add(
        a1, content, confirmed=False, category=Category.PERSONA, person="Ivo", tier=Tier.INFORMAL, tags=("ops", "net"),
        metadata={"owner": "x", "scope": "private", "tier": "policy"}, about=(SAID, SAID),
    )  # fmt: skip
    memory = Memory.objects.get()
    assert (memory.content, memory.status, memory.category, memory.person) == (content, "unverified", "persona", "Ivo")
    assert (memory.tier, memory.scope, memory.owner_id, memory.tags) == ("informal", "shared", None, ["ops", "net"])
    assert memory.metadata == {"owner": "x", "scope": "private", "tier": "policy"}
    assert (memory.about_from, memory.about_until, memory.raw_id) == (SAID, SAID, None)
    assert (added.outcome, added.similar, added.conflict) == (Outcome.ADDED, [], None)


def test_the_category_is_found_when_the_writer_names_none(a1: Actor) -> None:
    assert fact(a1, "The lamp is lit.", category=None).category in Category.values


@pytest.mark.parametrize("content", ["", "   ", "\n\t", "...", "--", "☃", "\u200b"])
def test_a_fact_without_words_is_refused_and_stores_nothing(a1: Actor, content: str) -> None:
    """Case 11."""
    with pytest.raises(InvalidInput, match="at least one letter or digit") as refused:
        fact(a1, content)
    assert set(refused.value.fields) == {"content"}
    assert nothing_is_stored()


@pytest.mark.parametrize("content", ["The lamp\0 is lit.", "The lamp \ud800 is lit."])
def test_a_fact_with_characters_that_cannot_be_stored_is_refused(a1: Actor, content: str) -> None:
    with pytest.raises(InvalidInput, match="NUL"):
        fact(a1, content)
    assert nothing_is_stored()


def test_a_fact_has_a_limit(a1: Actor) -> None:
    fact(a1, "x" * limits.FACT_CHARACTERS)
    with pytest.raises(TooLarge, match="8,000 characters"):
        fact(a1, "x" * (limits.FACT_CHARACTERS + 1))
    assert Memory.objects.count() == 1


@pytest.mark.parametrize("content", ["7", "仓", "ก", "ß", "é"])
def test_one_letter_or_digit_of_any_script_is_enough(a1: Actor, content: str) -> None:
    assert add(a1, content).outcome == Outcome.ADDED


def test_a_broken_embedder_never_blocks_a_write(a1: Actor, stub_reader: StubReader) -> None:
    with embeddings.override(BrokenEmbedder()):
        added = add(a1, "The lamp is lit.")
        written = write(a1, "The door is shut.")
    assert (added.outcome, added.similar) == (Outcome.ADDED, None)
    assert written.state == WriteState.DONE
    assert list(Embedding.objects.values_list("vector", "attempts")) == [(None, 1)] * 3


def test_a_sweep_in_the_middle_of_a_reading_does_no_harm(
    a1: Actor, stub_reader: StubReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweeper makes the vector of the raw text while its reader is about to."""
    embedder = embeddings.current()
    embed, is_first = embedder.embed, iter([True])

    def meanwhile(texts: Sequence[str]) -> list[embeddings.Vector]:
        if next(is_first, False):
            embedding_upkeep.embed_waiting()
        return embed(texts)

    monkeypatch.setattr(embedder, "embed", meanwhile)
    written = write(a1, "The lamp is lit.")
    assert (written.state, written.reason) == (WriteState.DONE, "")
    assert Embedding.objects.filter(vector__isnull=False).count() == 2


def test_the_text_may_be_long_and_the_service_says_why_not(a1: Actor) -> None:
    with pytest.raises(TooLarge, match="1 MiB"):
        intake.remember(by=a1, text="\ud800" * limits.TEXT_BYTES)
