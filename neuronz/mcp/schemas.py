"""JSON Schemas of what tools take and give, read off the serializers that check and render it: one truth, published."""

import enum
import json
from collections import Counter
from collections.abc import Callable, Iterator
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from drf_spectacular.drainage import get_override
from rest_framework import serializers
from rest_framework.fields import empty

Schema = dict[str, Any]

#: A shape of fewer characters is repeated rather than named.
WORTH_A_NAME = 200

PLAIN: dict[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
}


def of_arguments(shape: type[serializers.Serializer[Any]]) -> Schema:
    """What a tool takes. Anything else is refused by name."""
    fields = shape().fields
    required = [name for name, field in fields.items() if field.required]
    properties = {name: _argument(field) for name, field in fields.items()}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def of_answer(serializer: type[serializers.Serializer[Any]]) -> Schema:
    """What a tool gives. Nothing is required, since what would be null is left out, and fields may be added.

    Every client fetches all of them, so they are short: a shape that repeats is written once, and choices are named
    at the top of an answer only (those of a memory by the tool that gives one).
    """
    schema = _of_serializer(serializer())
    return _written_once(schema | {"properties": {name: _brief(each) for name, each in schema["properties"].items()}})


def _brief(field: Schema) -> Schema:
    """A field whose inner fields are told by name and type alone."""
    brief = dict(field)
    if "properties" in field:
        brief["properties"] = {name: _brief(_unlisted(each)) for name, each in field["properties"].items()}
    if "items" in field:
        brief["items"] = _brief(_unlisted(field["items"]))
    return brief


def _unlisted(field: Schema) -> Schema:
    return {name: each for name, each in field.items() if name != "enum"}


def _written_once(schema: Schema) -> Schema:
    """Objects that repeat stand under `$defs`, named after the first field that holds one."""
    times, kept = Counter(map(_body, _objects(schema))), dict[str, str]()
    definitions: Schema = {}

    def short(value: Schema, name: str) -> Schema:
        body = _body(value)
        if times[body] < 2 or len(body) < WORTH_A_NAME:
            return inside(value, name)
        if body not in kept:
            kept[body] = name if name not in definitions else f"{name}_{len(definitions)}"
            definitions[kept[body]] = inside(json.loads(body), name)
        return {"$ref": f"#/$defs/{kept[body]}"} | _description(value)

    def inside(value: Schema, name: str) -> Schema:
        written = dict(value)
        if "properties" in value:
            written["properties"] = {key: short(each, key) for key, each in value["properties"].items()}
        if "items" in value:
            written["items"] = short(value["items"], name)
        return written

    return inside(schema, "") | ({"$defs": definitions} if definitions else {})


def _objects(schema: Schema) -> Iterator[Schema]:
    for each in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        if "properties" in each:
            yield each
        yield from _objects(each)


def _body(schema: Schema) -> str:
    return json.dumps({name: each for name, each in schema.items() if name != "description"})


def _description(schema: Schema) -> Schema:
    return {"description": schema["description"]} if "description" in schema else {}


def _argument(field: serializers.Field[Any, Any, Any, Any]) -> Schema:
    schema = _of_field(field)
    if field.default is not empty and not callable(field.default) and field.default != "":
        default = field.default
        schema["default"] = str(default) if isinstance(default, str) else default
    return schema


def _of_serializer(serializer: serializers.Serializer[Any]) -> Schema:
    return {"type": "object", "properties": {name: _of_field(field) for name, field in serializer.fields.items()}}


def _of_field(field: serializers.Field[Any, Any, Any, Any]) -> Schema:
    schema = _typed(field)
    described = {"description": str(field.help_text)} if field.help_text else {}
    return {**schema, **described}


def _typed(field: Any) -> Schema:
    if written := get_override(field, "field"):
        return dict(_from_openapi(written))
    described = next((describe for kind, describe in TYPES if isinstance(field, kind)), _of_text)
    return described(field)


def _of_text(_: Any) -> Schema:
    """Ids and times."""
    return {"type": "string"}


def _of_list(field: Any) -> Schema:
    return _bounded({"type": "array", "items": _of_field(field.child)}, maxItems=field.max_length)


def _bounded(schema: Schema, **bounds: int | None) -> Schema:
    return schema | {name: bound for name, bound in bounds.items() if bound is not None}


def _of_method(field: Any) -> Schema:
    """By what is written for OpenAPI, else by the method's annotated return type."""
    method = getattr(field.parent, field.method_name)
    written = get_override(method, "field")
    if isinstance(written, serializers.BaseSerializer):
        return _typed(written)
    return _of_type(get_type_hints(method)["return"])


def _of_type(annotated: Any) -> Schema:
    """A type that is not known here may be anything: an answer is never held back for its schema."""
    if get_origin(annotated) in (Union, UnionType):
        known = [each for each in get_args(annotated) if each is not NoneType]
        return _of_type(known[0]) if len(known) == 1 else {}
    if get_origin(annotated) is list:
        return {"type": "array", "items": _of_type(get_args(annotated)[0])}
    if isinstance(annotated, type) and issubclass(annotated, enum.Enum):
        return {"type": "string", "enum": [str(each.value) for each in annotated]}
    return dict(PLAIN.get(annotated, {}))


def _from_openapi(written: Any) -> Any:
    """OpenAPI 3.0 says `nullable` and `example`; JSON Schema knows neither, and nulls count as left out anyway."""
    if not isinstance(written, dict):
        return written
    plain = {key: _from_openapi(value) for key, value in written.items() if key not in ("nullable", "example")}
    return plain | ({"examples": [written["example"]]} if "example" in written else {})


#: The first that fits.
TYPES: list[tuple[type[serializers.Field[Any, Any, Any, Any]], Callable[[Any], Schema]]] = [
    (serializers.SerializerMethodField, _of_method),
    (serializers.ListSerializer, _of_list),
    (serializers.Serializer, _of_serializer),
    (serializers.ListField, _of_list),
    (serializers.DictField, lambda _: {"type": "object"}),
    (serializers.ChoiceField, lambda field: {"type": "string", "enum": [str(choice) for choice in field.choices]}),
    (serializers.BooleanField, lambda _: {"type": "boolean"}),
    (
        serializers.IntegerField,
        lambda field: _bounded({"type": "integer"}, minimum=field.min_value, maximum=field.max_value),
    ),
    (serializers.FloatField, lambda _: {"type": "number"}),
    (serializers.CharField, lambda field: _bounded({"type": "string"}, maxLength=field.max_length)),
]
