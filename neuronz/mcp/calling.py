"""One call of a tool: its arguments read, the tool run, its answer; or a sentence that says what would have worked."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.db import InterfaceError, OperationalError
from mcp_types import CallToolResult, TextContent
from prometheus_client import Counter, Histogram
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer

from memories.errors import InvalidInput, NeuronzError, TooLarge
from memories.metrics import SECONDS
from memories.services.keys import Caller
from memories.tooling import Tool
from neuronz import errors
from neuronz.mcp.admission import NotAdmittedError
from neuronz.mcp.schemas import Schema

logger = logging.getLogger(__name__)

CALLS = Counter("neuronz_mcp_calls", "Tools called.", ["tool", "outcome"])
LATENCY = Histogram("neuronz_mcp_call_seconds", "How long a tool took.", ["tool"], buckets=SECONDS)
#: How JSON names what a model may have wrapped in a string.
CONTAINERS: dict[str, type] = {"array": list, "object": dict}
#: What of a memory, a receipt or a pair tells a model why it came too late.
TELLING = ("id", "status", "state", "reason", "replaced_by", "conflicts", "content")
LONGEST_QUOTE = 300
NO_DATABASE = "The database does not answer now; try again in a moment."
BROKEN = "Something broke here; it is logged, and it is not your fault. The same call may fail again."


def call(tool: Tool, schema: Schema, identify: Callable[[], Caller], arguments: Mapping[str, Any]) -> CallToolResult:
    """The tool's answer, or an error that its model can read. Never raises; runs in a thread with the database."""
    started = time.perf_counter()
    answer = _answer(tool, schema, identify, arguments)
    seconds = time.perf_counter() - started
    CALLS.labels(tool.name, "error" if answer.is_error else "ok").inc()
    LATENCY.labels(tool.name).observe(seconds)
    return answer


def _answer(tool: Tool, schema: Schema, identify: Callable[[], Caller], arguments: Mapping[str, Any]) -> CallToolResult:
    try:
        caller = identify()
        if not caller.may(tool.permission):
            return refusal(f"This key has no {tool.permission} permission; ask staff for a key that has it.")
        return _success(tool.run(caller, _checked(tool, schema, caller, arguments)))
    except NotAdmittedError as error:
        return refusal(error.sentence)
    except (NeuronzError, APIException) as error:
        return refusal(_sentence(error, schema))
    except (OperationalError, InterfaceError):
        logger.exception("The database failed the tool %s.", tool.name)
        return refusal(NO_DATABASE)
    except Exception:
        logger.exception("The tool %s broke.", tool.name)
        return refusal(BROKEN)


def refusal(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def _success(answer: Mapping[str, Any]) -> CallToolResult:
    """Clients show the model either the structure or the text, so both say all, in few characters."""
    short = _without_nulls(json.loads(JSONRenderer().render(answer)))
    text = json.dumps(short, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=short)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    if isinstance(value, dict):  # metadata is the writer's own, kept as equal JSON
        return {
            key: each if key == "metadata" else _without_nulls(each) for key, each in value.items() if each is not None
        }
    return value


def _checked(tool: Tool, schema: Schema, caller: Caller, arguments: Mapping[str, Any]) -> Any:
    shape = tool.arguments(data=_read(arguments, schema["properties"]), context={"zone": caller.product.zone})
    shape.is_valid(raise_exception=True)
    return shape


def _read(arguments: Mapping[str, Any], properties: Schema) -> dict[str, Any]:
    """Models send null for what they leave out, and lists and objects as JSON strings; both are understood."""
    return {
        name: _unwrapped(value, properties.get(name, {}).get("type"))
        for name, value in arguments.items()
        if value is not None or name not in properties
    }


def _unwrapped(value: Any, wanted: str | None) -> Any:
    if not isinstance(value, str) or wanted not in CONTAINERS:
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, CONTAINERS[wanted]) else value


def _sentence(error: NeuronzError | APIException, schema: Schema) -> str:
    """REST's message, with the argument's name before it and what is current behind it, where there is such."""
    answered = errors.answer(error, {})
    body: dict[str, Any] = answered.data["error"] if answered else {"message": str(error)}
    sentence = str(body["message"])
    if isinstance(error, InvalidInput | TooLarge):
        named = [name for name in error.fields if name in schema["properties"]]
        sentence = f"{', '.join(named)}: {sentence}" if named else sentence
    return f"{sentence} current: {_in_short(body['current'])}" if body.get("current") else sentence


def _in_short(current: Mapping[str, Any]) -> str:
    told = {name: current[name] for name in TELLING if current.get(name)}
    if isinstance(told.get("content"), str):
        told["content"] = told["content"][:LONGEST_QUOTE]
    return json.dumps(told, ensure_ascii=False, default=str)
