"""Who is named in a query: of those who speak in what the actor may see."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from memories.search.indexing import ROLES
from memories.search.scripts import folded

#: So many speakers of a product are known by name; in a larger crowd a name tells little.
MOST_SPEAKERS = 500
BELIEVED_SECONDS = 10.0
#: A name of fewer letters is too often a word.
LEAST_LETTERS = 2
#: A query needs so many letters besides the names for its meaning to be asked without them.
LEAST_REST = 8

_NAME = re.compile(r"[^\W\d_][\w.-]*")
_seen: dict[tuple[UUID, UUID | None], tuple[float, tuple[str, ...]]] = {}

_SPEAKERS = """
WITH RECURSIVE one AS (
    (SELECT speaker FROM memories_evidence WHERE product_id = %(product)s AND speaker <> '' ORDER BY speaker LIMIT 1)
    UNION ALL
    SELECT (SELECT e.speaker FROM memories_evidence e
            WHERE e.product_id = %(product)s AND e.speaker <> '' AND e.speaker > one.speaker ORDER BY e.speaker LIMIT 1)
    FROM one WHERE one.speaker IS NOT NULL
)
SELECT speaker FROM one WHERE speaker IS NOT NULL AND EXISTS (
    SELECT 1 FROM memories_evidence e JOIN memories_memory m ON m.id = e.memory_id
    WHERE e.product_id = %(product)s AND e.speaker <> '' AND e.speaker = one.speaker
      AND (m.owner_id IS NULL OR m.owner_id = %(agent)s))
LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Named:
    """The speakers that a query names, and the query without their names, which is asked for its meaning."""

    speakers: frozenset[str]
    rest: str


def forget() -> None:
    """Look again at the next search."""
    _seen.clear()


def named(query: str, *, product_id: UUID, agent_id: UUID | None) -> Named:
    """Whom of those the actor may see the query names. A name says who spoke and little of what was meant."""
    return named_of(query, _speakers(product_id, agent_id)) if _NAME.search(query) else Named(frozenset(), query)


def named_of(query: str, speakers: Sequence[str]) -> Named:
    """A speaker is named by the whole name or by its first part, written as a name is: not in small letters."""
    found, rest = set(), query
    for speaker in speakers:
        names = [name for name in (speaker, speaker.split()[0]) if len(name) >= LEAST_LETTERS]
        spelled = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", query)]
        if spelled and not spelled[0].islower():
            found.add(folded(speaker))
            rest = re.sub(rf"(?<!\w){re.escape(spelled[0])}(?:['’]s)?(?!\w)", " ", rest)
    rest = " ".join(rest.split())
    return Named(frozenset(found), rest if sum(map(str.isalpha, rest)) >= LEAST_REST else query)


def _speakers(product_id: UUID, agent_id: UUID | None) -> tuple[str, ...]:
    pool = (product_id, agent_id)
    known = _seen.get(pool)
    if known and known[0] > time.monotonic():
        return known[1]
    with connection.cursor() as cursor:
        cursor.execute(_SPEAKERS, {"product": product_id, "agent": agent_id, "most": MOST_SPEAKERS})
        found = tuple(name for (name,) in cursor.fetchall() if name.strip() and name.casefold() not in ROLES)
    _seen[pool] = (time.monotonic() + BELIEVED_SECONDS, found)
    return found
