"""A file that is not as it should be is refused wholly, with the line that is wrong."""

import json
from typing import Any
from uuid import uuid4

import pytest

from memories.actors import Actor
from memories.choices import Scope
from memories.errors import Conflict, InvalidInput, NeuronzError
from memories.models import Agent, Memory, MemoryEvent, Product
from memories.services import editing, products, rules
from tests import factories, guards
from tests.exchange.travel import exported, resolve, restored, wipe

Lines = list[dict[str, Any]]


@pytest.fixture
def lines(lighthouse: Product, a1: Actor) -> Lines:
    lamp = factories.fact(a1, "The lamp is red.")
    editing.revise(by=a1, memory_id=lamp.pk, content="The lamp is blue.")
    factories.fact(a1, "The vault is mine.", scope=Scope.PRIVATE)
    sides = [factories.fact(a1, f"The gate is {state}.") for state in ("open", "shut")]
    resolve(a1, sides[1], "contradicts", sides[0])
    factories.write(a1, "The mill stands.")
    rules.propose(by=a1, text="Never touch the lamp.")
    told = [json.loads(line) for line in exported(lighthouse)]
    wipe()
    return told


@pytest.fixture
def empty(lines: Lines) -> Product:
    return products.create_product(slug="empty")


def place(lines: Lines, record: str, **having: Any) -> int:
    """Where the first record of this sort stands that has these values."""
    return next(
        number
        for number, line in enumerate(lines)
        if line["record"] == record and all(line[name] == value for name, value in having.items())
    )


def refused(product: Product, lines: Lines, *, number: int | None = None) -> str:
    """The sentence; nothing at all was stored, and the guards are up."""
    with pytest.raises(NeuronzError) as refusal:
        restored(product, [json.dumps(line) + "\n" for line in lines])
    assert not Memory.objects.exists()
    assert not MemoryEvent.objects.exists()
    assert not Agent.objects.exists()
    if number is not None:
        assert isinstance(refusal.value, InvalidInput)
        assert refusal.value.sentence.startswith(f"Line {number + 1}: "), refusal.value.sentence
    by = factories.agent(product, "later")
    with guards.refused_by("Memory:legal_births_only"):
        factories.stored_row(by, status="retired")
    assert factories.stored_row(by).events.count() == 1
    return refusal.value.sentence


MISSING = str(uuid4())
#: A record of the file, what is changed in it, and a part of the sentence.
FAULTS: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "a private memory without an owner": ("memory", {"scope": "private"}, {"owner": None}, "has an owner"),
    "an owner of what is shared": ("memory", {"scope": "private"}, {"scope": "shared"}, "has an owner"),
    "a successor that is missing": ("memory", {"status": "superseded"}, {"replaced_by": MISSING}, "not in the file"),
    "no successor": ("memory", {"status": "superseded"}, {"replaced_by": None}, "names its successor"),
    "a status that nothing led to": ("memory", {"content": "The lamp is blue."}, {"status": "retired"}, "ends with"),
    "an origin without its agent": ("memory", {"content": "The lamp is blue."}, {"agent": None}, "names the agent"),
    "an agent that is missing": ("memory", {"content": "The lamp is blue."}, {"agent": MISSING}, "not in the file"),
    "an unknown status": ("memory", {}, {"status": "lost"}, "is none of"),
    "an unknown tier": ("memory", {}, {"tier": "royal"}, "is none of"),
    "no content": ("memory", {"kind": "Fact"}, {"content": ""}, "is empty"),
    "a NUL character": ("memory", {}, {"content": "a\0b"}, "NUL"),
    "a broken character": ("memory", {}, {"metadata": {"a": ["\ud800"]}}, "broken"),
    "metadata that are none": ("memory", {}, {"metadata": []}, "must be an object"),
    "tags that are none": ("memory", {}, {"tags": "ops"}, "must be a list"),
    "a tag that is too long": ("memory", {}, {"tags": ["x" * 65]}, "at most 64"),
    "a time without an offset": ("memory", {}, {"recorded_at": "2026-07-12T09:00:00"}, "no offset"),
    "no time": ("memory", {}, {"recorded_at": None}, "must not be null"),
    "no id": ("memory", {}, {"id": "7"}, "is not an id"),
    "an unknown field": ("memory", {}, {"colour": "red"}, "has no colour"),
    "an unknown record": ("memory", {}, {"record": "dream"}, "there is no record"),
    "a number for a text": ("memory", {}, {"content": 7}, "must be a string"),
    "a birth that is none": ("move", {"label": "added"}, {"status": "retired"}, "is born retired"),
    "a context that is none": ("move", {}, {"context": [1]}, "an object of words"),
    "a pair with a missing side": ("conflict", {}, {"older": MISSING}, "not in the file"),
    "a pair that says it is over": ("conflict", {}, {"state": "settled"}, "the database refuses"),
    "a receipt of a missing text": ("write", {}, {"raw": MISSING}, "not in the file"),
    "a rule that nobody decided": ("rule", {}, {"status": "approved"}, "the database refuses"),
    "a rule in other words": ("rule", {}, {"text": "Touch it."}, "does not end with its words"),
    "a rule that began approved": ("rule_move", {}, {"status": "approved"}, "begins as a proposal"),
    "a place before the beginning": ("evidence", {}, {"start": -1}, "0 or more"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_one_line_that_is_wrong_lets_nothing_in(lines: Lines, empty: Product, fault: str) -> None:
    record, having, changes, part = FAULTS[fault]
    number = place(lines, record, **having)
    lines[number] |= changes
    assert part in refused(empty, lines, number=number)


def test_a_history_never_goes_where_no_memory_goes(lines: Lines, empty: Product) -> None:
    number = place(lines, "move", label="moved", status="superseded")
    lines.insert(number + 1, lines[number] | {"status": "retired", "replaced_by": None})
    assert "never goes from superseded to retired" in refused(empty, lines, number=number + 1)


def test_a_history_is_of_some_memory(lines: Lines, empty: Product) -> None:
    number = place(lines, "move", label="added")
    lines.insert(number, lines[number] | {"memory": MISSING})
    lines[-1]["counts"]["move"] += 1
    assert "not in the file" in refused(empty, lines, number=number)


def test_links_never_lead_from_shared_to_private(lines: Lines, empty: Product) -> None:
    secret = lines[place(lines, "memory", scope="private")]["id"]
    number = place(lines, "memory", status="superseded")
    lines[number]["replaced_by"] = secret
    assert "another pool" in refused(empty, lines, number=number)


def test_a_disputed_memory_needs_its_pair(lines: Lines, empty: Product) -> None:
    pair = place(lines, "conflict")
    del lines[pair]
    lines[-1]["counts"]["conflict"] = 0
    assert "no unsettled pair" in refused(empty, lines, number=place(lines, "memory", status="disputed"))


def test_a_memory_needs_its_history(lines: Lines, empty: Product) -> None:
    number = place(lines, "memory", content="The lamp is blue.")
    del lines[place(lines, "move", memory=lines[number]["id"])]
    lines[-1]["counts"]["move"] -= 1
    assert "has no history" in refused(empty, lines, number=number)


def test_two_live_memories_never_say_the_same(lines: Lines, empty: Product) -> None:
    number = place(lines, "memory", content="The gate is shut.")
    lines[number]["content"] = "the  LAMP is blue."
    assert "both are live" in refused(empty, lines, number=number)


def test_an_id_stands_there_once(lines: Lines, empty: Product) -> None:
    number = place(lines, "memory", content="The gate is shut.")
    lines.insert(number, lines[number])
    assert "already" in refused(empty, lines, number=number + 1)


def test_a_file_that_was_cut_off_is_refused(lines: Lines, empty: Product) -> None:
    assert "cut off" in refused(empty, lines[:-1], number=len(lines) - 1)


def test_a_file_that_lost_a_line_is_refused(lines: Lines, empty: Product) -> None:
    del lines[place(lines, "evidence")]
    assert "other counts" in refused(empty, lines, number=len(lines) - 1)


def test_a_file_that_goes_on_after_its_end_is_refused(lines: Lines, empty: Product) -> None:
    assert "after its end" in refused(empty, [*lines, lines[1]], number=len(lines))


def test_another_kind_of_file_is_refused(lines: Lines, empty: Product) -> None:
    assert "another kind" in refused(empty, lines[1:], number=0)


def test_a_later_version_is_refused(lines: Lines, empty: Product) -> None:
    lines[0]["version"] = 2
    assert "version" in refused(empty, lines, number=0)


def test_what_is_no_json_is_refused(empty: Product) -> None:
    with pytest.raises(InvalidInput, match="Line 1: it is not JSON"):
        restored(empty, ["{\n"])
    with pytest.raises(InvalidInput, match="Line 1: it is no object"):
        restored(empty, ["[]\n"])
    with pytest.raises(InvalidInput, match="Line 1: the file was cut off"):
        restored(empty, [])


def test_a_product_that_is_not_empty_is_refused(lines: Lines, empty: Product) -> None:
    factories.agent(empty, "earlier")
    with pytest.raises(Conflict, match="not empty"):
        restored(empty, [json.dumps(line) for line in lines])
    assert not Memory.objects.exists()


def test_ids_that_are_taken_are_refused(lines: Lines, empty: Product) -> None:
    told = [json.dumps(line) for line in lines]
    restored(empty, told)
    with pytest.raises(InvalidInput, match=r"Line 2: its id is taken on this server already; with --new-ids"):
        restored(products.create_product(slug="other"), told)
    assert set(Memory.objects.values_list("product__slug", flat=True)) == {"empty"}
