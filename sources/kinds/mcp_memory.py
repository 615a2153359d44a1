"""The MCP reference memory server: its file of JSON lines, or what its tool `read_graph` answers.

    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Works from Oslo"]}
    {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"}

Each observation and each relation becomes a sentence that stands for itself.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memories.choices import Category
from sources.kinds.base import Bad, Candidate, File, Unusable, each_line, is_json_document

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Entity types that say nothing.
NOTHING_SAID = ("", "unknown", "default", "entity", "other", "misc")


def read(file: File) -> Iterator[Candidate | Bad]:
    for line, entry in _entries(file.text):
        if entry is None:
            yield Bad(line, "it is no JSON")
            continue
        try:
            yield from _candidates(line, entry)
        except Unusable as error:
            yield Bad(line, str(error))


def _entries(text: str) -> Iterator[tuple[int, Any]]:
    whole = json.loads(text) if is_json_document(text) else None
    if isinstance(whole, dict) and isinstance(whole.get("entities"), list):
        for sort in ("entity", "relation"):
            found = whole.get("entities" if sort == "entity" else "relations") or []
            yield from ((1, {"type": sort, **each} if isinstance(each, dict) else each) for each in found)
        return
    for number, line in each_line(text):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError):
            yield number, None


def _candidates(line: int, entry: Any) -> Iterator[Candidate]:
    sort = entry.get("type") if isinstance(entry, Mapping) else None
    if sort == "entity":
        yield from _of_entity(line, entry)
    elif sort == "relation":
        yield _of_relation(line, entry)
    else:
        raise Unusable("it is neither an entity nor a relation")


def _of_entity(line: int, entry: Mapping[str, Any]) -> Iterator[Candidate]:
    name, sort = _name(entry.get("name")), entry.get("entityType")
    observations = entry.get("observations") or []
    if not isinstance(observations, list):
        raise Unusable("its observations are no list")
    is_person = isinstance(sort, str) and sort.strip().lower() in ("person", "user", "human", "people")
    shared: dict[str, Any] = {"name": entry["name"], "person": name if is_person else None}
    if isinstance(sort, str) and sort.strip().lower() not in NOTHING_SAID:
        kind = _words(sort).lower()
        article = "an" if kind[0] in "aeiou" else "a"
        yield Candidate(line, f"{name} is {article} {kind}.", category=Category.ENTITY, metadata=_from(entry), **shared)
    for each in observations:
        if not isinstance(each, str) or not each.strip():
            raise Unusable(f"one of its observations is no text: {each!r}")
        yield Candidate(line, _about(name, each.strip()), metadata=_from(entry), **shared)


def _of_relation(line: int, entry: Mapping[str, Any]) -> Candidate:
    subject, target, relation = _name(entry.get("from")), _name(entry.get("to")), entry.get("relationType")
    if not isinstance(relation, str) or not relation.strip():
        raise Unusable("the relation has no relationType")
    said = {"mcp_memory": {"from": entry["from"], "to": entry["to"], "relation": relation}}
    content = f"{subject} {_words(relation).lower()} {target}."
    return Candidate(line, content, name=f"{entry['from']} {relation} {entry['to']}", metadata=said)


def _about(name: str, observation: str) -> str:
    """An observation that doesn't name its entity is about nobody once it stands alone."""
    return observation if name.casefold() in observation.casefold() else f"{name}: {observation}"


def _from(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"mcp_memory": {"entity": entry["name"], "type": entry.get("entityType")}}


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Unusable("a name is missing")
    return " ".join(value.replace("_", " ").split())


def _words(value: str) -> str:
    """`works_at`, `worksAt` and `WORKS-AT` are words."""
    return " ".join(_CAMEL.sub(" ", value).replace("_", " ").replace("-", " ").split())
