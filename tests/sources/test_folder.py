"""The folder connector by itself: what it reads, what it never does, and what git tells it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from memories import limits
from sources.connectors.base import Change, Connection, ConnectorError, Item, Skipped, Unchanged, Unread
from sources.connectors.folder import Folder
from sources.connectors.globs import matches


def folder(path: Path, *, known: Mapping[str, str] | None = None, **values: Any) -> Folder:
    return Folder(Connection({"path": str(path), **values}, versions=lambda _: known or {}))


def changes(path: Path, **more: Any) -> dict[str, Change]:
    return {each.key: each for page in folder(path, **more).pages({}) for each in page.changes}


def item(found: Change) -> Item:
    assert isinstance(found, Item)
    return found


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    (root / "deep").mkdir(parents=True)
    (root / "a.md").write_text("The lamp is lit.\n")
    (root / "deep" / "b.txt").write_text("The door is green.\n")
    (root / "picture.png").write_bytes(b"\x89PNG\0")
    return root


def test_it_reads_texts_and_frames_one_sweep(docs: Path) -> None:
    pages = list(folder(docs).pages({}))
    assert (pages[0].begins, pages[-1].ends) == ("", "")
    assert sorted(changes(docs)) == ["a.md", "deep/b.txt"]
    assert item(changes(docs)["a.md"]).url == (docs / "a.md").as_uri()


def test_what_looks_the_same_is_not_opened(docs: Path) -> None:
    version = item(changes(docs)["a.md"]).version
    os.chmod(docs / "a.md", 0o600)  # noqa: PTH101  # the disk notes that as a change of its own
    newer = item(changes(docs)["a.md"]).version
    assert newer != version
    assert changes(docs, known={"a.md": newer})["a.md"] == Unchanged("a.md")


def test_patterns_choose(docs: Path) -> None:
    assert sorted(changes(docs, patterns=["deep/**/*.txt"])) == ["deep/b.txt"]
    assert sorted(changes(docs, without=["deep/**"])) == ["a.md"]


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("a.md", "*.md", True), ("x/a.md", "*.md", True), ("x/a.md", "x/*.md", True), ("x/y/a.md", "x/*.md", False),
        ("x/y/a.md", "x/**/*.md", True), ("x/a.md", "x/**/*.md", True), ("x/a.mdx", "*.md", False),
        ("README.MD", "*.md", True), ("a.md", "/a.md", True), ("a[1].md", "a[1].md", True),
    ],
)  # fmt: skip
def test_a_pattern_over_paths(path: str, pattern: str, *, fits: bool) -> None:
    assert matches(path, [pattern]) is fits


def test_links_never_lead_out(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("The vault word.")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "c.md").write_text("Outside.")
    (docs / ".git").mkdir()
    (docs / ".git" / "token.md").write_text("hidden")
    (docs / "out.md").symlink_to(tmp_path / "secret.md")
    (docs / "hidden.md").symlink_to(docs / ".git" / "token.md")
    (docs / "folder").symlink_to(tmp_path / "other")
    (docs / "loop.md").symlink_to(docs / "loop.md")
    found = changes(docs)
    assert isinstance(found["out.md"], Skipped)
    assert isinstance(found["hidden.md"], Skipped)
    assert isinstance(found["loop.md"], Unread)
    assert sorted(found) == ["a.md", "deep/b.txt", "hidden.md", "loop.md", "out.md"]


def test_large_and_binary_files_are_told(docs: Path) -> None:
    (docs / "long.md").write_text("A line of the log.\n" * (limits.TEXT_BYTES // 10))
    (docs / "odd.md").write_bytes(b"\0\1\2")
    (docs / "latin.md").write_bytes("Café".encode("latin-1"))
    found = changes(docs)
    assert "only the first MiB" in item(found["long.md"]).left_out
    assert len(item(found["long.md"]).text) <= limits.TEXT_BYTES
    assert {type(found[key]) for key in ("odd.md", "latin.md")} == {Skipped}


def test_where_a_folder_may_be(docs: Path, tmp_path: Path, settings: Settings) -> None:
    settings.FOLDER_ROOTS = [str(docs)]
    assert "2 files match" in folder(docs).test()
    for path in (tmp_path, docs / ".." / "docs2", Path(settings.DATA_DIR), Path("docs")):
        with pytest.raises(ConnectorError):
            folder(path).test()


# --- git


def git(root: Path, *arguments: str, at: str = "2026-02-20T12:00:00+00:00") -> None:
    environment = {**os.environ, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, env=environment, check=True, capture_output=True)


def test_a_committed_file_has_the_time_and_address_of_its_commit(docs: Path) -> None:
    git(docs, "init", "-q")
    git(docs, "add", "a.md")
    git(docs, "commit", "-qm", "one")
    (docs / "c.md").write_text("New.\n")
    found = changes(docs, base_url="https://git.example.org/blob/{commit}")
    committed = item(found["a.md"])
    assert committed.revised_at is not None
    assert committed.revised_at.isoformat() == "2026-02-20T12:00:00+00:00"
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=docs, capture_output=True, text=True, check=True)
    assert committed.url == f"https://git.example.org/blob/{head.stdout.strip()}/a.md"
    assert item(found["c.md"]).revised_at is None
    (docs / "a.md").write_text("Changed, not committed.\n")
    assert item(changes(docs)["a.md"]).revised_at is None


def test_a_checkout_runs_none_of_its_own_programs(docs: Path, tmp_path: Path) -> None:
    git(docs, "init", "-q")
    git(docs, "add", ".")
    git(docs, "commit", "-qm", "one")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o700)
    for key in ("core.fsmonitor", "filter.trap.clean", "filter.trap.smudge", "diff.trap.textconv", "core.pager"):
        git(docs, "config", key, str(trap))
    git(docs, "config", "gpg.program", str(trap))
    git(docs, "config", "log.showSignature", "true")
    signed(docs)
    (docs / ".gitattributes").write_text("*.md filter=trap diff=trap\n")
    (docs / "a.md").write_text("Changed.\n")
    assert item(changes(docs)["a.md"]).text == "Changed.\n"
    assert item(changes(docs)["deep/b.txt"]).revised_at is not None
    assert not (tmp_path / "sprung").exists()


def signed(root: Path) -> None:
    """A last commit with a signature: git asks a program of the checkout's own choice about it, where it may."""
    tree = asked_of_git(root, "rev-parse", "HEAD^{tree}")
    parent = asked_of_git(root, "rev-parse", "HEAD")
    who = "t <t@example.org> 1700000000 +0000"
    mark = "-----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----"
    commit = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\ngpgsig {mark}\n\nsigned\n"
    git(root, "update-ref", "HEAD", asked_of_git(root, "hash-object", "-t", "commit", "-w", "--stdin", said=commit))


def asked_of_git(root: Path, *arguments: str, said: str = "") -> str:
    done = subprocess.run(["git", *arguments], cwd=root, input=said, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_names_that_are_no_text_stay_apart(tmp_path: Path) -> None:
    for name in (b"a\xff.md", b"a\xfe.md", b"b\x01.md", b"c\n.md"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(f"The lamp of {name!r} is lit.\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    found = changes(tmp_path)
    assert sorted(found) == ["a\\xfe.md", "a\\xff.md", "b\x01.md", "c\n.md"]
    for each in found.values():
        assert item(each).title.encode()
        assert item(each).revised_at is not None
