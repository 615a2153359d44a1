"""What the server answers, as it comes: plain dictionaries with known keys. A newer server may send more keys."""

from typing import Any, Literal, TypedDict

Category = Literal["fact", "entity", "term", "instruction", "persona", "other"]
Kind = Literal["Fact", "Summary", "Identity", "Basic", "Knowledge", "Raw", "Schema", "Intention"]
Tier = Literal["policy", "official", "team", "informal"]
Scope = Literal["shared", "private"]
Status = Literal["unverified", "verified", "disputed", "conflicting", "superseded", "retired"]
Verdict = Literal["duplicate", "replaces", "contradicts"]
SettlingAnswer = Literal["older", "newer", "neither", "correction", "not_now", "both"]

#: The time something is about, on its way in: a day, a moment, or a range; either end may be left open.
AboutGiven = str | dict[str, str | None]

#: `from` is no name Python allows for a key in a class.
About = TypedDict("About", {"from": str | None, "until": str | None})
History = TypedDict(
    "History",
    {
        "at": str, "by": "ByWhom", "verb": str, "why": str, "from": str | None, "to": str, "version": str,
        "content": str,
    },
)  # fmt: skip


class ByWhom(TypedDict):
    type: Literal["agent", "person", "source", "cognition"]
    name: str


class SourceOf(TypedDict):
    id: str
    name: str
    item: str
    url: str


class Said(TypedDict):
    session: str
    message: str
    speaker: str
    at: str | None


class Memory(TypedDict):
    id: str
    content: str
    kind: Kind
    category: Category
    person: str | None
    status: Status
    current: bool
    tier: Tier
    scope: Scope
    tags: list[str]
    metadata: dict[str, Any]
    about: About | None
    recorded_at: str
    agent: str | None
    origin: Literal["agent", "source", "cognition", "person"]
    source: SourceOf | None
    said: Said | None
    raw: str | None
    replaces: list[str]
    replaced_by: str | None
    conflicts: list[str]
    needs_clarification: bool
    embedding: Literal["ready", "pending", "failed"]


class Difference(TypedDict):
    what: str
    this: str
    other: str


class Similar(TypedDict):
    memory: Memory
    similarity: float
    differs: list[Difference]


class Masked(TypedDict):
    kind: str
    start: int
    end: int


class WriteStatement(TypedDict):
    memory: Memory
    outcome: str
    against: str | None
    similar: list[Similar]


class Write(TypedDict):
    id: str
    state: Literal["received", "reading", "done", "failed", "cancelled"]
    reason: str
    raw: str
    masked: list[Masked]
    replaced_characters: int
    statements: list[WriteStatement]
    created_at: str


class FactAdded(TypedDict):
    fact: Memory
    outcome: Literal["added", "known", "superseded", "refused"]
    similar: list[Similar] | None
    conflict: str | None


class Acted(TypedDict):
    fact: Memory
    outcome: Literal["edited", "confirmed", "unchanged", "retired", "restored", "refused"]
    conflict: str | None


class Resolved(TypedDict):
    verdict: Verdict
    outcome: Literal["dropped", "replaced", "disputed", "refused"]
    fact: Memory
    other: Memory
    conflict: str | None


class ConflictPair(TypedDict):
    id: str
    older: Memory
    newer: Memory
    reason: Literal["disagreement", "authority", "unsure"]
    persona: bool
    state: Literal["open", "put_off", "settled"]
    put_off_until: str | None
    other_side: Literal["retired", "superseded", "erased"] | None
    answer: str | None
    correction: str | None
    settled_by: str | None
    settled_at: str | None
    why: str


class Settled(TypedDict):
    conflict: ConflictPair
    outcome: Literal["settled", "put_off", "refused"]
    winner: str | None
    retired: list[str]
    correction: Memory | None
    remaining: list[str]


class EvidenceRow(TypedDict):
    raw: str | None
    excerpt: str
    write: str | None
    source: SourceOf | None
    said: Said | None
    at: str


class Hit(TypedDict):
    memory: Memory
    score: float
    why: dict[str, Any]


class Found(TypedDict):
    results: list[Hit]
    took_ms: float


class Rule(TypedDict):
    id: str
    text: str
    status: Literal["proposed", "approved", "rejected", "retired"]
    proposed_by: str | None
    decided_by: str | None
    at: str


class Recalled(TypedDict):
    text: str
    tokens: int
    memories: list[Memory]
    rules: list[Rule]
    persona: list[Memory]


class Entity(TypedDict):
    id: str
    name: str
    type: str
    aliases: list[str]
    memories: int


class Relation(TypedDict):
    id: str
    subject: str
    relation: str
    object: str
    words: str
    evidence: list[str]


class Graph(TypedDict):
    entities: list[Entity]
    relations: list[Relation]


class Persona(TypedDict):
    person: str
    traits: list[Memory]


class Whoami(TypedDict):
    product: dict[str, Any]
    agent: dict[str, Any]
    limits: dict[str, Any]
    settings: dict[str, Any]
    permissions: list[str]


class _TextToRemember(TypedDict):
    text: str


class TextToRemember(_TextToRemember, total=False):
    """One item of a batch."""

    confirmed: bool
    tier: Tier
    scope: Scope
    tags: list[str]
    metadata: dict[str, Any]
    about: AboutGiven
    wait: bool


class _MessageToCapture(TypedDict):
    id: str
    role: str
    content: str


class MessageToCapture(_MessageToCapture, total=False):
    """One message of a session."""

    speaker: str
    at: str


class Problem(TypedDict):
    code: str
    message: str
    fields: dict[str, list[str]]


class BatchRefusal(TypedDict):
    error: Problem


class Filters(TypedDict, total=False):
    """What narrows a list or a search. Times are ISO 8601 with an offset, or plain days."""

    scope: Literal["all", "shared", "private"]
    kind: Kind | list[Kind]
    category: Category | list[Category]
    tier: Tier | list[Tier]
    tag: str | list[str]
    tag_mode: Literal["any", "all"]
    source: str
    agent: str
    person: str
    recorded_after: str
    recorded_before: str
    about_after: str
    about_before: str
    as_of: str


class ListFilters(Filters, total=False):
    status: Status | list[Status]
    history: bool


class ConflictFilters(TypedDict, total=False):
    state: Literal["open", "put_off", "settled"]
    persona: bool
    reason: Literal["disagreement", "authority", "unsure"]
    needs_clarification: bool
