"""Which files are found under which names, and what text is in them."""

import gzip
import os
from pathlib import Path

import pytest

from memories import limits
from sources.decisions import Format, format_of
from sources.files import Found, LeftOut, Unfit, Unreadable, find, length, lines_of, text_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    handbook = tmp_path / "handbook"
    (handbook / "guide").mkdir(parents=True)
    for name in ("b.md", "a.txt", "guide/c.rst", "chat.jsonl"):
        (handbook / name).write_text("One.\n")
    return handbook


def keys(*paths: Path) -> list[str]:
    return [each.key for each in find(paths) if isinstance(each, Found)]


def left_out(*paths: Path) -> dict[str, LeftOut]:
    return {each.key: each for each in find(paths) if isinstance(each, LeftOut)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", Format.DOCUMENT),
        ("A.MARKDOWN", Format.DOCUMENT),
        ("v1.2.txt", Format.DOCUMENT),
        ("x.text", Format.DOCUMENT),
        ("t.jsonl", Format.TRANSCRIPT),
        ("t.jsonl.gz", Format.TRANSCRIPT),
        ("a.gz", None),
        ("a.py", None),
        ("README", None),
    ],
)
def test_a_file_is_read_by_its_ending(name: str, expected: Format | None) -> None:
    assert format_of(name) == expected


def test_a_folder_is_read_recursively_in_the_order_of_names(folder: Path) -> None:
    assert keys(folder) == ["handbook/a.txt", "handbook/b.md", "handbook/chat.jsonl", "handbook/guide/c.rst"]


def test_a_file_has_the_same_name_from_wherever_the_folder_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absolute = keys(folder)
    monkeypatch.chdir(folder)
    assert keys(Path()) == absolute
    assert keys(Path("b.md")) == ["handbook/b.md"]
    monkeypatch.chdir(folder.parent)
    assert keys(Path("handbook")) == absolute


def test_a_file_that_is_named_twice_is_read_once(folder: Path) -> None:
    assert keys(folder, folder / "b.md", folder / "guide" / "c.rst") == keys(folder)


def test_two_files_of_one_name_are_not_mixed_up(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "handbook"
    other.mkdir(parents=True)
    (other / "b.md").write_text("Another.")
    assert left_out(folder, other)["handbook/b.md"].is_failure


def test_what_is_not_read_of_a_folder_is_said_with_its_reason(folder: Path) -> None:
    for name in (".git", "node_modules"):
        (folder / name).mkdir()
        (folder / name / "inside.md").write_text("Unseen.")
    (folder / ".env").write_text("SECRET=1")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    (folder / "elsewhere").symlink_to(folder / "guide")
    reasons = {key: each.reason for key, each in left_out(folder).items()}
    assert reasons["handbook/.git"] == reasons["handbook/.env"] == "hidden"
    assert reasons["handbook/node_modules"] == "a folder of packages"
    assert reasons["handbook/photo.png"].startswith("of another kind than text")
    assert reasons["handbook/elsewhere"].startswith("a link to a folder")
    assert not any(each.is_failure for each in left_out(folder).values())


def test_a_file_that_is_named_itself_is_read_as_text_whatever_its_ending(folder: Path) -> None:
    (folder / "LICENSE").write_text("Do as you like.")
    (found,) = find([folder / "LICENSE"])
    assert found == Found(folder / "LICENSE", "handbook/LICENSE", Format.DOCUMENT, is_named=True)


def test_a_path_that_is_not_there_is_a_failure(folder: Path) -> None:
    (missing,) = find([folder / "nowhere.md"])
    assert isinstance(missing, LeftOut)
    assert missing.is_failure


def test_a_name_that_is_not_utf_8_can_be_shown(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("Coffee.")
    assert "handbook/caf\ufffd.md" in keys(folder)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"One.\r\nTwo.\r\n", "One.\r\nTwo.\r\n"),
        (b"\xef\xbb\xbfOne.", "One."),
        ("Ünë.".encode("utf-16"), "Ünë."),
        (b"", ""),
    ],
)
def test_a_text_is_taken_exactly_without_its_byte_order_mark(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "a.md").write_bytes(content)
    assert text_of(tmp_path / "a.md") == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK\x03\x04\0\0", "binary"),
        ("Größe".encode("latin-1"), "not in UTF-8"),
        (b"x" * (limits.TEXT_BYTES + 1), "larger than 1 MiB"),
    ],
    ids=["binary", "another encoding", "too large"],
)
def test_a_file_that_is_no_fit_text_says_what_it_is(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "a.md").write_bytes(content)
    with pytest.raises(Unfit, match=reason):
        text_of(tmp_path / "a.md")


def test_a_text_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * limits.TEXT_BYTES)
    assert len(text_of(tmp_path / "a.md")) == limits.TEXT_BYTES


def test_a_compressed_transcript_is_read_line_by_line(tmp_path: Path) -> None:
    packed = tmp_path / "t.jsonl.gz"
    packed.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert list(lines_of(packed)) == [b"one\n", b"two\n"]
    assert length(Found(packed, "t", Format.TRANSCRIPT)) == 3


@pytest.mark.parametrize("content", [b"no archive", gzip.compress(os.urandom(9_999))[:5_000]], ids=["none", "cut off"])
def test_a_damaged_archive_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.jsonl.gz").write_bytes(content)
    with pytest.raises(Unreadable, match="damaged"):
        list(lines_of(tmp_path / "t.jsonl.gz"))
