"""The OpenAPI document is valid, tells of every address and of no other, and every call in it answers as it says."""

import json
import re
from typing import Any, cast
from uuid import uuid4

import pytest
from django.test import Client
from openapi_spec_validator import validate

from memories.models import Memory
from tests.api import contract, shapes
from tests.api.addresses import methods_of, patterns
from tests.api.door import ROOT, Door

METHODS = ("get", "post", "patch", "delete", "put")


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.fixture(scope="module")
def document() -> Any:
    response = Client().get("/api/schema/", {"format": "json"})
    assert response.status_code == 200
    return json.loads(response.content)


def calls(document: Any) -> list[tuple[str, str, Any]]:
    """Method, path under /api/v1/ and what is documented of it."""
    return [
        (method.upper(), path.removeprefix(ROOT), operation)
        for path, operations in document["paths"].items()
        if path.startswith(ROOT)
        for method, operation in operations.items()
        if method in METHODS
    ]


def resolved(document: Any, schema: Any) -> Any:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def test_the_document_is_valid(document: Any) -> None:
    validate(document)
    assert document["openapi"].startswith("3.")
    assert document["components"]["securitySchemes"]["agentKey"]["scheme"] == "bearer"


def test_the_pages_are_served_from_here(db: None) -> None:
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    assert not re.findall(rb'(?:src|href)="https?://(?!testserver)', page.content)


def test_every_address_is_documented_and_no_other(document: Any) -> None:
    documented = {(method, re.sub(r"\{\w+\}", "{id}", path)) for method, path, _ in calls(document)}
    offered = {(method, pattern.shown) for pattern in patterns() for method in methods_of(pattern)}
    assert documented == offered


def test_every_documented_call_is_in_the_contract(document: Any) -> None:
    """A new call needs its shape in tests/api/contract.py, or its answers are held against nothing."""
    documented = [(method, re.sub(r"\{\w+\}", "x", path)) for method, path, _ in calls(document)]
    assert [call for call in documented if not contract.is_listed(*call)] == []


def test_every_operation_has_a_name_of_its_own_and_a_summary(document: Any) -> None:
    operations = [operation for _, _, operation in calls(document)]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert all(operation.get("summary") for operation in operations)


def test_every_documented_call_answers_with_a_documented_code(door: Door, document: Any) -> None:
    """With nothing but the ids: each either works or says what it needs."""
    for method, path, operation in calls(document):
        answer = door.send(method, re.sub(r"\{\w+\}", str(uuid4()), path), None if method == "GET" else {})
        assert str(answer.code) in operation["responses"], (method, path, answer)
        assert answer.code in (200, 400, 404)


def test_every_call_documents_the_errors_that_any_call_may_give(document: Any) -> None:
    for method, path, operation in calls(document):
        assert {"400", "401", "429"} <= set(operation["responses"]), (method, path)
        assert "404" in operation["responses"] or "{" not in path, (method, path)


#: Shape of the document → what api.md promises of it.
SHAPES: dict[str, Any] = {
    "Memory": shapes.MEMORY.shape, "Write": shapes.WRITE, "Similar": shapes.SIMILAR, "Conflict": shapes.CONFLICT,
    "Move": shapes.MOVE, "Evidence": shapes.EVIDENCE, "Hit": shapes.HIT, "FactAdded": contract.ADDED,
    "Resolved": contract.RESOLVED, "Settled": contract.SETTLED, "Whoami": contract.WHOAMI,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_documented_shapes_have_every_field_of_the_contract(document: Any, name: str) -> None:
    documented = set(document["components"]["schemas"][name]["properties"])
    assert set(SHAPES[name]) - documented == set()


def test_what_a_fact_may_carry_is_documented_field_by_field(document: Any) -> None:
    body = document["paths"][f"{ROOT}facts/"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    fields = resolved(document, body)
    assert set(fields["properties"]) == {
        "content", "category", "person", "confirmed", "tier", "scope", "tags", "metadata", "about",
    }  # fmt: skip
    assert fields["required"] == ["content"]


def test_an_answer_fits_its_documented_shape(door: Door, document: Any) -> None:
    """As far as names and nulls go: what is not nullable is never null."""
    fact = door.save("The lamp is lit.")["fact"]
    for name, schema in resolved(document, {"$ref": "x/Memory"})["properties"].items():
        assert name in fact
        nullable = "null" in json.dumps(schema) or cast("dict[str, Any]", schema).get("nullable", False)
        assert fact[name] is not None or nullable, name
    assert Memory.objects.count() == 1
