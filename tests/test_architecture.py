"""The shape of docs/architecture.md, kept by tests: who writes a status, what may import what, how long things are."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests import guards

ROOT = Path(__file__).resolve().parent.parent


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


def test_every_guard_of_the_database_is_proven_by_a_test() -> None:
    """A guard that nobody tried to break is a guard nobody knows to hold: name it in a `test_guards…` file."""
    named = {
        node.value
        for path, tree in trees("tests")
        if path.name.startswith("test_guards")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert guards.declared() - named == set()
