"""POST memories/ and memories/batch/: a text is kept as submitted, read for its statements, and has a receipt."""

import json
from collections.abc import Callable
from uuid import UUID

import pytest

from memories.choices import Kind
from memories.models import Evidence, Memory, Write
from tests import factories
from tests.api import shapes
from tests.api.door import Door
from tests.api.shapes import problems

TEXT = "The Harbor gateway listens on port 8443. The Kestrel team deploys on Fridays."
FIRST, SECOND = "The Harbor gateway listens on port 8443.", "The Kestrel team deploys on Fridays."
LONG = "The lamp is lit. " * 200
MIB = 2**20


def test_a_text_becomes_a_raw_record_and_its_statements(door: Door) -> None:
    answer = door.post("memories/", {"text": TEXT, "tags": ["ops"], "tier": "team", "metadata": {"n": 1}})
    assert (answer.code, answer["state"], answer["reason"]) == (201, "done", "")
    assert (answer["masked"], answer["replaced_characters"]) == ([], 0)
    statements = [each["memory"] for each in answer["statements"]]
    assert [each["content"] for each in statements] == [FIRST, SECOND]
    assert {each["raw"] for each in statements} == {answer["raw"]}
    assert {(each["tier"], each["status"], *each["tags"]) for each in statements} == {("team", "unverified", "ops")}
    raw = door.memory(answer["raw"])
    assert (raw["content"], raw["kind"], raw["metadata"]) == (TEXT, "Raw", {"n": 1})
    assert door.get(f"writes/{answer['id']}/").body == answer.body


def test_a_confirmed_text_has_verified_statements(door: Door) -> None:
    assert {each["memory"]["status"] for each in door.write(TEXT, confirmed=True)["statements"]} == {"verified"}


def test_each_statement_names_the_passage_it_was_read_from(door: Door) -> None:
    receipt = door.write(TEXT)
    evidence = door.get(f"facts/{receipt['statements'][1]['memory']['id']}/evidence/")["results"]
    assert [(each["raw"], each["write"], each["excerpt"]) for each in evidence] == [
        (receipt["raw"], receipt["id"], SECOND)
    ]


def test_the_same_text_again_leaves_a_receipt_whose_statements_are_known(door: Door) -> None:
    first, again = door.write(TEXT), door.write(TEXT)
    assert [each["outcome"] for each in again["statements"]] == ["known", "known"]
    assert [each["memory"]["id"] for each in again["statements"]] == [
        each["memory"]["id"] for each in first["statements"]
    ]
    assert Memory.objects.filter(kind=Kind.RAW).count() == 2


@pytest.mark.parametrize("text", ["", "   ", "...", "--", "\n\t"])
def test_a_text_without_a_statement_leaves_only_the_raw_record(door: Door, text: str) -> None:
    answer = door.post("memories/", {"text": text})
    assert (answer.code, answer["state"], answer["statements"]) == (201, "done", [])
    assert door.memory(answer["raw"])["content"] == text
    assert list(Memory.objects.values_list("kind", flat=True)) == [Kind.RAW]


def test_what_cannot_be_stored_is_replaced_and_the_receipt_says_so(door: Door) -> None:
    answer = door.post("memories/", {"text": "The lamp\0 is \ud83d lit.\udfff"})
    assert (answer.code, answer["replaced_characters"]) == (201, 3)
    assert door.memory(answer["raw"])["content"] == "The lamp\ufffd is \ufffd lit.\ufffd"


@pytest.mark.parametrize(("text", "code", "state"), [(LONG, 202, "received"), (LONG[:2_000], 201, "done")])
def test_texts_of_up_to_2000_characters_are_read_before_the_answer(
    door: Door, text: str, code: int, state: str
) -> None:
    answer = door.post("memories/", {"text": text})
    assert (answer.code, answer["state"], answer["statements"] != []) == (code, state, code == 201)


@pytest.mark.parametrize(("wait", "code"), [(True, 201), (False, 202)])
def test_wait_says_when_a_text_is_read(door: Door, wait: bool, code: int) -> None:
    assert [door.post("memories/", {"text": text, "wait": wait}).code for text in (LONG, TEXT)] == [code, code]


def test_a_queued_text_is_handed_to_a_worker_and_read(
    door: Door, read_queued: Callable[[], int], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]  # a context manager
        answer = door.post("memories/", {"text": TEXT, "wait": False})
    assert factories.queued == [UUID(answer["id"])]
    assert door.found("Harbor gateway") == []
    assert read_queued() == 1
    assert door.get(f"writes/{answer['id']}/")["state"] == "done"
    assert FIRST in door.found("Harbor gateway")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 5), ("text", None), ("text", ["x"]), ("text", {"x": 1}), ("wait", "soon"), ("wait", 1),
        ("content", "x"), ("category", "fact"), ("person", "Ivo"), ("confirmed", "yes"), ("tier", "boss"),
        ("tags", 5), ("metadata", []), ("about", "2026-07-12T09:30"), ("scope", "everyone"),
    ],
)  # fmt: skip
def test_a_bad_field_of_a_text_is_named_and_nothing_is_stored(door: Door, field: str, value: object) -> None:
    refused = door.post("memories/", {"text": TEXT, field: value})
    assert (refused.code, refused.fields) == (400, {field})
    assert (Memory.objects.count(), Write.objects.count()) == (0, 0)


def test_a_missing_text_is_named(door: Door) -> None:
    assert door.post("memories/", {"tags": ["x"]}).fields == {"text"}


@pytest.mark.parametrize("character", ["x", "ß", "仓", "🗝", "\0"])
def test_a_text_of_one_mebibyte_is_taken_and_one_byte_more_is_not(door: Door, character: str) -> None:
    size = len(character.encode())
    fitting = character * (MIB // size)
    assert door.post("memories/", {"text": fitting, "wait": False}).code == 202
    refused = door.post("memories/", {"text": fitting + "x" * (MIB % size + 1), "wait": False})
    assert (refused.code, refused["error"]["limit"], refused.fields) == (413, MIB, {"text"})
    assert Write.objects.count() == 1


# --- batches


def test_each_item_of_a_batch_stands_on_its_own_and_in_order(door: Door) -> None:
    sound = {"text": FIRST}, {"text": SECOND, "wait": False}
    items = [sound[0], {"text": 5}, "no object", None, sound[1], {"text": "", "tier": "boss"}]
    answer = door.post("memories/batch/", {"items": items})
    assert answer.code == 207
    first, wrong, no_object, nothing, queued, wrong_tier = answer["results"]
    assert [*problems(first, shapes.WRITE), *problems(queued, shapes.WRITE)] == []
    assert (first["state"], queued["state"]) == ("done", "received")
    refusals = (wrong, no_object, nothing, wrong_tier)
    assert [each for refused in refusals for each in problems(refused, shapes.ERROR)] == []
    assert (set(wrong["error"]["fields"]), set(wrong_tier["error"]["fields"])) == ({"text"}, {"tier"})
    assert Write.objects.count() == 2


def test_an_item_that_is_too_large_does_not_stop_the_others(door: Door) -> None:
    answer = door.post("memories/batch/", {"items": [{"text": "x" * (MIB + 1)}, {"text": FIRST}]})
    assert (answer["results"][0]["error"]["code"], answer["results"][0]["error"]["limit"]) == ("too_large", MIB)
    assert answer["results"][1]["state"] == "done"


@pytest.mark.parametrize("items", [None, 5, "x", {"text": "x"}, []])
def test_a_batch_needs_a_list_of_items(door: Door, items: object) -> None:
    refused = door.post("memories/batch/", {"items": items})
    assert (refused.code, refused.fields) == (400, {"items"})


def test_a_batch_has_at_most_500_items(door: Door) -> None:
    refused = door.post("memories/batch/", {"items": [{"text": "", "wait": False}] * 501})
    assert (refused.code, refused["error"]["limit"], Write.objects.count()) == (413, 500, 0)
    assert door.post("memories/batch/", {"items": [{"text": "", "wait": False}] * 500}).code == 207


def test_a_batch_of_16_mebibytes_is_taken_and_one_byte_more_is_not(door: Door) -> None:
    body = json.dumps({"items": [{"text": "x", "wait": False}]}).encode()
    assert door.send("POST", "memories/batch/", body + b" " * (16 * MIB - len(body))).code == 207
    refused = door.send("POST", "memories/batch/", body + b" " * (16 * MIB - len(body) + 1))
    assert (refused.code, refused["error"]["limit"], Write.objects.count()) == (413, 16 * MIB, 1)


# --- evidence of a repeat


def test_a_fact_said_in_a_text_too_is_proven_by_both(door: Door, other: Door) -> None:
    fact = door.fact(FIRST)
    receipt = other.write(TEXT)
    assert receipt["statements"][0]["memory"]["id"] == fact
    evidence = door.get(f"facts/{fact}/evidence/")["results"]
    assert [each["raw"] for each in evidence] == [None, receipt["raw"]]
    assert Evidence.objects.filter(memory_id=fact).count() == 2
