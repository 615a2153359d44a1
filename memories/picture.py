"""The part of the graph that is drawn: bounded, and chosen so that it can be read."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from memories import graph
from memories.choices import EntityType
from memories.graph import Edge, Node
from memories.querysets import MemoryQuerySet

#: A person can read so many names in one picture, and no more.
MOST_DRAWN = 300
#: The entities among which the drawn ones are chosen: those that hang together go before those that stand alone.
MOST_LOOKED_AT = 900
#: Names that a search starts from.
MOST_FOUND = 10
#: Of an edge's evidence a picture carries so much.
MOST_EVIDENCE = 20


@dataclass(frozen=True, slots=True)
class Picture:
    """`is_cut`: there is more than what is drawn."""

    entities: Sequence[Node]
    relations: Sequence[Edge]
    is_cut: bool = False


def whole(rows: MemoryQuerySet, types: Collection[EntityType], *, most: int = MOST_DRAWN) -> Picture:
    """The entities of these types that most memories name, connected ones first, and how they relate."""
    named = graph.mentions(rows).filter(entity__type__in=types)
    counted = named.values("entity").annotate(number=Count("memory")).order_by("-number", "entity")
    ids = [row["entity"] for row in counted[: MOST_LOOKED_AT + 1]]
    edges = graph.among(rows, ids[:MOST_LOOKED_AT])
    joined = {end for edge in edges for end in edge.ends}
    chosen = sorted(ids, key=lambda id_: id_ not in joined)[:most]  # stable: the most named stay in front
    return _drawn(rows, chosen, edges, is_cut=len(ids) > most)


def found(rows: MemoryQuerySet, q: str, types: Collection[EntityType], *, most: int = MOST_DRAWN) -> Picture:
    """The entities that a query names, and what they relate to."""
    found_ = graph.search(rows, q, limit=MOST_FOUND)
    wanted = [node for place, node in enumerate(found_.entities) if place < MOST_FOUND or node.type in types]
    return _drawn(rows, [node.id for node in wanted][:most], found_.relations, is_cut=len(wanted) > most)


def around(rows: MemoryQuerySet, id_: str, types: Collection[EntityType], *, most: int = MOST_DRAWN) -> Picture:
    """One entity and its neighbours."""
    near = graph.around(rows, id_)
    wanted = [node for place, node in enumerate(near.entities) if not place or node.type in types]
    return _drawn(rows, [node.id for node in wanted][:most], near.relations, is_cut=len(wanted) > most)


def _drawn(rows: MemoryQuerySet, ids: Sequence[UUID], edges: Sequence[Edge], *, is_cut: bool) -> Picture:
    kept = frozenset(ids)
    inside = [edge for edge in edges if edge.ends <= kept]
    return Picture(graph.nodes(rows, ids), inside, is_cut)
