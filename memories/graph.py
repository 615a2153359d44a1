"""What a caller may see of the graph: entities that a visible current memory names, and relations that one states.

Visibility comes first. A name, a spelling, a count or an edge is read off mentions in memories that the caller may see
and that hold now; what no such memory proves is not there.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, F, Q, QuerySet

from memories.errors import NotFound
from memories.models import Entity, Mention, RelationEvidence
from memories.querysets import MemoryQuerySet
from memories.reading.entities import name_key
from memories.search.words import query_terms

#: Two things that one statement names, where it says no more than that.
MENTIONED_WITH = "mentioned_with"
#: So many entities and edges an answer holds, and so many of an entity's neighbours are followed.
MOST_ENTITIES, MOST_EDGES = 200, 500
#: A statement that names more things than this is a list, and joins none of them.
MOST_JOINED = 8
#: As many memories as an edge names for its evidence.
MOST_EVIDENCE = 20
MOST_HOPS = 3
#: So many entities with a word of the query are ranked.
MOST_CANDIDATES = 1_000


@dataclass(frozen=True, slots=True)
class Node:
    """An entity as the caller sees it: `aliases` are its other spellings, `memories` how many name it."""

    id: UUID
    name: str
    type: str
    aliases: Sequence[str]
    memories: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation, its words, and the memories that state it."""

    id: UUID
    subject: UUID
    relation: str
    object: UUID
    words: str
    evidence: Sequence[UUID]

    @property
    def ends(self) -> frozenset[UUID]:
        return frozenset((self.subject, self.object))


@dataclass(frozen=True, slots=True)
class Graph:
    entities: Sequence[Node] = ()
    relations: Sequence[Edge] = ()


@dataclass(slots=True)
class _Walk:
    """How far a walk has come: every entity with the edge by which it was first reached."""

    reached: dict[UUID, Edge | None]
    edges: dict[UUID, Edge] = field(default_factory=dict)
    frontier: Collection[UUID] = ()


def search(rows: MemoryQuerySet, q: str, *, type_: str = "", relation: str = "", limit: int = 10) -> Graph:
    """Entities whose names hold the words of a query, the closest first, and the relations they stand in."""
    named = entities(rows, q, type_=type_, limit=limit)
    edges = _edges(rows, [node.id for node in named])
    wanted = [edge for edge in edges if relation in ("", edge.relation)]
    ends = dict.fromkeys(end for edge in wanted for end in (edge.subject, edge.object))
    others = [end for end in ends if end not in {node.id for node in named}]
    return Graph([*named, *nodes(rows, others[:MOST_ENTITIES])], wanted)


def entities(rows: MemoryQuerySet, q: str = "", *, type_: str = "", limit: int = 50) -> list[Node]:
    """Entities by name, or, without a query, those that most memories name."""
    found_in = mentions(rows)
    if type_:
        found_in = found_in.filter(entity__type=type_)
    words = query_terms(q) if q.strip() else []
    if not words:
        counted = found_in.values("entity").annotate(number=Count("memory")).order_by("-number", "entity")
        return [] if q.strip() else nodes(rows, [row["entity"] for row in counted[:limit]])
    found = found_in.filter(entity__terms__overlap=words).values("entity", "entity__key", "entity__terms")
    counted = found.annotate(number=Count("memory")).order_by("-number", "entity")[:MOST_CANDIDATES]
    key, asked = name_key(q), set(words)
    close = [
        ((row["entity__key"] == key, _overlap(asked, set(row["entity__terms"])), row["number"]), row["entity"])
        for row in counted
    ]
    return nodes(rows, [id_ for _, id_ in sorted(close, key=itemgetter(0), reverse=True)[:limit]])


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def around(rows: MemoryQuerySet, id_: UUID | str, *, depth: int = 1) -> Graph:
    """One entity and what lies up to `depth` relations away from it."""
    start = _one(rows, id_)
    walk = _Walk({start: None}, frontier=[start])
    for _ in range(depth):
        _step(rows, walk)
    return Graph(nodes(rows, list(walk.reached)), list(walk.edges.values()))


def path(rows: MemoryQuerySet, start: UUID | str, end: UUID | str, *, hops: int = MOST_HOPS) -> Graph:
    """The shortest way from one entity to another, of three relations at most; empty where there is none."""
    first, last = _one(rows, start), _one(rows, end)
    walk = _Walk({first: None}, frontier=[first])
    for _ in range(hops):
        if last in walk.reached:
            break
        _step(rows, walk)
    if last not in walk.reached:
        return Graph()
    ids, edges = [last], []
    while (edge := walk.reached[ids[-1]]) is not None:
        edges.append(edge)
        ids.append(next(iter(edge.ends - {ids[-1]})))
    return Graph(nodes(rows, ids[::-1]), edges[::-1])


def _step(rows: MemoryQuerySet, walk: _Walk) -> None:
    """Follow the edges of the frontier. What a statement says goes before what it merely names together."""
    found = _edges(rows, walk.frontier)
    new: dict[UUID, Edge] = {}
    for edge in found:
        for end in edge.ends - walk.reached.keys() - new.keys():
            if len(walk.reached) + len(new) < MOST_ENTITIES:
                new[end] = edge
    walk.reached |= new
    walk.edges |= {edge.id: edge for edge in found if edge.ends <= walk.reached.keys() and len(walk.edges) < MOST_EDGES}
    walk.frontier = list(new)


def _one(rows: MemoryQuerySet, id_: UUID | str) -> UUID:
    """An entity by its id or its name. What is not visible is not there."""
    if "\0" in str(id_):  # no name holds it, and PostgreSQL takes it for no text
        raise NotFound
    mine = mentions(rows).order_by("entity").values_list("entity", flat=True)
    found = mine.filter(entity__key=name_key(str(id_))).first()
    with suppress(ValueError):
        found = found or mine.filter(entity=UUID(str(id_))).first()
    if found is None:
        raise NotFound
    return found


def _current(rows: MemoryQuerySet) -> MemoryQuerySet:
    return rows.current().statements_only()


def mentions(rows: MemoryQuerySet) -> "QuerySet[Mention]":
    """Where the names stand, in current statements among these rows."""
    return Mention.objects.filter(memory__in=_current(rows))


def nodes(rows: MemoryQuerySet, ids: Sequence[UUID]) -> list[Node]:
    """These entities, in the order of the ids. A spelling counts as one only where the caller may read it."""
    mine = mentions(rows).filter(entity__in=ids).order_by()
    spelled: dict[UUID, dict[str, int]] = defaultdict(dict)
    for entity, words, number in mine.values_list("entity", "words").annotate(number=Count("pk")):
        spelled[entity][words] = number
    known = {entity.pk: entity for entity in Entity.objects.filter(pk__in=spelled).defer("terms")}
    return [_node(known[id_], spelled[id_]) for id_ in ids if id_ in known]


def _node(entity: Entity, spelled: dict[str, int]) -> Node:
    usual, *others = sorted(spelled, key=lambda words: (-spelled[words], words))
    return Node(entity.pk, usual, entity.type, others, sum(spelled.values()))


def _edges(rows: MemoryQuerySet, ids: Collection[UUID]) -> list[Edge]:
    """The relations of these entities, those that most memories state first; then what is only named beside them."""
    if not ids:
        return []
    stated = _stated(rows, Q(relation__subject__in=ids) | Q(relation__object__in=ids))
    joined = {edge.ends for edge in stated}
    together = [edge for edge in _together(rows, ids) if edge.ends not in joined]
    return [*stated, *together][:MOST_EDGES]


def among(rows: MemoryQuerySet, ids: Collection[UUID]) -> list[Edge]:
    """The relations that these entities have with each other."""
    inside = Q(relation__subject__in=ids) & Q(relation__object__in=ids)
    stated = _stated(rows, inside)
    joined = {edge.ends for edge in stated}
    wanted = frozenset(ids)
    together = [edge for edge in _together(rows, ids) if edge.ends <= wanted and edge.ends not in joined]
    return [*stated, *together][:MOST_EDGES]


def _stated(rows: MemoryQuerySet, touching: Q) -> list[Edge]:
    mine = RelationEvidence.objects.filter(touching, memory__in=_current(rows)).order_by("pk")
    columns = mine.values_list(
        "relation", "relation__subject", "relation__relation", "relation__object", "words", "memory"
    )
    found: dict[UUID, Edge] = {}
    evidence: dict[UUID, list[UUID]] = defaultdict(list)
    for id_, subject, relation, object_, words, memory in columns[: MOST_EDGES * MOST_EVIDENCE]:
        evidence[id_].append(memory)
        found.setdefault(id_, Edge(id_, subject, relation, object_, words, evidence[id_]))
    return _most_stated(found.values())


def _together(rows: MemoryQuerySet, ids: Collection[UUID]) -> list[Edge]:
    """Two names in one statement: an edge as well, and the weaker one."""
    few = (
        Mention.objects.filter(memory__in=_current(rows), memory__mentions__entity__in=ids)
        .values("memory").annotate(number=Count("entity", distinct=True))
        .filter(number__gte=2, number__lte=MOST_JOINED).order_by("-memory").values("memory")[: MOST_EDGES * 4]
    )  # fmt: skip
    beside = Mention.objects.filter(entity__in=ids, memory__in=few).annotate(
        key=F("entity__key"), other=F("memory__mentions__entity"), other_key=F("memory__mentions__entity__key")
    )
    pairs = beside.exclude(other=F("entity")).values_list("entity", "key", "other", "other_key")
    counted = pairs.annotate(evidence=ArrayAgg("memory", distinct=True)).order_by("key", "other_key")
    found: dict[frozenset[UUID], Edge] = {}
    for one, key, other, other_key, evidence in counted:
        first, second = (one, other) if key < other_key else (other, one)
        edge = Edge(_id_of_pair(first, second), first, MENTIONED_WITH, second, "", evidence)
        found.setdefault(edge.ends, edge)
    return _most_stated(found.values())


def _id_of_pair(first: UUID, second: UUID) -> UUID:
    """Always the same for two entities, though no row bears it: a UUID of version 7, as all ids are."""
    digest = sha256(first.bytes + second.bytes).digest()
    return UUID(bytes=second.bytes[:8] + bytes([0x80 | digest[0] & 0x3F]) + digest[1:8])


def _most_stated(edges: Iterable[Edge]) -> list[Edge]:
    """Those in the same number of memories stay in their order."""
    return sorted(edges, key=lambda edge: -len(edge.evidence))
