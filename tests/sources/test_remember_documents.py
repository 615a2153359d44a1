"""`manage.py remember` with documents and folders."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from memories import embeddings, limits
from memories.actors import Actor
from memories.choices import Kind, Origin, Status, Tier, WriteState
from memories.models import Evidence, Memory, Product, Write
from memories.services import recall
from sources.models import Source, SourceItem
from tests import factories
from tests.sources.conftest import GATEWAY, Remember, StoppingEmbedder

pytestmark = pytest.mark.django_db


def raw_texts() -> list[Memory]:
    return list(Memory.objects.filter(kind=Kind.RAW).order_by("id"))


def counted() -> tuple[int, int, int]:
    return Memory.objects.count(), Write.objects.count(), Evidence.objects.count()


def test_a_folder_becomes_memories_that_search_finds(remember: Remember, handbook: Path, a1: Actor) -> None:
    said = remember(handbook)
    assert "files       2 read" in said
    assert "statements  3 added, 0 known, 0 superseded, 0 refused, 0 unsure" in said
    assert GATEWAY in [hit.memory.content for hit in recall.search(by=a1, q="gateway port 8443").hits]


def test_the_account_says_how_to_ask(remember: Remember, handbook: Path) -> None:
    said = remember(handbook)
    assert "curl -sG http://127.0.0.1:8000/api/v1/search/" in said
    assert "create_agent NAME --product lighthouse" in said


def test_progress_goes_to_standard_error_alone(
    handbook: Path, lighthouse: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("remember", str(handbook), product="lighthouse")
    out, err = capsys.readouterr()
    assert "2/2" in err
    assert "Remembering" not in out


def test_a_text_is_kept_exactly(remember: Remember, tmp_path: Path) -> None:
    text = "  The lamp is lit.\r\n\r\n\tTwice.\r\n"
    (tmp_path / "lamp.md").write_bytes(text.encode())
    remember(tmp_path / "lamp.md")
    assert [raw.content for raw in raw_texts()] == [text]


def test_without_an_agent_an_upload_source_writes_verified_memories_of_its_tier(
    remember: Remember, handbook: Path
) -> None:
    remember(handbook)
    source = Source.objects.get()
    fact = Memory.objects.get(content=GATEWAY)
    evidence = fact.evidence.get()
    assert (source.type, source.name, source.tier) == ("upload", "uploads", Tier.TEAM)
    assert (fact.origin, fact.tier, fact.status, fact.agent) == (Origin.SOURCE, Tier.TEAM, Status.VERIFIED, None)
    assert (evidence.source_id, evidence.source_name) == (source.pk, "uploads")
    assert evidence.item_key == "handbook/ports.md"


def test_an_agent_writes_in_its_own_name_with_the_tier_it_states(remember: Remember, handbook: Path, a1: Actor) -> None:
    remember(handbook, agent="a1")
    fact = Memory.objects.get(content=GATEWAY)
    assert (fact.origin, fact.agent_id, fact.tier) == (Origin.AGENT, a1.agent_id, Tier.OFFICIAL)
    assert fact.status == Status.UNVERIFIED
    assert not Source.objects.exists()


@pytest.mark.parametrize("options", [{}, {"agent": "a1"}], ids=["source", "agent"])
def test_an_unchanged_file_writes_nothing_the_second_time(
    remember: Remember, handbook: Path, a1: Actor, options: dict[str, str]
) -> None:
    remember(handbook, **options)
    before = counted()
    said = remember(handbook, **options)
    assert "files       2 known" in said
    assert counted() == before


def test_an_unchanged_file_is_known_from_another_working_folder(
    remember: Remember, handbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(handbook)
    monkeypatch.chdir(handbook)
    assert "files       2 known" in remember(Path())


@pytest.mark.parametrize("options", [{}, {"agent": "a1"}], ids=["source", "agent"])
def test_a_changed_file_is_read_again_and_what_it_repeats_is_known(
    remember: Remember, handbook: Path, a1: Actor, options: dict[str, str]
) -> None:
    remember(handbook, **options)
    ports = handbook / "ports.md"
    ports.write_text(ports.read_text() + "\nThe cellar is locked at night.\n")
    said = remember(handbook, **options)
    assert "files       1 read, 1 known" in said
    assert "statements  1 added, 2 known" in said


def test_an_item_remembers_what_was_read_last(remember: Remember, handbook: Path) -> None:
    remember(handbook)
    (handbook / "ports.md").write_text("The gateway is closed.\n")
    remember(handbook)
    item = SourceItem.objects.get(key="handbook/ports.md")
    assert item.raw is not None
    assert item.raw.content == "The gateway is closed.\n"


def test_a_text_that_changed_back_is_read_once_more(remember: Remember, handbook: Path) -> None:
    ports = handbook / "ports.md"
    original = ports.read_text()
    for text in (original, "The gateway is closed.\n", original):
        ports.write_text(text)
        remember(ports)
    assert len(raw_texts()) == 3


def test_a_tier_of_its_own_has_an_upload_source_of_its_own(remember: Remember, handbook: Path) -> None:
    remember(handbook)
    remember(handbook, tier="policy")
    assert set(Source.objects.values_list("name", "tier")) == {("uploads", "team"), ("uploads (policy)", "policy")}
    assert Memory.objects.current().get(content=GATEWAY).tier == Tier.POLICY


def test_a_tier_that_the_source_no_longer_has_is_refused(remember: Remember, handbook: Path) -> None:
    remember(handbook, tier="policy")
    Source.objects.update(tier=Tier.INFORMAL)
    assert "has the tier informal by now" in remember(handbook, tier="policy")


def test_the_present_tier_of_the_source_counts(remember: Remember, handbook: Path) -> None:
    remember(handbook / "people.txt")
    Source.objects.update(tier=Tier.OFFICIAL)
    remember(handbook)
    assert Memory.objects.get(content=GATEWAY).tier == Tier.OFFICIAL


def test_an_empty_file_leaves_only_its_raw_record(remember: Remember, tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()
    assert "files       1 read" in remember(tmp_path / "empty.md")
    assert [raw.content for raw in raw_texts()] == [""]


def test_one_bad_file_never_stops_the_others_and_the_exit_code_tells(remember: Remember, handbook: Path) -> None:
    (handbook / "big.md").write_bytes(b"x" * (limits.TEXT_BYTES + 1))
    said = remember(handbook / "big.md", handbook / "nowhere.md", handbook)
    assert "files       2 read, 2 failed" in said
    assert "larger than 1 MiB, the most that one text may have; split it" in said
    assert "nowhere.md: there is no such file or folder" in said
    assert "exit 1: 2 could not be remembered" in said


def test_what_is_unfit_in_a_folder_is_skipped_without_a_failure(remember: Remember, handbook: Path) -> None:
    (handbook / "big.md").write_bytes(b"x" * (limits.TEXT_BYTES + 1))
    (handbook / "blob.txt").write_bytes(b"\0\1\2")
    (handbook / ".hidden.md").write_text("Unseen.")
    said = remember(handbook)
    assert "files       2 read, 3 skipped" in said
    assert "skipped     handbook/.hidden.md: hidden" in said
    assert "skipped     handbook/blob.txt: binary" in said
    assert "exit" not in said


def test_a_reading_that_fails_is_said_and_the_next_run_tries_it_again(
    remember: Remember, handbook: Path, settings: Settings
) -> None:
    settings.READER = "tests.sources.conftest.BrokenReader"
    said = remember(handbook)
    assert "files       2 failed" in said
    assert "RuntimeError: out of ink" in said
    settings.READER = "memories.reading.PlainReader"
    assert "files       2 read" in remember(handbook)
    assert len(raw_texts()) == 2


def test_queued_texts_are_kept_at_once_and_read_by_a_worker(
    remember: Remember, handbook: Path, read_queued: Callable[[], int],
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]  # a context manager
        said = remember(handbook, queue=True)
    assert "files       2 queued" in said
    assert len(factories.queued) == len(raw_texts()) == 2
    assert read_queued() == 2
    assert Memory.objects.filter(content=GATEWAY).exists()


def test_a_text_that_still_waits_is_read_by_the_next_run_and_not_kept_twice(remember: Remember, handbook: Path) -> None:
    remember(handbook, queue=True)
    assert "files       2 read" in remember(handbook)
    assert len(raw_texts()) == 2


@pytest.mark.parametrize("options", [{}, {"agent": "a1"}], ids=["source", "agent"])
def test_ctrl_c_keeps_what_was_done_and_the_next_run_goes_on_without_doubles(
    remember: Remember, handbook: Path, a1: Actor, no_patience: None, options: dict[str, str]
) -> None:
    (handbook / "a.md").write_text("The boat leaves at noon.")
    with embeddings.override(StoppingEmbedder(at="Noor leads the payments team.\n")):
        said = remember(handbook, **options)
    assert "files       1 read" in said
    assert "exit 130: Stopped." in said
    assert "files       2 read, 1 known" in remember(handbook, **options)
    assert len(raw_texts()) == 3
    assert {write.state for write in Write.objects.all()} == {WriteState.DONE}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"product": "nowhere"}, "There is no product 'nowhere'; make it with `manage.py create_product nowhere`."),
        ({"agent": "nobody"}, "no agent 'nobody'; make it with `manage.py create_agent nobody --product lighthouse`."),
        ({"agent": "b1"}, "has no agent 'b1'"),
    ],
)  # fmt: skip
def test_an_unknown_product_or_agent_is_refused_in_one_sentence(
    lighthouse: Product, b1: Actor, handbook: Path, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("remember", str(handbook), **({"product": "lighthouse"} | options))
    assert not Write.objects.exists()


def test_what_one_product_remembers_is_unseen_by_another(
    remember: Remember, handbook: Path, a2: Actor, b1: Actor
) -> None:
    remember(handbook, agent="a2")
    assert recall.search(by=a2, q="gateway").hits
    assert not recall.search(by=b1, q="gateway").hits
