"""Every call of api.md that exists, with the shape of each answer that is no error."""

import re
from collections.abc import Iterator
from typing import Any

from tests.api import shapes
from tests.api.shapes import (
    CONFLICT,
    EVIDENCE,
    HIT,
    ID,
    MEMORY,
    MOMENT,
    MOVE,
    SIMILAR,
    WRITE,
    MapOf,
    Maybe,
    problems,
    words,
)

PAGE = {"next": Maybe(str), "previous": Maybe(str)}
MEMORIES, WRITES, CONFLICTS = ({**PAGE, "results": [shape]} for shape in (MEMORY, WRITE, CONFLICT))
ADDED = {"fact": MEMORY, "outcome": words("added", "superseded", "refused"), "similar": Maybe([SIMILAR])}
KNOWN = {**ADDED, "outcome": words("known")}
EDITED = {"fact": MEMORY, "outcome": words("edited", "confirmed", "refused", "unchanged"), "conflict": Maybe(ID)}
RETIRED, RESTORED = (
    {"fact": MEMORY, "outcome": words(*outcomes)} for outcomes in (("retired", "refused"), ("restored",))
)
RESOLVED = {
    "verdict": words("duplicate", "replaces", "contradicts"),
    "outcome": words("dropped", "replaced", "disputed", "refused"), "fact": MEMORY, "other": MEMORY,
    "conflict": Maybe(ID),
}  # fmt: skip
SETTLED = {
    "conflict": CONFLICT, "outcome": words("settled", "put_off", "refused"), "winner": Maybe(ID), "retired": [ID],
    "correction": Maybe(MEMORY), "remaining": [ID],
}  # fmt: skip
FOUND = {"results": [HIT], "took_ms": float}
BATCH = {"results": [dict]}
CAPTURED = {
    **WRITE, "session": str,
    "messages": [{"id": str, "outcome": words("kept", "known", "refused"), "write": Maybe(ID), "raw": Maybe(ID),
                  "state": Maybe(WRITE["state"]), "reason": str}],
}  # fmt: skip
GRAPH = {
    "entities": [{"id": ID, "name": str, "type": str, "aliases": [str], "memories": int}],
    "relations": [{"id": ID, "subject": ID, "relation": str, "object": ID, "words": str, "evidence": [ID]}],
}  # fmt: skip
RULE = {
    "id": ID, "text": str, "status": words("proposed", "approved", "rejected", "retired"), "proposed_by": str,
    "decided_by": Maybe(str), "at": MOMENT,
}  # fmt: skip
RECALLED = {"text": str, "tokens": int, "memories": [MEMORY], "rules": [RULE], "persona": [MEMORY]}
WHOAMI = {
    "product": MapOf(object), "agent": MapOf(object), "limits": MapOf(object), "settings": MapOf(object),
    "permissions": [str],
}  # fmt: skip

MEMORY_ID = r"(memories|facts)/[^/]+/"
#: Method, path under /api/v1/ → the shape of each good answer.
CALLS: list[tuple[str, str, dict[int, Any]]] = [
    ("POST", "memories/", {201: WRITE, 202: WRITE}),
    ("POST", "memories/batch/", {207: BATCH}),
    ("POST", "captures/", {201: CAPTURED, 202: CAPTURED}),
    ("GET", "writes/", {200: WRITES}),
    ("GET", r"writes/[^/]+/", {200: WRITE}),
    ("POST", r"writes/[^/]+/(retry|cancel)/", {200: WRITE}),
    ("GET", "(memories|facts)/", {200: MEMORIES}),
    ("GET", MEMORY_ID, {200: MEMORY}),
    ("GET", f"{MEMORY_ID}history/", {200: {"results": [MOVE]}}),
    ("GET", f"{MEMORY_ID}similar/", {200: {"results": [SIMILAR]}}),
    ("GET", f"{MEMORY_ID}evidence/", {200: {"results": [EVIDENCE]}}),
    ("PATCH", MEMORY_ID, {200: EDITED}),
    ("DELETE", MEMORY_ID, {200: RETIRED}),
    ("POST", f"{MEMORY_ID}restore/", {200: RESTORED}),
    ("POST", "facts/", {201: ADDED, 200: KNOWN}),
    ("POST", r"facts/[^/]+/resolve/", {200: RESOLVED}),
    ("(GET|POST)", "search/", {200: FOUND}),
    ("GET", "conflicts/", {200: CONFLICTS}),
    ("GET", r"conflicts/[^/]+/", {200: CONFLICT}),
    ("POST", r"conflicts/[^/]+/resolve/", {200: SETTLED}),
    ("GET", r"graph/(search|entities|path)/", {200: GRAPH}),
    ("GET", r"graph/entities/[^/]+/", {200: GRAPH}),
    ("POST", "recall/", {200: RECALLED}),
    ("GET", "rules/", {200: {**PAGE, "results": [RULE]}}),
    ("POST", "rules/", {201: RULE, 200: RULE}),
    ("GET", "persona/", {200: {"results": [{"person": str, "traits": [MEMORY]}]}}),
    ("GET", "export/", {200: [{"record": str}]}),
    ("GET", "whoami/", {200: WHOAMI}),
    ("GET", "sources/", {200: {**PAGE, "results": [shapes.SOURCE_ROW]}}),
    ("GET", r"sources/[^/]+/", {200: shapes.SOURCE_ROW}),
]
#: The codes of errors.
CODES = {400: "invalid", 401: "unauthenticated", 404: "not_found", 409: "conflict", 413: "too_large", 429: "throttled"}
ERRORS: dict[int, Any] = {409: shapes.ERROR, 413: shapes.ERROR_WITH_LIMIT}


def breaches(method: str, path: str, code: int, body: Any) -> list[str]:
    """In what an answer departs from the contract."""
    if code >= 400:
        return [*problems(body, ERRORS.get(code, shapes.ERROR)), *_wrong_code(code, body)]
    return [
        breach
        for theirs, pattern, answers in CALLS
        if re.fullmatch(theirs, method) and re.fullmatch(pattern, path)
        for breach in _against(answers, code, body)
    ]


def is_listed(method: str, path: str) -> bool:
    return any(re.fullmatch(theirs, method) and re.fullmatch(pattern, path) for theirs, pattern, _ in CALLS)


def _against(answers: dict[int, Any], code: int, body: Any) -> Iterator[str]:
    if code in answers:
        yield from problems(body, answers[code])
    else:
        yield f"the code {code} is none of {sorted(answers)}"


def _wrong_code(code: int, body: Any) -> Iterator[str]:
    said = body.get("error", {}).get("code") if isinstance(body, dict) else None
    if code in CODES and said != CODES[code]:
        yield f"{code} says {said!r}"
