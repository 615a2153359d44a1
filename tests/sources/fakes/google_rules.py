"""What Google refuses before it looks at a file: methods, parameters, scopes, field masks and search terms.

All but the search terms are read off the discovery document that Google publishes of its Drive API, version 3.
"""

import json
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from tests.sources.fakes.service import Refusal
from tests.sources.fakes.serving import Answer, Asked

_DOCUMENTS = resources.files("googleapiclient.discovery_cache").joinpath("documents")
DISCOVERY: dict[str, Any] = json.loads(_DOCUMENTS.joinpath("drive.v3.json").read_text())

File = dict[str, Any]
Mask = dict[str, Any]  # field → the mask inside it; empty: all of it


def refusal(status: int, reason: str, message: str, location: str = "", domain: str = "global") -> Refusal:
    detail = {"message": message, "domain": domain, "reason": reason}
    if location:
        detail |= {"location": location, "locationType": "parameter"}
    return Refusal(Answer(status, {"error": {"code": status, "message": message, "errors": [detail]}}))


def says(asked: Asked, parameter: str) -> bool:
    return asked.query.get(parameter) == "true"


def method_named(name: str) -> dict[str, Any]:
    resource, _, method = name.partition(".")
    found: dict[str, Any] = DISCOVERY["resources"][resource]["methods"][method]
    return found


def check_parameters(name: str, asked: Asked) -> None:
    known = {**DISCOVERY["parameters"], **method_named(name)["parameters"]}
    for parameter, value in asked.query.items():
        if parameter not in known or known[parameter].get("location") == "path":
            raise refusal(400, "badRequest", f'Invalid JSON payload received. Unknown name "{parameter}"')
        _check_value(parameter, known[parameter], value)
    for parameter, about in known.items():
        if about.get("required") and about.get("location") == "query" and not asked.query.get(parameter):
            raise refusal(400, "required", f"Required parameter: {parameter}", parameter)


def _check_value(parameter: str, about: Mapping[str, Any], value: str) -> None:
    fits = {"boolean": r"true|false", "integer": r"\d+"}.get(about.get("type", ""), r".*")
    if not re.fullmatch(fits, value, re.DOTALL):
        raise refusal(400, "invalidParameter", f"Invalid value '{value}' for {parameter}", parameter)
    if "enum" in about and value not in about["enum"]:
        raise refusal(
            400, "invalidParameter", f"Invalid value '{value}'. Values must match: {about['enum']}", parameter
        )


def check_scopes(name: str, scopes: frozenset[str]) -> None:
    if not scopes.intersection(method_named(name)["scopes"]):
        raise refusal(403, "insufficientPermissions", "Request had insufficient authentication scopes.")


def mask_of(asked: Asked, schema: str, usual: str) -> Mask:
    text = asked.query.get("fields", usual)
    mask, rest = _mask(text)
    if rest:
        raise refusal(400, "invalidParameter", f"Invalid field selection {text}", "fields")
    _check_mask(mask, DISCOVERY["schemas"][schema])
    return mask


def _mask(text: str) -> tuple[Mask, str]:
    mask: Mask = {}
    while match := re.match(r"\s*([\w*]+)", text):
        name, text = match[1], text[match.end() :]
        inner: Mask = {}
        if text.startswith("/"):
            inner, text = _mask_of_one(text[1:])
        elif text.startswith("("):
            inner, text = _mask(text[1:])
            if not text.startswith(")"):
                raise refusal(400, "invalidParameter", "Invalid field selection: a bracket is not closed", "fields")
            text = text[1:]
        mask[name] = {**mask.get(name, {}), **inner}
        if not text.startswith(","):
            return mask, text
        text = text[1:]
    return mask, text or "?"


def _mask_of_one(text: str) -> tuple[Mask, str]:
    path = re.match(r"[\w*/]+", text)
    if path is None:
        raise refusal(400, "invalidParameter", f"Invalid field selection {text}", "fields")
    mask: Mask = {}
    for name in reversed(path[0].split("/")):
        mask = {name: mask}
    return mask, text[path.end() :]


def _check_mask(mask: Mask, schema: Mapping[str, Any]) -> None:
    schema = schema.get("items", schema)
    if "$ref" in schema:
        schema = DISCOVERY["schemas"][schema["$ref"]]
    for name, inner in mask.items():
        if name != "*" and name not in schema.get("properties", {}):
            raise refusal(400, "invalidParameter", f"Invalid field selection {name}", "fields")
        if inner:
            _check_mask(inner, schema["properties"][name])


def masked(value: Any, mask: Mask) -> Any:
    if isinstance(value, list):
        return [masked(each, mask) for each in value]
    if not mask or "*" in mask or not isinstance(value, dict):
        return value
    return {name: masked(value[name], inner) for name, inner in mask.items() if name in value}


# --- search terms: the part of the grammar that one needs to walk through folders

Matches = Callable[[File], bool]
_TOKEN = re.compile(r"\s*(\(|\)|'(?:[^'\\]|\\.)*'|!=|=|\w+)")


def search_terms(text: str) -> Matches:
    tokens, place = [], 0
    text = text.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise refusal(400, "invalid", "Invalid Value", "q")
        tokens.append(match[1])
        place = match.end()
    try:
        found = _either(tokens)
    except (IndexError, ValueError):
        raise refusal(400, "invalid", "Invalid Value", "q") from None
    if tokens:
        raise refusal(400, "invalid", "Invalid Value", "q")
    return found


def _either(tokens: list[str]) -> Matches:
    sides = [_both(tokens)]
    while tokens and tokens[0] == "or":
        tokens.pop(0)
        sides.append(_both(tokens))
    return lambda file: any(side(file) for side in sides)


def _both(tokens: list[str]) -> Matches:
    sides = [_term(tokens)]
    while tokens and tokens[0] == "and":
        tokens.pop(0)
        sides.append(_term(tokens))
    return lambda file: all(side(file) for side in sides)


def _term(tokens: list[str]) -> Matches:
    first = tokens.pop(0)
    if first == "not":
        inner = _term(tokens)
        return lambda file: not inner(file)
    if first == "(":
        inner = _either(tokens)
        _expect(tokens, ")")
        return inner
    operator, value = tokens.pop(0), tokens.pop(0)
    if first.startswith("'") and (operator, value) == ("in", "parents"):
        return lambda file: first[1:-1] in file.get("parents", [])
    if first == "trashed" and operator in ("=", "!=") and value in ("true", "false"):
        wanted = (value == "true") == (operator == "=")
        return lambda file: bool(file["trashed"]) is wanted
    if first == "mimeType" and operator in ("=", "!=") and value.startswith("'"):
        return lambda file: (file["mimeType"] == value[1:-1]) is (operator == "=")
    raise ValueError(first)


def _expect(tokens: list[str], wanted: str) -> None:
    if tokens.pop(0) != wanted:
        raise ValueError(wanted)
