"""Files of other makers become memories through the ordinary intake: tried first, then done, then done again."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memories.actors import Actor
from memories.choices import Scope, Status, Tier
from memories.models import Evidence, Memory, MemoryEvent, Product, Write
from memories.services import editing
from sources import importing
from sources.models import Source
from sources.uploaders import uploader
from tests import factories
from tests.exchange import samples
from tests.exchange.travel import exported, wipe

FILES = {
    "mem0": ("mem0.json", json.dumps(samples.MEM0, indent=1)),
    "mcp-memory": ("memory.jsonl", samples.MCP_MEMORY),
    "markdown": ("CLAUDE.md", samples.CLAUDE_MD),
    "chatgpt": ("memories.txt", samples.CHATGPT),
    "csv": ("facts.csv", samples.CSV),
    "jsonl": ("facts.jsonl", samples.JSON_LINES),
}
#: How many lines of each sample can't be taken.
BAD = {"mem0": 2, "mcp-memory": 2, "markdown": 0, "chatgpt": 0, "csv": 2, "jsonl": 4}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.values():
        (tmp_path / name).write_text(text)
    return tmp_path


def rows() -> tuple[int, ...]:
    return tuple(model._default_manager.count() for model in (Memory, MemoryEvent, Evidence, Write, Source))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, bool]:
    """The report as a program gets it, and whether something failed."""
    failed = False
    capsys.readouterr()
    try:
        call_command("import", "--product", "lighthouse", "--json", *arguments)
    except CommandError:
        failed = True
    return json.loads(capsys.readouterr().out), failed


@pytest.mark.parametrize("kind", FILES)
def test_tried_done_and_done_again(
    kind: str, folder: Path, lighthouse: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--from", kind, str(folder / FILES[kind][0]))
    before = rows()

    tried, failed = run(capsys, *arguments, "--dry-run")
    assert rows() == before
    assert failed == bool(BAD[kind])

    done, _ = run(capsys, *arguments)
    assert tried["dry_run"]
    assert not done["dry_run"]
    assert done["counts"] == tried["counts"]
    assert done["counts"]["added"] >= 2
    assert done["counts"]["failed"] == BAD[kind]
    told = [(each["line"], each["outcome"], each["content"]) for each in tried["lines"]]
    assert told == [(each["line"], each["outcome"], each["content"]) for each in done["lines"]]

    stored = rows()
    again, _ = run(capsys, *arguments)
    assert rows() == stored
    assert Counter(each["outcome"] for each in again["lines"]).keys() <= {"known", "failed"}


def test_what_is_known_or_similar_is_said_before_and_after(
    folder: Path, lighthouse: Product, a1: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    known = factories.fact(a1, "The mill stands.", tier=Tier.POLICY)
    (folder / "few.jsonl").write_text('{"content": "the mill  STANDS."}\n{"content": "The mill stands still."}\n')
    lighthouse.fact_neighbor_floor = 0.5
    lighthouse.save()

    for mode in (["--dry-run"], []):
        report, _ = run(capsys, "--from", "jsonl", str(folder / "few.jsonl"), *mode)
        first, second = report["lines"]
        assert (first["outcome"], second["outcome"]) == ("known", "added")
        assert second["similar"][0]["id"] == str(known.pk)
    known.refresh_from_db()
    assert (known.status, known.tier) == (Status.VERIFIED, Tier.POLICY)


def test_a_weaker_copy_gives_way_and_one_that_a_person_judged_false_waits(
    folder: Path, lighthouse: Product, a1: Actor, curator: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    factories.fact(a1, "The dam holds.", tier=Tier.INFORMAL)
    wrong = factories.fact(a1, "The weir is dry.")
    editing.retire(by=curator, memory_id=wrong.pk, why="It never is.")
    (folder / "few.jsonl").write_text('{"content": "The dam holds."}\n{"content": "The weir is dry."}\n')

    for mode in (["--dry-run"], []):
        report, _ = run(capsys, "--from", "jsonl", str(folder / "few.jsonl"), *mode)
        assert [each["outcome"] for each in report["lines"]] == ["superseded", "refused"]
        assert not mode or report["lines"][1]["against"]["id"] == str(wrong.pk)
    assert Memory.objects.filter(content="The weir is dry.", status=Status.CONFLICTING).exists()


def test_a_text_that_contradicts_a_higher_tier_is_kept_for_a_person(
    folder: Path, lighthouse: Product, a1: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    port = factories.fact(a1, "The gateway listens on port 9443.", tier=Tier.POLICY)
    for mode in (["--dry-run"], []):
        report, _ = run(capsys, "--from", "markdown", str(folder / "CLAUDE.md"), *mode)
        (line,) = [each for each in report["lines"] if "8443" in each["content"]]
        assert (line["outcome"], line["line"], line["against"]["id"]) == ("refused", 4, str(port.pk))
    port.refresh_from_db()
    assert port.is_current


def test_the_same_line_twice_in_one_file_is_known_the_second_time(
    folder: Path, lighthouse: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "two.txt").write_text("The oven is hot.\nthe oven IS hot.\n")
    for mode in (["--dry-run"], []):
        report, _ = run(capsys, "--from", "chatgpt", str(folder / "two.txt"), *mode)
        assert [each["outcome"] for each in report["lines"]] == ["added", "known"]


def test_what_was_retired_since_is_not_brought_back(
    folder: Path, lighthouse: Product, capsys: pytest.CaptureFixture[str], curator: Actor
) -> None:
    (folder / "one.txt").write_text("The oven is hot.\n")
    run(capsys, "--from", "chatgpt", str(folder / "one.txt"))
    editing.retire(by=curator, memory_id=Memory.objects.get().pk)
    run(capsys, "--from", "chatgpt", str(folder / "one.txt"))
    assert Memory.objects.get().status == Status.RETIRED


def test_an_agent_imports_in_its_own_name_and_may_keep_things_private(
    folder: Path, lighthouse: Product, a1: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine.jsonl").write_text('{"content": "The vault is mine.", "scope": "private"}\n')
    arguments = ("--from", "jsonl", str(folder / "mine.jsonl"))

    report, failed = run(capsys, *arguments)
    assert failed
    assert "Only an agent can write privately" in report["lines"][0]["reason"]
    report, failed = run(capsys, *arguments, "--agent", "a1", "--tier", "team")
    assert not failed
    memory = Memory.objects.get()
    assert (memory.scope, memory.agent_id, memory.tier, memory.status) == (
        Scope.PRIVATE, a1.agent_id, Tier.TEAM, Status.UNVERIFIED,
    )  # fmt: skip


def test_credentials_are_masked_and_long_entries_are_read_as_texts(
    folder: Path, lighthouse: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "The quay has ten cranes. " + "The quay is long. " * 600
    lines = [{"content": "The token is ghp_" + "a1B2" * 9}, {"content": long}, {"content": "A NUL \0 in it."}]
    (folder / "odd.jsonl").write_text("\n".join(map(json.dumps, lines)))
    report, failed = run(capsys, "--from", "jsonl", str(folder / "odd.jsonl"))
    assert not failed
    contents = set(Memory.objects.values_list("content", flat=True))
    assert "The token is [masked: GitHub token]" in contents
    assert "The quay has ten cranes." in contents
    assert "A NUL \ufffd in it." in contents
    assert "ghp_" not in json.dumps(report)


def test_a_folder_of_memory_files_with_its_index(
    lighthouse: Product, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "MEMORY.md").write_text(samples.MEMORY_INDEX)
    (tmp_path / "deploy.md").write_text(samples.MEMORY_FILE)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")

    report, failed = run(capsys, "--from", "markdown", str(tmp_path))

    assert not failed
    contents = {each["content"] for each in report["lines"]}
    assert contents == {"The staging database is reset on Mondays.", "Releases go out on Tuesdays."}
    deploy = Memory.objects.get(content="Releases go out on Tuesdays.")
    assert deploy.tags == ["release", "calendar", "project"]
    assert deploy.metadata["name"] == "deploy-day"


def test_people_read_sentences(folder: Path, lighthouse: Product, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("import", "--product", "lighthouse", "--from", "csv", str(folder / "facts.csv"))
    with pytest.raises(CommandError, match="2 lines could not be imported"):
        call_command(*arguments, "--dry-run")
    told = capsys.readouterr().out
    assert ":2: added: The kiln fires at 1,240 degrees." in told
    assert ":5: failed: its category is 'mood'" in told
    assert "Would import: 2 added" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.csv", "--from", "csv"], "1 lines could not be imported"),
        (["x", "--from", "csv", "--new-ids"], "--new-ids goes with --from neuronz"),
        (["x", "y", "--from", "neuronz"], "name one file"),
        (["nowhere.jsonl", "--from", "neuronz"], "can't be read: no such file"),
        (["x", "--from", "csv", "--agent", "nobody"], "has no agent 'nobody'"),
    ],
)
def test_bad_arguments_end_in_a_sentence(lighthouse: Product, arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("import", "--product", "lighthouse", *arguments)


def test_texts_can_be_planned_without_a_file(lighthouse: Product) -> None:
    to = importing.planned(product=lighthouse)
    (line,) = importing.plan_texts([("upload.txt", "The oven is hot.")], kind="chatgpt", to=to)
    assert (line.file, line.line, line.outcome) == ("upload.txt", 1, "added")
    assert rows() == (0, 0, 0, 0, 0)
    (line,) = importing.bring_in_texts(
        [("upload.txt", "The oven is hot.")], kind="chatgpt", to=uploader(product=lighthouse)
    )
    assert line.memory == str(Memory.objects.get().pk)


def test_a_whole_product_comes_back_by_the_command(
    lighthouse: Product, a1: Actor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    factories.fact(a1, "The oven is hot.")
    out = tmp_path / "lighthouse.jsonl"
    call_command("export", "--product", "lighthouse", "--out", str(out))
    wipe()
    again = Product.objects.create(slug="lighthouse", name="Lighthouse")

    tried, _ = run(capsys, "--from", "neuronz", str(out), "--dry-run")
    assert tried["counts"]["memory"] == 1
    assert not Memory.objects.exists()
    done, _ = run(capsys, "--from", "neuronz", str(out))
    assert done["counts"] == tried["counts"]
    assert "".join(exported(again)) == out.read_text()
