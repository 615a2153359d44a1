"""NUL bytes, broken surrogates and other oddities, everywhere a text can stand: never a 5xx, never half a row."""

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from memories.models import Memory
from tests.api.addresses import methods_of, patterns
from tests.api.door import ROOT, Door

ODD = ["\0", "\ud800", "\udfff", "a\0b", "x\ud83dy", "\ufffe", "\U0010ffff", "\x1b[31m", "\u2028", "\r\n", "'\"\\%_"]
LAMP = "The lamp is lit."


def sent(odd: str) -> list[tuple[str, dict[str, Any]]]:
    fact = {"content": LAMP}
    return [
        ("facts/", {"content": odd}), ("facts/", {"content": LAMP + odd}), ("facts/", {**fact, odd: 1}),
        ("facts/", {**fact, "tags": [odd]}), ("facts/", {**fact, "person": odd}), ("facts/", {**fact, "about": odd}),
        ("facts/", {**fact, "metadata": {odd: odd}}), ("facts/", {**fact, "metadata": {"x": [{"y": odd}]}}),
        ("facts/", {**fact, "about": {"from": odd}}), ("facts/", {**fact, "about": {odd: None}}),
        ("facts/", {**fact, "category": odd}), ("facts/", {**fact, "tier": odd}), ("facts/", {**fact, "scope": odd}),
        ("memories/", {"text": odd}), ("memories/", {"text": LAMP + odd}), ("memories/", {"text": LAMP, "tags": odd}),
        ("memories/batch/", {"items": [odd, {"text": odd}, {odd: odd}]}),
        ("search/", {"q": odd}), ("search/", {"q": LAMP + odd}), ("search/", {"q": LAMP, "tag": odd}),
        ("search/", {"q": LAMP, "person": odd}), ("search/", {"q": LAMP, "source": odd, "agent": odd}),
        ("search/", {"q": LAMP, "as_of": odd}), ("search/", {"q": LAMP, "kind": [odd]}),
    ]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_characters_in_a_body_are_stored_replaced_or_refused(door: Door, odd: str) -> None:
    for path, body in sent(odd):
        before = Memory.objects.count()
        answer = door.post(path, body)
        assert answer.code in (200, 201, 207, 400), (path, body)
        assert answer.code != 400 or Memory.objects.count() == before
    door.listed(history=1)


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_characters_in_acts_on_a_fact(door: Door, odd: str) -> None:
    older, newer = door.fact(LAMP), door.fact("The lamp is off.")
    pair = door.verdict(newer, "contradicts", older)["conflict"]
    spare = door.fact("The otter sleeps.")
    answers = [
        door.patch(f"facts/{spare}/", {"content": f"The otter{odd} eats.", "why": odd}),
        door.patch(f"facts/{spare}/", {"content": odd}), door.delete(f"facts/{spare}/", {"why": odd}),
        door.delete(f"facts/{spare}/?why={quote(odd, errors='surrogatepass')}"),
        door.post(f"facts/{spare}/restore/", {"why": odd}),
        door.post(f"facts/{spare}/resolve/", {"other": odd, "verdict": "duplicate"}),
        door.post(f"facts/{spare}/resolve/", {"other": older, "verdict": odd, "why": odd}),
        door.post(f"conflicts/{pair}/resolve/", {"answer": "correction", "correction": odd}),
        door.post(f"conflicts/{pair}/resolve/", {"answer": "not_now", "until": odd}),
        door.post(f"conflicts/{pair}/resolve/", {"answer": "not_now", "why": odd}),
        door.post(f"conflicts/{pair}/resolve/", {"answer": odd}),
    ]  # fmt: skip
    assert {each.code for each in answers} <= {200, 400, 404, 409}
    assert {door.status(each) for each in (older, newer)} in ({"disputed"}, {"retired"})
    door.history(spare)


SIGNS = ["%", "%zz", "+", "&", "=", ";", "[]", "x" * 5_000]
QUERIES = ["q", "cursor", "limit", "tag", "kind", "source", "agent", "person", "as_of", "about_after", "state", "x"]


@pytest.mark.parametrize("odd", [*ODD, *SIGNS], ids=lambda odd: ascii(odd)[:20])
def test_odd_characters_in_a_query_string(door: Door, odd: str) -> None:
    for path in ("memories/", "facts/", "conflicts/", "writes/", "search/"):
        for name in QUERIES:
            assert door.get(path, **{name: odd}).code in (200, 400)
        assert door.get(f"{path}?{quote(odd, errors='surrogatepass')}").code in (200, 400)


RAW_PATHS = ["%00", "%ff", "%ED%A0%80", "%C0%AF", "..%2f", "%0d%0a", "%25", "%3Cx%3E", "%F0%9F%97%9D", "x" * 3_000]


@pytest.mark.parametrize("odd", RAW_PATHS)
def test_odd_characters_in_an_id(door: Door, odd: str) -> None:
    for pattern in patterns():
        if not pattern.has_id:
            continue
        for method in methods_of(pattern):
            body = {"other": LAMP, "verdict": "duplicate", "answer": "older", "content": LAMP}
            assert door.send(method, pattern.path(odd), None if method == "GET" else body).code in (400, 404)


HEADERS = [
    "Authorization", "Idempotency-Key", "Accept", "Accept-Language", "Host", "Cookie", "X-HTTP-Method-Override",
    "If-None-Match", "X-Forwarded-For",
]  # fmt: skip


VALUES = ["\x00", "\xff", "ä", "a\tb", "☃", "\x7f", "x" * 9_000, "; charset=utf-99", "\ud800"]


@pytest.mark.parametrize("odd", VALUES, ids=lambda odd: ascii(odd)[:20])
def test_odd_characters_in_a_header(door: Door, odd: str) -> None:
    """As a server hands them on: each byte is one character."""
    value = odd.encode("utf-8", "surrogatepass").decode("latin-1")
    client = Client(raise_request_exception=False)
    for header in HEADERS:
        headers = {**door.headers, header: value}
        for method, body in (("GET", b""), ("POST", b'{"content": "The lamp is lit."}')):
            response = client.generic(method, f"{ROOT}facts/", body, content_type="application/json", headers=headers)
            assert response.status_code < 500, (header, response.content[:300])


@pytest.mark.parametrize(
    "type_", ["application/json; charset=utf-99", "application/json; charset=latin-1", "application/json;;;=", "a/b/c",
              "application/json; charset=utf-16", "application/json; charset=\xff", "application/json; charset=idna"],
)  # fmt: skip
def test_json_is_utf8_whatever_the_type_says(door: Door, type_: str) -> None:
    client = Client(headers=door.headers, raise_request_exception=False)
    response = client.generic("POST", f"{ROOT}facts/", '{"content": "Straße ☃"}'.encode(), content_type=type_)
    assert response.status_code in (201, 415), response.content
    assert response.status_code == 415 or response.json()["fact"]["content"] == "Straße ☃"


@pytest.mark.parametrize("length", ["-1", "", "9" * 30, "5"])
def test_a_wrong_length_of_the_body_is_no_5xx(door: Door, length: str) -> None:
    client = Client(headers=door.headers, raise_request_exception=False)
    for more in ({}, {"Idempotency-Key": "k"}):
        response = client.generic(
            "POST", f"{ROOT}facts/", b'{"content": "x"}', content_type="application/json", headers=more,
            CONTENT_LENGTH=length,
        )  # fmt: skip
        assert response.status_code < 500, response.content
