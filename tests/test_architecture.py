"""The shape of docs/architecture.md, kept by tests: who writes a status, what may import what, how long things are."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import guards

ROOT = Path(__file__).resolve().parent.parent
APPS = ("memories", "conflicts", "sources")
CODE = (*APPS, "neuronz")

MOST_LINES = 300
MOST_FUNCTION_LINES = 45
#: Functions that are longer all the same, each with its reason.
LONG_FUNCTIONS: dict[str, str] = {}

#: Who may say `status=` to a memory, each with its reason. lifecycle.py is the rule.
WRITERS_OF_STATUS = {"memories/services/lifecycle.py": "the only code that sets a status"}
#: Models besides Memory that have a column of this name.
OTHER_STATUSES = ("IdempotentAnswer", "Rule")

#: The floors of an app, lowest first. A module may import from its own floor and from those below.
FLOORS = (
    {"choices", "errors", "limits", "provenance", "zones", "loading", "metrics", "apps"},
    {"decisions", "actors", "scheduling"},
    {"models", "querysets", "managers"},
    {"connectors", "embeddings", "filters", "files", "kinds", "reader", "reading", "screening", "search", "secrets",
     "transcripts"},
    {"cognition", "connections", "erasing", "exporting", "importing", "listing", "services", "syncing", "undoing",
     "uploaders"},
    {"admin", "answers", "api", "api_exchange", "api_writes", "fields", "management", "serializers", "shapes", "tally",
     "tasks", "tool_shapes", "tooling", "tools", "urls", "views"},
)  # fmt: skip
#: These compute and read nothing: no row, setting or clock, and no Django.
PURE = ("memories/reading/*.py", "memories/search/ranking.py", "memories/search/relevance.py",
        "memories/search/tokens.py", "memories/search/words.py", "memories/screening.py", "*/decisions.py")  # fmt: skip
CLOCKS = {"now", "utcnow", "today", "time", "monotonic"}


def files(*folders: str) -> Iterator[Path]:
    """Our own files, migrations left out: they are written by a machine."""
    for folder in folders:
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts)


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> set[str]:
    """Every module and name that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return found


# --- one writer of statuses -----------------------------------------------------------------------------


def test_only_lifecycle_writes_a_status() -> None:
    """Habit 6."""
    found = {
        f"{named(path)}:{line}"
        for path in files(*CODE)
        if named(path) not in WRITERS_OF_STATUS
        for line in status_writes(tree(path))
    }
    assert found == set()


def status_writes(module: ast.Module) -> Iterator[int]:
    for node in ast.walk(module):
        if (isinstance(node, ast.Call) and is_status_write(node)) or is_status_assignment(node):
            yield node.lineno  # type: ignore[attr-defined]  # both have one
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "UPDATE memories_memory" in node.value:
            yield node.lineno


def is_status_write(call: ast.Call) -> bool:
    """`Memory(status=…)`, or an update, upsert or bulk update of rows that names the column."""
    source = ast.unparse(call.func)
    if any(other in ast.unparse(call) for other in OTHER_STATUSES):
        return False
    keywords = {keyword.arg for keyword in call.keywords}
    named_columns = any("'status'" in ast.unparse(argument) for argument in call.args[1:])
    writes = source.endswith((".update", ".create", ".get_or_create", ".update_or_create"))
    builds = source in ("Memory", "models.Memory")
    return ((writes or builds) and "status" in keywords) or (source.endswith(".bulk_update") and named_columns)


def is_status_assignment(node: ast.AST) -> bool:
    """`memory.status = …`: what a later save would write."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(each, ast.Attribute) and each.attr == "status" for each in targets)


@pytest.mark.parametrize(
    "offence",
    [
        "Memory.objects.filter(pk=1).update(status='retired')",
        "rows.update(words='', status=to)",
        "Memory(content='x', status=Status.VERIFIED)",
        "Memory.objects.create(status=to)",
        "Memory.objects.bulk_update(rows, ['status'])",
        "memory.status = Status.RETIRED",
        "cursor.execute('UPDATE memories_memory SET status = %s')",
    ],
)
def test_the_search_for_offenders_finds_them(offence: str) -> None:
    assert list(status_writes(ast.parse(offence))) == [1]


# --- no signals, no cycles --------------------------------------------------------------------------------


def test_there_are_no_signals() -> None:
    found = {
        (named(path), module)
        for path in files(*CODE)
        for module in imported(path)
        if module.startswith("django") and ("signals" in module or "django.dispatch" in module)
    }
    assert found == set()


def test_apps_import_along_the_contracts() -> None:
    """`lint-imports`, with the contracts of pyproject.toml; in a process of its own, for it turns all loggers off."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    checked = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("app", APPS)
def test_inside_an_app_imports_go_downward(app: str) -> None:
    found = {
        f"{named(path)} imports {above}"
        for path in files(app)
        for above in own_modules(app, imported(path))
        if floor(above) > floor(first_part(path, app))
    }
    assert found == set()


def own_modules(app: str, modules: set[str]) -> set[str]:
    return {module.split(".")[1] for module in modules if module.startswith(f"{app}.") and is_module(module)}


def is_module(dotted: str) -> bool:
    place = ROOT.joinpath(*dotted.split(".")[:2])
    return place.is_dir() or place.with_suffix(".py").exists()


def first_part(path: Path, app: str) -> str:
    return path.relative_to(ROOT / app).parts[0].removesuffix(".py")


def floor(module: str) -> int:
    """A module that is named on no floor stands on the highest: nothing below a door may import it."""
    return next((number for number, names in enumerate(FLOORS) if module in names), len(FLOORS) - 1)


@pytest.mark.parametrize("pattern", PURE)
def test_what_is_pure_knows_no_row_setting_or_clock(pattern: str) -> None:
    paths = list(ROOT.glob(pattern))
    assert paths
    for path in paths:
        modules = imported(path)
        foreign = {module for module in modules if module.split(".")[0] in ("django", "pgvector", "time", "os")}
        ours = [module for module in modules if module.split(".")[0] in CODE]
        inner = {module for module in ours if {"models", "querysets", "services"} & set(module.split("."))}
        assert (named(path), foreign | inner) == (named(path), set())
        assert (named(path), clocks(tree(path))) == (named(path), set())


def clocks(module: ast.Module) -> set[str]:
    calls = [node.func for node in ast.walk(module) if isinstance(node, ast.Call)]
    return {each.attr for each in calls if isinstance(each, ast.Attribute)} & CLOCKS


# --- sizes ------------------------------------------------------------------------------------------------


def test_no_file_is_too_long() -> None:
    lengths = {named(path): len(path.read_text().splitlines()) for path in files(*CODE, "tests", "bin")}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    found = {
        f"{named(path)}:{node.name}": length
        for path in files(*CODE, "tests", "bin")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MOST_FUNCTION_LINES
    }
    assert set(found) - set(LONG_FUNCTIONS) == set()
    assert set(LONG_FUNCTIONS) - set(found) == set()


# --- guards -----------------------------------------------------------------------------------------------


def test_every_guard_of_the_database_is_proven_by_a_test() -> None:
    """A guard that nobody tried to break is a guard nobody knows to hold: name it in a `test_guards…` file."""
    names = {
        node.value
        for path in files("tests")
        if path.name.startswith("test_guards")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert guards.declared() - names == set()
