"""The graph is kept with the memories: what a statement names is linked in the transaction that stores it.

Names are found before, outside of it (drafts.py). Rows go in with ON CONFLICT, and in the order of their keys, so that
two pools of one product that write the same name at once never wait for each other in a circle.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from memories.choices import EntityType, Kind
from memories.models import Entity, Memory, Mention, Product, Relation, RelationEvidence
from memories.reading.entities import Found, Named, found_all
from memories.search.words import terms

#: So many memories are linked in one transaction when a whole product is linked anew.
CHUNK = 500
#: A name that is longer is no name.
MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Linked:
    """A memory, and what was found in it."""

    memory: Memory
    found: Found


def link(linked: Sequence[Linked]) -> None:
    """Join memories of one product with what they name. Must run inside the transaction that stores them."""
    wanted = {named.key: named for each in linked for named in _named(each.found) if _is_name(named)}
    if not wanted:
        return
    product_id = linked[0].memory.product_id
    entities = _entities(product_id, wanted)
    Mention.objects.bulk_create(
        [
            Mention(product_id=product_id, memory=each.memory, entity_id=entities[named.key], words=named.text)
            for each in linked
            for named in _once(_named(each.found))
            if named.key in entities
        ],
        ignore_conflicts=True,
    )
    _relate(product_id, linked, entities)


def relink(product: Product) -> int:
    """Link every statement of a product anew, after a better way to find names has come. Says how many there were."""
    rows = Memory.objects.filter(product=product).exclude(kind=Kind.RAW).order_by("pk").defer("words", "metadata")
    number = 0
    for chunk in _chunks(rows.iterator(CHUNK)):
        named = found_all([(memory.content, memory.person) for memory in chunk])
        read = [Linked(memory, each) for memory, each in zip(chunk, named, strict=True)]
        with transaction.atomic():
            Mention.objects.filter(memory__in=chunk).delete()
            RelationEvidence.objects.filter(memory__in=chunk).delete()
            link(read)
        number += len(chunk)
    Relation.objects.filter(product=product, evidence__isnull=True).delete()
    Entity.objects.filter(product=product, mentions__isnull=True).delete()
    return number


def _named(found_: Found) -> list[Named]:
    return [*found_.names, *(end for each in found_.relations for end in (each.subject, each.object))]


def _once(named: Iterable[Named]) -> list[Named]:
    return list({each.key: each for each in named}.values())


def _is_name(named: Named) -> bool:
    return bool(named.key) and len(named.key) <= MOST_CHARACTERS


def _entities(product_id: UUID, wanted: dict[str, Named]) -> dict[str, UUID]:
    """The entities of these keys, made where there are none. One of no known type takes the type it gets now."""
    keys = sorted(wanted)
    known = _known(product_id, keys)
    new = [
        Entity(product_id=product_id, key=key, name=wanted[key].name, type=wanted[key].type, terms=_terms(wanted[key]))
        for key in keys
        if key not in known
    ]
    if new:
        Entity.objects.bulk_create(new, ignore_conflicts=True)
        known = _known(product_id, keys)
    for key in keys:
        if known[key].type == EntityType.OTHER != wanted[key].type:
            Entity.objects.filter(pk=known[key].pk, type=EntityType.OTHER).update(type=wanted[key].type)
    return {key: entity.pk for key, entity in known.items()}


def _known(product_id: UUID, keys: Sequence[str]) -> dict[str, Entity]:
    return {each.key: each for each in Entity.objects.filter(product_id=product_id, key__in=keys)}


def _terms(named: Named) -> list[str]:
    return list(dict.fromkeys([*terms(named.text), *terms(named.whole)]))


def _relate(product_id: UUID, linked: Sequence[Linked], entities: dict[str, UUID]) -> None:
    said = {
        (entities[each.subject.key], each.relation, entities[each.object.key]): None
        for one in linked
        for each in one.found.relations
        if each.subject.key in entities and each.object.key in entities and each.subject.key != each.object.key
    }
    if not said:
        return
    Relation.objects.bulk_create(
        [Relation(product_id=product_id, subject_id=s, relation=r, object_id=o) for s, r, o in sorted(said, key=str)],
        ignore_conflicts=True,
    )
    ends = Relation.objects.filter(subject__in={s for s, _, _ in said}, object__in={o for _, _, o in said})
    rows = ends.values_list("subject_id", "relation", "object_id", "pk")
    ids = {(subject, relation, object_): pk for subject, relation, object_, pk in rows}
    RelationEvidence.objects.bulk_create(
        [
            RelationEvidence(product_id=product_id, relation_id=ids[triple], memory=one.memory, words=each.words)
            for one in linked
            for each in one.found.relations
            if (triple := (entities.get(each.subject.key), each.relation, entities.get(each.object.key))) in ids
        ],
        ignore_conflicts=True,
    )


def _chunks(rows: Iterable[Memory]) -> Iterable[list[Memory]]:
    chunk: list[Memory] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
