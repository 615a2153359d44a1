"""What is known of each candidate before they are ranked: two queries, whatever the number of candidates.

`rows` is always a queryset that is visible and filtered already, so nothing hidden is ever scored or counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from memories.embeddings import Vector
from memories.models import Memory
from memories.search import planning
from memories.search.indexing import sparse
from memories.search.ranking import Scorer

#: So many of the best are asked for what stands beside them.
WITH_NEIGHBOURS = 100
#: Speakers that are no people. What they say around a message repeats it, and tells nothing about it.
MACHINES = frozenset({"assistant", "ai", "system", "tool"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, ready to be compared: by vector (None while the embedder is down) and by words."""

    product_id: UUID
    model: str
    vector: Vector | None
    words: Scorer


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near a text is to the query: its cosine (None without a vector), its part of BM25, how much of the words
    it covers, and how much of the query the identifiers are that it holds whole."""

    meaning: float | None = None
    words: float = 0.0
    coverage: float = 0.0
    identifiers: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may answer. `text` is the raw text it was read from, or is."""

    id: UUID
    near: Nearness
    kind: str
    tier: str
    recorded_at: datetime
    person: str | None
    about_from: datetime | None
    about_until: datetime | None
    is_question: bool
    session: str
    speaker: str
    said_at: datetime | None
    text: UUID | None
    place: UUID | None

    @property
    def is_raw(self) -> bool:
        return self.text == self.id

    @property
    def is_placed(self) -> bool:
        """Whether something may stand beside it: among people in its session, or among the statements of its text."""
        return self.text is not None and (bool(self.session) or not self.is_raw) and not self.is_of_a_machine

    @property
    def is_of_a_machine(self) -> bool:
        return self.speaker.casefold() in MACHINES


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands before and after a candidate: in its session, or among the statements of its text."""

    before: Nearness | None = None
    after: Nearness | None = None


def fetch(rows: "QuerySet[Memory]", by_words: Iterable[UUID], asked: Asked, *, most: int) -> list[Candidate]:
    """The rows nearest in meaning together with those found by words, all scored by both."""
    visible, params = rows.order_by().values("pk").query.sql_with_params()
    near, near_params = _near(asked, visible, params, most)
    scored, scored_params = _scored(asked)
    statement = (
        f"WITH near AS MATERIALIZED ({near}), chosen AS (SELECT id FROM near UNION SELECT unnest(%s::uuid[]))"  # noqa: S608  # Django's own SQL and ours
        f" SELECT m.id, {scored}, m.kind, m.tier, m.recorded_at, m.person, m.about_from, m.about_until,"
        " right(rtrim(m.content), 1) IN ('?', '？', '؟'),"
        " coalesce(first.session, ''), coalesce(first.speaker, ''), first.said_at, first.raw_id, first.id"
        " FROM chosen JOIN memories_memory m ON m.id = chosen.id"
        " LEFT JOIN memories_embedding e ON e.memory_id = m.id AND e.model = %s AND e.vector IS NOT NULL"
        " LEFT JOIN LATERAL (SELECT session, speaker, said_at, raw_id, id FROM memories_evidence"
        " WHERE memory_id = m.id ORDER BY id LIMIT 1) first ON true"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*near_params, list(by_words), *scored_params, asked.model])
        return [Candidate(row[0], _nearness(asked, *row[1:3]), *row[3:]) for row in cursor.fetchall()]


def beside(rows: "QuerySet[Memory]", placed: Sequence[Candidate], asked: Asked) -> Mapping[UUID, Beside]:
    """What stands beside candidates that have a place, by their ids."""
    visible, params = rows.order_by().values("pk").query.sql_with_params()
    scored, scored_params = _scored(asked)
    statement = (
        f"SELECT at.id, next.side, {scored} FROM unnest(%s::uuid[], %s::text[], %s::uuid[], %s::uuid[])"  # noqa: S608  # as above
        f" AS at(id, session, text, place) CROSS JOIN LATERAL ({_BESIDE}) AS next(memory_id, side, speaker)"
        " JOIN memories_memory m ON m.id = next.memory_id"
        " LEFT JOIN memories_embedding e ON e.memory_id = m.id AND e.model = %s AND e.vector IS NOT NULL"
        f" WHERE lower(next.speaker) <> ALL(%s) AND m.id IN ({visible})"
    )
    columns: list[Any] = [
        [each.id for each in placed], [each.session for each in placed],
        [each.text for each in placed], [each.place for each in placed],
    ]  # fmt: skip
    found: dict[UUID, Beside] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            statement, [*scored_params, *columns, *[asked.product_id] * 2, asked.model, list(MACHINES), *params]
        )
        for id_, side, cosine, held in cursor.fetchall():
            known, nearness = found.get(id_, Beside()), _nearness(asked, cosine, held)
            found[id_] = Beside(nearness, known.after) if side < 0 else Beside(known.before, nearness)
    return found


def _beside(here: str, compare: str, order: str, side: int) -> str:
    return (
        f"(SELECT memory_id, {side}, speaker FROM memories_evidence WHERE {here}"  # noqa: S608  # ours
        f" AND {compare} ORDER BY {order} LIMIT 1)"
    )


_IN_SESSION = "product_id = %s AND at.session <> '' AND session = at.session AND session <> '' AND memory_id = raw_id"
_IN_TEXT = "at.session = '' AND raw_id = at.text AND memory_id <> raw_id"
_BESIDE = " UNION ALL ".join(
    [
        _beside(_IN_SESSION, "raw_id < at.text", "raw_id DESC", -1),
        _beside(_IN_SESSION, "raw_id > at.text", "raw_id", 1),
        _beside(_IN_TEXT, "id < at.place", "id DESC", -1),
        _beside(_IN_TEXT, "id > at.place", "id", 1),
    ]
)


def _near(asked: Asked, visible: str, params: Sequence[Any], most: int) -> tuple[str, list[Any]]:
    """The ids nearest in meaning: exactly in a small pool, by its own index in a large one."""
    if asked.vector is None:
        return "SELECT NULL::uuid AS id WHERE false", []
    plan = planning.plan(asked.product_id, asked.model)
    pool = "e.product_id = %s AND e.model = %s AND e.vector IS NOT NULL"
    vector = _halfvec(asked.vector)
    if plan.is_exact:
        found = (
            f"SELECT e.memory_id AS id FROM memories_embedding e WHERE {pool} AND e.memory_id IN ({visible})"  # noqa: S608  # as above
            " ORDER BY e.vector <=> %s::halfvec LIMIT %s"
        )
        return found, [asked.product_id, asked.model, *params, vector, most]
    size = len(asked.vector)
    found = (
        "SELECT one.id FROM (SELECT set_config('hnsw.iterative_scan', 'strict_order', true) AS scan,"  # noqa: S608  # as above
        " set_config('hnsw.ef_search', %s, true) AS width OFFSET 0) AS tuned"
        f" CROSS JOIN LATERAL (SELECT e.memory_id AS id FROM memories_embedding e WHERE {pool}"
        f" AND tuned.scan || tuned.width <> '' AND e.memory_id IN ({visible})"
        f" ORDER BY (e.vector::halfvec({size})) <=> %s::halfvec({size}) LIMIT %s) AS one"
    )
    width = str(max(planning.EF_SEARCH, 2 * most))
    return found, [width, asked.product_id, asked.model, *params, vector, most]


def _scored(asked: Asked) -> tuple[str, list[Any]]:
    """Two columns: the cosine, and the weights of the query's terms in their order."""
    if asked.vector is None:
        cosine, params = "NULL::float8", list[Any]()
    else:
        cosine, params = "1 - (e.vector <=> %s::halfvec)", [_halfvec(asked.vector)]
    each = ", ".join(["-(m.weights <#> %s::sparsevec)"] * len(asked.words.terms))
    return f"{cosine}, ARRAY[{each}]::real[]", [*params, *(sparse({term: 1.0}).to_text() for term in asked.words.terms)]


def _nearness(asked: Asked, cosine: float | None, weights: Sequence[float | None]) -> Nearness:
    if not any(weights):
        return Nearness(cosine)
    return Nearness(cosine, *asked.words.score([weight or 0.0 for weight in weights]))


def _halfvec(vector: Vector) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"
