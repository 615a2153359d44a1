"""JSON bodies: whatever bytes come, the answer is a sentence and never a 5xx."""

import json

import pytest

from memories.models import Memory
from tests.api.door import Door

BODIES = [
    b"{", b"}", b'{"content": }', b"[", b'"', b"nope", b"{'content': 'x'}", b'{"content": "x",}', b"\xff\xfe", b"\x00",
    b'{"content": "\xff"}', b'{"content": "\xed\xa0\x80"}', b'{"content": "a\nb"}', b'{"content": NaN}',
    b'{"metadata": {"x": Infinity}, "content": "x"}', b'{"metadata": {"x": -Infinity}, "content": "x"}',
    b'\xef\xbb\xbf{"content": "x"}', '{"content": "x"}'.encode("utf-16"), b'{"content": "x"}{"content": "y"}',
    b'{"metadata": {"n": ' + b"9" * 5_000 + b'}, "content": "x"}', b'{"content": "\\u12"}', b'{"content": "\\x41"}',
]  # fmt: skip
NO_OBJECTS = [b"[]", b"5", b'"x"', b"null", b"true", b"[[]]", b"1e999", b'[{"content": "x"}]']
PATHS = ["facts/", "memories/", "memories/batch/", "search/"]


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", BODIES, ids=lambda body: ascii(body[:20]))
def test_what_is_no_json_is_a_400(door: Door, path: str, body: bytes) -> None:
    assert door.send("POST", path, body).code == 400
    assert Memory.objects.count() == 0


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", NO_OBJECTS)
def test_what_is_no_object_is_a_400_about_the_body(door: Door, path: str, body: bytes) -> None:
    refused = door.send("POST", path, body)
    assert refused.code == 400
    assert refused.fields <= {"body", "content", "text", "items", "q"}


def test_a_bad_body_harms_no_other_method_either(door: Door) -> None:
    fact = door.fact("The lamp is lit.")
    for method in ("PATCH", "DELETE"):
        assert door.send(method, f"facts/{fact}/", b"{").code == 400
    assert door.status(fact) == "verified"


def test_an_empty_body_is_an_empty_object(door: Door) -> None:
    fact = door.fact("The lamp is lit.")
    assert door.send("POST", "facts/", b"").fields == {"content"}
    assert door.send("DELETE", f"facts/{fact}/", b"")["outcome"] == "retired"
    assert door.send("POST", f"facts/{fact}/restore/", b"")["outcome"] == "restored"


def nested(depth: int, around: str) -> bytes:
    opening, closing = ("[", "]") if around == "[" else ('{"x":', "}")
    return (opening * depth + "1" + closing * depth).encode()


#: Just below and above what Python's own recursion allows, where a value may be parsed and then not be written.
DEPTHS = [1, 50, 99, 200, 300, 500, 700, 800, *range(880, 1_000, 12), 1_200, 5_000, 100_000]


@pytest.mark.parametrize("around", ["[", "{"])
@pytest.mark.parametrize("field", ["metadata", "content", "tier", "tags", "about", "confirmed", "wizard", "person"])
def test_depth_is_refused_by_a_sentence_wherever_it_stands(door: Door, field: str, around: str) -> None:
    for depth in DEPTHS:
        body = b'{"%s": %s}' % (field.encode(), nested(depth, around))
        assert door.send("POST", "facts/", body).code == 400


@pytest.mark.parametrize("depth", [1, 20, 50, *DEPTHS[2:]])
def test_metadata_is_stored_whole_or_refused_by_name(door: Door, depth: int) -> None:
    body = b'{"content": "The lamp is lit.", "metadata": {"x": %s}}' % nested(depth, "{")
    answer = door.send("POST", "facts/", body)
    assert answer.code in (201, 400)
    if answer.code == 201:
        assert answer["fact"]["metadata"] == json.loads(nested(depth + 1, "{"))
    assert (answer.code == 201) == (depth < 100)


@pytest.mark.parametrize("path", ["memories/batch/", "search/"])
def test_depth_is_refused_at_every_door(door: Door, path: str) -> None:
    for depth in DEPTHS:
        for field in ("items", "q", "kind", "tag", "limit"):
            answer = door.send("POST", path, b'{"%s": %s}' % (field.encode(), nested(depth, "[")))
            assert answer.code == 400 or "error" in answer["results"][0]


def test_an_item_of_a_batch_that_is_nested_deep_stops_no_other(door: Door) -> None:
    items = b'{"items": [{"text": "The lamp is lit.", "metadata": %s}, {"text": "The lamp is lit."}]}'
    answer = door.send("POST", "memories/batch/", items % nested(40, "{"))
    assert [each.get("state") for each in answer["results"]] == ["done", "done"]


def test_the_same_key_twice_counts_once(door: Door) -> None:
    answer = door.send("POST", "facts/", b'{"content": "The lamp is off.", "content": "The lamp is lit."}')
    assert answer["fact"]["content"] == "The lamp is lit."
